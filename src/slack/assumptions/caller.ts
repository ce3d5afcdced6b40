import type {FetchFunction, WebClient} from '@slack/web-api'
import {isAborted, pause} from '../../async/pause.ts'
import type {Secret} from '../../security/secret.ts'
import {SlackError} from '../../once/slack-error.ts'
import {slackBudgets} from '../api/budgets.ts'
import {createSlackLogger} from '../api/log.ts'
import {callSlack, createSlackClient} from '../api/slack-client.ts'

type Arguments = Record<string, unknown>

/** Calls Slack as Bosun does, by its own client, and more slowly than Slack's pages allow. */
export interface Caller {
  /** For what of Bosun's own makes calls; they are counted, and not paced. */
  client: WebClient
  /** `atOnce`: without its turn, for what is asked in a burst. @throws {SlackError} @throws {Interrupted} */
  call(method: string, args: Arguments, how?: {atOnce: boolean}): Promise<unknown>
  /** Slack's word for its refusal, or `ok`. @throws {SlackError} for whatever is no answer. */
  refusal(method: string, args: Arguments, how?: {atOnce: boolean}): Promise<string>
  /** The same calls, for as long as this signal lasts. */
  until(signal: AbortSignal): Caller
  readonly seen: Readonly<Seen>
}

/** What was noticed beside the answers. */
interface Seen {
  calls: number
  /** The last one's. */
  headers: Headers
  /** What was refused with 429 though it came in its turn. */
  limited: Limited[]
  /** … and in a burst. */
  bursts: Limited[]
}

interface Limited {
  method: string
  /** As the header says it. */
  retryAfter: string | null
}

/** Somebody stopped it, or its time is over. */
export class Interrupted extends Error {
  override name = 'Interrupted' as const
}

/** What has no budget of Bosun's is asked for as seldom as tier 3 allows. */
const PER_MINUTE = 50
/** Below what is documented. */
const SHARE = 0.9
/** Longer than that nobody waits for a check. */
const MAX_WAIT_MS = 65_000

interface CallerOptions {
  apiUrl: string
  token: Secret
  /** Multiplies the documented rates. */
  scale: number
  signal: AbortSignal
}

export function createCaller({apiUrl, token, scale, signal}: CallerOptions): Caller {
  const seen: Seen = {calls: 0, headers: new Headers(), limited: [], bursts: []}
  const nextMs = new Map<string, number>()
  const budgets = slackBudgets(1)
  /** What goes out now was asked for in a burst: those and what comes in its turn are never underway together. */
  let isAtOnce = false

  const fetch: FetchFunction = async (url, init) => {
    seen.calls += 1
    const wasAtOnce = isAtOnce
    const answer = await globalThis.fetch(url, init)
    seen.headers = answer.headers
    if (answer.status === 429) {
      const method = String(url).slice(String(url).lastIndexOf('/') + 1)
      const limited = {method, retryAfter: answer.headers.get('retry-after')}
      seen[wasAtOnce ? 'bursts' : 'limited'].push(limited)
    }
    return answer
  }
  const logger = createSlackLogger({info: ignore, warn: ignore, error: ignore})
  const client = createSlackClient(async () => token, {slackApiUrl: apiUrl, logger, fetch})

  const gapOf = (method: string): number => {
    const rates = (budgets[method] ?? []).map(({perMinute}) => perMinute)
    return 60_000 / (Math.min(PER_MINUTE * 2, ...(rates.length > 0 ? rates : [PER_MINUTE])) * SHARE)
  }

  const wait = async (ms: number, until: AbortSignal): Promise<void> => {
    if (ms > 0) await pause(ms, until)
    if (isAborted(until)) throw new Interrupted()
  }

  const turn = async (method: string, until: AbortSignal): Promise<void> => {
    const nowMs = performance.now()
    const atMs = Math.max(nowMs, nextMs.get(method) ?? 0)
    nextMs.set(method, atMs + gapOf(method) / scale)
    await wait(atMs - nowMs, until)
  }

  const callerUntil = (until: AbortSignal): Caller => {
    const send = (method: string, args: Arguments, atOnce: boolean): Promise<unknown> => {
      isAtOnce = atOnce
      return callSlack<unknown>(() => client.apiCall(method, args))
    }
    const call: Caller['call'] = async (method, args, {atOnce} = {atOnce: false}) => {
      if (atOnce) {
        await wait(0, until)
        return send(method, args, true)
      }
      await turn(method, until)
      try {
        return await send(method, args, false)
      } catch (error) {
        const isLimited = error instanceof SlackError && error.kind === 'wait'
        if (!isLimited || error.retryAfterMs > MAX_WAIT_MS) throw error
        // It is noted; what this call is for may be seen all the same.
        await wait(error.retryAfterMs, until)
        return send(method, args, false)
      }
    }
    return {
      client,
      call,
      refusal: async (method, args, how) => {
        try {
          await call(method, args, how)
          return 'ok'
        } catch (error) {
          if (error instanceof SlackError && error.isAnswered) return error.code
          throw error
        }
      },
      until: callerUntil,
      seen,
    }
  }
  return callerUntil(signal)
}

function ignore(): void {}
