import {spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {type Dice, createDice} from '../local/platform/agent/dice.ts'
import {openStore} from '../src/store/store.ts'
import {type Said, problemsOf, readSaid, remember} from '../test/support/store-said.ts'
import {until} from '../test/support/until.ts'
import {atLeast, endWith, endWithout, never} from './lines.ts'

/**
 * System calls on the database's files that fail: whether the database stays whole, whether all that was
 * acknowledged stays in it, and whether the store goes on by itself once the calls work again.
 */

const {values: options} = parseArgs({
  options: {points: {type: 'string', default: '200'}, seed: {type: 'string', default: '1'}},
})
const WRITER = join(import.meta.dirname, '../test/support/store-writer.ts')
const CALLS = ['pwrite64', 'fsync', 'ftruncate', 'openat', 'unlink', 'pread64'] as const
/** How often a call comes in the first second: the last call that is made to fail. */
const LATEST: Record<(typeof CALLS)[number], number> = {
  pwrite64: 1500,
  ftruncate: 3,
  openat: 4,
  fsync: 60,
  unlink: 2,
  pread64: 60,
}
/** A fault that passes; and one that stays until the next start. */
const LENGTHS = ['passes', 'stays'] as const
const ROWS_AFTER = 20

interface Point {
  call: (typeof CALLS)[number]
  error: 'ENOSPC' | 'EIO'
  length: (typeof LENGTHS)[number]
  nth: number
}

/** `unreached`: the call did not come so often. */
type Outcome = 'went on' | 'stood still' | 'refused to start' | 'unreached'

interface Result {
  point: Point
  outcome: Outcome
  problems: string[]
}

await main()

async function main(): Promise<void> {
  if (spawnSync('strace', ['-V']).error !== undefined) {
    endWithout('strace: apt-get install strace')
    return
  }
  const dice = createDice(options.seed)
  const startMs = performance.now()
  const results: Result[] = []
  for (let number = 0; number < Number(options.points); number += 1) {
    results.push(await meet(pointOf(number, dice)))
    if (results.length % 20 === 0) process.stderr.write(`${results.length} points\n`)
  }
  print(results, (performance.now() - startMs) / 1000)
}

/** Every call with every error and length in turn; only the instant is up to the dice. */
function pointOf(number: number, dice: Dice): Point {
  const call = CALLS[number % CALLS.length] ?? 'pwrite64'
  const rest = Math.floor(number / CALLS.length)
  return {
    call,
    error: rest % 2 === 0 ? 'ENOSPC' : 'EIO',
    length: Math.floor(rest / 2) % 2 === 0 ? 'passes' : 'stays',
    nth: dice.int(1, LATEST[call]),
  }
}

async function meet(point: Point): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'bosun-faults-'))
  try {
    const path = join(folder, 'data', 'bosun.db')
    const {said, outcome} = await writeUnder(point, path, join(folder, 'trace'))
    const acknowledged = {rows: new Set<number>(), cursors: new Map<number, number>()}
    remember(acknowledged, said)
    const suspect = {path, copy: join(folder, 'copy'), acknowledged}
    const problems = problemsOf(suspect)
    if (point.length === 'passes' && outcome === 'stood still') problems.push('it did not go on')
    problems.push(...(await problemsOfRestart(path)), ...problemsOf(suspect))
    return {point, outcome, problems}
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

/** After a restart it works in any case. */
async function problemsOfRestart(path: string): Promise<string[]> {
  try {
    await using store = await openStore({path, sealingKeys: []})
    await store.inbox.add({team: 'T1', key: 'after', lane: 'l', body: '{}'}, 0)
    return []
  } catch (error) {
    return [`no restart: ${String(error)}`]
  }
}

async function writeUnder(
  point: Point,
  path: string,
  traceFile: string,
): Promise<{said: Said; outcome: Outcome}> {
  const child = spawn(
    'strace',
    [...straceArguments(point, path, traceFile), process.execPath, WRITER],
    {stdio: ['pipe', 'pipe', 'ignore']},
  )
  const closed = once(child, 'close')
  let lines = ''
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  child.stdout.setEncoding('utf8').on('data', (text: string) => (lines += text))
  const pid = await until(
    'the writer is ready',
    () => Number(/ready (\d+)\n/.exec(lines)?.[1] ?? 0) || false,
    {withinMs: 60_000},
  )
  child.stdin.write(`${path} 0\n`)

  const isHit = (): boolean =>
    existsSync(traceFile) && readFileSync(traceFile, 'utf8').includes('(INJECTED)')
  const rows = (): number => readSaid(lines).rows.size
  const reached = await came(() => hasEnded() || isHit(), 3000)
  const rowsThen = rows()
  await came(
    () => hasEnded() || rows() > rowsThen + ROWS_AFTER,
    point.length === 'stays' ? 700 : 8000,
  )
  const outcome = outcomeOf({reached, hasEnded: hasEnded(), went: rows() > rowsThen + ROWS_AFTER})
  if (!hasEnded()) process.kill(pid, 'SIGKILL')
  await closed
  return {said: readSaid(lines), outcome}
}

function outcomeOf(was: {reached: boolean; hasEnded: boolean; went: boolean}): Outcome {
  if (!was.reached) return 'unreached'
  if (was.hasEnded) return 'refused to start'
  return was.went ? 'went on' : 'stood still'
}

function straceArguments(
  {call, error, length, nth}: Point,
  path: string,
  traceFile: string,
): string[] {
  const files = ['', '-wal', '-shm', '-journal'].flatMap((end) => ['-P', `${path}${end}`])
  const when = length === 'stays' ? `${nth}+` : `${nth}..${nth + 3}`
  const inject = `inject=${call}:error=${error}:when=${when}`
  return [
    '-f',
    '-qq',
    '--seccomp-bpf',
    '-o',
    traceFile,
    ...files,
    '-e',
    `trace=${call}`,
    '-e',
    inject,
  ]
}

async function came(look: () => boolean, withinMs: number): Promise<boolean> {
  return until('it came', look, {withinMs}).then(
    () => true,
    () => false,
  )
}

function print(results: readonly Result[], seconds: number): void {
  console.log(`seed ${options.seed}, ${results.length} points, ${seconds.toFixed(0)} s`)
  for (const call of CALLS) {
    for (const length of LENGTHS) {
      const these = results.filter(({point}) => point.call === call && point.length === length)
      const count = (outcome: Outcome): number =>
        these.filter((result) => result.outcome === outcome).length
      console.log(
        `${call.padEnd(10)} ${length}  went on ${count('went on')}, stood still ${count('stood still')}, refused to start ${count('refused to start')}, unreached ${count('unreached')}`,
      )
    }
  }
  const bad = results.filter(({problems}) => problems.length > 0)
  for (const {point, problems} of bad.slice(0, 20)) {
    console.log(
      `${point.call} ${point.error} ${point.length} at ${point.nth}: ${problems.slice(0, 3).join('; ')}`,
    )
  }
  const met = results.filter(({outcome}) => outcome !== 'unreached')
  endWith([
    atLeast('points that were reached', met.length, 1),
    never('lost, damaged or stuck', bad.length),
  ])
}
