import {resolve} from 'node:path'
import {parseArgs} from 'node:util'
import {type Line, atMost, endWith, exactly} from './lines.ts'
import {type Row, type Writer, WRITERS, objectionTo} from './relay/row.ts'
import {type RunOptions, measureFinals, measureNeighbour, measureReplies} from './relay/runs.ts'
import {type Optima, toTable} from './relay/table.ts'
import {type Rates, slackRates} from './schedule/model.ts'
import {optimum} from './schedule/optimum.ts'

/** How long what agents write takes to its readers in Slack, judged by the local Slack's ledger and record alone. */

const {values: options} = parseArgs({
  options: {
    threads: {type: 'string', default: '1,5,20,50'},
    writers: {type: 'string', default: WRITERS.join(',')},
    variant: {type: 'string', default: 'usual'},
    seed: {type: 'string', default: '1'},
    finals: {type: 'boolean', default: false},
    two: {type: 'boolean', default: false},
    /** Another checkout of this project: its bot is measured beside ours, at the same work. */
    against: {type: 'string'},
  },
})
const FINALS = {threads: 100, finals: 45, everyMs: 2000}
const TWO = {threads: 5, neighbours: 50}

/** In what Slack may differ from what is usual, and the rates with which the same work has an optimum to compare with. */
const VARIANTS: Readonly<Record<string, {slackFlags: readonly string[]; rates?: Rates}>> = {
  usual: {slackFlags: [], rates: slackRates},
  'burst-1': {slackFlags: ['--live-burst', '1'], rates: withBurst(1)},
  'burst-50': {slackFlags: ['--live-burst', '50'], rates: withBurst(50)},
  'retry-after-10': {slackFlags: ['--retry-after', '10'], rates: slackRates},
  'latency-1000': {slackFlags: ['--latency-ms', '1000']},
  jitter: {slackFlags: ['--jitter-ms', '800']},
  'status-per-channel': {slackFlags: ['--status-per-channel']},
}

/** What the usual Slack and the usual writer must reach, in seconds: the mean wait of text, by the number of threads. */
const MEAN_S: Readonly<Record<number, number>> = {1: 0.2, 5: 0.64, 20: 3.1, 50: 6.7}
const FIRST_OF_50_S = 8
const STEP_S = 2

await main()

async function main(): Promise<void> {
  const variant = VARIANTS[options.variant]
  if (variant === undefined) {
    throw new Error(`--variant must be one of ${Object.keys(VARIANTS).join(', ')}.`)
  }
  const {slackFlags, rates} = variant
  const optimumOf = createOptimum(rates)
  const rows: Row[] = []
  for (const writer of writersToMeasure()) {
    for (const run of runsOf({writer, slackFlags, seed: options.seed})) {
      rows.push(await run())
      console.error(
        toTable(rows.slice(-1), () => undefined)
          .split('\n')
          .at(-1),
      )
    }
  }
  console.log(
    `\nSlack: ${options.variant}. Seconds; late: timers of the busiest process, ms (p99)\n`,
  )
  console.log(toTable(rows, optimumOf))
  endWith(rows.flatMap(linesOf))
}

function linesOf(row: Row): Line[] {
  const {writer, threads, checkout, limited, meanS, first, doing, right} = row
  if (writer === 'naive' || checkout !== undefined) return []
  const name = `${writer}, ${threads} threads`
  const whole = exactly(`${name}: replies that stand as written`, right, threads)
  if (options.finals || options.two) return [whole]
  const over = (what: string, found: number, most: number | undefined, unit = 's') =>
    most === undefined ? [] : [atMost(`${name}: ${what}`, found, most, unit)]
  // A Slack that allows less than it says has to be heard saying no.
  const isAllowed = !['burst-1', 'status-per-channel'].includes(options.variant)
  const limits = [whole, ...(isAllowed ? over('calls over the rate', limited, 0, '') : [])]
  if (options.variant !== 'usual') return limits
  const steps = over('a step, p95', doing.p95S, STEP_S)
  if (writer !== 'auto') return [...limits, ...steps]
  return [
    ...limits,
    ...steps,
    ...over('the mean wait of text', meanS, MEAN_S[threads]),
    ...over('first text, p50', first.p50S, threads === 50 ? FIRST_OF_50_S : undefined),
  ]
}

/** Of the very work that was measured. Cards are left out of it, and so is what is not the plain work. */
function createOptimum(rates: Rates | undefined): (row: Row) => Optima | undefined {
  if (rates === undefined || options.finals) return () => undefined
  return ({writer: asked, threads, work}) => {
    const writer = asked === 'naive' ? 'edit' : asked
    const careless = work.map(({channel, fragments}) => ({
      channel,
      fragments: fragments.map(({atMs, chars}) => ({atMs, chars})),
    }))
    const readableS = optimum({threads, writer, work, rates}).meanS
    // Both are the best that was found: who may show everything may also hold something back.
    const allS = Math.min(readableS, optimum({threads, writer, work: careless, rates}).meanS)
    return {allS, readableS}
  }
}

function withBurst(burst: number): Rates {
  return Object.fromEntries(
    Object.entries(slackRates).map(([method, limits]) => [
      method,
      method === 'chat.postMessage' ? limits : limits.map((limit) => ({...limit, burst})),
    ]),
  )
}

function writersToMeasure(): Writer[] {
  const names = options.writers.split(',')
  const unknown = names.filter((name) => !WRITERS.some((writer) => writer === name))
  if (unknown.length > 0) throw new Error(`--writers must be of ${WRITERS.join(', ')}.`)
  return WRITERS.filter((writer) => {
    if (!names.includes(writer) || (writer === 'naive' && (options.finals || options.two)))
      return false
    const objection = objectionTo(writer)
    if (objection !== undefined) console.error(`${writer} is left out: ${objection}`)
    return objection === undefined
  })
}

/** The runs of one writer, each to be begun when the one before it is over. */
function runsOf(base: Omit<RunOptions, 'threads'>): (() => Promise<Row>)[] {
  if (options.finals) return [() => measureFinals({...base, ...FINALS})]
  if (options.two) {
    return [
      () => measureNeighbour({...base, ...TWO, neighbours: 0}),
      () => measureNeighbour({...base, ...TWO}),
    ]
  }
  const counts = options.threads.split(',').map(Number)
  const bots = options.against === undefined ? [undefined] : [resolve(options.against), undefined]
  return counts.flatMap((threads) =>
    bots.map((checkout) => async () => ({
      ...(await measureReplies({...base, threads, checkout})),
      checkout,
    })),
  )
}
