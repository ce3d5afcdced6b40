import {type ChildProcess, execFile, spawn} from 'node:child_process'
import {once} from 'node:events'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {setTimeout as delay} from 'node:timers/promises'
import type {InstanceView} from '../slack/page-feed/instances.ts'

/** One bot as an operator runs it, but that only a person starts it again. */
export interface InstanceProcess extends AsyncDisposable {
  number: number
  /** Where it listens; `undefined`: nowhere. */
  port(): number | undefined
  /** Of the process that runs, or ran last. */
  pid(): number | undefined
  /** Every one that it had. */
  pids(): readonly number[]
  state(): Promise<Pick<InstanceView, 'state' | 'sinceMs'>>
  /** Resolves when it listens. */
  start(): Promise<void>
  /** SIGKILL. */
  kill(): Promise<void>
}

const root = join(import.meta.dirname, '..', '..')
const STOP_WITHIN_MS = 3000

export function createProcess(
  number: number,
  settings: Readonly<Record<string, string>>,
): InstanceProcess {
  const pids: number[] = []
  let child: ChildProcess | undefined
  let port: number | undefined
  let known: Pick<InstanceView, 'state' | 'sinceMs'> = {state: 'dead', sinceMs: Date.now()}
  const turn = (state: InstanceView['state']): void => {
    if (state !== known.state) known = {state, sinceMs: Date.now()}
  }
  const killNow = (): void => void child?.kill('SIGKILL')
  process.once('exit', killNow)

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child === undefined || known.state === 'dead') return
    const ended = once(child, 'exit')
    child.kill(signal)
    const [late] = await Promise.race([ended, delay(STOP_WITHIN_MS, [LATE], {ref: false})])
    if (late !== LATE) return
    child.kill('SIGKILL')
    await ended
  }

  return {
    number,
    port: () => port,
    pid: () => pids.at(-1),
    pids: () => pids,
    state: async () => {
      // Somebody may have stopped it from a terminal: kill -STOP.
      if (known.state === 'living' || known.state === 'stopped') {
        turn((await isStopped(pids.at(-1))) ? 'stopped' : 'living')
      }
      return known
    },
    start: async () => {
      if (known.state !== 'dead') return
      turn('starting')
      const started = spawn(process.execPath, [join(root, 'src', 'main.ts')], {
        cwd: root,
        env: {...surroundings(), ...settings},
        stdio: ['ignore', 'pipe', 'inherit'],
        // Ctrl-C reaches the whole group; the parts are stopped here, in order.
        detached: true,
      })
      child = started
      if (started.pid !== undefined) pids.push(started.pid)
      const ended = once(started, 'exit').then(() => {
        port = undefined
        turn('dead')
      })
      const line = await Promise.race([
        once(createInterface({input: started.stdout}), 'line').then(([first]) => String(first)),
        ended,
      ])
      if (typeof line !== 'string') {
        throw new Error(`Instance ${number} ended while it started; the terminal says why.`)
      }
      port = Number(/port (\d+)/.exec(line)?.[1])
      turn('living')
    },
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: async () => {
      await end('SIGTERM')
      process.off('exit', killNow)
    },
  }
}

/** Nothing of this machine's settings may reach the bot, which talks to the stand-ins alone; but as whom it comes to PostgreSQL. */
function surroundings(): NodeJS.ProcessEnv {
  const isMeant = (name: string): boolean =>
    ['PATH', 'HOME', 'USER'].includes(name) || name.startsWith('PG')
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isMeant(name)))
}

const LATE = Symbol('late')

function isStopped(pid: number | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    // No answer: it has just ended, which its own end says.
    execFile('ps', ['-o', 'state=', '-p', String(pid)], (error, output) =>
      resolve(error === null && output.trim().startsWith('T')),
    )
  })
}
