import {setTimeout as delay} from 'node:timers/promises'
import type {RetentionStore} from '../store/forget/retention.ts'
import type {ClockCheck} from './clock-check.ts'
import {TryLater} from './try-later.ts'

/** Deletes what has served its time, once a day. */
type Retention = AsyncDisposable

interface RetentionOptions {
  retention: RetentionStore
  /** How long finished work is kept; 0: for ever. */
  days: number
  /**
   * Whether what was begun in a place is nobody else's business.
   *
   * @throws {TryLater} while nobody says.
   */
  isClosed: (place: Place) => Promise<boolean>
  /** Whether our clock may be trusted with it. */
  clock: Pick<ClockCheck, 'trouble'>
  /** Our tables know nothing of this link any more. */
  onForgotten: (linkId: string) => Promise<void>
  nowMs?: () => number
  askEveryMs?: number
  log: {
    info(details: object, message: string): void
    warn(details: object, message: string): void
    error(details: object, message: string): void
  }
}

interface Place {
  team: string
  channel: string
}

const DAY_MS = 24 * 3_600_000
/** The keys of what is done: Slack may deliver the same for a day, and a day more is on the safe side. */
const KEEP_INBOX_MS = 2 * DAY_MS
/** An owner reads at once what the one before it has left. */
const KEEP_HANDOVERS_MS = 2 * DAY_MS
/** Nobody answers a question that is a week old. */
const KEEP_STARTS_MS = 7 * DAY_MS
/** Whoever has not been answered for a week does not ask again. */
const KEEP_AGENT_POSTS_MS = 7 * DAY_MS
/** What was delivered is told by then, and whoever wants to know what became of it looks into the hook's log. */
const KEEP_RECEIPTS_MS = 30 * DAY_MS
const KEEP_AUDIT_DAYS = 400
/** Longer than a month, of which a budget may be. */
const KEEP_SPENDINGS_MS = 62 * DAY_MS
/** Longer than any two digests lie apart, or a clock is wrong unnoticed. */
const KEEP_DIGESTS_MS = 40 * DAY_MS
/** Longer than a preview is kept up to date. */
const KEEP_UNFURLS_MS = 8 * DAY_MS
/** No sender repeats a delivery for longer. The platform knows their keys, too. */
const KEEP_DELIVERIES_MS = 7 * DAY_MS
/** What was given up is sent again within this time, or never. */
const KEEP_DEAD_LETTERS_MS = 30 * DAY_MS
/** An agent names what it has opened long before. */
const KEEP_PULL_REQUESTS_MS = 30 * DAY_MS
/** Longer than the longest time in which a rule passes over what it has met before. */
const KEEP_ALERTS_MS = 8 * DAY_MS
/** Longer than anybody waits for a step of theirs. */
const KEEP_EXECUTIONS_MS = 30 * DAY_MS
/** Soon behind a start, since a bot may be started every day; not in its first moments. */
const FIRST_MS = 5000
const RETRY_MS = 600_000
/** Slack says of fifty channels a minute what they are, and others have to know it at once. */
const ASK_EVERY_MS = 3000
/** Of a place of which nobody says for so long what it is: it is closed. */
const UNSAID_FOR_MS = 3 * DAY_MS
const UNSAID_RETRY_MS = 3_600_000

export function startRetention(options: RetentionOptions): Retention {
  let timer: NodeJS.Timeout | undefined
  let cleaning: Promise<void> | undefined
  const stop = new AbortController()
  /** Since when nobody says of a place what it is. */
  const unsaid = new Map<string, number>()

  const sleep = (ms: number): void => {
    if (!stop.signal.aborted) timer = setTimeout(clean, ms).unref()
  }
  const clean = (): void => {
    cleaning = forgetOld(options, stop.signal, unsaid)
      .then((isDone) => sleep(isDone ? (unsaid.size === 0 ? DAY_MS : UNSAID_RETRY_MS) : RETRY_MS))
      .catch((error: unknown) => {
        options.log.error({err: error}, 'Old rows could not be deleted')
        sleep(RETRY_MS)
      })
  }
  sleep(FIRST_MS)

  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      clearTimeout(timer)
      await cleaning
    },
  }
}

