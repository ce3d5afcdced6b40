import {type ChildProcess, spawn} from 'node:child_process'
import {randomBytes} from 'node:crypto'
import {once} from 'node:events'
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:net'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {setTimeout as delay} from 'node:timers/promises'
import {parseArgs} from 'node:util'
import {DEMO_SETTINGS} from './demo-settings.ts'

/**
 * Everything on one laptop: the embedded platform, the local Slack with its page, and the bot, each a
 * process of its own that meets the others over their public interfaces. Conversations stay in the
 * data folder from one start to the next.
 */

const root = join(import.meta.dirname, '..')
const STOP_WITHIN_MS = 1800
/** The platform and the bot come behind it. */
const MAX_PAGE_PORT = 65_533

const USAGE = `npm run demo -- [options]

--port 4004         of the page; the platform and the bot have the next two; 0: any free ones
--data FOLDER       where conversations stay (data/demo)
--pace 1            how long the agent takes; 0.1: ten times as fast
--writer auto       how replies grow: auto, edit or stream
--instances 3       so many bots on one PostgreSQL, 1 to 8
--database ADDRESS  of that PostgreSQL, a database of their own: postgres://role@host/database (or DATABASE_URL)
--json              for programs: where everything is, in one line`

const options = readOptions()
const parts: ChildProcess[] = []
/** Of several instances: what is closed at the end, beside the parts. */
const opened = new AsyncDisposableStack()
let isStopping = false

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => void stop(0))
}
await start().catch(giveUp)

async function start(): Promise<void> {
  const {data, port, pace} = options
  if (options.database !== undefined && options.instances === undefined) {
    throw new Error(
      '--database is for several instances: npm run demo -- --instances 3 --database …; one alone keeps everything in --data.',
    )
  }
  const ports = portsFrom(port)
  await checkPorts(ports)
  if (options.instances !== undefined) {
    const {instances, writer, database = process.env['DATABASE_URL']} = options
    console.error('Several instances start one after the other; that takes some 15 seconds.')
    const {startSeveral} = await import('./instances/several.ts')
    tell(await startSeveral({instances, database, data, ports, pace, writer, opened}))
    return
  }
  mkdirSync(data, {recursive: true})
  // Hooks are called there, and agents' machines reach it: the address has to be known before the bot starts.
  const bot = `http://127.0.0.1:${ports.bot === 0 ? await freePort() : ports.bot}`
  const platform = JSON.parse(
    await run('The platform', 'local/platform/main.ts', [
      '--port',
      String(ports.platform),
      '--data',
      join(data, 'platform.db'),
      '--pace',
      pace,
      '--bot',
      bot,
    ]),
  ) as {baseUrl: string; keys: {human: string}; projectIds: string[]}
  const slack = JSON.parse(
    await run('The local Slack', 'local/slack/main.ts', [
      '--port',
      String(ports.page),
      '--data',
      join(data, 'slack.db'),
      '--manifest',
      join(root, 'manifest.yml'),
    ]),
  ) as {origin: string; apiUrl: string; botToken: string; appToken: string}
  await run('Bosun', 'src/main.ts', [], {
    PLATFORM_BASE_URL: platform.baseUrl,
    PLATFORM_API_KEY: platform.keys.human,
    PLATFORM_PROJECT_ID: platform.projectIds[0] ?? '',
    SLACK_API_URL: slack.apiUrl,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    DATABASE_URL: `sqlite:${join(data, 'bosun.db')}`,
    BOSUN_KEYS: sealingKey(join(data, 'bosun.key')),
    PORT: new URL(bot).port,
    PUBLIC_URL: bot,
    ...DEMO_SETTINGS,
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
    SLACK_WRITER: options.writer,
  })
  const {baseUrl, keys} = platform
  tell({page: slack.origin, platform: {baseUrl, key: keys.human}, bot})
}

function readOptions() {
  try {
    const {values} = parseArgs({
      options: {
        data: {type: 'string', default: join(root, 'data', 'demo')},
        // What was told of the addresses stays true from one start to the next.
        port: {type: 'string', default: '4004'},
        pace: {type: 'string', default: '1'},
        writer: {type: 'string', default: 'auto'},
        instances: {type: 'string'},
        database: {type: 'string'},
        json: {type: 'boolean', default: false},
        help: {type: 'boolean', default: false},
      },
    })
    if (!values.help) return values
    console.log(USAGE)
    process.exit(0)
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
    process.exit(1)
  }
}

