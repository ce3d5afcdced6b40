import {monitorEventLoopDelay} from 'node:perf_hooks'
import {parseArgs} from 'node:util'
import {type StormReport, runStorm} from '../test/support/storm.ts'
import {errorsOf} from '../test/support/trail.ts'
import {startWorld} from '../test/support/world.ts'
import {atLeast, endWith, never} from './lines.ts'

/**
 * The bot as a process of its own, between two stand-ins that go wrong ten thousand times while a thousand threads
 * are at work. The verdict comes from the two ledgers alone.
 */

const {values: options} = parseArgs({
  options: {
    threads: {type: 'string', default: '1000'},
    faults: {type: 'string', default: '10000'},
    'per-second': {type: 'string', default: '25'},
    writer: {type: 'string', default: 'auto'},
    seed: {type: 'string', default: '1'},
  },
})

await main()

async function main(): Promise<void> {
  const startMs = performance.now()
  // Stand-ins that stall answer no notification: what is lost then says nothing of the bot.
  const stalls = monitorEventLoopDelay({resolution: 20})
  stalls.enable()
  let report: StormReport
  let errors: ReturnType<typeof errorsOf>
  {
    const settings = {SLACK_WRITER: options.writer}
    await using world = await startWorld({rateScale: 400, pace: 1, slackTimeFactor: 0.5, settings})
    report = await runStorm(world, {
      seed: options.seed,
      threads: Number(options.threads),
      faults: Number(options.faults),
      faultsPerSecond: Number(options['per-second']),
      isQuick: false,
      tell: console.log,
    })
    errors = errorsOf(world)
  }
  print(report, (performance.now() - startMs) / 1000)
  console.log(`longest stall of the stand-ins: ${Math.round(stalls.max / 1e6)} ms`)
  for (const [words, times] of errors) console.log(`logged as an error ${times} times: ${words}`)
}

function print(report: StormReport, seconds: number): void {
  const {struck, wrongs, details, trails, threads, followUps, replies, interactions} = report
  for (const [name, times] of struck) console.log(`  ${name.padEnd(68)}${times}`)
  for (const [name, times] of interactions) console.log(`  people: ${name.padEnd(60)}${times}`)
  const total = [...struck.values()].reduce((sum, times) => sum + times, 0)
  const rows: [string, string | number][] = [
    ['kinds of faults', struck.size],
    ['threads', threads],
    ['messages of people besides', followUps],
    ['replies', replies],
    ['seconds of faults', Math.round(report.stormMs / 1000)],
    ['seconds until all had settled', Math.round(report.settledMs / 1000)],
    ['seconds in all', Math.round(seconds)],
    ['peak memory of the bot, MB', Math.round(report.peakRssMb)],
  ]
  for (const [name, value] of rows) console.log(`${name.padEnd(70)}${value}`)
  for (const line of details.toSorted((a, b) => b.length - a.length).slice(0, 20))
    console.log(line.slice(0, 2000))
  for (const trail of trails) console.log(trail)
  endWith([
    atLeast('faults that struck', total, Number(options.faults)),
    ...Object.entries(wrongs).map(([name, count]) => never(name, count)),
  ])
}
