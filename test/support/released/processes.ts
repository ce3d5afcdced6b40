import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {join} from 'node:path'

interface Processes {
  /** Resolves when it has said that it is ready. */
  start(kind: 'upgrader' | 'neighbour', ...parameters: string[]): Promise<ChildProcess>
  /** Upgrades the database undisturbed; answers how long that took. */
  upgrade(path: string): Promise<number>
}

/** Those that bring databases to this version, and those that work beside them. `folder` keeps what they compile. */
export function createProcesses(folder: string): Processes {
  const env = {...process.env, NODE_COMPILE_CACHE: join(folder, 'cache')}
  const start: Processes['start'] = async (kind, ...parameters) => {
    const file = join(import.meta.dirname, `${kind}.ts`)
    const stdio: ['pipe', 'pipe', 'inherit'] = ['pipe', 'pipe', 'inherit']
    const child = spawn(process.execPath, [file, ...parameters], {stdio, env})
    await said(child)
    return child
  }
  const upgrade = async (path: string): Promise<number> => {
    const child = await start('upgrader')
    const beganMs = performance.now()
    let words = ''
    child.stdout?.on('data', (text: Buffer) => (words += text.toString()))
    child.stdin?.write(`${path}\n`)
    while (!words.includes('open')) await said(child)
    const ms = performance.now() - beganMs
    await end(child)
    return ms
  }
  return {start, upgrade}
}

/** Whoever ends without a word has told why on its own. */
export async function said(child: ChildProcess): Promise<void> {
  const ended = new AbortController()
  child.once('close', () => ended.abort())
  if (child.stdout) await once(child.stdout, 'data', {signal: ended.signal})
}

/** SIGKILL. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}
