import {csvLine} from '../security/csv.ts'
import type {AuditRow, AuditStore} from './audit.ts'

const HEAD = ['time', 'workspace', 'channel', 'user', 'act', 'about', 'outcome']
const PER_PAGE = 1000

interface Range {
  fromMs?: number | undefined
  beforeMs?: number | undefined
}

/** The audit of a workspace as CSV, newest first, in pieces; the first one is its head. */
export async function* auditCsv(
  audit: Pick<AuditStore, 'ofTeam'>,
  team: string,
  range: Range = {},
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
