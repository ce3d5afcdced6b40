import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {z} from 'zod'
import {type Ending, type Line, atLeast, never} from '../lines.ts'
import type {QuickForm} from './list.ts'

/** What one run of a bench came to. */
export interface Outcome {
  bench: string
  seconds: number
  lines: readonly Line[]
  /** Why nothing was judged: what the machine lacks, or that there was no time. */
  notRun?: string
  /** The last that it said, where a line fell short. */
  said: string
}

const endingSchema: z.ZodType<Ending> = z.union([
  z.object({needs: z.string()}),
  z.object({
    lines: z.array(
      z.object({
        name: z.string(),
        figure: z.number().optional(),
        bound: z.enum(['at most', 'at least', 'exactly']),
        limit: z.number(),
        unit: z.string(),
        isHeld: z.boolean(),
      }),
    ),
  }),
]) as z.ZodType<Ending>

/** A busy machine takes several times as long, and nothing may hang. */
const PATIENCE = 4
const LEAST_PATIENCE_S = 60
const SAID_CHARS = 4000

interface RunOptions {
  /** The checkout that is run. */
  root: string
  seed: string
}

/** Runs a bench as a process. A crash, an end that comes too late and a line that is missing are lines that fall short. */
export async function runForm(form: QuickForm, {root, seed}: RunOptions): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'bosun-prove-'))
  const startedMs = performance.now()
  try {
    const file = join(folder, 'lines.json')
    const {code, isLate, said} = await run(form, {root, seed, file})
    const seconds = (performance.now() - startedMs) / 1000
    const ending = existsSync(file) ? readEnding(file) : undefined
    if (ending !== undefined && 'needs' in ending) {
      return {bench: form.name, seconds, lines: [], notRun: `needs ${ending.needs}`, said: ''}
    }
    const lines = [...(ending?.lines ?? []), ...ofItsEnd(form, ending?.lines, {code, isLate})]
    return {bench: form.name, seconds, lines, said}
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

/** What else can be wrong with a run; nothing where it was as it should be. */
function ofItsEnd(
  form: QuickForm,
  lines: readonly Line[] | undefined,
  {code, isLate}: {code: number | null; isLate: boolean},
): Line[] {
  if (isLate) return [never(`ends later than after ${limitS(form)} s`, 1)]
  if (lines === undefined) return [never('ends without lines', 1)]
  if (lines.length < form.lines) return [atLeast('lines', lines.length, form.lines)]
  const isGood = lines.every(({isHeld}) => isHeld)
  return isGood === (code === 0) ? [] : [never('ends that say something else than its lines', 1)]
}

async function run(
  {file: bench, args, isSeeded, ...form}: QuickForm,
  {root, seed, file}: RunOptions & {file: string},
): Promise<{code: number | null; isLate: boolean; said: string}> {
  const all = [join(root, bench), ...args, ...(isSeeded === true ? ['--seed', seed] : [])]
  const child = spawn(process.execPath, all, {
    cwd: root,
    env: {...process.env, BENCH_LINES: file},
    stdio: ['ignore', 'pipe', 'pipe'],
    // It and all that it starts are one group, which ends as one.
    detached: true,
  })
  let said = ''
  const hear = (text: string): void => void (said = (said + text).slice(-SAID_CHARS))
  child.stdout.setEncoding('utf8').on('data', hear)
  child.stderr.setEncoding('utf8').on('data', hear)
  let isLate = false
  const limit = setTimeout(
    () => {
      isLate = true
      end(child.pid)
    },
    limitS(form) * 1000,
  )
  // Whoever stops this stops what it has begun.
  const stop = (): never => {
    end(child.pid)
    process.exit(130)
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearTimeout(limit)
  process.off('SIGINT', stop).off('SIGTERM', stop)
  // What a bench that died has left behind would be measured with the next one.
  end(child.pid)
  return {code, isLate, said}
}

function end(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nobody of it is left.
  }
}

function limitS({seconds}: Pick<QuickForm, 'seconds'>): number {
  return Math.max(LEAST_PATIENCE_S, PATIENCE * seconds)
}

function readEnding(file: string): Ending | undefined {
  try {
    return endingSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}
