import type {Kysely, Selectable} from 'kysely'
import type {Schema} from './database/schema.ts'
import type {Write} from './database/writer.ts'
import {newId} from './new-id.ts'

export type PingKind = 'needs-you' | 'review' | 'failed' | 'done'

/**
 * `open → answered | over`. `open`: what it is about is so. `answered`: the agent works again. `over`: nobody has to
 * do anything about it any more.
 */
export type PingState = 'open' | 'answered' | 'over'

/** A message that calls a person to a thread. */
export interface Ping {
  /** Opaque; it stands in buttons. */
  id: string
  linkId: string
  /** The state that it is about: one of them calls once. */
  key: string
  kind: PingKind
  /** The Slack user who is called. */
  person: string
  words: PingWords
  state: PingState
  /** The Slack user who answered, as far as we know. */
  endedBy: string | undefined
  /** How many have been sent. */
  reminders: number
  remindAtMs: number | undefined
  madeAtMs: number
}

/** What was so when it was made. */
interface PingWords {
  /** The end of what the agent said last, in its own Markdown. */
  question?: string
  /** How long the run took. */
  ranMs?: number
  pullRequest?: string
  /** What people wrote as answers where nobody else can read it. */
  answers?: {by: string; text: string}[]
}

type NewPing = Pick<Ping, 'linkId' | 'key' | 'kind' | 'person' | 'words' | 'remindAtMs'>

export interface PingStore {
  byId(id: string): Promise<Ping | undefined>
  /** Those that may still change: the open ones, and the last few. Oldest first. */
  ofLink(linkId: string): Promise<Ping[]>
  /** The open ones of these links that wait for an answer, by link. */
  asking(linkIds: readonly string[]): Promise<ReadonlyMap<string, Ping>>
  /** The link where people of a workspace are called to this thread: the first of those that are not over. */
  placeOf(of: {team: string; threadId: string}): Promise<string | undefined>
  /** The new one; `undefined` when this state has called already. */
  add(ping: NewPing, nowMs: number): Promise<Ping | undefined>
  /** Nothing happens to one that has ended before. */
  end(id: string, state: Exclude<PingState, 'open'>, by: string | undefined): Promise<void>
  /** Keeps what somebody answered, once. */
  keepAnswer(id: string, answer: {by: string; text: string}): Promise<void>
  /** Open ones whose reminder is due. */
  due(nowMs: number): Promise<Ping[]>
  /** When the next reminder is due. */
  nextDueAtMs(): Promise<number | undefined>
  /** One more is to be shown. False when it has ended, or somebody else has counted it, or it was put off. */
  remind({id, reminders, remindAtMs}: Ping, nextAtMs: number | undefined): Promise<boolean>
  /** Puts its next reminder off, for good without a time. False when it has ended. */
  snooze(id: string, untilMs: number | undefined): Promise<boolean>
}

/** What somebody answered may be told of one that is over, and its message may not say yet that it is. */
const LAST_FEW = 12

