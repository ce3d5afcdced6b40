import type {
  AgentThreadView,
  MessageView,
  PageEvent,
  WorkspaceView,
  ShownViews,
} from '../../page-feed/contract.ts'
import {createApi, type Api} from './api.ts'
import {createBatch} from './batch.ts'
import {withMessage, withoutMessage} from './conversation.ts'
import {channelsOf, isPerson} from './membership.ts'

export interface LiveState {
  workspace: WorkspaceView | undefined
  /** By channel id; a channel that is not loaded yet is absent. */
  messages: ReadonlyMap<string, readonly MessageView[]>
  /** The modals in front of the member, the topmost last, and their App Home. */
  views: ShownViews
  /** By `threadKey`: what an agent shows around a thread. */
  agentThreads: ReadonlyMap<string, AgentThreadView>
  connection: 'connecting' | 'open' | 'lost'
}

/** What one member sees, kept equal to the server. */
export interface Live {
  api: Api
  state: () => LiveState
  subscribe: (listener: () => void) => () => void
  close: () => void
}

const retryMs = 1500

/** The key of a thread among `agentThreads`. */
export function threadKey(channel: string, threadTs: string): string {
  return `${channel} ${threadTs}`
}

/**
 * Events tell only what happens while the connection stands, so every (re)connection reads everything
 * anew. Events that arrive during such a reading are applied once more on top of it: the answer may
 * have been written before them.
 */
export function startLive(as: string, team: string | undefined): Live {
  const api = createApi(as, team)
  const listeners = new Set<() => void>()
  const duringRead = new Set<PageEvent[]>()
  let state: LiveState = {
    workspace: undefined,
    messages: new Map(),
    views: {modals: [], homes: []},
    agentThreads: new Map(),
    connection: 'connecting',
  }
  let source: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let closed = false

  const set = (change: Partial<LiveState>): void => {
    if (closed) return
    state = {...state, ...change}
    for (const listener of listeners) listener()
  }
  const apply = (news: PageEvent[]): void => {
    for (const events of duringRead) events.push(...news)
    const known = state.workspace
    set(news.reduce(withEvent, state))
    const isNewPlace =
      (known !== state.workspace && placesOf(known, as) !== placesOf(state.workspace, as)) ||
      news.some((event) => isElsewhere(state.workspace, event))
    if (isNewPlace) readAll().catch(reconnect)
  }
  const batch = createBatch(apply)
  const readAll = async (): Promise<void> => {
    const events: PageEvent[] = []
    duringRead.add(events)
    try {
      let read = {...state, ...(await readState(api, as))}
      for (const event of events) read = withEvent(read, event)
      set({...read, connection: 'open'})
    } finally {
      duringRead.delete(events)
    }
  }
  const reconnect = (): void => {
    source?.close()
    clearTimeout(retry)
    set({connection: 'lost'})
    if (!closed) retry = setTimeout(connect, retryMs)
  }
  const listen = (): void => {
    if (closed) return
    const place = {as, ...(team !== undefined && {team})}
    const opened = new EventSource(`/local/events?${new URLSearchParams(place).toString()}`)
    source = opened
    opened.addEventListener('open', () => void readAll().catch(reconnect))
    opened.addEventListener('message', ({data}: MessageEvent<string>) => {
      batch.add(JSON.parse(data) as PageEvent)
    })
    opened.addEventListener('error', () => {
      if (source === opened) reconnect()
    })
  }
  const connect = (): void => {
    api.workspace().then((workspace) => {
      set({workspace})
      // Nobody of that name: the page picks somebody else, and a connection of its own for them.
      if (isPerson(workspace, as)) listen()
    }, reconnect)
  }
  connect()

  return {
    api,
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => {
      closed = true
      clearTimeout(retry)
      batch.close()
      source?.close()
    },
  }
}

type Read = Pick<LiveState, 'messages' | 'views' | 'agentThreads'> & {workspace: WorkspaceView}

async function readState(api: Api, as: string): Promise<Read> {
  const [workspace, views, threads] = await Promise.all([
    api.workspace(),
    api.views(),
    api.agentThreads(),
  ])
  const messages = channelsOf(workspace, as).map(
    async ({id}) => [id, await api.messages(id)] as const,
  )
  return {
    workspace,
    views,
    messages: new Map(await Promise.all(messages)),
    agentThreads: new Map(
      threads.map((thread) => [threadKey(thread.channel, thread.threadTs), thread]),
    ),
  }
}

/** Changes when the member comes into a channel or leaves one. */
function placesOf(workspace: WorkspaceView | undefined, as: string): string {
  return workspace === undefined
    ? ''
    : channelsOf(workspace, as)
        .map(({id}) => id)
        .join()
}

/** Nobody tells of a direct message that was opened: the first thing said in it does. */
function isElsewhere(workspace: WorkspaceView | undefined, event: PageEvent): boolean {
  if (event.type !== 'message' || workspace === undefined) return false
  return !workspace.channels.some(({id}) => id === event.message.channel)
}

function withEvent<State extends LiveState>(state: State, event: PageEvent): State {
  switch (event.type) {
    case 'message':
    case 'message_deleted':
      return {...state, messages: withMessageEvent(state.messages, event)}
    case 'workspace':
      return {...state, workspace: event.workspace}
    case 'views':
      return {...state, views: event.views}
    case 'agent_thread': {
      const {thread} = event
      const key = threadKey(thread.channel, thread.threadTs)
      return {...state, agentThreads: new Map(state.agentThreads).set(key, thread)}
    }
    default:
      throw new Error(`Unknown event: ${String(event satisfies never)}`)
  }
}

function withMessageEvent(
  messages: LiveState['messages'],
  event: Extract<PageEvent, {type: 'message' | 'message_deleted'}>,
): LiveState['messages'] {
  const channel = event.type === 'message' ? event.message.channel : event.channel
  const before = messages.get(channel) ?? []
  const after =
    event.type === 'message' ? withMessage(before, event.message) : withoutMessage(before, event.ts)
  return new Map(messages).set(channel, after)
}
