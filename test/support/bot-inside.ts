import {startBot} from '../../src/app/app.ts'
import {readConfig, secretsIn} from '../../src/config/config.ts'
import {createLog} from '../../src/log/log.ts'
import {createLeaks} from '../../src/security/leaks.ts'
import {type BotProcess, type Ending, createBot} from './bot.ts'

/** The bot inside of the test's own process, or apart for as long as somebody wants to kill it. */
export function createMovingBot(settings: () => Readonly<Record<string, string>>): BotProcess {
  const inside = createBotInside(settings)
  const apart = createBot(settings)
  let current = inside
  return {
    start: (where) => {
      current = where === 'apart' ? apart : inside
      return current.start()
    },
    stop: () => current.stop(),
    kill: () => current.kill(),
    pid: () => current.pid(),
    ended: () => current.ended(),
    isRunning: () => current.isRunning(),
    kills: () => apart.kills(),
    // Whoever looks for the last word of all looks for that of the one who runs.
    output: () => (current === inside ? apart : inside).output() + current.output(),
    [Symbol.asyncDispose]: async () => {
      for (const bot of [inside, apart]) await bot[Symbol.asyncDispose]()
    },
  }
}

/**
 * A start costs a tenth of that of a process. It talks to Slack and to the platform as ever, and it cannot be killed.
 */
function createBotInside(settings: () => Readonly<Record<string, string>>): BotProcess {
  const refuse = (): never => {
    throw new Error('This bot has no process of its own: let it move out first.')
  }
  let running: AsyncDisposable | undefined
  let stopping = new AbortController()
  let output = ''
  const say = (line: string): void => void (output += line)

  const start = async (): Promise<string> => {
    if (running !== undefined) throw new Error('The bot runs already.')
    const env = settings()
    // What is loaded first, and what is a process's own, takes a process.
    if (env['NODE_OPTIONS'] !== undefined) return refuse()
    const config = readConfig(env)
    const leaks = createLeaks()
    for (const secret of secretsIn(config)) leaks.learn(secret)
    const {log} = createLog({level: config.logLevel, write: say}, leaks)
    stopping = new AbortController()
    const bot = await startBot(config, {log, leaks}, stopping.signal)
    running = bot
    const ready = `Bosun is ready (${bot.mode}, port ${bot.port})`
    say(`${ready}\n`)
    return ready
  }

  const stop = async (): Promise<Ending> => {
    const askedAtMs = Date.now()
    const bot = running
    running = undefined
    stopping.abort()
    await bot?.[Symbol.asyncDispose]()
    return {code: 0, signal: null, tookMs: Date.now() - askedAtMs}
  }

  return {
    ...{start, stop, kill: refuse, pid: () => undefined, ended: refuse, kills: () => 0},
    isRunning: () => running !== undefined,
    output: () => output,
    [Symbol.asyncDispose]: async () => {
      await stop()
    },
  }
}
