import {parseArgs} from 'node:util'
import {LATENCY_MS, type Rates, type Writer, slackRates} from './schedule/model.ts'
import {online} from './schedule/online.ts'
import {optimum} from './schedule/optimum.ts'
import {type Simulated, simulate} from './schedule/simulation.ts'
import {type Line, atMost, endWith, never} from './lines.ts'
import {type ThreadWork, finalsWork, mixedWork, steadyWork, unevenWork} from './schedule/work.ts'

const {values} = parseArgs({
  options: {
    threads: {type: 'string', default: '1,5,20,50'},
    /** Replies at random within a minute. */
    crowd: {type: 'string', default: '2000'},
    seed: {type: 'string', default: '1'},
  },
})
const counts = values.threads.split(',').map(Number)
const seed = Number(values.seed)
const writers: readonly Writer[] = ['edit', 'stream', 'auto']

/** The same figures come out each time: a little above what was measured. */
const MAX_OF_OPTIMUM = 1.35
const MAX_OF_STEADY_OPTIMUM = 1.15
/** Of the wait that there is without prices. */
const MAX_OF_OLDEST = 0.5
const MAX_FINAL_S = 2
const MAX_REFUSED_IN_ROW = 3
/** Of the best schedule that sees only the past, for one reply. */
const MAX_OF_ONLINE = 1.15
const ONLINE_SEEDS = [seed, seed + 1, seed + 2]
const lines: Line[] = []
const sums = {unfinished: 0, refused: 0, refusedInRow: 0}

console.log(
  'work          writer policy    mean  optimum       bound   p95  first  whole  short  429s (row)  unseen  CPU',
)
for (const threads of counts) {
  const work = unevenWork(threads, seed)
  for (const writer of writers) {
    const best = optimum({threads, writer, work})
    const {meanS} = await show(`${threads} replies`, {work, writer}, best)
    if (writer === 'auto') {
      lines.push(atMost(`${threads} replies: mean, optima`, meanS / best.meanS, MAX_OF_OPTIMUM))
    }
    if (writer === 'edit') await show(`${threads} replies`, {work, writer, policy: 'oldest'}, best)
  }
  const steady: Row = {work: steadyWork(threads), writer: 'auto'}
  const best = optimum({threads, ...steady})
  const {meanS} = await show(`${threads} steady`, steady, best)
  lines.push(atMost(`${threads} steady: mean, optima`, meanS / best.meanS, MAX_OF_STEADY_OPTIMUM))
}

lines.push(atMost('1 reply: mean, best that sees the past', await ofOnline(), MAX_OF_ONLINE))

const shared: Row = {work: mixedWork(300, 300_000, seed), writer: 'auto'}
const priced = await show('mixed', shared)
const oldest = await show('mixed', {...shared, policy: 'oldest'})
const finals = await show('100 + finals', {work: finalsWork(100, 90_000, seed), writer: 'auto'})
const crowd = Number(values.crowd)
await show(`${crowd} mixed`, {work: mixedWork(crowd, 60_000, seed), writer: 'auto'})
lines.push(
  atMost('mixed: mean, of that without prices', priced.meanS / oldest.meanS, MAX_OF_OLDEST),
  atMost('100 + finals: a final, p95', finals.shortS, MAX_FINAL_S, 's'),
)

for (const threads of [5, 50]) {
  const usual: Row = {work: unevenWork(threads, seed), writer: 'auto'}
  await show(`${threads}, burst 1`, {...usual, rates: withBurst(1)})
  await show(`${threads}, burst 50`, {...usual, rates: withBurst(50)})
  await show(`${threads}, wait 10 s`, {...usual, rates: withBurst(1), leastRetryS: 10})
  await show(`${threads}, 1 s late`, {...usual, latencyMs: 10 * LATENCY_MS})
}

endWith([
  ...lines,
  never('replies of which not all was shown', sums.unfinished),
  never('refusals by a Slack as it is assumed', sums.refused),
  atMost('refusals in a row by any other', sums.refusedInRow, MAX_REFUSED_IN_ROW),
])

interface Row {
  work: readonly ThreadWork[]
  writer: Writer
  policy?: 'priced' | 'oldest'
  rates?: Rates
  latencyMs?: number
  leastRetryS?: number
}

async function show(
  name: string,
  row: Row,
  best?: {meanS: number; boundS: number},
): Promise<Simulated> {
  const it = await simulate({...row, cards: 'with cards'})
  sums.unfinished += it.unfinished
  if (row.rates === undefined) sums.refused += it.refused
  else sums.refusedInRow = Math.max(sums.refusedInRow, it.refusedInRow)
  const beside =
    best === undefined
      ? ''
      : `${best.meanS.toFixed(2)} × ${(it.meanS / best.meanS).toFixed(2)}  ${best.boundS.toFixed(2)}`
  console.log(
    [
      ...[name.padEnd(13), row.writer.padEnd(6), (row.policy ?? 'priced').padEnd(6)],
      ...[it.meanS.toFixed(2).padStart(7), beside.padStart(19)],
      ...[it.p95S, it.firstS, it.wholeS, it.shortS].map((seconds) =>
        seconds.toFixed(1).padStart(5),
      ),
      ...refusalsOf(it),
      `${it.cpuMs.toFixed(0)} ms`,
    ].join(' '),
  )
  return it
}

/** Bosun's wait for one reply over that of the best schedule that was found to see only the past. */
async function ofOnline(): Promise<number> {
  let [ours, best] = [0, 0]
  for (const it of ONLINE_SEEDS) {
    const work = unevenWork(1, it)
    ours += (await simulate({work, writer: 'auto', cards: 'with cards'})).meanS
    best += work.reduce((sum, reply) => sum + online(reply, 'auto'), 0)
  }
  console.log(
    `1 reply, mean of ${ONLINE_SEEDS.length}: ${(ours / ONLINE_SEEDS.length).toFixed(3)} s; seeing only the past ${(best / ONLINE_SEEDS.length).toFixed(3)} s`,
  )
  return ours / best
}

function refusalsOf({refused, refusedInRow, unfinished}: Simulated): string[] {
  return [`${refused} (${refusedInRow})`.padStart(11), String(unfinished).padStart(7)]
}

/** Posts keep theirs. */
function withBurst(burst: number): Rates {
  return Object.fromEntries(
    Object.entries(slackRates).map(([method, rates]) => [
      method,
      method === 'chat.postMessage' ? rates : rates.map((rate) => ({...rate, burst})),
    ]),
  )
}
