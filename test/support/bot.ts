import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {join} from 'node:path'
import {until} from './until.ts'
import {BARE_ENV} from './bare-env.ts'

/** How a process ended. */
export interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
  tookMs: number
}

/** The bot as a process of its own, as an operator runs it: started, stopped and killed as often as wanted. */
export interface BotProcess extends AsyncDisposable {
  /** Resolves when it says that it is ready, with that line. `apart`: with a process of its own, where it might have none. */
  start(where?: 'apart'): Promise<string>
  /** Of the process that runs now. */
  pid(): number | undefined
  /** SIGTERM. */
  stop(): Promise<Ending>
  /** SIGKILL, sent before this function returns. */
  kill(): Promise<Ending>
  isRunning(): boolean
  /** Resolves when the process that runs now has ended. */
  ended(): Promise<Ending>
  /** How often it died of SIGKILL. */
  kills(): number
  /** Both streams of all processes so far. */
  output(): string
}

const ROOT = join(import.meta.dirname, '..', '..')
const MAIN = join(ROOT, 'src', 'main.ts')
const READY = /^Bosun is ready.*$/m
const READY_WITHIN_MS = 120_000
/** What the bot promises, and a little for a busy machine. */
const STOP_WITHIN_MS = 12_000

export function createBot(
  settings: () => Readonly<Record<string, string>>,
  main = MAIN,
): BotProcess {
  const processes: {child: ChildProcess; ending: Promise<Ending>}[] = []
  let output = ''
  // A test run that is broken off must leave nothing behind.
  const killAll = (): void => {
    for (const {child} of processes) if (isAlive(child)) child.kill('SIGKILL')
  }
  process.once('exit', killAll)

  const current = () => processes.at(-1)
  const isRunning = (): boolean => {
    const child = current()?.child
    return child !== undefined && isAlive(child)
  }

  const ended = (): Promise<Ending> => {
    const running = current()
    if (running === undefined) throw new Error('The bot was never started.')
    return running.ending
  }

  const start = async (): Promise<string> => {
    if (isRunning()) throw new Error('The bot runs already.')
    const from = output.length
    const child = spawn(process.execPath, [main], {
      cwd: ROOT,
      env: {...BARE_ENV, ...settings()},
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    }
    processes.push({child, ending: endingOf(child)})
    const said = await until(
      'the bot is ready',
      () => READY.exec(output.slice(from))?.[0] ?? (isAlive(child) ? undefined : 'ended'),
      {withinMs: READY_WITHIN_MS, tell: () => output.slice(from)},
    )
    if (said === 'ended') throw new Error(`The bot ended while it started:\n${output.slice(from)}`)
    return said
  }

  const signal = async (name: NodeJS.Signals): Promise<Ending> => {
    const sentAtMs = Date.now()
    current()?.child.kill(name)
    return {...(await ended()), tookMs: Date.now() - sentAtMs}
  }

  const dispose = async (): Promise<void> => {
    process.off('exit', killAll)
    if (!isRunning()) return
    const late = setTimeout(killAll, STOP_WITHIN_MS)
    const {code, signal: by, tookMs} = await signal('SIGTERM')
    clearTimeout(late)
    if (by === 'SIGKILL') throw new Error(`The bot did not stop within ${tookMs} ms:\n${output}`)
    if (code !== 0) throw new Error(`The bot ended with ${code}:\n${output}`)
  }

  return {
    start,
    pid: () => (isRunning() ? current()?.child.pid : undefined),
    stop: () => signal('SIGTERM'),
    kill: () => signal('SIGKILL'),
    isRunning,
    ended,
    kills: () => processes.filter(({child}) => child.signalCode === 'SIGKILL').length,
    output: () => output,
    [Symbol.asyncDispose]: dispose,
  }
}

function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

async function endingOf(child: ChildProcess): Promise<Ending> {
  const startedAtMs = Date.now()
  // `close` comes behind the last byte of its output.
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return {code, signal, tookMs: Date.now() - startedAtMs}
}

/** A start that is expected to fail: what it said and how it ended. */
export async function runToEnd(
  settings: Readonly<Record<string, string | undefined>>,
): Promise<{code: number | null; stdout: string; stderr: string}> {
  const child = spawn(process.execPath, [MAIN], {
    cwd: ROOT,
    env: {...BARE_ENV, ...settings},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = {stdout: '', stderr: ''}
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (said[name] += text))
  }
  const late = setTimeout(() => child.kill('SIGKILL'), READY_WITHIN_MS)
  const {code} = await endingOf(child)
  clearTimeout(late)
  return {code, ...said}
}
