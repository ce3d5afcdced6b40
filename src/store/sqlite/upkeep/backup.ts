import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import {randomBytes} from 'node:crypto'
import {basename, dirname, join} from 'node:path'
import Database from 'better-sqlite3'
import type {Sealer} from '../../../security/seal.ts'
import {openBotLock} from '../one-bot/bot-lock.ts'
import {isSameFile, nameOf, realNameOf, removeMark} from '../one-bot/bot-mark.ts'
import {type Found, examine, readThrough} from '../database-file.ts'
import {StoreError} from '../../database/errors.ts'
import {refuseMoved} from '../../database/moves.ts'
import {refuseNewer} from '../../database/migrate.ts'
import {checkSealedValues, keyIdOf} from '../../database/sealed-values.ts'
import {checkSeals} from '../../database/seals.ts'
import {LOCK_WAIT_MS} from '../../database/waits.ts'

/** Only whoever runs Bosun reads what is in it. */
const MODE = 0o600
/** Nobody who writes a backup pauses for so long. */
const CUT_OFF_MS = 3_600_000

/** What a backup holds. */
interface Holding {
  /** Ids of the sealing keys without which some of it does not open. */
  keyIds: string[]
}

/**
 * Writes all of a database, as it stands in one instant, into one file, while others read and write. The file appears
 * under its name once it is whole and was read through.
 *
 * @returns `exists` where there is such a file already, and it is not to be replaced.
 * @throws {StoreError} when the database, or what was written of it, cannot be used.
 */
export function backUp(
  {path, sealer}: {path: string; sealer: Sealer},
  target: string,
  onExisting: 'refuse' | 'replace',
): Holding | 'exists' {
  // Whoever has it open would go on with a file that is gone.
  if (isSameFile(target, path)) {
    throw new StoreError('in-use', `${target} is the database itself. Give another name.`)
  }
  if (onExisting === 'refuse' && existsSync(target)) return 'exists'
  const partial = `${target}.partial-${randomBytes(4).toString('hex')}`
  try {
    sweep(target)
    copyWhole(nameOf(path), partial)
    removeMark(partial)
    const found = judge(partial, sealer)
    sync(partial)
    if (onExisting === 'replace') renameSync(partial, target)
    else if (!linkedTo(partial, target)) return 'exists'
    sync(dirname(target))
    return {keyIds: keyIdsOf(found)}
  } finally {
    rmSync(partial, {force: true})
  }
}

/**
 * Puts a backup into the place of the database. What stood there is kept beside it, under the name that is returned.
 *
 * @throws {StoreError} `in-use` while a bot runs; and when the backup cannot be used: nothing was changed then.
 */
export async function restore(
  {path: given, sealer}: {path: string; sealer: Sealer},
  source: string,
  now: Date,
): Promise<Holding & {aside: string | undefined}> {
  if (!existsSync(source)) {
    throw new StoreError('missing', `The backup ${source} is not there. Give the file's path.`)
  }
  using lock = await openBotLock(given)
  const {path} = lock
  if (path !== realNameOf(given)) {
    throw new StoreError(
      'in-use',
      `The database ${given} was last used as ${path}, and its log is there. Give that name as DATABASE_URL, and restore again.`,
    )
  }
  const fresh = `${path}.restoring`
  try {
    const found = judge(source, sealer)
    rmSync(fresh, {force: true})
    copyWhole(source, fresh)
    // Of the copy, too: what was read may have changed behind us.
    judge(fresh, sealer)
    sync(fresh)
    const aside = putAside(path, now)
    renameSync(fresh, path)
    sync(dirname(path))
    lock.remember()
    return {keyIds: keyIdsOf(found), aside}
  } finally {
    rmSync(fresh, {force: true})
  }
}

/** Everything in a database, what stands in its log too, as one new file. */
function copyWhole(path: string, target: string): void {
  // Made by us first, so that nobody else reads it from its first byte on; SQLite takes a file that is empty.
  closeSync(openSync(target, 'wx', MODE))
  const sqlite = new Database(path, {fileMustExist: true, readonly: true, timeout: LOCK_WAIT_MS})
  try {
    sqlite.prepare('vacuum into ?').run(target)
  } finally {
    sqlite.close()
  }
}

/** The file itself first: without it a start refuses, and with it alone the newest rows would be lost in silence. */
function putAside(path: string, now: Date): string | undefined {
  const aside = `${path}.before-restore-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix)
  }
  return existsSync(aside) ? aside : undefined
}

/** All of it is read, whatever its size. */
function judge(file: string, sealer: Sealer): Found {
  examine(file, true)
  const found = readThrough(file, 0)
  if (found.migrations.length === 0) {
    throw new StoreError('damaged', `${file} is a database, but none of Bosun's.`)
  }
  refuseMoved(file, found.moves)
  refuseNewer(file, found.migrations)
  checkSeals(found.seals, sealer)
  checkSealedValues(found.sealed, sealer)
  return found
}

function keyIdsOf({seals, sealed}: Found): string[] {
  const ids = [...seals.map(({key_id: id}) => id), ...sealed.map((value) => keyIdOf(value.sealed))]
  return [...new Set(ids)]
}

/** What backups into this file have left that were cut off: whoever still writes one has written lately. */
function sweep(target: string): void {
  const folder = dirname(target)
  const left = readdirSync(folder).filter((name) => name.startsWith(`${basename(target)}.partial-`))
  for (const file of left.map((name) => join(folder, name))) {
    const {mtimeMs = Infinity} = statSync(file, {throwIfNoEntry: false}) ?? {}
    if (Date.now() - mtimeMs > CUT_OFF_MS) rmSync(file, {force: true})
  }
}

/** False: somebody was there first. */
function linkedTo(partial: string, target: string): boolean {
  try {
    linkSync(partial, target)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** What is said to stand must stand behind a power cut, too. */
function sync(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
