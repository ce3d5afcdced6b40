import type {ChannelView, MessageView, PageEvent, WorkspaceView} from '../view.ts'
import {createApi, type Api} from './api.ts'
import {withMessage, withoutMessage} from './conversation.ts'
import {channelsOf, isPerson} from './membership.ts'

export interface LiveState {
  workspace: WorkspaceView | undefined
  /** By channel id; a channel that is not loaded yet is absent. */
  messages: ReadonlyMap<string, readonly MessageView[]>
  connection: 'connecting' | 'open' | 'lost'
}

/** What one member sees, kept equal to the server. */
export interface Live {
  api: Api
  state: () => LiveState
  subscribe: (listener: () => void) => () => void
  /** Shows a message that the server has just accepted, ahead of its event. */
  accept: (message: MessageView) => void
  close: () => void
}

const retryMs = 1500

/**
 * Events tell only what happens while the connection stands, so every (re)connection reads the
 * channels anew. Events that arrive during such a reading are applied once more on top of it: the
 * answer may have been written before them.
 */
export function startLive(as: string): Live {
  const api = createApi(as)
  const listeners = new Set<() => void>()
  const duringRead = new Set<PageEvent[]>()
  let state: LiveState = {workspace: undefined, messages: new Map(), connection: 'connecting'}
  let source: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let closed = false

  const set = (change: Partial<LiveState>): void => {
    if (closed) return
    state = {...state, ...change}
    for (const listener of listeners) listener()
  }
  const apply = (event: PageEvent): void => {
    for (const events of duringRead) events.push(event)
    set({messages: withEvent(state.messages, event)})
  }
  const readChannels = async (channels: ChannelView[]): Promise<void> => {
    const events: PageEvent[] = []
    duringRead.add(events)
    try {
      const read = channels.map(async ({id}) => [id, await api.messages(id)] as const)
      let messages: LiveState['messages'] = new Map(await Promise.all(read))
      for (const event of events) messages = withEvent(messages, event)
      set({messages, connection: 'open'})
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
  const listen = (channels: ChannelView[]): void => {
    if (closed) return
    const opened = new EventSource(`/local/events?${new URLSearchParams({as}).toString()}`)
    source = opened
    opened.addEventListener('open', () => void readChannels(channels).catch(reconnect))
    opened.addEventListener('message', ({data}: MessageEvent<string>) => {
      apply(JSON.parse(data) as PageEvent)
    })
    opened.addEventListener('error', () => {
      if (source === opened) reconnect()
    })
  }
  const connect = (): void => {
    api.workspace().then((workspace) => {
      set({workspace})
      // Nobody of that name: the page picks somebody else, and a connection of its own for them.
      if (isPerson(workspace, as)) listen(channelsOf(workspace, as))
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
    accept: (message) => {
      const known = state.messages.get(message.channel)?.some(({ts}) => ts === message.ts)
      if (!known) apply({type: 'message', message})
    },
    close: () => {
      closed = true
      clearTimeout(retry)
      source?.close()
    },
  }
}

function withEvent(messages: LiveState['messages'], event: PageEvent): LiveState['messages'] {
  const channel = event.type === 'message' ? event.message.channel : event.channel
  const before = messages.get(channel) ?? []
  const after =
    event.type === 'message' ? withMessage(before, event.message) : withoutMessage(before, event.ts)
  return new Map(messages).set(channel, after)
}
