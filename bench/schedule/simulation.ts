import {type Ask, type Pacer, createPacer} from '../../src/relay/pace/pacer.ts'
import {slackBudgets} from '../../src/slack/api/budgets.ts'
import {LATENCY_MS, type Rates, type Writer, slackRates} from './model.ts'
import {createSimClock} from './sim-clock.ts'
import {createSimSlack} from './sim-slack.ts'
import {type SimThread, startThread} from './sim-thread.ts'
import type {ThreadWork} from './work.ts'

export interface Simulated {
  meanS: number
  p95S: number
  /** From a reply's first fragment to its first text that is seen: the median. */
  firstS: number
  /** From a reply's end to the whole of it: the 95th percentile. */
  wholeS: number
  /** The same of replies that come complete at once. */
  shortS: number
  calls: Readonly<Record<string, number>>
  refused: number
  /** Of one method, one after the other. */
  refusedInRow: number
  /** Replies of which not everything was shown in the end. */
  unfinished: number
  threads: readonly SimThread[]
  cpuMs: number
}

interface Options {
  work: readonly ThreadWork[]
  writer: Writer
  cards: 'with cards' | 'without cards'
  /** What Slack really allows, where that is something else than what the bot assumes. */
  rates?: Rates
  latencyMs?: number
  leastRetryS?: number
  /** `oldest`: whoever has waited longest is next, whatever waits there. */
  policy?: 'priced' | 'oldest'
}

/** The real pacer before a Slack that is nothing but its limits, and replies that ask as publishers do. */
export async function simulate(options: Options): Promise<Simulated> {
  const {work, writer, cards, rates = slackRates, latencyMs = LATENCY_MS} = options
  const clock = createSimClock()
  const priced = createPacer({budgets: slackBudgets(1), clock})
  const pacer = options.policy === 'oldest' ? withoutPrices(priced) : priced
  const slack = createSimSlack({rates, clock, latencyMs, leastRetryS: options.leastRetryS ?? 1})
  const beganMs = performance.now()
  const threads = work.map((it) => startThread(it, {clock, pacer, slack, writer, cards}))
  await clock.run(Math.max(...work.map(({fragments}) => fragments.at(-1)?.atMs ?? 0)) + 600_000)
  return {...summarize(threads), ...slack.tally(), threads, cpuMs: performance.now() - beganMs}
}

function withoutPrices(pacer: Pacer): Pacer {
  const plain = ({team, channel, method, rank, sinceMs, notBeforeMs}: Ask): Ask => ({
    ...{team, channel, method, rank, sinceMs, notBeforeMs},
  })
  return {...pacer, queue: (asks) => pacer.queue(asks.map(plain))}
}

/** How long what was never seen counts as waiting, behind the end of its reply. */
const GIVEN_UP_MS = 60_000

function summarize(threads: readonly SimThread[]) {
  const waits: {ms: number; chars: number}[] = []
  const firsts: number[] = []
  const wholes: number[] = []
  const shorts: number[] = []
  let unfinished = 0
  for (const {work, shows} of threads) {
    const endMs = work.fragments.at(-1)?.atMs ?? 0
    let count = 0
    let show = 0
    for (const {atMs, chars} of work.fragments) {
      count += chars
      while (show < shows.length && (shows[show]?.chars ?? 0) < count) show += 1
      const seenMs = Math.min(shows[show]?.seenMs ?? Infinity, endMs + GIVEN_UP_MS)
      waits.push({ms: seenMs - atMs, chars})
    }
    if (show >= shows.length) unfinished += 1
    firsts.push((shows[0]?.seenMs ?? endMs + GIVEN_UP_MS) - (work.fragments[0]?.atMs ?? 0))
    if (isShort(work)) shorts.push((shows[show]?.seenMs ?? Infinity) - endMs)
    wholes.push((shows[show]?.seenMs ?? endMs + GIVEN_UP_MS) - endMs)
  }
  waits.sort((a, b) => a.ms - b.ms)
  const total = waits.reduce((sum, {chars}) => sum + chars, 0)
  const area = waits.reduce((sum, {ms, chars}) => sum + ms * chars, 0)
  let passed = 0
  const p95 = waits.find(({chars}) => (passed += chars) >= 0.95 * total)
  return {
    meanS: area / total / 1000,
    p95S: (p95?.ms ?? 0) / 1000,
    firstS: quantile(firsts, 0.5) / 1000,
    wholeS: quantile(wholes, 0.95) / 1000,
    shortS: quantile(shorts, 0.95) / 1000,
    unfinished,
  }
}

function isShort({fragments}: ThreadWork): boolean {
  return fragments.length === 1
}

function quantile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0
}
