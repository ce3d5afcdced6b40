import {randomBytes} from 'node:crypto'
import type {Clock} from '../clock.ts'
import type {Database} from '../database.ts'
import {createId} from '../id.ts'
import {reachesThread} from '../organization/access.ts'
import type {Principal} from '../organization/keys.ts'
import type {Tasks} from '../tasks/tasks.ts'
import type {ThreadRow, Threads} from '../threads/threads.ts'
import {createSessionSigner, type SessionClaims} from './session-token.ts'

interface SessionToken {
  token: string
  issuedAt: string
  expiresAt: string
}

/** Section 2.17; the name `reason` is our choice. */
type Verification = ({valid: true} & SessionClaims) | {valid: false; reason: 'expired' | 'invalid'}

/**
 * The sessions of agents on their machines, and the tokens that prove them. Sections 3.5 and 5.8.
 *
 * A session is `none → running → resting → running …` and `none` again when its thread is archived, or when it
 * has rested so long that the machine stops. The machine's heartbeats are not timers: from the moment at which
 * the session started follows when the last one was, and with it the token that is current. So nothing ticks for
 * sessions that nobody asks about, and a restart changes nothing.
 */
export interface Sessions {
  /** A run starts: the session goes on, or a new one begins. */
  begin(threadId: string): void
  /** The run has ended: from now on the machine waits. */
  rest(threadId: string): void
  /** Ends the session: its tokens are no longer current. */
  clear(threadId: string): void
  /** The current token; `undefined` when the thread has no session. */
  token(thread: ThreadRow): SessionToken | undefined
  /** The same on a fresh machine of one of its tasks: the token names the task. Which it names is our choice. */
  taskToken(taskId: string): SessionToken | undefined
  verify(principal: Principal, token: string): Verification
}

interface SessionsOptions {
  database: Database
  clock: Clock
  threads: Threads
  tasks: Pick<Tasks, 'find'>
  organizationId: string
}

interface Session {
  threadId: string
  instanceId: string
  startedAtMs: number
  /** When the last run ended; `null` while one goes on. */
  restingSinceMs: number | null
}

const LIFETIME_MS = 30 * 60_000
const HEARTBEAT_MS = 15 * 60_000
const MACHINE_REST_MS = 60 * 60_000

export function createSessions(options: SessionsOptions): Sessions {
  const {database, clock, threads, tasks, organizationId: orgId} = options
  const signer = createSessionSigner(ensureSecret(database))
  const table = openTable(database)
  const current = (threadId: string): Session | undefined => {
    const session = table.find(threadId)
    return session && !hasStopped(session, clock.nowMs()) ? session : undefined
  }
  const mint = (thread: ThreadRow, threadId: string): SessionToken | undefined => {
    const session = current(thread.id)
    if (session === undefined) return undefined
    const claims = {...toClaims(session, thread, orgId, clock.nowMs()), threadId}
    const {issuedAt, expiresAt} = claims
    return {token: signer.sign(claims), issuedAt, expiresAt}
  }
  const threadOf = ({threadId}: SessionClaims): ThreadRow | undefined =>
    threads.find(tasks.find(threadId)?.threadId ?? threadId)
  // Of a run that ended with its process only the end of the process is known; `recover` begins the others again.
  table.restAll(clock.nowMs())
  return {
    begin: (threadId) => {
      if (threads.find(threadId)?.archived !== 0) return
      const session = current(threadId) ?? startSession(threadId, clock.nowMs())
      table.put({...session, restingSinceMs: null})
    },
    rest: (threadId) => table.rest(clock.nowMs(), threadId),
    clear: (threadId) => table.remove(threadId),
    token: (thread) => mint(thread, thread.id),
    taskToken: (taskId) => {
      const thread = threads.find(tasks.find(taskId)?.threadId ?? '')
      return thread && mint(thread, taskId)
    },
    verify: (principal, token) => {
      const claims = signer.read(token)
      const thread = claims && threadOf(claims)
      if (claims === undefined || thread === undefined || !reachesThread(principal, thread)) {
        return {valid: false, reason: 'invalid'}
      }
      const isCurrent =
        current(thread.id)?.instanceId === claims.instanceId &&
        clock.nowMs() < Date.parse(claims.expiresAt)
      return isCurrent ? {valid: true, ...claims} : {valid: false, reason: 'expired'}
    },
  }
}

function startSession(threadId: string, nowMs: number): Session {
  return {threadId, instanceId: createId('instance'), startedAtMs: nowMs, restingSinceMs: null}
}

function hasStopped({restingSinceMs}: Session, nowMs: number): boolean {
  return restingSinceMs !== null && nowMs >= restingSinceMs + MACHINE_REST_MS
}

/** What the token of the last heartbeat says. */
function toClaims(
  {threadId, instanceId, startedAtMs}: Session,
  {projectId, authorId}: ThreadRow,
  orgId: string,
  nowMs: number,
): SessionClaims {
  const issuedAtMs = nowMs - ((nowMs - startedAtMs) % HEARTBEAT_MS)
  return {
    threadId,
    projectId,
    orgId,
    userId: authorId,
    instanceId,
    issuedAt: new Date(issuedAtMs).toISOString(),
    expiresAt: new Date(issuedAtMs + LIFETIME_MS).toISOString(),
  }
}

interface SessionTable {
  put(session: Session): void
  find(threadId: string): Session | undefined
  rest(nowMs: number, threadId: string): void
  restAll(nowMs: number): void
  remove(threadId: string): void
}

function openTable(database: Database): SessionTable {
  database.exec(`create table if not exists sessions (
    threadId text primary key references threads (id), instanceId text not null,
    startedAtMs integer not null, restingSinceMs integer
  ) strict`)
  const put = database.prepare<Session>(
    `insert or replace into sessions (threadId, instanceId, startedAtMs, restingSinceMs)
     values (@threadId, @instanceId, @startedAtMs, @restingSinceMs)`,
  )
  const find = database.prepare<[string], Session>('select * from sessions where threadId = ?')
  const restAll = 'update sessions set restingSinceMs = ? where restingSinceMs is null'
  const restEach = database.prepare<[number]>(restAll)
  const rest = database.prepare<[number, string]>(`${restAll} and threadId = ?`)
  const remove = database.prepare<[string]>('delete from sessions where threadId = ?')
  return {
    put: (session) => void put.run(session),
    find: (threadId) => find.get(threadId),
    rest: (nowMs, threadId) => void rest.run(nowMs, threadId),
    restAll: (nowMs) => void restEach.run(nowMs),
    remove: (threadId) => void remove.run(threadId),
  }
}

const SECRET_BYTES = 32

/** The secret that signs, made at the first start. */
function ensureSecret(database: Database): Buffer {
  database.exec(`create table if not exists sessionSecret (
    id integer primary key check (id = 1), secret blob not null
  ) strict`)
  database
    .prepare('insert or ignore into sessionSecret (id, secret) values (1, ?)')
    .run(randomBytes(SECRET_BYTES))
  const secret = database.prepare<[], Buffer>('select secret from sessionSecret').pluck().get()
  if (secret === undefined) throw new Error('SQLite returned no secret after inserting one.')
  return secret
}
