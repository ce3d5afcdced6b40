import {type PostWriter, type Said, type Stretch} from '../../src/relay/ports.ts'
import type {PostContent} from '../../src/relay/post.ts'
import type {ManualClock} from './manual-clock.ts'
import {SlackError, type SlackErrorKind} from '../../src/once/slack-error.ts'

/**
 * What becomes of a call. `lost`: done, but the answer is lost. `late`: a creation without an answer that is
 * done a while later. `unsent`: neither. `failed`: Slack itself says that it failed; `failed-late`: and a creation is done a
 * while later all the same. `deleted`: a person was faster. `crash`: done, and the process dies before
 * it knows; `crash-early`: the process dies, and nothing was done. `ended`: Slack says that a stream is over, and streams
 * on. The others are Slack's refusals.
 */
export const FAULTS = [
  ...[
    'ok',
    'lost',
    'late',
    'unsent',
    'failed',
    'failed-late',
    'wait',
    'refused',
    'unusable',
    'deleted',
  ],
  ...['stuck', 'closed', 'dead', 'mistake', 'crash', 'crash-early', 'ended'],
] as const

const REFUSALS: Readonly<Record<string, SlackErrorKind>> = {
  ...{unusable: 'unusable', closed: 'closed', dead: 'dead', mistake: 'mistake'},
}

interface InMemoryMessage {
  ts: string
  /** Of a stream: nobody but the test knows it. */
  key: string
  content: PostContent
  file: string | undefined
  stream: 'none' | 'live' | 'over'
}

export interface InMemorySlack {
  writer: PostWriter
  messages: InMemoryMessage[]
  /** Keys of messages that a person deleted, or that nobody may change any more. */
  deleted: Set<string>
  /** The process of whoever called has died; true once for each death. */
  takeCrash(): boolean
  /** Somebody stops all streams, or their time is over. */
  endStreams(): void
}

interface Attempt {
  canBeRefused?: boolean
  onStuck?: () => void
  canBeLate?: boolean
  onDeleted?: () => void
  /** Of a stream. */
  canBeEnded?: boolean
}

const LATE_MS = 14_900
/** Shortly before the second look. */
const FAILED_LATE_MS = 4900
/** What is no creation is never late. */
const AT_ONCE: Readonly<Record<string, string>> = {late: 'lost', 'failed-late': 'failed'}
const STREAM_MS = 300_000
/** Of the messages of a Slack thread. */
const PAGE = 2

