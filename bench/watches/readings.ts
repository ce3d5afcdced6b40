import type {LedgerRow} from '../../local/platform/edge/ledger.ts'

/** One look of the bot at one project, as the platform's ledger has it. */
export interface Reading {
  kind: 'quick' | 'full'
  startMs: number
  /** When its last call came. */
  endMs: number
  /** Calls of `GET /threads`. */
  lists: number
}

/** The status that a quick reading asks for first. */
const FIRST_STATUS = 'pending_user'

/**
 * The readings of each project, oldest first: a quick one begins with the first status, a full one with a list of whatever
 * status. `projectOf` a thread that is asked for by itself.
 */
export function readingsIn(
  rows: readonly LedgerRow[],
  projectOf: (threadId: string) => string | undefined,
): Map<string, Reading[]> {
  const readings = new Map<string, Reading[]>()
  for (const {method, path, atMs} of rows) {
    if (method !== 'GET') continue
    const url = new URL(path, 'http://platform')
    const single = /^\/api\/v1\/threads\/([^/]+)$/.exec(url.pathname)?.[1]
    const isList = url.pathname === '/api/v1/threads'
    const projectId = isList ? url.searchParams.get('projectId') : projectOf(single ?? '')
    if (projectId == null) continue
    const those = readings.get(projectId) ?? []
    readings.set(projectId, those)
    const kind = isList ? beginOf(url.searchParams) : undefined
    if (kind !== undefined) those.push({kind, startMs: atMs, endMs: atMs, lists: 0})
    const current = those.at(-1)
    if (current === undefined) continue
    current.endMs = Math.max(current.endMs, atMs)
    if (isList) current.lists += 1
  }
  return readings
}

/** Which kind of reading begins with this list; `undefined`: it goes on with one. */
function beginOf(query: URLSearchParams): Reading['kind'] | undefined {
  if (query.has('cursor')) return undefined
  const status = query.get('status')
  if (status === FIRST_STATUS) return 'quick'
  return status === null && !query.has('limit') ? 'full' : undefined
}
