import {mkdtempSync, readFileSync, readdirSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {setTimeout as delay} from 'node:timers/promises'
import {parseArgs} from 'node:util'
import {z} from 'zod'
import {createDice} from '../local/platform/agent/dice.ts'
import {ACTIONS} from '../src/slack/ids.ts'
import {type StormReport, runStorm} from '../test/support/storm.ts'
import {tellStory} from '../test/support/stories.ts'
import {type Talk, judgeTalks, settleTalks} from '../test/support/talks.ts'
import {type World, startWorld} from '../test/support/world.ts'
import {atMost, endWith, never} from './lines.ts'
import {leastSlope, showSlope, slopeOf} from './slope.ts'

/**
 * The bot through waves of threads, mixed faults and restarts of both stand-ins. Each wave is the work of more than ten
 * minutes of a busy team. Between waves, at rest, it is measured what the bot holds; the lines through those
 * figures may not rise. The verdict on what people see comes from the ledgers.
 */

const {values: options} = parseArgs({
  options: {
    minutes: {type: 'string', default: '10'},
    threads: {type: 'string', default: '40'},
    faults: {type: 'string', default: '400'},
    seed: {type: 'string', default: '1'},
  },
})
/** What opens a thread every fifteen seconds, all day, opens in an hour. */
const THREADS_AN_HOUR = 240
/**
 * What may be added in an hour of such a life, by the least slope that the figures leave possible. A thread that was put away may leave
 * behind what its link is known by, and no more. Chosen, not measured.
 */
const MAX_PER_HOUR = {rssMb: 8, heapMb: 2, handles: 1, timers: 1} as const

const vitalsSchema = z.object({
  rssMb: z.number(),
  heapMb: z.number(),
  externalMb: z.number(),
  timers: z.number(),
  resources: z.number(),
  loopP99Ms: z.number(),
  loopMaxMs: z.number(),
})
type Sample = z.infer<typeof vitalsSchema> & {atMinutes: number; handles: number}

const samples: Sample[] = []
const wrongs = new Map<string, number>()
let threads = 0
let faults = 0

await main()

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bosun-soak-'))
  const file = join(folder, 'vitals.jsonl')
  const probe = pathToFileURL(join(import.meta.dirname, 'soak-probe.ts')).href
  const startMs = Date.now()
  try {
    await using world = await startWorld({
      ...{rateScale: 400, pace: 0.5, slackTimeFactor: 0.5, slackOnDisk: true},
      settings: {NODE_OPTIONS: `--import=${probe}`, SOAK_FILE: file},
    })
    let earlier: Talk[] = []
    for (let wave = 1; Date.now() - startMs < Number(options.minutes) * 60_000; wave += 1) {
      const report = await runWave(world, wave, earlier)
      earlier = report.talks
      const sample = await measure(world, file, (Date.now() - startMs) / 60_000)
      const {rssMb, heapMb, handles, timers, loopP99Ms, loopMaxMs} = sample
      const figures = {rssMb, heapMb, handles, timers, loopP99Ms, loopMaxMs}
      const line = Object.entries(figures).map(([name, value]) => `${name} ${value.toFixed(1)}`)
      console.log(`wave ${wave}: ${line.join(', ')}`)
    }
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
  print((Date.now() - startMs) / 60_000)
}

/** New threads under faults, while those of the wave before are answered once more and then put away. */
async function runWave(world: World, wave: number, earlier: Talk[]): Promise<StormReport> {
  const dice = createDice(`${options.seed} ${wave}`)
  for (const [index, talk] of earlier.entries()) {
    const story = tellStory(dice, {name: `again-${wave}-${index}`, turns: [1, 2], longPercent: 2})
    world.platform.control.planScript({when: {text: story.mark}, steps: story.steps})
    talk.added.push(story.mark)
    await world.reply(talk.place, `and again ${story.mark}`)
  }
  const report = await runStorm(world, {
    seed: `${options.seed} ${wave}`,
    name: `wave-${wave}`,
    threads: Number(options.threads),
    faults: Number(options.faults),
    faultsPerSecond: 20,
    isQuick: false,
  })
  const unsettled = await settleTalks(world, earlier, () => undefined)
  for (const one of [report, judgeTalks(world, earlier, {removed: report.removed, unsettled})]) {
    for (const [name, count] of Object.entries(one.wrongs)) {
      wrongs.set(name, (wrongs.get(name) ?? 0) + count)
    }
    for (const line of one.details.slice(0, 3)) console.log(line.slice(0, 1000))
  }
  threads += report.threads
  faults += [...report.struck.values()].reduce((sum, times) => sum + times, 0)
  await putAway(world, earlier)
  await world.stopPlatform()
  await world.startPlatform()
  await world.restartSlack(500)
  await world.until('the bot is back', () => world.slack.ledger.calls.length > 0, 60_000)
  return report
}

async function putAway(world: World, talks: readonly Talk[]): Promise<void> {
  // What fails under faults is answered with a word to who pressed, who presses again.
  for (let round = 0; round < 16; round += 1) {
    const left = talks.filter(({place}) => world.threadIn(place)?.archived !== true)
    if (left.length === 0) return
    for (const {place} of left) await world.press(place, ACTIONS.archive).catch(() => undefined)
    await delay(5000)
  }
  const left = talks.filter(({place}) => world.threadIn(place)?.archived !== true)
  const tales = left.map(({mark, place}) => {
    const {status, id} = world.threadIn(place) ?? {}
    return JSON.stringify({
      mark,
      place,
      id,
      status,
      card: world.ours(place)[0],
      whispers: world.slack
        .ephemerals(place.channel, 'U0JANE')
        .map(({text}) => text)
        .slice(-5),
    })
  })
  throw new Error(
    `Not all is put away:\n${tales.join('\n').slice(0, 5000)}\n${world.bot.output().slice(-5000)}`,
  )
}

async function measure(world: World, file: string, atMinutes: number): Promise<Sample> {
  const pid = world.bot.pid()
  if (pid === undefined) throw new Error(`The bot has died:\n${world.bot.output().slice(-2000)}`)
  const lines = (): string[] => readLines(file)
  const before = lines().length
  process.kill(pid, 'SIGUSR2')
  await world.until('it is measured', () => lines().length > before, 10_000)
  const vitals = vitalsSchema.parse(JSON.parse(lines().at(-1) ?? ''))
  const sample = {...vitals, atMinutes, handles: readdirSync(`/proc/${pid}/fd`).length}
  samples.push(sample)
  return sample
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n')
  } catch {
    return [] // nothing was measured yet
  }
}

