import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {parseArgs} from 'node:util'
import {type Line, atMost, endWith, exactly} from './lines.ts'
import {botSettings, seedLinks, startProbed, startStreamStandIns} from './stream-processes.ts'

/**
 * How the bot comes back to a platform: after its own start, after the platform's quick restart, and after an outage.
 * The verdict is from the platform's own record: when each stream was opened.
 */

const {values: options} = parseArgs({
  options: {
    streams: {type: 'string', default: '2000'},
    'outage-seconds': {type: 'string', default: '60'},
    'restart-seconds': {type: 'string', default: '1'},
  },
})
const streams = Number(options.streams)
/** Of all reconnects, in one second. */
const MAX_PART = 0.1
const BACK_WITHIN_SECONDS = 60

type StandIns = Awaited<ReturnType<typeof startStreamStandIns>>

interface Return {
  bySecond: number[]
  tookSeconds: number
  open: number
}

await main()

async function main(): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'bosun-outage-'))
  opened.defer(() => rm(folder, {recursive: true, force: true}))
  const database = join(folder, 'bosun.db')
  await seedLinks(database, streams)
  await using standIns = await startStreamStandIns()
  await using bot = startProbed('src/main.ts', {settings: botSettings(standIns, database)})
  await bot.ready
  const lines = report('after its own start', await comeBack(standIns, new Map()))
  for (const [name, seconds] of [
    ['after a restart', Number(options['restart-seconds'])],
    ['after an outage', Number(options['outage-seconds'])],
  ] as const) {
    const before = new Map((await standIns.count()).connects)
    await standIns.down()
    await delay(seconds * 1000)
    await standIns.up()
    lines.push(...report(`${name} of ${seconds} s`, await comeBack(standIns, before)))
  }
  endWith(lines)
}

/** Counts from now on until all streams are open. */
async function comeBack(standIns: StandIns, before: ReadonlyMap<number, number>): Promise<Return> {
  const startedMs = performance.now()
  const fromSecond = Math.floor(Date.now() / 1000)
  let counts = await standIns.count()
  let tookSeconds = 0
  do {
    await delay(100)
    counts = await standIns.count()
    tookSeconds = (performance.now() - startedMs) / 1000
  } while (counts.streams < streams && tookSeconds < 2 * BACK_WITHIN_SECONDS)
  const bySecond = Array.from({length: Math.ceil(tookSeconds) + 1}, () => 0)
  for (const [second, count] of counts.connects) {
    const slot = Math.max(0, second - fromSecond)
    bySecond[slot] = (bySecond[slot] ?? 0) + count - (before.get(second) ?? 0)
  }
  return {bySecond, tookSeconds, open: counts.streams}
}

function report(name: string, {bySecond, tookSeconds, open}: Return): Line[] {
  const most = Math.max(...bySecond)
  console.log(`\n${name}`)
  for (const [second, count] of bySecond.entries()) {
    const bar = '#'.repeat(Math.ceil((count * 60) / (MAX_PART * streams)))
    console.log(`${String(second).padStart(4)} s ${String(count).padStart(5)} ${bar}`)
  }
  return [
    exactly(`${name}: streams that are back`, open, streams),
    atMost(`${name}: all back within`, tookSeconds, BACK_WITHIN_SECONDS, 's'),
    atMost(`${name}: in the worst second`, most, MAX_PART * streams),
  ]
}
