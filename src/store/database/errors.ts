/** The database cannot be used as it is; the message says what to do. */
export class StoreError extends Error {
  override name = 'StoreError' as const
  readonly code: 'in-use' | 'unreadable' | 'missing' | 'damaged' | 'newer' | 'keys' | 'migration'

  constructor(code: StoreError['code'], message: string, cause?: unknown) {
    super(message, {cause})
    this.code = code
  }
}

/** What is wrong with the database itself, whoever asks; `undefined` for the mistake of one statement. */
export type Trouble = 'locked' | 'full' | 'moved' | 'read-only' | 'failing' | 'damaged'

const TROUBLES: readonly (readonly [beginning: string, Trouble])[] = [
  ['SQLITE_BUSY', 'locked'],
  ['SQLITE_LOCKED', 'locked'],
  ['SQLITE_PROTOCOL', 'locked'],
  ['SQLITE_FULL', 'full'],
  // The log's index is the first file that a full disk has no room for.
  ['SQLITE_IOERR_SHMSIZE', 'full'],
  ['SQLITE_READONLY_DBMOVED', 'moved'],
  ['SQLITE_READONLY', 'read-only'],
  ['SQLITE_IOERR', 'failing'],
  ['SQLITE_CANTOPEN', 'failing'],
  ['SQLITE_CORRUPT', 'damaged'],
  ['SQLITE_NOTADB', 'damaged'],
]

export function troubleOf(error: unknown): Trouble | undefined {
  const code = sqliteCode(error)
  return TROUBLES.find(([beginning]) => code.startsWith(beginning))?.[1]
}

/** Somebody else holds SQLite's lock for a moment: wait and ask again. */
export function isBusy(error: unknown): boolean {
  return troubleOf(error) === 'locked'
}

/**
 * Every write fails like this one until the lock, the disk or the operator lets go. A page that cannot
 * be read is not of this kind: it is the matter of those who ask for that page, and of nobody else.
 */
export function mayPass(error: unknown): boolean {
  const trouble = troubleOf(error)
  const isReading = ['SQLITE_IOERR_READ', 'SQLITE_IOERR_SHORT_READ'].includes(sqliteCode(error))
  return trouble !== undefined && trouble !== 'damaged' && !isReading
}

function sqliteCode(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}
