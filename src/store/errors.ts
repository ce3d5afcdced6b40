/** The database cannot be used as it is; the message says what to do. */
export class StoreError extends Error {
  override name = 'StoreError' as const
  readonly code: 'in-use' | 'unreadable' | 'newer' | 'keys'

  constructor(code: StoreError['code'], message: string, cause?: unknown) {
    super(message, {cause})
    this.code = code
  }
}

/** Somebody else holds SQLite's lock for a moment: wait and ask again. */
export function isBusy(error: unknown): boolean {
  return (
    sqliteCode(error).startsWith('SQLITE_BUSY') || sqliteCode(error).startsWith('SQLITE_LOCKED')
  )
}

function sqliteCode(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}
