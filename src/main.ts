import {enableCompileCache} from 'node:module'
import {Session} from 'node:inspector/promises'
import {join} from 'node:path'
import {setFlagsFromString} from 'node:v8'
import {type Config, ConfigError, readConfig, secretsIn} from './config/config.ts'
import {createLog} from './log/log.ts'
import {aborted} from './async/pause.ts'
import {createLeaks} from './security/leaks.ts'

/** A clean stop takes at most this long; then the process ends as it is. */
const SHUTDOWN_TIMEOUT_MS = 9000

await main()

async function main(): Promise<void> {
  // A reader that went away must not take the bot with it.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const config = readSettings()
  if (config === undefined) return
  const leaks = createLeaks()
  for (const secret of secretsIn(config)) leaks.learn(secret)
  const {log, last} = createLog({level: config.logLevel}, leaks)
  process.on('unhandledRejection', (error) => log.error({err: error}, 'A promise was left alone'))
  // By itself Node would print all that the error holds.
  process.on('uncaughtException', (error) => {
    last(error, 'An error was met by nobody: that is a bug')
    process.exit(1)
  })
  const shutdown = stopOnSignals()

  // What is imported from here on is compiled once and read ever after: half the start. The folder is
  // ours alone; where it cannot be written there is no cache.
  enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'bosun'))
  const {explainFailure, startBot} = await import('./app/app.ts')
  try {
    await using bot = await startBot(config, {log, leaks}, shutdown)
    console.log(`Bosun is ready (${bot.mode}, port ${bot.port})`)
    void aborted(bot.lost).then(() => {
      fail(`Bosun stops: ${explainFailure(bot.lost.reason)}`)
      // At once: a clean stop would still write in Slack.
      process.exit()
    })
    // Its garbage outweighs what thousands of streams hold: `bench/streams.ts` shows the difference. V8 reads this flag
    // whenever it sets a heap's next limit, so it counts from here on; set before, it costs a start a quarter of its time.
    setFlagsFromString('--optimize-for-size')
    await releaseStartMemory()
    await aborted(shutdown)
  } catch (error) {
    if (!shutdown.aborted)
      fail(leaks.clean(`Bosun cannot start: ${explainFailure(error)}`, '[removed]'))
  }
  // Whatever a library still holds open must not keep a stopped bot alive.
  process.exit()
}

function readSettings(): Config | undefined {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const {length} = error.problems
    const count = length === 1 ? 'a setting is' : `${length} settings are`
    fail([`Bosun cannot start: ${count} wrong.`, ...error.problems].join('\n  '))
    return undefined
  }
}

/** The first signal asks for a clean stop, the second one ends the process. */
function stopOnSignals(): AbortSignal {
  const shutdown = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (shutdown.signal.aborted) process.exit(1)
      shutdown.abort()
      // What is cut off then stands as an intent, and is settled at the next start. Until then it keeps the process alive: what a
      // stop waits for may not.
      setTimeout(() => process.exit(0), SHUTDOWN_TIMEOUT_MS)
    })
  }
  return shutdown.signal
}

/** Importing leaves garbage that an idle process would keep for hours. */
async function releaseStartMemory(): Promise<void> {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
}

function fail(line: string): void {
  console.error(line)
  process.exitCode = 1
}
