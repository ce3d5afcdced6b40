import {setTimeout as delay} from 'node:timers/promises'
import {
  type BotMark,
  LOOK_MS,
  glanceAt,
  inUse,
  markAlone,
  markBesideOthers,
  nameOf,
  newMark,
  takeBack,
} from './bot-mark.ts'
import {StoreError} from '../../database/errors.ts'
import {type LockFile, lookAtLockFile, takeLockFile} from './lock-file.ts'
import {makeOwnFile} from '../own-files.ts'
import {LOCK_WAIT_MS, unlessLocked} from '../../database/waits.ts'

/** Held by the one bot of a database for as long as it lives. */
interface BotLock extends Disposable {
  /** The one name of the database, however it was called. */
  path: string
  /** A database has been here, so that a place where none is now is no fresh start. */
  hasBeen: boolean
  /** Writes into the database whose it is from now on, and makes it where there was none. */
  mark(): Promise<BotMark>
  /** A database is here from now on, and nobody's. */
  remember(): void
}

/** A mark that did not move for so long is of a bot that is gone. Several beats, and less than a start may take. */
const SILENT_MS = 2000
/** A tool that has the file open is waited for so long, where there may be a bot. */
const ALONE_WITHIN_MS = 500
/** For those who only ask whether it is held. */
const HELD_TRIES = 3

/**
 * One bot for a file, whatever it is called. The lock file beside the file's one name is held by the system, which
 * gives it up when the process dies, however it dies. It says who held it last: a mark of theirs was left behind. Any
 * other mark that has not ended is of a bot that holds another lock file, since it is on another machine, or since the
 * name that it uses is not to be seen from here: then its beats are waited for. Times are ours alone, no clock is compared.
 *
 * @throws {StoreError} `in-use` when another bot has the database.
 */
export async function openBotLock(given: string): Promise<BotLock> {
  const path = nameOf(given)
  const file = await takeInTurn(given, path)
  try {
    takeBack(path)
    const left = glanceAt(path)
    if (await isAlive(path, left, file.last)) throw inUse(given, left)
    const mark = async (): Promise<BotMark> => {
      const mine = newMark(path)
      makeOwnFile(path)
      await placeMark({mine, left, last: file.last})
      file.sign(mine.start)
      return mine
    }
    return {
      path,
      hasBeen: file.hasBeen,
      mark,
      remember: () => file.sign(file.last ?? ''),
      [Symbol.dispose]: () => file.release(),
    }
  } catch (error) {
    file.release()
    throw error
  }
}

/** Whether a bot lives on this database. Only asks, and holds nothing. */
export async function isBotRunning(given: string): Promise<boolean> {
  const path = nameOf(given)
  const found = lookAtLockFile(path)
  if (found === 'held') return true
  return isAlive(path, glanceAt(path), found.last)
}

async function takeInTurn(given: string, path: string): Promise<LockFile> {
  for (let tries = 1; ; tries += 1) {
    const file = takeLockFile(path)
    if (file !== 'held') return file
    if (tries === HELD_TRIES) throw inUse(given, glanceAt(path))
    await delay(LOOK_MS)
  }
}

/** Of a bot whose lock file is not held: what `last` says of it was written by the one that held it last. */
async function isAlive(
  path: string,
  left: BotMark | undefined,
  last: string | undefined,
): Promise<boolean> {
  if (left === undefined || left.ended === 1 || left.start === last) return false
  const endMs = performance.now() + SILENT_MS
  while (performance.now() < endMs) {
    await delay(LOOK_MS)
    // What cannot be read now has not moved.
    const now = glanceAt(path)
    if (now !== undefined && (now.start !== left.start || now.beat !== left.beat)) return true
  }
  return false
}

interface Placing {
  mine: BotMark
  left: BotMark | undefined
  last: string | undefined
}

/**
 * Where the last bot had this very lock file, everybody else uses the same name and the same log. Else nobody may have
 * the file open for an instant: whoever has may be a bot that is not to be seen from here.
 */
async function placeMark({mine, left, last}: Placing): Promise<void> {
  if (left !== undefined && left.start === last) {
    await unlessLocked(() => markBesideOthers(mine, left))
    return
  }
  const isUnknown = left !== undefined && left.ended === 0
  const endMs = performance.now() + (isUnknown ? ALONE_WITHIN_MS : LOCK_WAIT_MS)
  while (!markAlone(mine, left)) {
    if (performance.now() > endMs)
      throw isUnknown ? inUse(mine.path, left) : openElsewhere(mine.path)
    await delay(LOOK_MS)
  }
}

function openElsewhere(path: string): StoreError {
  return new StoreError(
    'in-use',
    `The database ${path} is open in another program, which may be another bot. End it, and start again.`,
  )
}
