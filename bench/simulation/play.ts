import {setTimeout as delay} from 'node:timers/promises'
import {madeDatabase} from '../../test/support/ready-database.ts'
import {settleTalks} from '../../test/support/talks.ts'
import {JANE, KIM, startWorld} from '../../test/support/world.ts'
import {type SimulatedBot, createInstances, createSimulatedBot} from './bot.ts'
import {currentProgram} from './engine/program.ts'
import {type Simulation, simulate} from './engine/simulation.ts'
import {createFaults} from './faults.ts'
import type {FaultPlan, Side} from './fault-plans.ts'
import {judge} from './judge.ts'
import {createPeople} from './people.ts'
import {type Plan, STORM_MS} from './plan.ts'
import {createSharedDatabase} from './shared-database.ts'

/** What came of a plan. */
export interface Outcome {
  /** One line for everything that is wrong. */
  wrongs: string[]
  threads: number
  replies: number
  simulatedMs: number
  events: number
  /** The same for the same plan, always. */
  trace: string
  struck: ReadonlyMap<string, number>
  /** What the bot logged as errors. */
  errors: string[]
  output: string
}

/** Who looks into a Slack thread reads all of its channel. */
const TALKS_PER_CHANNEL = 3
/** Slack's last try of what it could not deliver comes six minutes after the first. */
const SETTLE_WITHIN_MS = 600_000
/** After the last of it: what comes late, comes by then. */
const QUIET_MS = 30_000
/** Longer than anything takes that is not stuck. */
const MAX_MS = 6 * 3_600_000

export async function play(plan: Plan): Promise<Outcome> {
  let outcome: Outcome | undefined
  let seen: Simulation | undefined
  let bot: SimulatedBot | undefined
  const alone: string[] = []
  const onAlone = (error: unknown): void => {
    alone.push(
      `a promise was left alone: ${error instanceof Error ? (error.stack ?? '') : String(error)}`,
    )
  }
  const onUnmet = (error: Error): void => {
    alone.push(
      `${currentProgram()?.name ?? 'a stand-in'} ends by an error that nobody met: ${error.stack ?? ''}`,
    )
    currentProgram()?.kill()
  }
  // In real time, or the first one in a process would go otherwise than the next.
  await madeDatabase()
  process.on('unhandledRejection', onAlone)
  process.on('uncaughtException', onUnmet)
  try {
    await simulate(plan.seed, async (simulation) => {
      seen = simulation
      simulation.agenda.after(
        MAX_MS,
        () => {
          throw new Error(`It is not over after ${MAX_MS} ms.`)
        },
        undefined,
      )
      outcome = await playIn(simulation, plan, (made) => (bot = made))
    })
  } catch (error) {
    alone.push(
      `it broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
  } finally {
    process.off('unhandledRejection', onAlone)
    process.off('uncaughtException', onUnmet)
  }
  const {agenda} = seen ?? {}
  const failed = {threads: 0, replies: 0, struck: new Map<string, number>(), errors: []}
  return {
    ...{output: bot?.output() ?? '', ...failed, ...outcome},
    wrongs: [...(outcome?.wrongs ?? []), ...alone],
    simulatedMs: agenda?.nowMs() ?? 0,
    events: agenda?.events() ?? 0,
    trace: agenda?.trace() ?? '',
  }
}

async function playIn(
  simulation: Simulation,
  plan: Plan,
  onBot: (bot: SimulatedBot) => void,
): Promise<Outcome> {
  const {rateScale, delivery, writer, instances = 1} = plan
  const shared = createSharedDatabase(simulation)
  const made: SimulatedBot[] = []
  const openBot = (settings: () => Readonly<Record<string, string>>): SimulatedBot => {
    const bot =
      instances === 1
        ? createSimulatedBot('bot', settings)
        : createInstances([
            createSimulatedBot('one', settings, shared.open),
            createSimulatedBot('other', settings, shared.open),
          ])
    made.push(bot)
    onBot(bot)
    return bot
  }
  await using world = await startWorld({
    ...{openBot, rateScale, delivery, pace: 1, settings: {SLACK_WRITER: writer}},
  })
  const [bot] = made
  if (bot === undefined) throw new Error('There is no bot.')
  const portOf = (side: Side): number | undefined => {
    if (side === 'slack') return Number(new URL(world.slack.origin).port)
    if (side === 'platform') return Number(new URL(world.platform.originUrl).port)
    return Number(
      /.*port (\d+)/.exec(bot.output().slice(bot.output().lastIndexOf('Bosun is ready')))?.[1],
    )
  }
  world.slack.faults.eventsPerHour = Infinity
  const memberIds = [JANE, KIM, world.slack.botUserId]
  const channels = await Promise.all(
    Array.from({length: Math.ceil(plan.talks.length / TALKS_PER_CHANNEL)}, (_, at) =>
      world.slack.people.createChannel({name: `simulated-${at}`, memberIds}),
    ),
  )
  const channelOf = (at: number): string => channels[at % channels.length]?.id ?? ''
  const faults = createFaults({world, bot, simulation, portOf, isolate: shared.isolate})
  const people = createPeople(world, plan.seed)
  const strike = async (fault: FaultPlan): Promise<void> => {
    await delay(fault.atMs)
    faults.strike(fault)
  }
  const calm = async (): Promise<void> => {
    await delay(plan.faults.length === 0 ? 0 : STORM_MS)
    await faults.calm()
  }
  await Promise.all([
    calm(),
    ...plan.faults.map(strike),
    ...plan.talks.map((talk, at) => people.play(talk, channelOf(at))),
  ])
  const unsettled = await settleTalks(world, people.talks, () => undefined, SETTLE_WITHIN_MS)
  await delay(QUIET_MS)
  const judged = judge(world, people.talks, unsettled)
  return {
    ...judged,
    threads: people.talks.length,
    ...{simulatedMs: 0, events: 0, trace: ''},
    struck: faults.struck(),
    output: bot.output(),
  }
}
