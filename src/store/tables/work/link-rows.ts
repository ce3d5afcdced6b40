import {type Kysely, type Selectable, type SqlBool, type Updateable, sql} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {
  Face,
  Link,
  LinkChange,
  LinkState,
  ModelChoice,
  NamedPullRequest,
  Notes,
  CardNotice,
  PlanState,
  RoomPlace,
  RuleMark,
  TaskState,
} from './link.ts'

type Row = Omit<Selectable<Schema['links']>, 'stop' | 'marks'>

/** Without the message that the thread is created with: it may be some 100 kB, and thousands of links are held. */
export const LINK_COLUMNS = [
  ...(['id', 'team', 'channel', 'slack_thread', 'state', 'request_id', 'project_id'] as const),
  ...(['project_name', 'thread_id', 'title', 'started_by', 'status', 'status_since_ms'] as const),
  ...(['stopped_by', 'notice', 'steps', 'credits', 'cursor', 'newest_ts', 'notes'] as const),
  ...(['pull_request', 'task_id', 'last_model_id', 'tasks', 'attempt', 'turn', 'muted'] as const),
  ...(['needs_you', 'run_since_ms', 'connection_id', 'created_at_ms'] as const),
  ...(['face', 'home', 'pull_requests', 'dismissed', 'model', 'plan', 'rule'] as const),
  ...(['is_room', 'room', 'moved'] as const),
  sql<string | null>`json_remove(ask, '$.message')`.as('ask'),
] as const

/** A plan that waits for a word needs somebody, whatever the platform says. */
export const PLANNED: PlanState = 'planned'

/** In the very words of the indexes that hold these alone: another way to say it walks through all that has ended. */
export const IS_AT_WORK = sql<SqlBool>`state in ('starting', 'open')`
export const IS_AT_REST = sql<SqlBool>`state in ('archived', 'ended')`

/** Links as {@link toLink} takes them. */
export function linksIn(db: Pick<Kysely<Schema>, 'selectFrom'>) {
  return db.selectFrom('links').select(LINK_COLUMNS)
}

export function toLink(row: Row): Link {
  return {
    id: row.id,
    place: {
      ...{team: row.team, channel: row.channel, slackThread: row.slack_thread},
      ...(row.is_room === 1 && {isRoom: true}),
    },
    connectionId: row.connection_id || undefined,
    state: row.state as LinkState,
    requestId: row.request_id,
    projectId: row.project_id,
    projectName: row.project_name ?? undefined,
    threadId: row.thread_id ?? undefined,
    title: row.title ?? undefined,
    startedBy: row.started_by,
    status: row.status ?? undefined,
    statusSinceMs: row.status_since_ms,
    stoppedBy: row.stopped_by ?? undefined,
    notice: row.notice === null ? undefined : (JSON.parse(row.notice) as CardNotice),
    steps: row.steps,
    credits: row.credits === null ? undefined : Number(row.credits),
    cursor: row.cursor ?? undefined,
    newestTs: row.newest_ts ?? undefined,
    ask: row.ask === null ? undefined : (JSON.parse(row.ask) as Link['ask']),
    notes: row.notes === null ? undefined : (JSON.parse(row.notes) as Notes),
    pullRequest: row.pull_request ?? undefined,
    pullRequests:
      row.pull_requests === null ? [] : (JSON.parse(row.pull_requests) as NamedPullRequest[]),
    taskId: row.task_id ?? undefined,
    lastModelId: row.last_model_id ?? undefined,
    tasks: row.tasks === null ? undefined : (JSON.parse(row.tasks) as TaskState[]),
    attempt: row.attempt,
    turn: row.turn,
    muted: row.muted === 1,
    needsYou: row.needs_you === 1 || row.plan === PLANNED,
    runSinceMs: row.run_since_ms ?? undefined,
    face: row.face === null ? undefined : (JSON.parse(row.face) as Face),
    isHome: row.home === 1,
    dismissed: row.dismissed ?? undefined,
    model: row.model === null ? undefined : (JSON.parse(row.model) as ModelChoice),
    plan: (row.plan ?? undefined) as PlanState | undefined,
    rule: row.rule === null ? undefined : (JSON.parse(row.rule) as RuleMark),
    room:
      row.room === null
        ? undefined
        : {...(JSON.parse(row.room) as Omit<RoomPlace, 'isMoved'>), isMoved: row.moved === 1},
  }
}

const COLUMNS = {
  state: 'state',
  projectId: 'project_id',
  projectName: 'project_name',
  threadId: 'thread_id',
  title: 'title',
  status: 'status',
  statusSinceMs: 'status_since_ms',
  stoppedBy: 'stopped_by',
  notice: 'notice',
  steps: 'steps',
  credits: 'credits',
  cursor: 'cursor',
  newestTs: 'newest_ts',
  ask: 'ask',
  notes: 'notes',
  pullRequest: 'pull_request',
  pullRequests: 'pull_requests',
  taskId: 'task_id',
  lastModelId: 'last_model_id',
  tasks: 'tasks',
  attempt: 'attempt',
  muted: 'muted',
  needsYou: 'needs_you',
  runSinceMs: 'run_since_ms',
  face: 'face',
  dismissed: 'dismissed',
  model: 'model',
  plan: 'plan',
} as const satisfies Record<keyof LinkChange, keyof Schema['links']>

/** A field that is present and `undefined` clears its column. */
export function toColumns(change: LinkChange): Updateable<Schema['links']> {
  const names = Object.keys(change) as (keyof LinkChange)[]
  return Object.fromEntries(
    names.map((name) => {
      return [COLUMNS[name], toColumn(change[name])]
    }),
  )
}

export function toColumn(value: object | undefined): string | null
export function toColumn(value: LinkChange[keyof LinkChange]): string | number | null
export function toColumn(value: LinkChange[keyof LinkChange]): string | number | null {
  if (value === undefined) return null
  if (typeof value === 'boolean') return Number(value)
  if (Number.isNaN(value)) return 'NaN'
  return typeof value === 'object' ? JSON.stringify(value) : value
}
