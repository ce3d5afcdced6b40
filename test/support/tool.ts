import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {join} from 'node:path'
import {BARE_ENV} from './bare-env.ts'

const ROOT = join(import.meta.dirname, '..', '..')

type ToolName =
  | 'check-platform'
  | 'config'
  | 'keys'
  | 'backup'
  | 'restore'
  | 'forget'
  | 'audit'
  | 'doctor'
  | 'manifest'
  | 'migrate-store'
  | 'check-slack'

/** What a tool said, and how it ended. */
interface Said {
  code: number
  out: string
  err: string
}

/** Runs a tool as an operator does. */
export async function tool(
  name: ToolName,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  /** Whoever wants to stop it. */
  onStart?: (child: ChildProcess) => void,
): Promise<Said> {
  const child = spawn(process.execPath, [join(ROOT, 'src', 'tools', `${name}.ts`), ...args], {
    cwd: ROOT,
    env: {...BARE_ENV, ...settings},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onStart?.(child)
  const said = {out: '', err: ''}
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return {code: code ?? -1, ...said}
}
