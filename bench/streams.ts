import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {parseArgs} from 'node:util'
import {atMost, endWith} from './lines.ts'
import {
  type ProbedProcess,
  type Vitals,
  botSettings,
  seedLinks,
  startProbed,
  startStreamStandIns,
} from './stream-processes.ts'

/**
 * What the bot takes to follow many threads at once, as a process of its own and with Slack's real limits, beside
 * the least that reading as many streams takes.
 */

const {values: options} = parseArgs({
  options: {
    streams: {type: 'string', default: '2000'},
    /** Of all streams together, in a second. */
    frames: {type: 'string', default: '4000'},
    seconds: {type: 'string', default: '60'},
    /** Heartbeats alone. */
    idle: {type: 'boolean', default: false},
    'without-baseline': {type: 'boolean', default: false},
    /** Given to Node, for the bot: `--flag=--cpu-prof`. */
    flag: {type: 'string', multiple: true, default: []},
  },
})
const streams = Number(options.streams)
const framesPerSecond = options.idle ? 0 : Number(options.frames)
const seconds = Number(options.seconds)
const OPEN_WITHIN_MS = 180_000

await main()

async function main(): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'bosun-streams-'))
  opened.defer(() => rm(folder, {recursive: true, force: true}))
  const columns: [string, Vitals][] = []
  if (!options['without-baseline']) columns.push(['raw', await measureRaw()])
  const bot = await measureBot(join(folder, 'bosun.db'))
  columns.push(['bot', bot])
  print(columns)
  endWith([
    atMost('memory, peak', bot.peakMb, options.idle ? 800 : 300, 'MB'),
    ...(options.idle
      ? []
      : [
          atMost('CPU of one core', bot.cpuPercent, 50, '%'),
          atMost('event loop, p99', bot.loopP99Ms, 50, 'ms'),
        ]),
  ])
}

async function measureRaw(): Promise<Vitals> {
  await using standIns = await startStreamStandIns()
  const args = [standIns.platformOrigin, String(streams)]
  await using reader = startProbed('bench/raw-streams.ts', {args})
  return await measure(standIns, reader)
}

async function measureBot(database: string): Promise<Vitals> {
  await using standIns = await startStreamStandIns()
  await seedLinks(database, streams)
  const settings = botSettings(standIns, database)
  const startedMs = performance.now()
  await using bot = startProbed('src/main.ts', {flags: options.flag, settings})
  const line = await bot.ready
  if (!line.startsWith('Bosun is ready')) throw new Error(`The bot said: ${line}`)
  const readyMs = performance.now() - startedMs
  const vitals = await measure(standIns, bot)
  const {slackCalls} = await standIns.count()
  const stopMs = await bot.stop()
  console.log(
    `ready after ${readyMs.toFixed(0)} ms, stopped in ${stopMs.toFixed(0)} ms, ${slackCalls} calls of Slack`,
  )
  return vitals
}

async function measure(
  standIns: Awaited<ReturnType<typeof startStreamStandIns>>,
  bot: ProbedProcess,
): Promise<Vitals> {
  const startedMs = performance.now()
  while ((await standIns.count()).streams < streams) {
    if (performance.now() - startedMs > OPEN_WITHIN_MS) throw new Error('Streams stay closed.')
    await delay(100)
  }
  const openMs = performance.now() - startedMs
  const opening = await bot.vitals()
  const before = await standIns.play(framesPerSecond)
  const sinceMs = performance.now()
  await delay(seconds * 1000)
  const vitals = await bot.vitals()
  const after = await standIns.count()
  const rate = ((after.frames - before.frames) * 1000) / (performance.now() - sinceMs)
  console.log(
    `${after.streams} of ${streams} streams, open after ${openMs.toFixed(0)} ms (longest delay ${opening.loopMaxMs.toFixed(0)} ms, ${opening.rssMb.toFixed(0)} MB, heap ${opening.totalMb.toFixed(0)} of which ${opening.heapMb.toFixed(0)} MB), ${rate.toFixed(0)} frames/s for ${seconds} s`,
  )
  return vitals
}

function print(columns: readonly [string, Vitals][]): void {
  const rows: [string, keyof Vitals, string][] = [
    ['memory, end', 'rssMb', 'MB'],
    ['memory, peak', 'peakMb', 'MB'],
    ['heap, with garbage', 'totalMb', 'MB'],
    ['heap in use', 'heapMb', 'MB'],
    ['outside the heap', 'externalMb', 'MB'],
    ['CPU of one core', 'cpuPercent', '%'],
    ['event loop, p50', 'loopP50Ms', 'ms'],
    ['event loop, p99', 'loopP99Ms', 'ms'],
    ['event loop, max', 'loopMaxMs', 'ms'],
  ]
  console.log(`${''.padEnd(20)}${columns.map(([name]) => name.padStart(10)).join('')}`)
  for (const [name, field, unit] of rows) {
    const cells = columns.map(([, vitals]) => `${vitals[field].toFixed(1)} ${unit}`.padStart(10))
    console.log(`${name.padEnd(20)}${cells.join('')}`)
  }
}
