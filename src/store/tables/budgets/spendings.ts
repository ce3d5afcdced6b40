import {type Kysely, sql} from 'kysely'
import {inParts} from '../../database/in-parts.ts'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import {linksIn, toLink} from '../work/link-rows.ts'
import {FOLLOWED, type Link, type LinkState} from '../work/link.ts'

/** Whose spending counts: what is empty does not narrow it. */
export interface Subject {
  threadId: string
  user: string
  channel: string
}

/** What was read of the cost of a thread that was begun here, all its tasks included. */
interface Reading {
  team: string
  threadId: string
  channel: string
  user: string
  /** The UTC day on which it was read, as `2026-01-31`. */
  day: string
  /** In millionths of a dollar; `undefined`: it said no figure. */
  micros: number | undefined
  nowMs: number
}

/** Days that count, first and last. */
export interface Days {
  first: string
  last: string
}

/** What work has cost, day by day. Amounts are whole millionths of a dollar: a thousandth of a credit. */
export interface SpendingStore {
  /**
   * Counts a reading once: what it shows beyond the highest before it, on its day. What shows less, or no figure, adds
   * nothing.
   *
   * @returns what it added.
   */
  count(reading: Reading): Promise<number>
  /** On these days; without, on all of them and before. */
  spent(of: Subject & {team: string}, days: Days | undefined): Promise<number>
  /**
   * Links of work that was begun in these workspaces and may be costing something: what stands at one of these statuses,
   * and what was put away, or last cost more, since then.
   */
  costing(
    teams: readonly string[],
    of: {statuses: readonly string[]; putAwaySinceMs: number},
  ): Promise<Link[]>
}

export function createSpendingStore(db: Kysely<Schema>, write: Write): SpendingStore {
  const count: SpendingStore['count'] = ({team, threadId, channel, user, day, micros, nowMs}) =>
    write(async (transaction) => {
      const rows = await transaction
        .selectFrom('spendings')
        .select('micros')
        .where('team', '=', team)
        .where('thread_id', '=', threadId)
        .execute()
      const added = addedBy(sumOf(rows), micros)
      if (added === 0) return 0
      await transaction
        .insertInto('spendings')
        .values({
          ...{team, thread_id: threadId, day, channel, user},
          ...{micros: added, risen_at_ms: nowMs},
        })
        .onConflict((conflict) =>
          conflict
            .columns(['team', 'thread_id', 'day'])
            .doUpdateSet((to) => ({
              micros: to(to.ref('spendings.micros'), '+', added),
              risen_at_ms: nowMs,
            })),
        )
        .execute()
      return added
    })

  const spent: SpendingStore['spent'] = async ({team, threadId, user, channel}, days) => {
    const rows = await db
      .selectFrom('spendings')
      .select('micros')
      .where('team', '=', team)
      .$if(threadId !== '', (query) => query.where('thread_id', '=', threadId))
      .$if(user !== '', (query) => query.where('user', '=', user))
      .$if(channel !== '', (query) => query.where('channel', '=', channel))
      .$if(days !== undefined, (query) =>
        query.where('day', '>=', days?.first ?? '').where('day', '<=', days?.last ?? ''),
      )
      .execute()
    return sumOf(rows)
  }

  // In the very words of the indexes that hold these alone.
  const begun = (state: 'open' | 'archived') =>
    linksIn(db)
      .where('state', '=', sql.lit(state satisfies LinkState))
      .where('task_id', 'is', null)
      .where('thread_id', 'is not', null)
      .where('request_id', 'not like', `${FOLLOWED}%`)

  const costing: SpendingStore['costing'] = async (teams, {statuses, putAwaySinceMs: sinceMs}) => {
    if (teams.length === 0) return []
    const [open, putAway, risen] = await Promise.all([
      begun('open')
        .where('team', 'in', teams)
        .where('status', 'in', [...statuses])
        .execute(),
      begun('archived')
        .where('team', 'in', teams)
        .where('status_since_ms', '>=', sinceMs)
        .execute(),
      db
        .selectFrom('spendings')
        .select(['team', 'thread_id'])
        .distinct()
        .where('team', 'in', teams)
        .where('risen_at_ms', '>=', sinceMs)
        .execute(),
    ])
    const known = new Set([...open, ...putAway].map(nameOf))
    const others = risen.filter((spending) => !known.has(nameOf(spending)))
    const wanted = new Set(others.map(nameOf))
    const late: typeof putAway = []
    for (const some of inParts([...new Set(others.map(({thread_id: id}) => id))])) {
      const found = await begun('archived')
        // Joined with nothing, it keeps SQLite from looking through all that the workspaces have put away.
        .where(sql<string>`team || ''`, 'in', teams)
        .where('thread_id', 'in', some)
        .execute()
      late.push(...found.filter((link) => wanted.has(nameOf(link))))
    }
    return [...open, ...putAway, ...late].map(toLink)
  }

  return {count, spent, costing}
}

function nameOf({team, thread_id: threadId}: {team: string; thread_id: string | null}): string {
  return `${team} ${threadId ?? ''}`
}

/** What a reading adds to what has been counted: a price that falls gives nothing back. */
function addedBy(counted: number, micros: number | undefined): number {
  return micros === undefined ? 0 : Math.max(0, micros - counted)
}

function sumOf(rows: readonly {micros: number}[]): number {
  return rows.reduce((sum, {micros}) => sum + micros, 0)
}
