import {
  chmodSync,
  closeSync,
  fchmodSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  type Stats,
} from 'node:fs'
import {basename, dirname, join} from 'node:path'

/** Only whoever runs Bosun reads what is in it. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
const OTHERS = 0o077

/**
 * Makes the file where there is none, and its folder, for its owner alone, whatever the umask. What SQLite makes beside
 * it (log, index, journal) has the same mode. One that is there is not even opened: closing it again would give up the
 * locks that this process holds on it.
 *
 * @returns whether it was made.
 */
export function makeOwnFile(path: string): boolean {
  mkdirSync(dirname(path), {recursive: true, mode: FOLDER_MODE})
  try {
    const file = openSync(path, 'wx', FILE_MODE)
    fchmodSync(file, FILE_MODE)
    closeSync(file)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** The database and what stands beside it as far as others may read or write it. */
export function wideFiles(path: string): string[] {
  const name = basename(path)
  return namesIn(dirname(path))
    .filter((other) => other === name || /^[-.]/.test(tailOf(other, name)))
    .map((other) => join(dirname(path), other))
    .filter(isWide)
}

/** Others may read or write it. */
export function isWide(path: string): boolean {
  const stats = statsOf(path)
  return stats !== undefined && stats.isFile() && (stats.mode & OTHERS) !== 0
}

/** Takes from others what they may do with the database and what stands beside it. Answers the files of each outcome. */
export function narrowFiles(path: string): Record<'narrowed' | 'left', string[]> {
  const outcome = {narrowed: [] as string[], left: [] as string[]}
  for (const file of wideFiles(path)) {
    try {
      chmodSync(file, statSync(file).mode & 0o777 & ~OTHERS)
      outcome.narrowed.push(file)
    } catch {
      // Somebody else's file: it can be used all the same, and whoever reads the log can mend it.
      outcome.left.push(file)
    }
  }
  return outcome
}

function tailOf(name: string, start: string): string {
  return name.startsWith(start) ? name.slice(start.length) : ''
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // not there, or closed to us: whoever opens the database says so
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, {throwIfNoEntry: false})
  } catch {
    return undefined // in a folder that is closed to us
  }
}