export function createPingStore(db: Kysely<Schema>, write: Write): PingStore {
  const open: PingState = 'open'

  const byId: PingStore['byId'] = async (id) => {
    const row = await db.selectFrom('pings').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toPing(row)
  }

  const ofLink: PingStore['ofLink'] = async (linkId) => {
    const of = db.selectFrom('pings').selectAll().where('link_id', '=', linkId)
    const newest = of.orderBy('made_at_ms', 'desc').orderBy('id', 'desc').limit(LAST_FEW)
    const [standing, last] = await Promise.all([
      of.where('state', '=', open).execute(),
      newest.execute(),
    ])
    const rows = new Map([...standing, ...last].map((row) => [row.id, row]))
    return [...rows.values()]
      .toSorted((a, b) => a.made_at_ms - b.made_at_ms || (a.id < b.id ? -1 : 1))
      .map(toPing)
  }

  const asking: PingStore['asking'] = async (linkIds) => {
    const rows = await db
      .selectFrom('pings')
      .selectAll()
      .where('link_id', 'in', linkIds)
      .where('state', '=', open)
      .where('kind', '=', 'needs-you' satisfies PingKind)
      .execute()
    return new Map(rows.map((row) => [row.link_id, toPing(row)]))
  }

  const placeOf: PingStore['placeOf'] = async ({team, threadId}) => {
    const row = await db
      .selectFrom('links')
      .select('id')
      .where('team', '=', team)
      .where('thread_id', '=', threadId)
      .where('task_id', 'is', null)
      .where('state', 'in', ['starting', 'open'])
      .orderBy('created_at_ms')
      .orderBy('id')
      .executeTakeFirst()
    return row?.id
  }

  const add: PingStore['add'] = (ping, nowMs) =>
    write(async (transaction) => {
      const row = await transaction
        .insertInto('pings')
        .values({
          id: newId(),
          link_id: ping.linkId,
          key: ping.key,
          kind: ping.kind,
          person: ping.person,
          words: JSON.stringify(ping.words),
          state: open,
          remind_at_ms: ping.remindAtMs ?? null,
          made_at_ms: nowMs,
        })
        .onConflict((conflict) => conflict.columns(['link_id', 'key']).doNothing())
        .returningAll()
        .executeTakeFirst()
      return row && toPing(row)
    })

  const end: PingStore['end'] = (id, state, by) =>
    write(async (transaction) => {
      await transaction
        .updateTable('pings')
        .set({state, ended_by: by ?? null, remind_at_ms: null})
        .where('id', '=', id)
        .where('state', '=', open)
        .execute()
    })

  const keepAnswer: PingStore['keepAnswer'] = (id, answer) =>
    write(async (transaction) => {
      const query = transaction.selectFrom('pings').selectAll().where('id', '=', id)
      const {words} = toPing(await query.executeTakeFirstOrThrow())
      const {answers = []} = words
      if (answers.some(({by, text}) => by === answer.by && text === answer.text)) return
      await transaction
        .updateTable('pings')
        .set({words: JSON.stringify({...words, answers: [...answers, answer]})})
        .where('id', '=', id)
        .execute()
    })

  const due: PingStore['due'] = async (nowMs) => {
    const rows = await db
      .selectFrom('pings')
      .selectAll()
      .where('remind_at_ms', '<=', nowMs)
      .where('state', '=', open)
      .orderBy('remind_at_ms')
      .limit(100)
      .execute()
    return rows.map(toPing)
  }

  const nextDueAtMs: PingStore['nextDueAtMs'] = async () => {
    const row = await db
      .selectFrom('pings')
      .select(({fn}) => fn.min<number | null>('remind_at_ms').as('at'))
      .where('remind_at_ms', 'is not', null)
      .executeTakeFirst()
    return row?.at ?? undefined
  }

  const remind: PingStore['remind'] = ({id, reminders, remindAtMs}, nextAtMs) =>
    write(async (transaction) => {
      const result = await transaction
        .updateTable('pings')
        .set({reminders: reminders + 1, remind_at_ms: nextAtMs ?? null})
        .where('id', '=', id)
        .where('state', '=', open)
        .where('reminders', '=', reminders)
        .where('remind_at_ms', 'is', remindAtMs ?? null)
        .executeTakeFirst()
      return result.numUpdatedRows === 1n
    })

  const snooze: PingStore['snooze'] = (id, untilMs) =>
    write(async (transaction) => {
      const result = await transaction
        .updateTable('pings')
        .set({remind_at_ms: untilMs ?? null})
        .where('id', '=', id)
        .where('state', '=', open)
        .executeTakeFirst()
      return result.numUpdatedRows === 1n
    })

  return {byId, ofLink, asking, placeOf, add, end, keepAnswer, due, nextDueAtMs, remind, snooze}
}

function toPing(row: Selectable<Schema['pings']>): Ping {
  return {
    id: row.id,
    linkId: row.link_id,
    key: row.key,
    kind: row.kind as PingKind,
    person: row.person,
    words: JSON.parse(row.words) as PingWords,
    state: row.state as PingState,
    endedBy: row.ended_by ?? undefined,
    reminders: row.reminders,
    remindAtMs: row.remind_at_ms ?? undefined,
    madeAtMs: row.made_at_ms,
  }
}
