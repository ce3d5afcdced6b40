import type {WebClient} from '@slack/web-api'
import {z} from 'zod'
import {TryLater} from '../../inbox/try-later.ts'
import {isAborted} from '../../async/pause.ts'
import type {Clock} from '../../async/clock.ts'
import type {Pacer} from '../../relay/pace/pacer.ts'
import {ANSWERED, UNANSWERED, lookTwice} from '../../relay/publish/absence.ts'
import type {Start, StartStore} from '../../store/starts.ts'
import {SlackError} from '../api/calls.ts'
import {eachMessage} from '../api/message-pages.ts'
import {callInTurn} from '../api/turns.ts'
import {POST_METADATA} from '../ids.ts'

/** Messages of ours that begin a Slack thread, for work that was not asked for in one. */
export interface Openings {
  /**
   * Posts it exactly once, however often it is asked for; its `ts`.
   *
   * @throws {TryLater} while Slack does not answer, or nobody knows whether it stands.
   * @throws {SlackError} when Slack does not let us write there.
   */
  open(start: Start, message: {channel: string; text: string}, signal: AbortSignal): Promise<string>
}

interface OpeningsOptions {
  client: WebClient
  pacer: Pacer
  team: string
  starts: StartStore
  clock: Clock
}

/** Two clocks need not agree. */
const CLOCKS_MS = 600_000
const KEY = 'opening'

export function createOpenings(options: OpeningsOptions): Openings {
  const {client, pacer, team, starts, clock} = options

  const call = async <Answer>(
    method: string,
    channel: string,
    act: () => Promise<Answer>,
    signal: AbortSignal,
  ): Promise<Answer> => {
    const answer = await callInTurn({pacer, team, channel, method, signal}, act)
    if (answer === undefined) throw new Error('The process stops', {cause: signal.reason})
    return answer
  }

  const post = async (
    start: Start,
    {channel, text}: {channel: string; text: string},
    signal: AbortSignal,
  ): Promise<string> => {
    const {id} = start
    const metadata = {event_type: POST_METADATA, event_payload: {link: id, key: KEY}}
    const message = {channel, text, unfurl_links: false, unfurl_media: false, metadata}
    try {
      const act = () => client.chat.postMessage(message)
      const {ts} = await call('chat.postMessage', channel, act, signal)
      if (ts === undefined) throw new Error('chat.postMessage answered without a ts')
      return await confirmed(start, ts)
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      if (error.kind === 'retry') return lookAfter(error, {start, channel, signal})
      await starts.dropOpening(id)
      throw error.kind === 'wait' ? new TryLater(error, error.retryAfterMs) : error
    }
  }

  /** It may stand. Unless Slack itself said that it failed, it is looked for the next time. */
  const lookAfter = async (
    error: SlackError,
    {start, channel, signal}: {start: Start; channel: string; signal: AbortSignal},
  ): Promise<string> => {
    if (!error.isAnswered) throw new TryLater(error)
    const ts = await lookTwice(ANSWERED, () => find(start, channel, signal), {clock, signal})
    if (ts !== undefined) return confirmed(start, ts)
    if (!isAborted(signal)) await starts.dropOpening(start.id)
    throw new TryLater(error)
  }

  const confirmed = async ({id}: Start, ts: string): Promise<string> => {
    await starts.confirmOpening(id, ts)
    return ts
  }

  const look = async (
    {id, madeAtMs}: Start,
    channel: string,
    signal: AbortSignal,
  ): Promise<string | undefined> => {
    const oldest = String(Math.floor((madeAtMs - CLOCKS_MS) / 1000))
    const query = {channel, oldest, limit: 200, include_all_metadata: true}
    const messages = eachMessage((from) => {
      const act = () => client.conversations.history({...query, ...from})
      return call('conversations.history', channel, act, signal)
    })
    for await (const message of messages) {
      const {data} = openingSchema.safeParse(message)
      if (data?.metadata.event_payload.link === id) return data.ts
    }
    return undefined
  }

  const find: typeof look = (...asked) =>
    look(...asked).catch((error: unknown) => {
      if (!(error instanceof SlackError)) throw error
      const isPassing = error.kind === 'wait' || error.kind === 'retry'
      throw isPassing ? new TryLater(error, error.retryAfterMs) : error
    })

  /** It was about to be posted before: its `ts`, or `undefined` when it surely does not stand. */
  const settle = async (
    start: Start,
    channel: string,
    signal: AbortSignal,
  ): Promise<string | undefined> => {
    const ts = await find(start, channel, signal)
    if (ts !== undefined) return confirmed(start, ts)
    const soughtAtMs = start.opening.state === 'posting' ? start.opening.soughtAtMs : undefined
    const waitedMs = soughtAtMs === undefined ? 0 : clock.dateMs() - soughtAtMs
    if (soughtAtMs === undefined) await starts.missOpening(start.id, clock.dateMs())
    if (waitedMs >= UNANSWERED.gapMs) {
      await starts.missOpening(start.id, undefined)
      return undefined
    }
    const why = new SlackError('no_answer', 'retry', 0, undefined)
    throw new TryLater(why, UNANSWERED.gapMs - waitedMs)
  }

  return {
    open: async (start, message, signal) => {
      if (start.opening.state === 'posted') return start.opening.ts
      if (!(await starts.intendOpening(start.id))) {
        const ts = await settle(start, message.channel, signal)
        if (ts !== undefined) return ts
      }
      return post(start, message, signal)
    },
  }
}

const openingSchema = z.looseObject({
  ts: z.string(),
  metadata: z.looseObject({
    event_payload: z.looseObject({link: z.string(), key: z.literal(KEY)}),
  }),
})
