import {pino} from 'pino'
import {startBot} from '../../src/app/app.ts'
import {readConfig, secretsIn} from '../../src/config/config.ts'
import {factsOf} from '../../src/security/error-facts.ts'
import {createLeaks} from '../../src/security/leaks.ts'
import type {BotProcess} from '../../test/support/bot.ts'
import {type Program, createProgram, runAs} from './engine/program.ts'
import type {SharedDatabase} from './shared-database.ts'

type Ending = Awaited<ReturnType<BotProcess['stop']>>

interface Running {
  program: Program
  shutdown: AbortController
  ended: Promise<Ending>
  end: (ending: Omit<Ending, 'tookMs'>) => void
}

/** As `src/main.ts` has it. */
const SHUTDOWN_TIMEOUT_MS = 9000

/** A bot that runs in this process, and dies like one of its own. */
export interface SimulatedBot extends BotProcess {
  /** What runs now, one for each instance. */
  programs(): Program[]
}

export function createSimulatedBot(
  name: string,
  settings: () => Readonly<Record<string, string>>,
  open?: SharedDatabase['open'],
): SimulatedBot {
  let output = ''
  let starts = 0
  let kills = 0
  let running: Running | undefined

  const say = (line: string): void => void (output += line)

  const begin = (): Running => {
    const program = createProgram(`${name} ${(starts += 1)}`)
    const {promise, resolve} = Promise.withResolvers<Ending>()
    const one: Running = {
      ...{program, shutdown: new AbortController(), ended: promise},
      end: (ending) => {
        if (running === one) running = undefined
        resolve({...ending, tookMs: 0})
      },
    }
    program.onDeath(() => one.end({code: null, signal: 'SIGKILL'}))
    return one
  }

  const run = async (one: Running): Promise<string> => {
    const config = readConfig(settings())
    const leaks = createLeaks()
    for (const secret of secretsIn(config)) leaks.learn(secret)
    const log = pino(
      {level: config.logLevel, base: null, serializers: {err: (error: unknown) => factsOf(error)}},
      {write: (line) => say(leaks.clean(line, '[removed]'))},
    )
    const {program, shutdown} = one
    const bot = await startBot(config, {log, leaks}, shutdown.signal, open)
    shutdown.signal.addEventListener('abort', () => {
      setTimeout(() => program.kill(), SHUTDOWN_TIMEOUT_MS)
      // What a stopped process has left open its system closes.
      void bot[Symbol.asyncDispose]().then(() => {
        one.end({code: 0, signal: null})
        program.kill()
      })
    })
    bot.lost.addEventListener('abort', () => program.kill())
    return `Bosun is ready (${bot.mode}, port ${bot.port})`
  }

  const start = async (): Promise<string> => {
    if (running !== undefined) throw new Error('The bot runs already.')
    const one = begin()
    running = one
    const died = one.ended.then(() => {
      throw new Error(`The bot ended while it started:\n${output.slice(-4000)}`)
    })
    try {
      const ready = await Promise.race([runAs(one.program, () => run(one)), died])
      say(`${ready}\n`)
      return ready
    } catch (error) {
      one.program.kill()
      throw error
    }
  }

  const ended = (): Promise<Ending> => {
    if (running === undefined) throw new Error('The bot does not run.')
    return running.ended
  }

  return {
    start,
    ended,
    programs: () => (running === undefined ? [] : [running.program]),
    pid: () => undefined,
    isRunning: () => running !== undefined,
    kills: () => kills,
    output: () => output,
    stop: async () => {
      const ending = ended()
      const one = running
      runAs(one?.program, () => one?.shutdown.abort())
      return ending
    },
    kill: async () => {
      const ending = ended()
      kills += 1
      running?.program.kill()
      return ending
    },
    [Symbol.asyncDispose]: async () => {
      if (running === undefined) return
      runAs(running.program, () => running?.shutdown.abort())
      await running.ended
    },
  }
}

/** Several instances as one bot: it runs while all of them do, and a stop is that of one, in turn. */
export function createInstances(bots: readonly [SimulatedBot, ...SimulatedBot[]]): SimulatedBot {
  let turns = 0
  const inTurn = (): SimulatedBot => {
    const running = bots.filter((bot) => bot.isRunning())
    return running[(turns += 1) % running.length] ?? bots[0]
  }
  return {
    start: async () => {
      let ready = ''
      for (const bot of bots) if (!bot.isRunning()) ready = await bot.start()
      return ready
    },
    stop: () => inTurn().stop(),
    kill: () => inTurn().kill(),
    ended: () => Promise.race(bots.map((bot) => bot.ended())),
    isRunning: () => bots.every((bot) => bot.isRunning()),
    programs: () => bots.flatMap((bot) => bot.programs()),
    pid: () => undefined,
    kills: () => bots.reduce((all, bot) => all + bot.kills(), 0),
    output: () => bots.map((bot) => bot.output()).join(''),
    [Symbol.asyncDispose]: async () => {
      for (const bot of bots) await bot[Symbol.asyncDispose]()
    },
  }
}
