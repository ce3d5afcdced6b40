import type {Kysely, Transaction} from 'kysely'
import {csvLine} from '../../security/csv.ts'
import type {Schema} from '../database/schema.ts'
import type {Write} from '../database/writer.ts'

/** Stands where a person stands whose tool it was that did something: whoever runs Bosun, and no Slack user. */
export const OPERATOR = 'operator'

/** Who did what. It holds names of things and never what people wrote. */
export interface AuditEntry {
  team: string
  channel: string | undefined
  /** A Slack user; where a budget stopped work, whose that is; {@link OPERATOR}. */
  user: string
  /** As the table of acts names it; `budget person day` where a budget stopped work. */
  act: string
  /** What it was done to, an id of ours or the platform's, and of a budget what was spent or allowed. */
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
    add: (entry) => write((transaction) => enter(transaction, entry)),
    addOnce: (entry, sinceMs) =>
      write(async (transaction) => {
        const row = toRow(entry)
        const before = await transaction
          .selectFrom('audit')
          .select('id')
          .where('team', '=', entry.team)
          .where('act', '=', entry.act)
          .where('channel', 'is', row.channel)
          .where('about', 'is', row.about)
          .where('at_ms', '>', sinceMs)
          .executeTakeFirst()
        if (before !== undefined) return false
        await enter(transaction, entry)
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
      return rows.map(({channel, about, outcome, at_ms: atMs, ...row}) => ({
        ...row,
        channel: channel ?? undefined,
        about: about ?? undefined,
        outcome: outcome as AuditEntry['outcome'],
        atMs,
      }))
    },
  }
}

/** As part of what is done. */
export async function enter(transaction: Transaction<Schema>, entry: AuditEntry): Promise<void> {
  await transaction.insertInto('audit').values(toRow(entry)).execute()
}

function toRow({channel, about, atMs, ...entry}: AuditEntry) {
  return {...entry, channel: channel ?? null, about: about ?? null, at_ms: atMs}
}

const HEAD = ['time', 'workspace', 'channel', 'user', 'act', 'about', 'outcome']
const PER_PAGE = 1000

/** The audit of a workspace as CSV, newest first, in pieces; the first one is its head. */
export async function* auditCsv(
  audit: Pick<AuditStore, 'ofTeam'>,
  team: string,
  range: Pick<AuditPage, 'fromMs' | 'beforeMs'> = {},
): AsyncGenerator<string, void> {
  yield csvLine(HEAD)
  let beforeId: number | undefined
  do {
    const rows = await audit.ofTeam(team, {...range, limit: PER_PAGE, beforeId})
    for (const row of rows) yield csvLine(toCells(row))
    beforeId = rows.length < PER_PAGE ? undefined : rows.at(-1)?.id
  } while (beforeId !== undefined)
}

function toCells({atMs, team, channel = '', user, act, about = '', outcome}: AuditRow): string[] {
  return [new Date(atMs).toISOString(), team, channel, user, act, about, outcome]
}
