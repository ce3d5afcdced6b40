import type {PostWriter} from '../../src/relay/ports.ts'
import {WriteError, type WriteErrorKind} from '../../src/relay/ports.ts'
import type {PostContent} from '../../src/relay/post.ts'
import type {ManualClock} from './manual-clock.ts'

/**
 * What becomes of a call. `lost`: done, but the answer is lost. `late`: a creation without an answer that is
 * done a while later. `unsent`: neither. `deleted`: a person was faster. `crash`: done, and the process dies before
 * it knows; `crash-early`: the process dies, and nothing was done. The others are Slack's refusals.
 */
export const FAULTS = [
  ...['ok', 'lost', 'late', 'unsent', 'wait', 'refused', 'unusable', 'deleted'],
  ...['stuck', 'closed', 'dead', 'mistake', 'crash', 'crash-early'],
] as const

const REFUSALS: Readonly<Record<string, WriteErrorKind>> = {
  ...{unusable: 'unusable', closed: 'closed', dead: 'dead', mistake: 'mistake'},
}

interface InMemoryMessage {
  ts: string
  key: string
  content: PostContent
  file: string | undefined
}

export interface InMemorySlack {
  writer: PostWriter
  messages: InMemoryMessage[]
  /** Keys of messages that a person deleted, or that nobody may change any more. */
  deleted: Set<string>
  /** The process of whoever called has died; true once for each death. */
  takeCrash(): boolean
}

interface Attempt {
  canBeRefused?: boolean
  onStuck?: () => void
  canBeLate?: boolean
  onDeleted?: () => void
}

const LATE_MS = 5000

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
    {canBeRefused = false, canBeLate = false, onDeleted, onStuck}: Attempt = {},
  ): Promise<Value> => {
    const fault = left.shift() ?? 'ok'
    switch (fault === 'late' && !canBeLate ? 'lost' : fault) {
      case 'lost':
        apply()
        throw new WriteError('retry', 'no answer')
      case 'late':
        clock.after(LATE_MS, apply)
        throw new WriteError('retry', 'no answer')
      case 'unsent':
        throw new WriteError('retry', 'no answer')
      case 'wait':
        throw new WriteError('wait', 'ratelimited', {retryAfterMs: 3000})
      case 'unusable':
      case 'closed':
      case 'dead':
      case 'mistake':
        throw new WriteError(REFUSALS[fault] ?? 'retry', fault)
      case 'stuck':
        if (onStuck === undefined) return apply()
        onStuck()
        throw new WriteError('stuck', 'edit_window_closed')
      case 'refused':
        if (canBeRefused) throw new WriteError('refused', 'invalid_blocks')
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
    if (message === undefined) throw new WriteError('gone', 'message_not_found')
    return message
  }
  const isReply = ({kind}: PostContent) => kind === 'say' || kind === 'file'
  const post = (message: Omit<InMemoryMessage, 'ts'>): string => {
    const ts = `1700000000.${String((lastTs += 1)).padStart(6, '0')}`
    messages.push({ts, ...message})
    return ts
  }
  let uploads = 0

  const writer: PostWriter = {
    methods: {
      create: 'chat.postMessage',
      edit: 'chat.update',
      remove: 'chat.delete',
      share: 'files.completeUploadExternal',
      find: 'conversations.replies',
    },
    create: ({key, content}) =>
      attempt(() => post({key, content, file: undefined}), {
        canBeRefused: isReply(content),
        canBeLate: true,
      }),
    edit: ({ts, content}) =>
      attempt(() => void (find(ts).content = content), {
        canBeRefused: isReply(content),
        onDeleted: () => {
          const {key} = find(ts)
          if (key === 'card') return
          deleted.add(key)
          drop(ts)
        },
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
        find(ts)
        drop(ts)
      }),
    find: ({key, file, isKnown}) =>
      attempt(() => {
        const isIt = (it: InMemoryMessage) =>
          file === undefined ? it.key === key : it.file === file
        return messages.find((it) => isIt(it) && !isKnown(it.ts))?.ts
      }),
  }
  const takeCrash = (): boolean => {
    const was = isCrashed
    isCrashed = false
    return was
  }
  return {writer, messages, deleted, takeCrash}
}
