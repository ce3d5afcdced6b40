import type {Changes} from '../workspace/changes.ts'
import type {SqlDatabase} from '../database.ts'
import type {Persona} from '../messages/persona.ts'
import type {SessionStatus} from '../workspace/session-status.ts'

/** How the installed app is declared as an agent; an app that is none has no sessions and no prompts. */
export interface AgentOptions {
  /** The Messages tab of today, or the older assistant container. */
  view: 'agent_view' | 'assistant_view'
  /** Without the subscription people get no stop button. */
  stopEvent: 'subscribed' | 'absent'
}

export interface Prompt {
  title: string
  message: string
}

export interface AgentSession {
  status: SessionStatus
  title?: string
  initiatorUserId?: string
}

/** What Slack shows around a thread that an agent works in. */
export interface AgentThread {
  /** `<App> is thinking…`; empty when the app shows none. */
  status: string
  loadingMessages: string[]
  /** In whose name the status stands, if not in the app's own. */
  persona?: Persona | undefined
  title?: string
  prompts?: {title?: string; prompts: Prompt[]}
  session?: AgentSession
  /** The channel a person looks at beside an assistant thread. */
  contextChannel?: string
}

export interface AgentThreads {
  readonly options: AgentOptions | undefined
  /** After this long `processing` falls back. */
  readonly processingMs: number
  /** As it stands at this moment: what has run out is left out. */
  of: (channel: string, threadTs: string) => AgentThread
  /** Until the status ends by itself; 0 without one. */
  statusLeftMs(channel: string, threadTs: string): number
  /** Every thread that anything was said of. */
  places(): {channel: string; threadTs: string}[]
  change(channel: string, threadTs: string, facts: Partial<AgentThread>): void
  /** chat.stopStream moves the session on, where there is one. */
  streamStopped(channel: string, threadTs: string, status: SessionStatus): void
}

/** A status ends by itself: https://docs.slack.dev/reference/methods/assistant.threads.setStatus */
const statusMs = 120_000
/** `processing` falls back to `active` then: https://docs.slack.dev/ai/agent-sessions */
const processingMs = 3_600_000

interface Kept {
  thread: AgentThread
  statusEndsAtMs: number
  processingEndsAtMs: number
}

const nothing: Kept = {
  thread: {status: '', loadingMessages: []},
  statusEndsAtMs: 0,
  processingEndsAtMs: 0,
}

interface AgentThreadsParts {
  database: SqlDatabase
  /** The bot whose threads they are. */
  botId: string
  changes: Changes
  options: AgentOptions | undefined
  now: () => number
  timeFactor: number
}

export function createAgentThreads(parts: AgentThreadsParts): AgentThreads {
  const {changes, options, now, timeFactor} = parts
  const rows = createRows(parts.database, parts.botId)
  const lastsMs = processingMs * timeFactor
  const of = (channel: string, threadTs: string): AgentThread =>
    asOf(rows.find(channel, threadTs) ?? nothing, now())
  const change: AgentThreads['change'] = (channel, threadTs, facts) => {
    const kept = rows.find(channel, threadTs) ?? nothing
    const statusEndsAtMs = now() + statusMs * timeFactor
    const processingEndsAtMs = now() + lastsMs
    rows.save(channel, threadTs, {
      thread: {...asOf(kept, now()), ...facts},
      statusEndsAtMs: 'status' in facts ? statusEndsAtMs : kept.statusEndsAtMs,
      processingEndsAtMs: 'session' in facts ? processingEndsAtMs : kept.processingEndsAtMs,
    })
    changes.publish({type: 'agent_thread_changed', channel, threadTs})
  }
  changes.subscribe((event) => {
    if (event.type !== 'posted' || event.message.botId !== parts.botId) return
    const {channel, threadTs} = event.message
    const isShown = threadTs !== undefined && of(channel, threadTs).status !== ''
    if (isShown) change(channel, threadTs, {status: '', loadingMessages: []})
  })
  return {
    options,
    processingMs: lastsMs,
    of,
    statusLeftMs: (channel, threadTs) => {
      const {thread, statusEndsAtMs} = rows.find(channel, threadTs) ?? nothing
      return thread.status === '' ? 0 : Math.max(0, statusEndsAtMs - now())
    },
    places: rows.places,
    change,
    streamStopped: (channel, threadTs, status) => {
      const {session} = of(channel, threadTs)
      if (session !== undefined) change(channel, threadTs, {session: {...session, status}})
    },
  }
}

function asOf({thread, statusEndsAtMs, processingEndsAtMs}: Kept, atMs: number): AgentThread {
  const {session} = thread
  const isOver = session?.status === 'processing' && processingEndsAtMs <= atMs
  return {
    ...thread,
    ...(statusEndsAtMs <= atMs ? {status: '', loadingMessages: []} : {}),
    ...(isOver ? {session: {...session, status: 'active'}} : {}),
  }
}

function createRows(database: SqlDatabase, botId: string) {
  const upsert = database.prepare(
    `insert into agent_threads (bot_id, channel, thread_ts, body) values (?, ?, ?, ?)
     on conflict (bot_id, channel, thread_ts) do update set body = excluded.body`,
  )
  const one = database.prepare<[string, string, string], {body: string}>(
    'select body from agent_threads where bot_id = ? and channel = ? and thread_ts = ?',
  )
  const places = database.prepare<[string], {channel: string; threadTs: string}>(
    'select channel, thread_ts as threadTs from agent_threads where bot_id = ? order by thread_ts',
  )
  return {
    places: () => places.all(botId),
    save: (channel: string, threadTs: string, kept: Kept): void => {
      upsert.run(botId, channel, threadTs, JSON.stringify(kept))
    },
    find: (channel: string, threadTs: string): Kept | undefined => {
      const row = one.get(botId, channel, threadTs)
      return row === undefined ? undefined : (JSON.parse(row.body) as Kept)
    },
  }
}
