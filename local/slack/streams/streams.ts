import type {Conversation} from '../messages/conversation.ts'
import type {SqlDatabase} from '../database.ts'
import type {MessageMetadata, Messages, StoredMessage} from '../messages/messages.ts'
import type {Persona} from '../messages/persona.ts'
import {Refusal} from '../edge/refusal.ts'
import {maxStreamBlocks, type StreamDelta, type StreamMode} from './chunks.ts'
import {grow, renderStream, type StreamBody, type TaskDisplayMode} from './content.ts'
import {createTimers} from '../timers.ts'
import type {SlackBlock} from '../blocks/block.ts'

/** Counted from the start: appending does not lengthen it. */
export const streamLifetimeMs = 300_000

/**
 * Streamed messages. A stream is `live → ended` by chat.stopStream, `live → expired` five minutes after its
 * start, or `live → stopped_by_user → ended`: then nothing can be appended any more, and chat.stopStream
 * may still add its last words. Only a live one keeps its message from being edited.
 * https://docs.slack.dev/reference/methods/chat.startStream
 */
export interface Streams {
  start(draft: StreamDraft): StoredMessage
  append(message: StoredMessage, delta: StreamDelta): void
  stop(message: StoredMessage, end: StreamEnd): void
  /** A person pressed Slack's own stop button: the `ts` of each live stream of the thread. */
  stopThread(channel: string, threadTs: string): string[]
  /** Ends what has outlived its time. Also done by timers: this makes it exact. */
  settleDue(): void
  close(): void
}

interface StreamDraft {
  channel: string
  threadTs: string
  author: {userId: string; botId: string; persona?: Persona}
  display: TaskDisplayMode
  delta: StreamDelta
}

interface StreamEnd {
  delta: StreamDelta
  blocks: SlackBlock[]
  metadata?: MessageMetadata | 'none'
}

interface Stream extends StreamBody {
  channel: string
  ts: string
  threadTs: string
  mode?: StreamMode
  state: 'live' | 'stopped_by_user' | 'expired' | 'ended'
  endsAtMs: number
}

interface StreamsParts {
  database: SqlDatabase
  messages: Messages
  conversation: Conversation
  now: () => number
  timeFactor: number
}

export function createStreams(parts: StreamsParts): Streams {
  const {conversation, now, timeFactor} = parts
  const rows = createRows(parts.database)
  const timers = createTimers()
  const show = createShow(parts)
  const settleDue = createSettle({rows, show, now})
  const watch = ({endsAtMs}: Pick<Stream, 'endsAtMs'>): void => {
    timers.after(Math.max(0, Math.ceil(endsAtMs - now())), () => {
      // A timer may be a millisecond ahead of the clock.
      if (now() < endsAtMs) watch({endsAtMs})
      else settleDue()
    })
  }
  for (const stream of rows.live()) watch(stream)
  return {
    start: ({channel, threadTs, author, display, delta}) => {
      const body = growAll({display, parts: []}, delta)
      const message = conversation.post({
        channel,
        ...author,
        ...renderStream(body),
        threadTs,
        streaming: 'in_progress',
      })
      const endsAtMs = now() + streamLifetimeMs * timeFactor
      const place = {channel, ts: message.ts, threadTs}
      const stream: Stream = {...body, ...place, ...modeOf(delta), state: 'live', endsAtMs}
      rows.save(stream)
      watch(stream)
      return message
    },
    append: ({channel, ts}, delta) => {
      settleDue()
      const stream = openStream(rows.find(channel, ts))
      if (stream.state === 'stopped_by_user') throw new Refusal('stopped_by_user')
      const grown = withDelta(stream, delta)
      rows.save(grown)
      show(grown, {streaming: 'in_progress'})
    },
    ...createEnds({rows, show, settleDue}),
    settleDue,
    close: timers.clear,
  }
}

/** What all verbs share: the streams, their messages, and the end of those that are due. */
interface Floor {
  rows: ReturnType<typeof createRows>
  show: ReturnType<typeof createShow>
  settleDue: () => void
}

