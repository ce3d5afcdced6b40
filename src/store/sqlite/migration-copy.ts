import {readdirSync, rmSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import type {Sealer} from '../../security/seal.ts'
import {backUp} from './upkeep/backup.ts'
import {StoreError, troubleOf} from '../database/errors.ts'

/**
 * Keeps what a database holds before migrations change it, in a file beside it that is named after the first of them.
 *
 * @returns the file.
 * @throws {StoreError} when it cannot be written; nothing was changed then.
 */
export function copyBefore(of: {path: string; sealer: Sealer}, migration: string): string {
  const copy = `${of.path}.before-${migration}`
  try {
    backUp(of, copy, 'replace')
    return copy
  } catch (error) {
    if (error instanceof StoreError) throw error
    const why = error instanceof Error ? error.message : String(error)
    const mend = isFull(error)
      ? 'the disk is full. Free as much space as the database takes'
      : `${why}. Make its folder writable for the user that Bosun runs as`
    throw new StoreError(
      'unreadable',
      `The database ${of.path} is of an earlier version, and is not changed before there is a copy of it: ${copy} cannot be written, ${mend}, and start again. Nothing was changed.`,
      error,
    )
  }
}

/** Removes the copies that earlier starts have made; `kept` is this one's. */
export function dropCopies(path: string, kept: string | undefined): void {
  const start = `${basename(path)}.before-`
  for (const name of readdirSync(dirname(path))) {
    const file = join(dirname(path), name)
    const isCopy = name.startsWith(start) && /^\d{4}-/.test(name.slice(start.length))
    if (isCopy && file !== kept) rmSync(file, {force: true})
  }
}

function isFull(error: unknown): boolean {
  if (troubleOf(error) === 'full') return true
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC'
}
