import type {Beside} from '../../src/relay/posts/posts.ts'
import type {Link} from '../../src/store/tables/work/link.ts'

/** Of open work to which nothing has happened yet. */
export const FRESH_LINK: Link = {
  id: 'l1',
  place: {team: 'T1', channel: 'C1', slackThread: '1.0'},
  state: 'open',
  requestId: 'r1',
  projectId: 'p1',
  projectName: 'web',
  threadId: 'thread_1',
  title: 'Fix it',
  startedBy: 'U1',
  status: 'idle',
  statusSinceMs: 0,
  stoppedBy: undefined,
  notice: undefined,
  steps: 2,
  credits: undefined,
  cursor: undefined,
  newestTs: undefined,
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
  dismissed: undefined,
  model: undefined,
  rule: undefined,
  plan: undefined,
  room: undefined,
}

/** Nobody waits for anything. */
export const NOTHING_BESIDE: Beside = {
  ...{unsure: [], waiting: [], held: [], pullRequests: {states: new Map()}, notifications: []},
  budget: {perWorkMicros: undefined, notes: []},
}
