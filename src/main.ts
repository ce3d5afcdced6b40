import {pino} from 'pino'
import {type Bot, startBot} from './app.ts'
import {type Config, ConfigError, readConfig} from './config.ts'
import {ListenError} from './http/server.ts'
import {SlackStartError} from './slack/start-error.ts'
import {StoreError} from './store/errors.ts'

/** A clean stop takes at most this long; then the process ends as it is. */
const SHUTDOWN_TIMEOUT_MS = 9000

await main()

async function main(): Promise<void> {
  // A reader that went away must not take the bot with it.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const config = readSettings()
  if (config === undefined) return
  const log = pino({level: config.logLevel, base: null}, pino.destination({dest: 2, sync: false}))
  process.on('unhandledRejection', (error) => log.error({err: error}, 'A promise was left alone'))

  const shutdown = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.on(name, () => {
      if (shutdown.signal.aborted) process.exit(1)
      shutdown.abort()
    })
  }
  let bot: Bot
  try {
    bot = await startBot(config, log, shutdown.signal)
  } catch (error) {
    if (!shutdown.signal.aborted) fail(lineOf(error))
    return
  }
  console.log(`Bosun is ready (${bot.mode}, port ${bot.port})`)
  await new Promise<void>((resolve) => {
    if (shutdown.signal.aborted) resolve()
    shutdown.signal.addEventListener('abort', () => resolve())
  })
  // What is cut off here stands as an intent, and is settled at the next start.
  setTimeout(() => process.exit(0), SHUTDOWN_TIMEOUT_MS).unref()
  await bot[Symbol.asyncDispose]()
  // Whatever a library still holds open must not keep a stopped bot alive.
  process.exit(0)
}

function readSettings(): Config | undefined {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const count =
      error.problems.length === 1 ? 'a setting is' : `${error.problems.length} settings are`
    fail([`Bosun cannot start: ${count} wrong.`, ...error.problems].join('\n  '))
    return undefined
  }
}

function fail(line: string): void {
  console.error(line)
  process.exitCode = 1
}

/** Known troubles are one line; a bug is told with where it was. */
function lineOf(error: unknown): string {
  const isKnown =
    error instanceof StoreError || error instanceof ListenError || error instanceof SlackStartError
  if (isKnown) return `Bosun cannot start: ${error.message}`
  return `Bosun cannot start, and that is a bug: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}
