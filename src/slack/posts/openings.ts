import type {WebClient} from '@slack/web-api'
import {z} from 'zod'
import {TryLater} from '../../inbox/try-later.ts'
import type {Pacer} from '../../relay/pace/pacer.ts'
import {LATE_MS} from '../../relay/publish/performer.ts'
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
  nowMs: () => number
}

/** Two clocks need not agree. */
const CLOCKS_MS = 600_000
const KEY = 'opening'

export function createOpenings(options: OpeningsOptions): Openings {
  const {client, pacer, team, starts, nowMs} = options

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
    {id}: Start,
    {channel, text}: {channel: string; text: string},
    signal: AbortSignal,
  ): Promise<string> => {
    const metadata = {event_type: POST_METADATA, event_payload: {link: id, key: KEY}}
    const message = {channel, text, unfurl_links: false, unfurl_media: false, metadata}
    try {
      const act = () => client.chat.postMessage(message)
      const {ts} = await call('chat.postMessage', channel, act, signal)
      if (ts === undefined) throw new Error('chat.postMessage answered without a ts')
      await starts.confirmOpening(id, ts)
      return ts
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      // It may stand: the next time it is looked for.
      if (error.kind === 'retry') throw new TryLater(error)
      await starts.dropOpening(id)
      throw error.kind === 'wait' ? new TryLater(error, error.retryAfterMs) : error
    }
  }

  const find = async (
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

  /** It was about to be posted before: its `ts`, or `undefined` when it surely does not stand. */
  const settle = async (
    start: Start,
    channel: string,
    signal: AbortSignal,
  ): Promise<string | undefined> => {
    let ts: string | undefined
    try {
      ts = await find(start, channel, signal)
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      const isPassing = error.kind === 'wait' || error.kind === 'retry'
      throw isPassing ? new TryLater(error, error.retryAfterMs) : error
    }
    if (ts !== undefined) {
      await starts.confirmOpening(start.id, ts)
      return ts
    }
    const soughtAtMs = start.opening.state === 'posting' ? start.opening.soughtAtMs : undefined
    const waitedMs = soughtAtMs === undefined ? 0 : nowMs() - soughtAtMs
    if (soughtAtMs === undefined) await starts.missOpening(start.id, nowMs())
    if (waitedMs >= LATE_MS) {
      await starts.missOpening(start.id, undefined)
      return undefined
    }
    const why = new SlackError('no_answer', 'retry', 0, undefined)
    throw new TryLater(why, LATE_MS - waitedMs)
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
