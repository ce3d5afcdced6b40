import {fork} from 'node:child_process'
import {once} from 'node:events'
import {existsSync} from 'node:fs'
import {availableParallelism} from 'node:os'
import {parseArgs} from 'node:util'
import {install} from './simulation/engine/simulation.ts'
import {type Tally, addTo, emptyTally, endWithTally} from './simulation/tally.ts'

/**
 * The whole bot, Slack and the platform in one process on simulated time, while things go wrong and the bot is killed.
 * What a seed brings about it always brings about. Ends with 1 when anything is wrong.
 */

const {values: options} = parseArgs({
  options: {
    seeds: {type: 'string', default: '1000'},
    from: {type: 'string', default: '1'},
    minutes: {type: 'string', default: '5'},
    /** So many processes at once. */
    workers: {type: 'string', default: String(availableParallelism())},
    /** Of the seeds: what a worker is told. */
    part: {type: 'string'},
    /** Plays this one alone, twice, and tells what happens in it. */
    seed: {type: 'string'},
    /** Plays the plans under which something once was wrong. */
    named: {type: 'boolean', default: false},
    /** Worlds of a few conversations. */
    short: {type: 'boolean', default: false},
    /** So many in every world, instead of one here and two there. */
    instances: {type: 'string'},
    /** Nothing goes wrong. */
    calm: {type: 'boolean', default: false},
  },
})

const MEMORY = '/dev/shm'
const parts = Number(options.workers)
const {seed, named: isNamed, calm: isCalm, short: isShort, part} = options
const how = {isCalm, isShort, instances: readInstances(), minutes: Number(options.minutes)}

if (seed === undefined && !isNamed && part === undefined) await playOnAllCores()
else process.exit((await playHere()) ? 0 : 1)

function readInstances(): 1 | 2 | undefined {
  switch (options.instances) {
    case undefined:
      return undefined
    case '1':
      return 1
    case '2':
      return 2
    default:
      throw new Error(`--instances is 1 or 2, not ${options.instances}.`)
  }
}

async function playHere(): Promise<boolean> {
  // In memory, where there is such a place: what is written lives no longer than its simulation.
  if (existsSync(MEMORY)) process.env['TMPDIR'] = MEMORY
  // What is loaded from here on has simulated time, chance and network.
  await install()
  const {playOne, playMany, playNamed} = await import('./simulation/runs.ts')
  if (isNamed) return playNamed()
  if (seed !== undefined) return playOne(seed, how)
  const tally = await playMany(seedsOf(Number(part)), how)
  await new Promise((sent) => process.send?.(tally, sent))
  return true
}

function seedsOf(at: number): string[] {
  const all = Array.from(
    {length: Number(options.seeds)},
    (_, index) => Number(options.from) + index,
  )
  return all.filter((_, index) => index % parts === at).map(String)
}

/** Each core plays its part of the seeds, in a process of its own. */
async function playOnAllCores(): Promise<void> {
  const startMs = performance.now()
  const sum = emptyTally()
  await Promise.all(
    Array.from({length: parts}, async (_, at) => {
      const child = fork(import.meta.filename, [...process.argv.slice(2), '--part', String(at)])
      const [tally] = (await Promise.race([
        once(child, 'message'),
        once(child, 'exit').then(() => Promise.reject(new Error('A part of the seeds broke off.'))),
      ])) as [Tally]
      addTo(sum, tally)
    }),
  )
  endWithTally(sum, {tookMs: performance.now() - startMs})
}
