import {type ChildProcess, execFile, spawn} from 'node:child_process'
import {randomBytes} from 'node:crypto'
import {once} from 'node:events'
import {mkdtemp, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {setTimeout as delay} from 'node:timers/promises'
import {parseArgs, promisify} from 'node:util'
import {z} from 'zod'
import {type Line, atMost, endWith} from './lines.ts'

/**
 * How long the bot takes from its spawn to "Bosun is ready", and what it holds in memory when it then
 * has nothing to do. The stand-ins run beside it as processes of their own and are not measured.
 */

const root = join(import.meta.dirname, '..')
const AIMS = {startMs: 1000, memoryMb: 130}

interface Sample {
  startMs: number
  memoryMb: number
}

type Settings = Readonly<Record<string, string>>

const {values: options} = parseArgs({
  options: {runs: {type: 'string', default: '10'}, 'idle-seconds': {type: 'string', default: '5'}},
})
const runs = Number(options.runs)
const idleMs = Number(options['idle-seconds']) * 1000
await main()

async function main(): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'bosun-bench-'))
  opened.defer(() => rm(folder, {recursive: true, force: true}))
  const settings = await startStandIns(opened)

  const fresh = await measure(settings, (run) => join(folder, `fresh-${run}.db`))
  const same = join(folder, 'same.db')
  await startBot(settings, same, 0) // makes it, and does not count
  const again = await measure(settings, () => same)

  endWith(
    print([
      ['start, fresh database', 'ms', AIMS.startMs, fresh.map(({startMs}) => startMs)],
      ['start, same database', 'ms', AIMS.startMs, again.map(({startMs}) => startMs)],
      ['memory, fresh database', 'MB', AIMS.memoryMb, fresh.map(({memoryMb}) => memoryMb)],
      ['memory, same database', 'MB', AIMS.memoryMb, again.map(({memoryMb}) => memoryMb)],
    ]),
  )
}

/** Both stand-ins; answers the settings of a bot that talks to them. */
async function startStandIns(opened: AsyncDisposableStack): Promise<Settings> {
  const run = async (file: string, args: string[]): Promise<unknown> => {
    const child = launch(file, args, {})
    opened.defer(() => stop(child))
    return JSON.parse(await firstLine(child))
  }
  const platform = z
    .object({
      baseUrl: z.string(),
      keys: z.object({human: z.string()}),
      projectIds: z.tuple([z.string()], z.string()),
    })
    .parse(await run('local/platform/main.ts', ['--port', '0']))
  const slack = z
    .object({apiUrl: z.string(), botToken: z.string(), appToken: z.string()})
    .parse(await run('local/slack/main.ts', ['--port', '0', '--no-page']))
  return {
    PLATFORM_BASE_URL: platform.baseUrl,
    PLATFORM_API_KEY: platform.keys.human,
    PLATFORM_PROJECT_ID: platform.projectIds[0],
    SLACK_API_URL: slack.apiUrl,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    BOSUN_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    PORT: '0',
    LOG_LEVEL: 'warn',
  }
}

async function measure(settings: Settings, databaseOf: (run: number) => string): Promise<Sample[]> {
  const samples: Sample[] = []
  for (let run = 0; run < runs; run += 1) {
    samples.push(await startBot(settings, databaseOf(run), idleMs))
    process.stderr.write('.')
  }
  return samples
}

async function startBot(settings: Settings, database: string, restMs: number): Promise<Sample> {
  const startedMs = performance.now()
  const bot = launch('src/main.ts', [], {...settings, DATABASE_URL: `sqlite:${database}`})
  try {
    const line = await firstLine(bot)
    const startMs = performance.now() - startedMs
    if (!line.startsWith('Bosun is ready')) throw new Error(`The bot said: ${line}`)
    await delay(restMs)
    return {startMs, memoryMb: await readMemoryMb(bot.pid ?? 0)}
  } finally {
    await stop(bot)
  }
}

function launch(file: string, args: string[], settings: Settings) {
  return spawn(process.execPath, [join(root, file), ...args], {
    cwd: root,
    // No setting of this machine's takes part.
    env: {PATH: process.env['PATH'], ...settings},
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function firstLine(child: ReturnType<typeof launch>): Promise<string> {
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`A part ended with ${String(code)} before it was ready.`)
  })
  const line = once(createInterface(child.stdout), 'line').then(([text]) => String(text))
  ended.catch(() => undefined) // of no interest once the line is here
  return Promise.race([line, ended])
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** What is resident, shared pages included. */
async function readMemoryMb(pid: number): Promise<number> {
  if (process.platform === 'linux') {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
  }
  const {stdout} = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
  return Number(stdout) / 1024
}

type Row = [name: string, unit: string, aim: number, values: number[]]

/** Medians are judged: the highest values tell more of the machine. */
function print(rows: readonly Row[]): Line[] {
  const table = rows.map(([name, unit, , values]) => {
    const sorted = values.toSorted((a, b) => a - b)
    const shown = [quantile(sorted, 0.5), quantile(sorted, 0.95), sorted.at(-1) ?? NaN]
    return [name, ...shown.map((it) => `${it.toFixed(0)} ${unit}`)]
  })
  const lines = [['', 'median', 'p95', 'max'], ...table].map(([name, ...cells]) =>
    [(name ?? '').padEnd(24), ...cells.map((cell) => cell.padStart(9))].join(''),
  )
  console.log(
    `\n${runs} starts each, memory after ${idleMs / 1000} s of rest\n\n${lines.join('\n')}`,
  )
  return rows.map(([name, unit, aim, values]) => {
    const sorted = values.toSorted((a, b) => a - b)
    return atMost(`${name}, median`, quantile(sorted, 0.5), aim, unit)
  })
}

/** The nearest rank: always a value that was measured. */
function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? NaN
}
