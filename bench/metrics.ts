import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {parseArgs} from 'node:util'
import {readScrape} from '../test/support/scrape.ts'
import {freePort} from './free-port.ts'
import {atMost, endWith} from './lines.ts'
import {
  type Vitals,
  botSettings,
  seedLinks,
  startProbed,
  startStreamStandIns,
} from './stream-processes.ts'

/**
 * What metrics cost: pairs of bots with many streams, one with metrics that are scraped and one without, side by side. They
 * are looked at again and again; each look gives a difference, and the median of those is judged.
 */

const {values: options} = parseArgs({
  options: {
    streams: {type: 'string', default: '2000'},
    /** Of all streams together, in a second. */
    frames: {type: 'string', default: '4000'},
    seconds: {type: 'string', default: '30'},
    pairs: {type: 'string', default: '2'},
    /** In which both are looked at, one after the other. */
    windows: {type: 'string', default: '5'},
  },
})
const streams = Number(options.streams)
const MAX_CPU_PERCENT = 1
const MAX_HEAP_MB = 5
const SCRAPE_MS = 15_000
const OPEN_WITHIN_MS = 900_000

type Side = 'with' | 'without'
interface Run {
  vitals: Vitals
  scrape?: {ms: number[]; series: number; bytes: number}
}

await main()

async function main(): Promise<void> {
  const pairs: Record<Side, Run>[] = []
  const tell = (pair: Record<Side, Run>): void => {
    pairs.push(pair)
    const {with: on, without: off} = pair
    console.log(
      `CPU ${on.vitals.cpuPercent.toFixed(2)} % with, ${off.vitals.cpuPercent.toFixed(2)} % without; ` +
        `heap ${on.vitals.heapMb.toFixed(2)} and ${off.vitals.heapMb.toFixed(2)} MB; resident ${on.vitals.rssMb.toFixed(0)} and ${off.vitals.rssMb.toFixed(0)} MB`,
    )
  }
  for (let index = 0; index < Number(options.pairs); index += 1) await runPair(index, tell)
  judge(pairs)
}

function judge(pairs: readonly Record<Side, Run>[]): void {
  const differences = (field: keyof Vitals): number[] =>
    pairs.map(({with: on, without: off}) => on.vitals[field] - off.vitals[field])
  const rows: [string, keyof Vitals, string][] = [
    ['CPU of one core', 'cpuPercent', '%'],
    ['heap in use', 'heapMb', 'MB'],
    ['outside the heap', 'externalMb', 'MB'],
    ['resident', 'rssMb', 'MB'],
    ['event loop, p99', 'loopP99Ms', 'ms'],
  ]
  for (const [name, field, unit] of rows) {
    const all = differences(field).map((value) => value.toFixed(2))
    console.log(
      `${name.padEnd(18)}${median(differences(field)).toFixed(2).padStart(8)} ${unit}  (${all.join(', ')})`,
    )
  }
  const scrapes = pairs.flatMap(({with: {scrape}}) => scrape ?? [])
  const [last] = scrapes
  console.log(
    `a scrape: ${median(scrapes.flatMap(({ms}) => ms)).toFixed(1)} ms, ${last?.series ?? 0} series, ${last?.bytes ?? 0} bytes`,
  )
  endWith([
    atMost('CPU of one core for metrics', median(differences('cpuPercent')), MAX_CPU_PERCENT, '%'),
    atMost('heap for metrics', median(differences('heapMb')), MAX_HEAP_MB, 'MB'),
  ])
}

/** A bot that follows all streams, and of which nothing was counted yet. */
async function begin(side: Side, opened: AsyncDisposableStack) {
  const folder = await mkdtemp(join(tmpdir(), 'bosun-metrics-'))
  opened.defer(() => rm(folder, {recursive: true, force: true}))
  const standIns = opened.use(await startStreamStandIns())
  const database = join(folder, 'bosun.db')
  await seedLinks(database, streams)
  const port = await freePort()
  const settings = {
    ...botSettings(standIns, database),
    ...(side === 'with' && {METRICS_PORT: String(port)}),
  }
  const bot = opened.use(startProbed('src/main.ts', {settings}))
  const line = await bot.ready
  if (!line.startsWith('Bosun is ready')) throw new Error(`The bot said: ${line}`)
  const startedMs = performance.now()
  while ((await standIns.count()).streams < streams) {
    if (performance.now() - startedMs > OPEN_WITHIN_MS) throw new Error('Streams stay closed.')
    await delay(100)
  }
  return {bot, port, play: () => standIns.play(Number(options.frames))}
}

/** Both at once, so that whatever else the machine does is done to both. */
async function runPair(index: number, tell: (pair: Record<Side, Run>) => void): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const order: Side[] = index % 2 === 0 ? ['with', 'without'] : ['without', 'with']
  const begun = new Map<Side, Awaited<ReturnType<typeof begin>>>()
  await Promise.all(order.map(async (side) => begun.set(side, await begin(side, opened))))
  const [on, off] = [begun.get('with'), begun.get('without')]
  if (on === undefined || off === undefined) throw new Error('A bot is missing.')
  await Promise.all([on.play(), off.play()])
  // What opening them has left behind is not counted.
  await delay(5000)
  await Promise.all([on.bot.vitals(), off.bot.vitals()])
  for (let window = 0; window < Number(options.windows); window += 1) {
    const scrape = {ms: [] as number[], series: 0, bytes: 0}
    const endMs = performance.now() + Number(options.seconds) * 1000
    while (performance.now() < endMs) {
      await scrapeOnce(on.port, scrape)
      await delay(Math.max(0, Math.min(SCRAPE_MS, endMs - performance.now())))
    }
    const [ofOn, ofOff] = await Promise.all([on.bot.vitals(), off.bot.vitals()])
    tell({with: {vitals: ofOn, scrape}, without: {vitals: ofOff}})
  }
}

async function scrapeOnce(
  port: number,
  scrape: {ms: number[]; series: number; bytes: number},
): Promise<void> {
  const sinceMs = performance.now()
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  scrape.ms.push(performance.now() - sinceMs)
  scrape.series = readScrape(text).series.length
  scrape.bytes = text.length
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low = NaN, high = NaN] = [sorted.at(Math.ceil(sorted.length / 2) - 1), sorted[middle]]
  return (low + high) / 2
}
