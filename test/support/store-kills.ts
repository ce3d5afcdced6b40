import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {type Dice, createDice} from '../../local/platform/agent/dice.ts'
import {type Said, type Suspect, problemsOf, readSaid, remember} from './store-said.ts'

const WRITER = join(import.meta.dirname, 'store-writer.ts')
/** Of so many kills one meets a database that is made anew, migrations included. */
const NEW_ONE_IN = 10
const EARLY_ONE_IN = 4
const LATEST_MS = {task: 30, open: 60}

/** What became of many kills; `problems` is empty when nothing was lost or damaged. */
export interface KillReport {
  kills: number
  /** Killed before the database was open: in the first start with its migrations, or in the repair after a kill. */
  beforeOpen: {new: number; old: number}
  acknowledged: number
  problems: string[]
}

interface KillOptions {
  kills: number
  seed: string
  onKill?: (report: KillReport) => void
}

/**
 * Kills a process that writes to a store, again and again at random instants, and looks after each kill
 * whether the database is whole and holds everything that the process had said to be committed.
 */
export async function killWriters({kills, seed, onKill}: KillOptions): Promise<KillReport> {
  const report: KillReport = {kills: 0, beforeOpen: {new: 0, old: 0}, acknowledged: 0, problems: []}
  const dice = createDice(seed)
  const folder = mkdtempSync(join(tmpdir(), 'bosun-kills-'))
  try {
    let coming = startWriter(folder)
    let at = newDatabase(folder, 0)
    for (let kill = 0; kill < kills; kill += 1) {
      if (dice.int(1, NEW_ONE_IN) === 1) at = newDatabase(folder, kill)
      const writer = await coming
      // The next one is prepared while this one writes.
      if (kill + 1 < kills) coming = startWriter(folder)
      coming.catch(() => undefined) // thrown when its turn has come
      const said = await writeAndDie(writer, `${at.path} ${kill * 100_000}`, nextInstant(dice))
      note(report, at, said)
      report.problems.push(...problemsOf(at).map((problem) => `kill ${kill}: ${problem}`))
      onKill?.(report)
    }
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
  return report
}

interface Target extends Suspect {
  isNew: boolean
}

function newDatabase(folder: string, number: number): Target {
  rmSync(join(folder, 'data'), {recursive: true, force: true})
  return {
    path: join(folder, 'data', String(number), 'bosun.db'),
    copy: join(folder, 'copy'),
    acknowledged: {rows: new Set(), cursors: new Map()},
    isNew: true,
  }
}

/** Some die while they open the database, most while they write: half of these behind their first commit, however long it takes. */
interface Instant {
  after: 'task' | 'open' | 'commit'
  ms: number
}

function nextInstant(dice: Dice): Instant {
  const isEarly = dice.int(1, EARLY_ONE_IN) === 1
  return isEarly
    ? {after: 'task', ms: dice.int(0, LATEST_MS.task)}
    : {after: dice.pick(['open', 'commit'] as const), ms: dice.int(0, LATEST_MS.open)}
}

type Writer = ChildProcess & {lines: string}

async function startWriter(folder: string): Promise<Writer> {
  const child = spawn(process.execPath, [WRITER], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {...process.env, NODE_COMPILE_CACHE: join(folder, 'cache')},
  })
  const writer = Object.assign(child, {lines: ''})
  child.stdout.setEncoding('utf8').on('data', (text: string) => (writer.lines += text))
  await once(child.stdout, 'data')
  return writer
}

async function writeAndDie(writer: Writer, task: string, instant: Instant): Promise<Said> {
  const closed = once(writer, 'close')
  const opened = writer.stdout && once(writer.stdout, 'data')
  writer.stdin?.write(`${task}\n`)
  if (instant.after !== 'task') await opened
  if (instant.after === 'commit' && writer.stdout) await once(writer.stdout, 'data')
  await delay(instant.ms)
  writer.kill('SIGKILL')
  const [, signal] = (await closed) as [number | null, string | null]
  if (signal !== 'SIGKILL') throw new Error('A writer ended by itself')
  return readSaid(writer.lines)
}

function note(report: KillReport, at: Target, said: Said): void {
  report.kills += 1
  report.acknowledged += said.rows.size + said.cursors.size
  if (!said.isOpen) report.beforeOpen[at.isNew ? 'new' : 'old'] += 1
  if (said.isOpen) at.isNew = false
  remember(at.acknowledged, said)
}
