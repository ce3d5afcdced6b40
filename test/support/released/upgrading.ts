import type {ChildProcess} from 'node:child_process'
import {isDeepStrictEqual} from 'node:util'
import {setTimeout as delay} from 'node:timers/promises'
import Database from 'better-sqlite3'
import type {Dice} from '../../../local/platform/agent/dice.ts'
import {Secret} from '../../../src/security/secret.ts'
import {isPostgres} from '../../../src/store/is-postgres.ts'
import {openStore} from '../../../src/store/store.ts'
import {onServer} from '../postgres-server.ts'
import {type Pattern, type Place, openPattern} from './pattern.ts'
import {createProcesses, end, said} from './processes.ts'
import {type Rows, migrationsOf, rowsIn} from './rows.ts'
import {type Engine, RELEASED_KEY} from './versions.ts'

/** Behind the usual time of an upgrade some may still be killed. */
const A_LITTLE_MORE = 1.1
const EARLY_ONE_IN = 4

/** What became of one version's database on one engine. */
export interface UpgradeReport {
  idleMs: number
  busyMs: number | undefined
  kills: number
  /** The database was of the old version after so many kills, and of the new one after the others. */
  rolledBack: number
  problems: string[]
}

interface Trial {
  name: string
  engine: Engine
  kills: number
  dice: Dice
  isBusyTried?: boolean
}

/**
 * Upgrades databases of one version: while nobody else works with them, while another process reads and writes, and with
 * the process killed at random moments; after each kill the database must be the old one or the new one, whole, and a
 * start must make it the new one.
 */
export async function tryUpgrades(trial: Trial, place: Place): Promise<UpgradeReport> {
  const {engine, kills, isBusyTried = false} = trial
  const problems: string[] = []
  const pattern = await openPattern(trial, place)
  const processes = createProcesses(place.folder)
  const path = await pattern.copy()
  const idleMs = await processes.upgrade(path)
  const after = {rows: await rowsIn(path), applied: await migrationsOf(path)}
  await pattern.drop(path)
  const judge = createJudge(pattern, after, problems)
  const busyMs = isBusyTried ? await upgradeBusy(pattern, processes, {judge, problems}) : undefined
  const isChanged = after.applied.length > pattern.applied.length
  const instantOf = createInstants(trial.dice, {idleMs, isTold: engine === 'sqlite' && isChanged})
  let rolledBack = 0
  for (let kill = 0; kill < kills; kill += 1) {
    const target = await pattern.copy()
    const child = await processes.start('upgrader')
    child.stdin?.write(`${target}\n`)
    await delay(await instantOf(child))
    await end(child)
    if (engine === 'postgres') await untilLeft(target)
    if ((await judge(target, `kill ${kill}`)) === 'old') rolledBack += 1
    await reopen(target).catch((error: unknown) => {
      problems.push(`kill ${kill}: the next start is refused: ${String(error)}`)
    })
    const stands = await judge(target, `the start after kill ${kill}`)
    if (isChanged && stands === 'old') problems.push(`kill ${kill}: a start does not upgrade it`)
    await pattern.drop(target)
  }
  await pattern.end()
  return {idleMs, busyMs, kills, rolledBack, problems}
}

/** Which of the two a database is; what is wrong with it goes to the problems. */
type Judge = (path: string, what: string) => Promise<'old' | 'new'>

function createJudge(
  pattern: Pattern,
  after: {rows: Rows; applied: readonly string[]},
  problems: string[],
): Judge {
  return async (path, what) => {
    const applied = await migrationsOf(path)
    const isOld = isDeepStrictEqual(applied, pattern.applied)
    if (!isOld && !isDeepStrictEqual(applied, after.applied)) {
      problems.push(`${what}: it stands at ${String(applied.at(-1))}`)
    }
    const rows = await rowsIn(path)
    const isSame = isDeepStrictEqual(rows, isOld ? pattern.before : after.rows)
    if (!isSame) problems.push(`${what}: rows differ`)
    if (!isPostgres(path) && !isWhole(path)) problems.push(`${what}: the file is damaged`)
    return isOld ? 'old' : 'new'
  }
}

async function upgradeBusy(
  pattern: Pattern,
  processes: ReturnType<typeof createProcesses>,
  {judge, problems}: {judge: Judge; problems: string[]},
): Promise<number> {
  const path = await pattern.copy()
  const neighbour = await processes.start('neighbour', path)
  const ms = await processes.upgrade(path)
  if (neighbour.exitCode !== null) problems.push('busy: whoever worked beside it was stopped')
  await end(neighbour)
  await judge(path, 'busy')
  await pattern.drop(path)
  return ms
}

/** Anywhere in a start; where it is told that the database is about to be changed, mostly in what comes then. */
function createInstants(
  dice: Dice,
  {idleMs, isTold}: {idleMs: number; isTold: boolean},
): (child: ChildProcess) => Promise<number> {
  return async (child) => {
    if (!isTold || dice.int(1, EARLY_ONE_IN) === 1) {
      return dice.int(0, Math.ceil(idleMs * A_LITTLE_MORE))
    }
    await said(child)
    return dice.int(0, Math.ceil(idleMs / 2))
  }
}

/** The server ends what a process was about when it finds that nobody is there any more. */
async function untilLeft(url: string): Promise<void> {
  const others = `select 1 from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
  while ((await onServer(others, url)).length > 0) await delay(5)
}

/** As a start of today's bot does. */
export async function reopen(path: string): Promise<void> {
  const sealingKeys = [{id: RELEASED_KEY.id, key: new Secret(RELEASED_KEY.text)}]
  const store = await openStore({path, sealingKeys})
  await store[Symbol.asyncDispose]()
}

function isWhole(path: string): boolean {
  const database = new Database(path)
  const said = database.pragma('integrity_check(1)', {simple: true})
  database.close()
  return said === 'ok'
}