function tell(places: {page: string; platform: {baseUrl: string; key: string}; bot: string}): void {
  const {page, bot} = places
  console.log(
    options.json
      ? JSON.stringify({ready: true, ...places})
      : `Open ${page} and mention @Bosun with a task. The agent is scripted: it changes no code, and “The demo” in README.md has words to try. Hooks are called at ${bot}. Ctrl-C stops everything.`,
  )
}

interface Ports {
  page: number
  platform: number
  bot: number
}

function portsFrom(port: string): Ports {
  const page = Number(port)
  if (!/^\d{1,5}$/.test(port) || page > MAX_PAGE_PORT) {
    throw new Error(`--port must be a number from 0 to ${MAX_PAGE_PORT}, but it is "${port}".`)
  }
  if (page === 0) return {page, platform: 0, bot: 0}
  return {page, platform: page + 1, bot: page + 2}
}

/** Before anything is started: each busy port is one line then, and nothing has to be stopped. */
async function checkPorts({page, platform, bot}: Ports): Promise<void> {
  const other = 'another port for the page'
  const found = await Promise.all([
    troubleAt(page, `Port ${page}`, 'another one'),
    troubleAt(
      platform,
      `Port ${platform}, one above the page’s, is for the platform, and it`,
      other,
    ),
    troubleAt(bot, `Port ${bot}, two above the page’s, is for the bot, and it`, other),
  ])
  const troubles = found.filter((one) => one !== undefined)
  if (troubles.length > 0) throw new Error(troubles.join('\n'))
}

/** One that nobody listens at right now. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  const closed = once(probe, 'close')
  probe.close()
  await closed
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function troubleAt(port: number, which: string, other: string): Promise<string | undefined> {
  const probe = createServer()
  try {
    probe.listen(port, '127.0.0.1')
    await once(probe, 'listening')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return error.code === 'EADDRINUSE'
      ? `${which} is in use. Stop what listens there, or choose ${other} with --port.`
      : `${which} cannot be used (${String(error.code)}). Choose ${other} with --port.`
  }
  const closed = once(probe, 'close')
  probe.close()
  await closed
  return undefined
}

/** Starts one part and waits for the line that says that it is ready; its end is the end of all. */
async function run(
  name: string,
  file: string,
  args: string[],
  settings: Record<string, string> = {},
): Promise<string> {
  if (isStopping) throw new Error('Stopping.')
  const child = spawn(process.execPath, [join(root, file), ...args], {
    cwd: root,
    // Nothing of this machine's settings may reach the bot: it talks to the stand-ins alone.
    env: {PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings},
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ctrl-C reaches the whole group; the parts are stopped here, in order.
    detached: true,
  })
  parts.push(child)
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`${name} ended with ${String(code)}; see above.`)
  })
  ended.catch(giveUp)
  const [ready] = (await Promise.race([
    once(createInterface({input: child.stdout}), 'line'),
    ended,
  ])) as [string]
  return ready
}

async function giveUp(error: unknown): Promise<void> {
  if (isStopping) return
  console.error(error instanceof Error ? error.message : String(error))
  await stop(1)
}

async function stop(exitCode: number): Promise<void> {
  if (isStopping) {
    // Asked twice: at once, but leaving nobody behind.
    for (const part of parts) part.kill('SIGKILL')
    process.exit(1)
  }
  isStopping = true
  // The bot first: it finishes its sentence while the others still listen.
  for (const part of parts.toReversed()) {
    if (part.exitCode !== null || part.signalCode !== null) continue
    const ended = once(part, 'exit')
    part.kill('SIGTERM')
    await Promise.race([ended, delay(STOP_WITHIN_MS / parts.length)])
    part.kill('SIGKILL')
    await ended
  }
  await opened.disposeAsync()
  process.exit(exitCode)
}

/** The same key at every start, so that what is sealed opens again. */
function sealingKey(file: string): string {
  if (!existsSync(file))
    writeFileSync(file, `demo:${randomBytes(32).toString('base64')}`, {mode: 0o600})
  return readFileSync(file, 'utf8')
}