/** A Slack thread that takes calls as the list of faults says, and well once it is used up. */
export function createInMemorySlack(clock: ManualClock, faults: readonly string[]): InMemorySlack {
  const left = [...faults]
  const messages: InMemoryMessage[] = []
  const deleted = new Set<string>()
  let lastTs = 0
  let isCrashed = false

  const never = <Value>(): Promise<Value> => new Promise(() => undefined)
  const drop = (ts: string): void => {
    const at = messages.findIndex((message) => message.ts === ts)
    if (at !== -1) messages.splice(at, 1)
  }

  /** Runs the call as the next fault says. */
  const attempt = async <Value>(
    apply: () => Value,
    {canBeRefused = false, canBeLate = false, canBeEnded = false, onDeleted, onStuck}: Attempt = {},
  ): Promise<Value> => {
    const next = left.shift() ?? 'ok'
    const fault = canBeLate ? next : (AT_ONCE[next] ?? next)
    switch (fault) {
      case 'lost':
        apply()
        throw new SlackError('retry', 'no answer')
      case 'late':
        clock.after(LATE_MS, apply)
        throw new SlackError('retry', 'no answer')
      case 'failed':
        throw new SlackError('retry', 'internal_error', {isAnswered: true})
      case 'failed-late':
        clock.after(FAILED_LATE_MS, apply)
        throw new SlackError('retry', 'internal_error', {isAnswered: true})
      case 'unsent':
        throw new SlackError('retry', 'no answer')
      case 'wait':
        throw new SlackError('wait', 'ratelimited', {retryAfterMs: 3000})
      case 'unusable':
      case 'closed':
      case 'dead':
      case 'mistake':
        throw new SlackError(REFUSALS[fault] ?? 'retry', fault)
      case 'stuck':
        if (onStuck === undefined) return apply()
        onStuck()
        throw new SlackError('stuck', 'edit_window_closed')
      case 'refused':
        if (canBeRefused) throw new SlackError('refused', 'invalid_blocks')
        return apply()
      case 'ended':
        if (canBeEnded) throw new SlackError('ended', 'message_not_in_streaming_state')
        return apply()
      case 'deleted':
        onDeleted?.()
        return apply()
      case 'crash':
        apply()
        isCrashed = true
        return never()
      case 'crash-early':
        isCrashed = true
        return never()
      default:
        return apply()
    }
  }

  const find = (ts: string): InMemoryMessage => {
    const message = messages.find((it) => it.ts === ts)
    if (message === undefined) throw new SlackError('gone', 'message_not_found')
    return message
  }
  const isReply = ({kind}: PostContent) => kind === 'say' || kind === 'file'
  const post = (
    message: Omit<InMemoryMessage, 'ts' | 'stream'>,
    stream: InMemoryMessage['stream'] = 'none',
  ): string => {
    const ts = `1700000000.${String((lastTs += 1)).padStart(6, '0')}`
    const posted: InMemoryMessage = {ts, ...message, stream}
    messages.push(posted)
    if (stream === 'live') clock.after(STREAM_MS, () => (posted.stream = 'over'))
    return ts
  }
  /** A person is faster. */
  const remove = (ts: string): void => {
    const {key} = find(ts)
    if (key === 'card') return
    deleted.add(key)
    drop(ts)
  }
  /** A message that is streamed can't be edited; one that is not can't be streamed to. */
  const editable = (ts: string): InMemoryMessage => {
    const message = find(ts)
    if (message.stream === 'live') throw new SlackError('streaming', 'streaming_state_conflict')
    return message
  }
  const streamed = (ts: string): InMemoryMessage => {
    const message = find(ts)
    if (message.stream !== 'live') throw new SlackError('ended', 'message_not_in_streaming_state')
    return message
  }
  const say = (ts: string, {sent, content}: Stretch): Said => {
    const message = streamed(ts)
    if (!content.markdown.startsWith(sent)) throw new SlackError('refused', 'no_continuation')
    const said = message.content.kind === 'say' ? message.content.markdown : ''
    const markdown = said + content.markdown.slice(sent.length)
    message.content = {kind: 'say', markdown}
    return {sent: content.markdown, isAll: true}
  }
  let uploads = 0

  const writer: PostWriter = {
    methods: {
      create: 'chat.postMessage',
      edit: 'chat.update',
      remove: 'chat.delete',
      share: 'files.completeUploadExternal',
      find: 'conversations.replies',
      open: 'chat.startStream',
      append: 'chat.appendStream',
      close: 'chat.stopStream',
    },
    open: ({key, content}) =>
      attempt(
        () => ({
          ts: post(
            {key, content: {kind: 'say', markdown: content.markdown}, file: undefined},
            'live',
          ),
          ...{sent: content.markdown, isAll: true},
        }),
        {canBeRefused: true, canBeLate: true},
      ),
    append: ({ts, stretch}) =>
      attempt(() => say(ts, stretch), {
        ...{canBeRefused: true, canBeEnded: true},
        onDeleted: () => remove(ts),
      }),
    close: ({ts, stretch}) =>
      attempt(
        () => {
          const isOn = stretch?.content.markdown.startsWith(stretch.sent) === true
          const said = isOn ? say(ts, stretch) : undefined
          streamed(ts).stream = 'over'
          return said
        },
        {canBeRefused: true, canBeEnded: true, onDeleted: () => remove(ts)},
      ),
    create: ({key, content}) =>
      attempt(() => post({key, content, file: undefined}), {
        canBeRefused: isReply(content),
        canBeLate: true,
      }),
    edit: ({ts, content}) =>
      attempt(() => void (editable(ts).content = content), {
        canBeRefused: isReply(content),
        onDeleted: () => remove(ts),
        ...(isReply(content) && {onStuck: () => void deleted.add(find(ts).key)}),
      }),
    upload: () => attempt(() => `F${(uploads += 1)}`, {canBeRefused: true}),
    share: ({file, content}) =>
      attempt(
        // Its message appears by itself.
        () => void clock.after(500, () => post({key: '', content, file})),
        {canBeRefused: true, canBeLate: true},
      ),
    remove: ({ts}) =>
      attempt(() => {
        // Slack has the same word for what nobody may delete.
        if (find(ts).stream === 'live') throw new SlackError('stuck', 'cant_delete_message')
        drop(ts)
      }),
    find: ({key, file, isKnown, search}) =>
      attempt(() => {
        const isIt = (it: InMemoryMessage) =>
          file === undefined ? it.key === key || it.stream !== 'none' : it.file === file
        const left = messages.filter(({ts}) => ts > (search?.cursor ?? ''))
        const page = left.slice(0, PAGE)
        const found = search?.found ?? page.find((it) => isIt(it) && !isKnown(it.ts))?.ts
        const cursor = left.length > PAGE ? page.at(-1)?.ts : undefined
        return cursor === undefined ? found : {cursor, found, orphan: undefined}
      }),
  }
  const takeCrash = (): boolean => {
    const was = isCrashed
    isCrashed = false
    return was
  }
  const endStreams = (): void => {
    for (const message of messages) if (message.stream === 'live') message.stream = 'over'
  }
  return {writer, messages, deleted, takeCrash, endStreams}
}