/** Asks once of each place, and of the next channel a while behind the last; `undefined`: nobody says now. */
function askSlowly(
  {isClosed, nowMs = Date.now, askEveryMs = ASK_EVERY_MS}: RetentionOptions,
  unsaid: Map<string, number>,
  signal: AbortSignal,
) {
  const said = new Map<string, Promise<boolean | undefined>>()
  let isFirst = true
  const ask = async (key: string, place: Place): Promise<boolean | undefined> => {
    // Of a direct message nobody is asked.
    const waitMs = isFirst || place.channel.startsWith('D') ? 0 : askEveryMs
    isFirst = false
    try {
      if (waitMs > 0) await delay(waitMs, undefined, {signal, ref: false})
      const answer = await isClosed(place)
      unsaid.delete(key)
      return answer
    } catch (error) {
      if (signal.aborted) return undefined
      if (!(error instanceof TryLater)) throw error
      const sinceMs = unsaid.get(key) ?? nowMs()
      unsaid.set(key, sinceMs)
      return nowMs() - sinceMs < UNSAID_FOR_MS ? undefined : true
    }
  }
  return {
    isClosed: (place: Place): Promise<boolean | undefined> => {
      const key = `${place.team} ${place.channel}`
      const answer = said.get(key) ?? ask(key, place)
      said.set(key, answer)
      return answer
    },
    /** Of what is over nobody has to say anything. */
    end: (): void => {
      for (const key of unsaid.keys()) if (!said.has(key)) unsaid.delete(key)
    },
  }
}

/**
 * All of it in small transactions, each when the clock is right; a stop leaves the rest to the next start. False: the clock
 * is not right, or nobody has proved it, and the rest stays for now.
 *
 * @param unsaid Since when nobody says of a place, by team and channel, who may know of it: what was begun there stays for three days more.
 */
export async function forgetOld(
  options: RetentionOptions,
  signal: AbortSignal,
  unsaid = new Map<string, number>(),
): Promise<boolean> {
  const {retention, days, onForgotten, nowMs = Date.now, log} = options
  const {isClosed, end} = askSlowly(options, unsaid, signal)
  const mayGoOn = async (): Promise<boolean> => {
    const trouble = await options.clock.trouble()
    if (trouble !== undefined) log.warn({clock: trouble}, 'Nothing is deleted by its age')
    return trouble === undefined
  }
  const untilNone = async (some: () => Promise<number>): Promise<boolean> => {
    while (!signal.aborted) {
      if (!(await mayGoOn())) return false
      if ((await some()) === 0) break
    }
    return true
  }
  const now = nowMs()
  const once = (forget: Promise<void>): Promise<number> => forget.then(() => 0)
  const beforeMs = now - days * DAY_MS
  let links = 0
  const steps: (() => Promise<number>)[] = [
    () => retention.forgetInbox(now - KEEP_INBOX_MS),
    () => once(retention.forgetHandovers(now - KEEP_HANDOVERS_MS)),
    () => once(retention.forgetStarts(now - KEEP_STARTS_MS)),
    () => once(retention.forgetAgentPosts(now - KEEP_AGENT_POSTS_MS)),
    () => once(retention.forgetExecutions(now - KEEP_EXECUTIONS_MS)),
    () => once(retention.forgetDigests(now - KEEP_DIGESTS_MS)),
    () => once(retention.forgetUnfurls(now - KEEP_UNFURLS_MS)),
    () => retention.forgetAudit(now - KEEP_AUDIT_DAYS * DAY_MS),
    () => retention.forgetDeadLetters(now - KEEP_DEAD_LETTERS_MS),
    () => retention.forgetAlerts(now - KEEP_ALERTS_MS),
    () => retention.forgetReceipts(now - KEEP_RECEIPTS_MS),
    () => retention.forgetDeliveries(now - KEEP_DELIVERIES_MS),
  ]
  if (days > 0) {
    steps.push(
      partwise(retention.forgetLinks(beforeMs, isClosed), async (ids) => {
        for (const id of ids) await onForgotten(id)
        links += ids.length
      }),
      () => retention.forgetAnnouncements(beforeMs),
      partwise(retention.forgetRuns(beforeMs, isClosed)),
    )
  }
  // Behind the work that it belongs to.
  steps.push(
    partwise(retention.forgetSpendings(now - KEEP_SPENDINGS_MS)),
    partwise(retention.forgetPullRequests(now - KEEP_PULL_REQUESTS_MS)),
  )
  for (const step of steps) if (!(await untilNone(step))) return false
  if (links > 0) log.info({links, days}, 'Finished work was forgotten')
  if (!signal.aborted) end()
  if (unsaid.size > 0) {
    log.warn({places: unsaid.size}, 'Old work stays while Slack does not say what its channels are')
  }
  return true
}

/** Goes one part further each time, and answers 0 behind the last one. */
function partwise<Part>(
  parts: AsyncIterable<Part>,
  onPart: (part: Part) => Promise<void> = async () => undefined,
): () => Promise<number> {
  const from = parts[Symbol.asyncIterator]()
  return async () => {
    const next = await from.next()
    if (next.done === true) return 0
    await onPart(next.value)
    return 1
  }
}