function print(minutes: number): void {
  const hours = threads / THREADS_AN_HOUR
  console.log(`${minutes.toFixed(1)} minutes: ${threads} threads, ${faults} faults`)
  console.log(`that many threads are ${hours.toFixed(1)} hours of a busy team's life`)
  // Caches fill and code is compiled first.
  const late = samples.slice(Math.ceil(samples.length / 4))
  const lifeHours = (sample: Sample): number => (sample.atMinutes / minutes) * hours
  const slopes = new Map<string, ReturnType<typeof slopeOf>>()
  for (const name of ['rssMb', 'heapMb', 'externalMb', 'handles', 'timers', 'resources'] as const) {
    const points = late.map((sample) => [lifeHours(sample), sample[name]] as const)
    const from = late[0]?.[name].toFixed(1)
    const to = late.at(-1)?.[name].toFixed(1)
    const slope = slopeOf(points)
    slopes.set(name, slope)
    console.log(`${name.padEnd(14)}${from} → ${to}, ${showSlope(slope)} per hour of life`)
  }
  endWith([
    ...Object.entries(MAX_PER_HOUR).map(([name, most]) => {
      const slope = slopes.get(name)
      return atMost(`${name} in an hour of life, at least`, slope && leastSlope(slope), most)
    }),
    ...[...wrongs].map(([name, count]) => never(name, count)),
  ])
}
