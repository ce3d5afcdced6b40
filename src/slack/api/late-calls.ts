import {z} from 'zod'
import {type Clock, waitOn} from '../../async/clock.ts'
import {parseJson} from '../../security/foreign-json.ts'
import {ANNOUNCEMENT_METADATA, POST_METADATA} from '../ids.ts'
import {SlackError} from '../../once/slack-error.ts'
import type {Call, CallWatch} from './call-watch.ts'

/** A message that was made or changed by a call which was answered when it was somebody else's to make. */
export interface LateCall {
  did: 'made' | 'changed'
  channel: string
  ts: string
}

interface LateCallsOptions {
  /** Whether it is ours to call, for now and at all. */
  claim: {mayCall: () => boolean; over: AbortSignal}
  /** Somebody else may have owned it before. */
  isShared: boolean
  /** Tells whoever works for the workspace now. */
  confess: (late: LateCall) => void
  clock: Clock
}

/** One call of Slack's, when it is its turn. @throws {SlackError} */
type CallSlack = (method: string, args: Readonly<Record<string, string>>) => Promise<unknown>

/** The newest words that were sent for messages, by where they stand. */
type NewestWords = Readonly<Record<string, string>>

/** What comes of calls that are answered too late: the confessions of this instance, and what it makes of those of others. */
export interface LateCalls extends CallWatch {
  /** What an owner before this one has done too late comes to nothing. @throws {SlackError} */
  heed(late: LateCall, call: CallSlack): Promise<void>
  /** What the next owner needs to heed calls of those before this one. */
  newest(): NewestWords
  /** An owner before this one has left these. */
  inherit(words: NewestWords): void
}

/** An earlier owner that stands still for longer may overwrite a message for good. */
const REMEMBERED_MS = 3_600_000
/** So much is remembered at most: the newest words are those that an earlier owner had under way. */
const REMEMBERED_CHARS = 262_144
const LOOK_MS = 250

export function createLateCalls({claim, isShared, confess, clock}: LateCallsOptions): LateCalls {
  const rememberUntilMs = clock.nowMs() + (isShared ? REMEMBERED_MS : -1)
  const newest = new Map<string, string>()
  let chars = 0

  const forget = (key: string): void => {
    chars -= newest.get(key)?.length ?? 0
    newest.delete(key)
  }
  const remember = (key: string, said: string): void => {
    forget(key)
    newest.set(key, said)
    chars += said.length
    for (const oldest of newest.keys()) {
      if (chars <= REMEMBERED_CHARS) break
      forget(oldest)
    }
  }

  const sent: LateCalls['sent'] = ({method, body}) => {
    if (clock.nowMs() > rememberUntilMs) {
      newest.clear()
      chars = 0
    } else if (method === 'chat.update') {
      const {
        channel = '',
        ts = '',
        ...call
      } = Object.fromEntries(
        [...new URLSearchParams(body)].toSorted(([a], [b]) => (a < b ? -1 : 1)),
      )
      remember(keyOf({channel, ts}), JSON.stringify({channel, ts, ...call}))
    }
  }

  const answered: LateCalls['answered'] = (call, answer) => {
    if (claim.mayCall()) return
    const late = lateCallIn(call, answer)
    if (late !== undefined) void confessOnceOver(late)
  }

  /** While the database was away for a moment alone, it is ours all the same. */
  const confessOnceOver = async (late: LateCall): Promise<void> => {
    const never = new AbortController().signal
    while (!claim.over.aborted && !claim.mayCall()) await waitOn(clock, LOOK_MS, never)
    if (claim.over.aborted) confess(late)
  }

  const heed: LateCalls['heed'] = async (late, call) => {
    const {did, channel, ts} = late
    if (did === 'made') {
      await removeMessage(call, {channel, ts})
      return
    }
    // What is sent meanwhile may have been overtaken by this.
    for (let said = newest.get(keyOf(late)); said !== undefined;) {
      await call('chat.update', JSON.parse(said) as Record<string, string>)
      const now = newest.get(keyOf(late))
      said = now === said ? undefined : now
    }
  }
  return {
    sent,
    answered,
    heed,
    newest: () => (clock.nowMs() > rememberUntilMs ? {} : Object.fromEntries(newest)),
    inherit: (words) => {
      for (const [key, said] of Object.entries(words)) {
        if (!newest.has(key)) remember(key, said)
      }
    },
  }
}

async function removeMessage(
  call: CallSlack,
  {channel, ts}: Pick<LateCall, 'channel' | 'ts'>,
): Promise<void> {
  const isGone = (error: unknown): boolean => error instanceof SlackError && error.kind === 'gone'
  try {
    await call('chat.delete', {channel, ts})
  } catch (error) {
    if (isGone(error)) return
    if (!(error instanceof SlackError && error.kind === 'stuck')) throw error
    // A stream has to end before it can go; of what is none Slack says so.
    await call('chat.stopStream', {channel, ts})
    await call('chat.delete', {channel, ts})
  }
}

const keyOf = ({channel, ts}: Pick<LateCall, 'channel' | 'ts'>): string => `${channel} ${ts}`

const answerSchema = z.object({ok: z.literal(true), ts: z.string().nullish()})

/** Of what bears no mark of ours nobody keeps where it stands. */
const MARKS = [POST_METADATA, ANNOUNCEMENT_METADATA]
/** Posts of agents' machines are found by their keys; where they stand is kept nowhere. */
const MACHINE = /"key"\s*:\s*"machine:/

/** What such a call has done, where anybody has to know of it. */
function lateCallIn({method, body}: Call, answer: string): LateCall | undefined {
  const {data} = answerSchema.safeParse(parseJson(answer))
  const sent = new URLSearchParams(body)
  const channel = sent.get('channel') ?? ''
  const ts = sent.get('ts') ?? data?.ts
  if (data === undefined || ts == null) return undefined
  const metadata = sent.get('metadata') ?? ''
  const isMarked = MARKS.some((mark) => metadata.includes(mark)) && !MACHINE.test(metadata)
  switch (method) {
    case 'chat.postMessage':
      return isMarked ? {did: 'made', channel, ts} : undefined
    case 'chat.startStream':
      return {did: 'made', channel, ts}
    case 'chat.update':
    case 'chat.stopStream':
    case 'chat.appendStream':
      return {did: 'changed', channel, ts}
    default:
      return undefined
  }
}
