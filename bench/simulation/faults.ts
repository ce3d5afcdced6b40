import {setTimeout as delay} from 'node:timers/promises'
import Database from 'better-sqlite3'
import {type Dice, createDice} from '../../local/platform/agent/dice.ts'
import {createPlatformDamage} from '../../test/support/platform-damage.ts'
import {createSlackDamage} from '../../test/support/slack-damage.ts'
import {createTally} from '../../test/support/tally.ts'
import type {World} from '../../test/support/world.ts'
import type {SimulatedBot} from './bot.ts'
import {type Program, currentProgram, runAs} from './engine/program.ts'
import type {Simulation} from './engine/simulation.ts'
import type {FaultPlan, Side} from './fault-plans.ts'

/** Lets things go wrong as they were planned. */
interface Faults {
  strike(plan: FaultPlan): void
  /** From now on nothing goes wrong; resolves when the bot runs. */
  calm(): Promise<void>
  /** How often what struck. */
  struck(): ReadonlyMap<string, number>
}

interface FaultsOptions {
  world: World
  bot: SimulatedBot
  simulation: Simulation
  portOf: (side: Side) => number | undefined
  /** Of the others that work with its database. */
  isolate: (program: Program, forMs: number) => void
}

export function createFaults({world, bot, simulation, portOf, isolate}: FaultsOptions): Faults {
  const {network, statements, agenda} = simulation
  const lottery = simulation.lottery.fork('locks')
  const {weather} = network
  const tally = createTally()
  let drawn = createDice('')
  const dice: Dice = {int: (...of) => drawn.int(...of), pick: (items) => drawn.pick(items)}
  const platform = createPlatformDamage(world, dice, tally)
  const slack = createSlackDamage(world, {dice, isQuick: false, tally})
  const {faults} = world.slack
  let isCalm = false
  const dying: {effects: number; moment: 'before' | 'after'; downMs: number}[] = []
  const coming = new Set<Promise<void>>()
  let lockedUntilMs = 0
  let busy = {untilMs: 0, oneIn: 1}
  let clockErrorMs = 0

  weather.struck = (name) => tally.note(name)

  const effect = (moment: 'before' | 'after'): void => {
    const [death] = dying
    if (death?.moment !== moment) return
    death.effects -= 1
    if (death.effects > 0) return
    dying.shift()
    tally.note(`the bot: killed ${moment} an effect`)
    // Whoever starts it again does not die with it.
    runAs(undefined, () => comeBack(death.downMs))
    currentProgram()?.kill()
  }
  const isLocked = (): boolean => {
    const nowMs = agenda.nowMs()
    const isBusy = nowMs < busy.untilMs && lottery.int(1, busy.oneIn) > 1
    return isBusy || nowMs < lockedUntilMs
  }
  network.onWrite = effect
  statements.around = (moment, sql) => {
    if (moment === 'before' && isWriting(sql) && isLocked()) {
      tally.note('the database: locked')
      throw new Database.SqliteError('database is locked', 'SQLITE_BUSY')
    }
    effect(moment)
  }

  const setClocks = (): void => {
    for (const program of bot.programs()) program.clockErrorMs = clockErrorMs
  }
  const one = (which: number): Program | undefined => {
    const programs = bot.programs()
    return programs[which % programs.length]
  }

  const startOnce = async (): Promise<void> => {
    for (let tries = 1; !bot.isRunning(); tries += 1) {
      try {
        await world.startBot()
      } catch (error) {
        // Its start goes wrong, too: whoever runs it tries again.
        tally.note('the bot: a start went wrong')
        if (isCalm && tries > MAX_STARTS) throw error
        await delay(1000)
      }
    }
    setClocks()
  }
  let starting: Promise<void> | undefined
  const begin = (): Promise<void> =>
    (starting ??= startOnce().finally(() => (starting = undefined)))

  const comeBack = (downMs: number): void => {
    const work: Promise<void> = delay(isCalm ? 0 : downMs)
      .then(begin)
      .finally(() => coming.delete(work))
    coming.add(work)
  }

  const later = (ms: number, act: () => void): void =>
    void setTimeout(() => {
      if (!isCalm) act()
    }, ms)

  const at = (side: Side, act: (port: number) => void): void => {
    const port = portOf(side)
    if (port !== undefined) act(port)
  }

  const strike = (plan: FaultPlan): void => {
    switch (plan.kind) {
      case 'stream':
        drawn = createDice(plan.seed)
        platform.hitStream()
        return
      case 'request':
        drawn = createDice(plan.seed)
        platform.hitRequest()
        return
      case 'call':
        drawn = createDice(plan.seed)
        slack.hitCall()
        return
      case 'streams closed':
        tally.note(plan.kind, world.platform.control.closeStreams())
        return
      case 'platform restarted':
        tally.note(plan.kind)
        coming.add(world.platform.control.restart(plan.forMs))
        return
      case 'sockets dropped':
        faults.dropSockets()
        break
      case 'sockets refreshed':
        faults.disconnectSockets('refresh_requested')
        break
      case 'deliveries doubled':
        faults.deliveries = plan.times
        later(plan.forMs, () => (faults.deliveries = 1))
        return
      case 'deliveries reordered':
        faults.reorder = true
        later(plan.forMs, () => (faults.reorder = false))
        break
      case 'calls limited': {
        const {method, forMs: ms, retryAfterSeconds} = plan
        faults.storm(method, {ms, retryAfterSeconds})
        break
      }
      case 'cut':
        at(plan.side, (port) => tally.note(plan.kind, weather.cut(port)))
        return
      case 'silence':
        at(plan.side, (port) => tally.note(plan.kind, weather.silence(port)))
        return
      case 'refuse':
        at(plan.side, (port) => weather.refuse(port, plan.forMs))
        return
      case 'hold there':
      case 'hold back':
        at(plan.side, (port) =>
          weather.hold(port, plan.kind === 'hold there' ? 'there' : 'back', plan.forMs),
        )
        break
      case 'lose there':
      case 'lose back':
        at(plan.side, (port) =>
          weather.lose(port, plan.kind === 'lose there' ? 'there' : 'back', plan.times),
        )
        return
      case 'slow':
        at(plan.side, (port) => {
          weather.slowDown(port, plan.byMs)
          later(plan.forMs, () => weather.slowDown(port, 0))
        })
        break
      case 'kill':
        dying.push({...plan})
        return
      case 'stop':
        if (bot.programs().length === 0) return
        coming.add(bot.stop().then(() => comeBack(plan.downMs)))
        break
      case 'lock':
        lockedUntilMs = agenda.nowMs() + plan.forMs
        return
      case 'busy':
        busy = {untilMs: agenda.nowMs() + plan.forMs, oneIn: plan.oneIn}
        return
      case 'clock':
        clockErrorMs += plan.byMs
        setClocks()
        break
      case 'pause':
      case 'isolate': {
        const program = one(plan.which)
        if (program === undefined) return
        if (plan.kind === 'isolate') isolate(program, plan.forMs)
        // One in the midst of another ends no earlier: what waits for its end must not be overtaken.
        else {
          const untilMs = agenda.nowMs() + plan.forMs
          program.pausedUntilMs = Math.max(program.pausedUntilMs, untilMs)
        }
        break
      }
    }
    tally.note(plan.kind)
  }

  return {
    strike,
    struck: () => new Map([...tally.counts].toSorted(([a], [b]) => a.localeCompare(b))),
    calm: async () => {
      isCalm = true
      dying.length = 0
      lockedUntilMs = 0
      busy = {untilMs: 0, oneIn: 1}
      clockErrorMs = 0
      setClocks()
      for (const program of bot.programs()) isolate(program, 0)
      weather.clear()
      platform.calm()
      slack.calm()
      while (coming.size > 0) {
        const all = [...coming]
        await Promise.all(all)
        for (const one of all) coming.delete(one)
      }
      await begin()
    },
  }
}

/** Those that begin before it is calm may fail, and so may a few behind it: what is broken stays broken. */
const MAX_STARTS = 60

/** SQLite takes the lock with the first of these. */
function isWriting(sql: string): boolean {
  return /^\s*(begin immediate|begin exclusive|update bot_mark)/i.test(sql)
}
