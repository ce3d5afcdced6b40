import {createRequire} from 'node:module'
import {type Agenda, createAgenda} from './agenda.ts'
import {type StatementWatch, installDatabases} from './databases.ts'
import {installGlobals} from './globals.ts'
import {installNetwork} from './listening.ts'
import {type Lottery, createLottery} from './lottery.ts'
import {type Network, createNetwork} from './network.ts'
import './real-time.ts'

/** One world with a time, a chance and a network of its own. */
export interface Simulation {
  agenda: Agenda
  network: Network
  statements: StatementWatch
  /** What programs draw. */
  lottery: Lottery
  beganAtMs: number
}

/** A working day, in the middle of a week, far from changes of the clocks. */
const BEGAN_AT_MS = Date.UTC(2026, 8, 16, 9, 0, 0)

let current: Simulation | undefined

function now(): Simulation {
  if (current === undefined) throw new Error('No simulation runs.')
  return current
}

/** Before anything else is loaded that is to live in simulations. */
export async function install(): Promise<void> {
  // Programs are loaded by a simulation of their own, in which nothing happens.
  current = createSimulation('loading')
  installGlobals(now)
  installNetwork(() => now().network)
  installDatabases(
    () => now().statements,
    () => now().beganAtMs + now().agenda.nowMs(),
  )
  const undici = await import('undici')
  Object.assign(globalThis, {fetch: undici.fetch})
}

function createSimulation(seed: string): Simulation {
  const lottery = createLottery(seed)
  const agenda = createAgenda()
  return {
    agenda,
    network: createNetwork(agenda, lottery.fork('network')),
    statements: {around: () => undefined},
    lottery: lottery.fork('programs'),
    beganAtMs: BEGAN_AT_MS,
  }
}

/** Plays `work` to its end in a world that the seed alone decides. Real time passes only as it takes. */
export async function simulate<Result>(
  seed: string,
  work: (simulation: Simulation) => Promise<Result>,
): Promise<Result> {
  const simulation = createSimulation(seed)
  current = simulation
  await forgetConnections()
  return simulation.agenda.play(work(simulation))
}

/** What libraries keep for a whole process must not tell one simulation of another. */
async function forgetConnections(): Promise<void> {
  const {Agent, setGlobalDispatcher} = await import('undici')
  setGlobalDispatcher(new Agent())
  const load = createRequire(import.meta.url)
  const timers = load('undici/lib/util/timers.js') as {
    reset(): void
    setFastTimeout(act: () => void, ms: number): unknown
  }
  timers.reset()
  // Its one clock belongs to whoever asks first: it must not be one who can die.
  timers.setFastTimeout(() => undefined, 1)
}
