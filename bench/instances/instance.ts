import {setTimeout as delay} from 'node:timers/promises'
import {createBot} from '../../test/support/bot.ts'
import type {DatabaseGate} from './database-gate.ts'
import type {SlackGate} from './slack-gate.ts'

/** One instance as an operator runs it: a process that a supervisor starts again when it ends by itself. */
export interface Instance extends AsyncDisposable {
  name: string
  slackGate: SlackGate
  databaseGate: DatabaseGate
  /** Where it listens; `undefined`: nowhere. */
  port(): number | undefined
  pid(): number | undefined
  /** Which of its processes runs: counts from 1. */
  life(): number
  start(): Promise<void>
  /** SIGKILL; stays down until it is started. */
  kill(): Promise<void>
  /** SIGTERM; how long it took. */
  stop(): Promise<number>
  /** SIGSTOP. */
  freeze(): void
  /** SIGCONT. */
  thaw(): void
  isFrozen(): boolean
  /** How often it ended by itself. */
  endings(): number
  output(): string
}

interface InstanceOptions {
  name: string
  settings: () => Record<string, string>
  slackGate: SlackGate
  databaseGate: DatabaseGate
  /** What is started instead of `src/main.ts`. */
  main?: string | undefined
  onStart: (pid: number) => void
}

const AGAIN_AFTER_MS = 500
/** Then it will not come up any more. */
const MOST_ENDINGS = 1000

export function createInstance(options: InstanceOptions): Instance {
  const {name, settings, slackGate, databaseGate, onStart} = options
  const bot = createBot(settings, options.main)
  let port: number | undefined
  let life = 0
  let endings = 0
  /** Whether it shall run: asked again after every pause. */
  const wish = {isWanted: false}
  const isWanted = (): boolean => wish.isWanted
  let frozen = false
  const start = async (): Promise<void> => {
    wish.isWanted = true
    while (isWanted() && !bot.isRunning()) {
      try {
        life += 1
        port = Number(/port (\d+)/.exec(await bot.start())?.[1])
        onStart(bot.pid() ?? 0)
        void bot.ended().then(revive)
      } catch (error) {
        // The database may be away: a supervisor tries again.
        endings += 1
        if (bot.isRunning()) await bot.kill()
        if (endings > MOST_ENDINGS) throw error
        await delay(AGAIN_AFTER_MS)
      }
    }
  }
  const revive = async (): Promise<void> => {
    port = undefined
    if (!isWanted()) return
    endings += 1
    await delay(AGAIN_AFTER_MS)
    if (isWanted()) await start()
  }
  const signal = (what: NodeJS.Signals): void => {
    const pid = bot.pid()
    if (pid !== undefined) process.kill(pid, what)
  }
  const thaw = (): void => {
    frozen = false
    signal('SIGCONT')
  }
  return {
    ...{name, slackGate, databaseGate, start, thaw},
    port: () => (bot.isRunning() ? port : undefined),
    pid: () => bot.pid(),
    life: () => life,
    kill: async () => {
      wish.isWanted = false
      if (bot.isRunning()) await bot.kill()
    },
    stop: async () => {
      wish.isWanted = false
      return bot.isRunning() ? (await bot.stop()).tookMs : 0
    },
    freeze: () => {
      frozen = true
      signal('SIGSTOP')
    },
    isFrozen: () => frozen,
    endings: () => endings,
    output: () => bot.output(),
    [Symbol.asyncDispose]: async () => {
      wish.isWanted = false
      thaw()
      if (bot.isRunning()) await bot.kill()
    },
  }
}
