import {parseArgs} from 'node:util'
import {LATENCY_MS, type Rates, type Writer, slackRates} from './schedule/model.ts'
import {optimum} from './schedule/optimum.ts'
import {type Simulated, simulate} from './schedule/simulation.ts'
import {type ThreadWork, finalsWork, mixedWork, steadyWork, unevenWork} from './schedule/work.ts'

const {values} = parseArgs({
  options: {threads: {type: 'string', default: '1,5,20,50'}, seed: {type: 'string', default: '1'}},
})
const counts = values.threads.split(',').map(Number)
const seed = Number(values.seed)
const writers: readonly Writer[] = ['edit', 'stream', 'auto']

console.log(
  'work          writer policy    mean  optimum       bound   p95  first  whole  short  429s (row)  unseen  CPU',
)
for (const threads of counts) {
  const work = unevenWork(threads, seed)
  for (const writer of writers) {
    const best = optimum({threads, writer, work})
    await show(`${threads} replies`, {work, writer}, best)
    if (writer === 'edit') await show(`${threads} replies`, {work, writer, policy: 'oldest'}, best)
  }
  const steady: Row = {work: steadyWork(threads), writer: 'auto'}
  await show(`${threads} steady`, steady, optimum({threads, ...steady}))
}

const shared: Row = {work: mixedWork(300, 300_000, seed), writer: 'auto'}
await show('mixed', shared)
await show('mixed', {...shared, policy: 'oldest'})
await show('100 + finals', {work: finalsWork(100, 90_000, seed), writer: 'auto'})
await show('2,000 replies', {work: mixedWork(2000, 60_000, seed), writer: 'auto'})

for (const threads of [5, 50]) {
  const usual: Row = {work: unevenWork(threads, seed), writer: 'auto'}
  await show(`${threads}, burst 1`, {...usual, rates: withBurst(1)})
  await show(`${threads}, burst 50`, {...usual, rates: withBurst(50)})
  await show(`${threads}, wait 10 s`, {...usual, rates: withBurst(1), leastRetryS: 10})
  await show(`${threads}, 1 s late`, {...usual, latencyMs: 10 * LATENCY_MS})
}

interface Row {
  work: readonly ThreadWork[]
  writer: Writer
  policy?: 'priced' | 'oldest'
  rates?: Rates
  latencyMs?: number
  leastRetryS?: number
}

async function show(name: string, row: Row, best?: {meanS: number; boundS: number}): Promise<void> {
  const it = await simulate({...row, cards: 'with cards'})
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
