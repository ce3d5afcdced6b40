import {parseArgs} from 'node:util'
import {runDatabase} from './instances/database.ts'
import {runDeliveries} from './instances/deliveries.ts'
import {type Figure, isLine, print} from './instances/figures.ts'
import {runGrowth} from './instances/growth.ts'
import {runKills} from './instances/kills.ts'
import type {PartOptions} from './instances/part.ts'
import {runRolling} from './instances/rolling.ts'
import {runTakeovers} from './instances/takeovers.ts'
import {type World, type WorldOptions, startWorld} from './instances/world.ts'
import {type Line, endWith} from './lines.ts'

/**
 * Several instances on one PostgreSQL under faults: whether every promise is kept, and how long nobody works for a
 * workspace. Judged from outside.
 */

const {values: options} = parseArgs({
  options: {
    part: {type: 'string', default: 'kills'},
    instances: {type: 'string', default: '3'},
    workspaces: {type: 'string'},
    threads: {type: 'string', default: '100'},
    rounds: {type: 'string'},
    'every-ms': {type: 'string', default: '900'},
    'stop-seconds': {type: 'string', default: '15-60'},
    minutes: {type: 'string', default: '10'},
    deliveries: {type: 'string', default: '100000'},
    'per-second': {type: 'string', default: '100'},
    'rate-scale': {type: 'string'},
    'latency-ms': {type: 'string'},
    seed: {type: 'string', default: '1'},
  },
})

interface Part {
  run: (options: PartOptions, world: WorldOptions) => Promise<Figure[]>
  /** Where nobody says otherwise. */
  usual: {
    rounds?: number
    workspaces?: number
    rateScale?: number
    latencyMs?: number
    isDirect?: boolean
    logLevel?: 'debug'
  }
}

const PARTS: Readonly<Record<string, Part>> = {
  kills: {run: inWorld(runKills), usual: {rounds: 200}},
  takeovers: {run: inWorld(runTakeovers), usual: {rounds: 1000, workspaces: 40}},
  database: {run: inWorld(runDatabase), usual: {}},
  deliveries: {
    run: inWorld(runDeliveries),
    usual: {latencyMs: 0, isDirect: true, logLevel: 'debug'},
  },
  rolling: {run: inWorld(runRolling), usual: {rounds: 30}},
  // One thread in each workspace, so that nothing but the instances is short.
  growth: {run: runGrowth, usual: {workspaces: 80, rateScale: 10}},
}

// Who breaks it off leaves no process behind.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => process.exit(1))

await main()

async function main(): Promise<void> {
  const names = options.part === 'all' ? Object.keys(PARTS) : options.part.split(',')
  const lines: Line[] = []
  for (const name of names) {
    const part = PARTS[name]
    if (part === undefined) {
      throw new Error(`--part must be all, or of ${Object.keys(PARTS).join(', ')}.`)
    }
    const figures = await part.run(partOptions(part), worldOptions(part))
    print(`${name}, ${options.instances} instances, seed ${options.seed}`, figures)
    for (const line of figures.filter(isLine)) {
      lines.push(names.length > 1 ? {...line, name: `${name}: ${line.name}`} : line)
    }
  }
  endWith(lines)
}

function inWorld(run: (world: World, options: PartOptions) => Promise<Figure[]>): Part['run'] {
  return async (part, worldOptions) => {
    await using world = await startWorld(worldOptions)
    return await run(world, part)
  }
}

function partOptions({usual}: Part): PartOptions {
  const [from = 15, to = from] = options['stop-seconds'].split('-').map(Number)
  const startMs = Date.now()
  return {
    seed: options.seed,
    rounds: Number(options.rounds ?? usual.rounds ?? 1),
    threads: Number(options.threads),
    everyMs: Number(options['every-ms']),
    stopS: [from, to],
    minutes: Number(options.minutes),
    deliveries: Number(options.deliveries),
    perSecond: Number(options['per-second']),
    tell: (line) => console.error(`${((Date.now() - startMs) / 1000).toFixed(0)} s: ${line}`),
  }
}

function worldOptions({usual}: Part): WorldOptions {
  return {
    seed: options.seed,
    instances: Number(options.instances),
    workspaces: Number(options.workspaces ?? usual.workspaces ?? 20),
    rateScale: Number(options['rate-scale'] ?? usual.rateScale ?? 1),
    latencyMs: Number(options['latency-ms'] ?? usual.latencyMs ?? 50),
    isDirect: usual.isDirect ?? false,
    logLevel: usual.logLevel ?? 'error',
  }
}
