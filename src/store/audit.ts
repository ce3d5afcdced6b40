import type {Kysely} from 'kysely'
import type {Schema} from './database/schema.ts'
import type {Write} from './database/writer.ts'

/** Who did what. It holds names of things and never what people wrote. */
interface AuditEntry {
  team: string
  channel: string | undefined
  /** A Slack user. */
  user: string
  /** As the table of acts names it. */
  act: string
  /** What it was done to: an id of ours or the platform's. */
  about: string | undefined
  outcome: 'done' | 'refused'
  atMs: number
}

/** An entry as it stands in the table: a higher id is newer. */
export type AuditRow = AuditEntry & {id: number}

interface AuditPage {
  limit: number
  /** Only what is older than this entry. */
  beforeId?: number | undefined
  /** Only what was done from then on, and before then. */
  fromMs?: number | undefined
  beforeMs?: number | undefined
}

export interface AuditStore {
  add(entry: AuditEntry): Promise<void>
  /** False: somebody did the same to the same, in the same channel, since then. */
  addOnce(entry: AuditEntry, sinceMs: number): Promise<boolean>
  /** Newest first. */
  ofTeam(team: string, page: AuditPage): Promise<AuditRow[]>
}

export function createAuditStore(db: Kysely<Schema>, write: Write): AuditStore {
  return {
    add: async ({channel, about, atMs, ...entry}) => {
      const row = {...entry, channel: channel ?? null, about: about ?? null, at_ms: atMs}
      await write((transaction) => transaction.insertInto('audit').values(row).execute())
    },
    addOnce: ({channel, about, atMs, ...entry}, sinceMs) =>
      write(async (transaction) => {
        const before = await transaction
          .selectFrom('audit')
          .select('id')
          .where('team', '=', entry.team)
          .where('act', '=', entry.act)
          .where('channel', 'is', channel ?? null)
          .where('about', 'is', about ?? null)
          .where('at_ms', '>', sinceMs)
          .executeTakeFirst()
        if (before !== undefined) return false
        const row = {...entry, channel: channel ?? null, about: about ?? null, at_ms: atMs}
        await transaction.insertInto('audit').values(row).execute()
        return true
      }),
    ofTeam: async (team, {limit, beforeId, fromMs, beforeMs}) => {
      const rows = await db
        .selectFrom('audit')
        .selectAll()
        .where('team', '=', team)
        .$if(fromMs !== undefined, (query) => query.where('at_ms', '>=', fromMs ?? 0))
        .$if(beforeId !== undefined, (query) => query.where('id', '<', beforeId ?? 0))
        .$if(beforeMs !== undefined, (query) => query.where('at_ms', '<', beforeMs ?? 0))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map((row) => ({
        id: row.id,
        ...{team: row.team, channel: row.channel ?? undefined, user: row.user, act: row.act},
        ...{about: row.about ?? undefined, outcome: row.outcome as AuditEntry['outcome']},
        atMs: row.at_ms,
      }))
    },
  }
}
