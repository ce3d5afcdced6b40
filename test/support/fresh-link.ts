import type {Beside} from '../../src/relay/posts.ts'

/** Of a link to which nothing has happened yet. */
export const FRESH_LINK = {
  connectionId: undefined,
  ask: undefined,
  notes: undefined,
  pullRequest: undefined,
  pullRequests: [],
  taskId: undefined,
  lastModelId: undefined,
  tasks: undefined,
  attempt: 0,
  turn: 0,
  muted: false,
  needsYou: false,
  runSinceMs: undefined,
  face: undefined,
  isHome: false,
} as const

/** Nobody waits for anything. */
export const NOTHING_BESIDE: Beside = {unsure: [], waiting: [], pings: []}