function createEnds({rows, show, settleDue}: Floor): Pick<Streams, 'stop' | 'stopThread'> {
  return {
    stop: ({channel, ts}, {delta, blocks, metadata}) => {
      settleDue()
      const grown = withDelta(openStream(rows.find(channel, ts)), delta)
      const last: Stream = {...grown, state: 'ended', parts: withBlocks(grown, blocks)}
      if (renderStream(last).text === '') throw new Refusal('no_text')
      rows.save(last)
      show(last, {streaming: 'completed', ...(metadata === undefined ? {} : {metadata})})
    },
    stopThread: (channel, threadTs) => {
      settleDue()
      const stopped = rows
        .live()
        .filter((stream) => stream.channel === channel && stream.threadTs === threadTs)
      for (const stream of stopped) {
        rows.save({...stream, state: 'stopped_by_user'})
        show(stream, {streaming: 'completed'})
      }
      return stopped.map(({ts}) => ts)
    },
  }
}

function createSettle({rows, show, now}: Omit<Floor, 'settleDue'> & {now: () => number}) {
  return (): void => {
    for (const stream of rows.live().filter(({endsAtMs}) => endsAtMs <= now())) {
      rows.save({...stream, state: 'expired'})
      show(stream, {streaming: 'errored'})
    }
  }
}

type Showing = Pick<Parameters<Conversation['edit']>[1], 'streaming' | 'metadata'>

/** Brings the message to what its stream holds, unless somebody deleted it meanwhile. */
function createShow({messages, conversation}: StreamsParts) {
  return (stream: Stream, showing: Showing): void => {
    const message = messages.find(stream.channel, stream.ts)
    if (message === undefined) return
    const content = renderStream(stream)
    conversation.edit(message, {content, ...showing, by: message.userId, hasLabel: false})
  }
}

function openStream(stream: Stream | undefined): Stream {
  const isOpen = stream?.state === 'live' || stream?.state === 'stopped_by_user'
  if (!isOpen) throw new Refusal('message_not_in_streaming_state')
  return stream
}

function withDelta(stream: Stream, delta: StreamDelta): Stream {
  const {mode = delta.mode} = stream
  if (delta.mode !== undefined && delta.mode !== mode) throw new Refusal('streaming_mode_mismatch')
  return {...growAll(stream, delta), ...(mode === undefined ? {} : {mode})}
}

function growAll<Body extends StreamBody>(body: Body, {chunks}: StreamDelta): Body {
  const grown = {...body, ...chunks.reduce<StreamBody>(grow, body)}
  const blocks = grown.parts.flatMap((part) => (part.type === 'blocks' ? part.blocks : []))
  if (blocks.length > maxStreamBlocks) throw new Refusal('msg_blocks_too_many')
  return grown
}

function withBlocks({parts}: StreamBody, blocks: SlackBlock[]): StreamBody['parts'] {
  return blocks.length === 0 ? parts : [...parts, {type: 'blocks', blocks}]
}

function modeOf({mode}: StreamDelta): {mode?: StreamMode} {
  return mode === undefined ? {} : {mode}
}

function createRows(database: SqlDatabase) {
  const upsert = database.prepare(
    `insert into streams (channel, ts, state, body) values (?, ?, ?, ?)
     on conflict (channel, ts) do update set state = excluded.state, body = excluded.body`,
  )
  const one = database.prepare<[string, string], {body: string}>(
    'select body from streams where channel = ? and ts = ?',
  )
  const live = database.prepare<[], {body: string}>(
    "select body from streams where state = 'live' order by ts",
  )
  const toStream = ({body}: {body: string}): Stream => JSON.parse(body) as Stream
  return {
    save: (stream: Stream): void => {
      upsert.run(stream.channel, stream.ts, stream.state, JSON.stringify(stream))
    },
    find: (channel: string, ts: string) => one.all(channel, ts).map(toStream)[0],
    live: () => live.all().map(toStream),
  }
}
