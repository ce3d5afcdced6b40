/** The database cannot be used as it is; the message says what to do. */
export class StoreError extends Error {
  override name = 'StoreError' as const
  readonly code:
    'in-use' | 'unreadable' | 'missing' | 'damaged' | 'newer' | 'keys' | 'migration' | 'moved'

  constructor(code: StoreError['code'], message: string, cause?: unknown) {
    super(message, {cause})
    this.code = code
  }
}

/** What is wrong with the database itself, whoever asks; `undefined` for the mistake of one statement. */
export type Trouble = 'locked' | 'full' | 'moved' | 'read-only' | 'failing' | 'damaged' | 'away'

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
  // PostgreSQL's, by class: https://www.postgresql.org/docs/current/errcodes-appendix.html
  ['40', 'locked'], // serialization failure, deadlock
  ['55P03', 'locked'],
  ['53100', 'full'],
  ['25006', 'read-only'],
  ['0A000', 'read-only'], // "cannot use serializable mode in a hot standby": as each of our transactions begins
  ['53', 'away'],
  ['57P', 'away'],
  ['08', 'away'],
  // It lets nobody in, or not us.
  ['28', 'away'],
  ['3D000', 'away'],
  ['55000', 'away'],
  ['25P03', 'away'], // a session that was stopped inside a transaction
  ['25P04', 'away'], // or whose transaction took longer than the server lets any
  ['58', 'failing'],
  ['XX', 'failing'],
  // The way to it: no network, or a certificate that Node does not take.
  ...(
    [
      ...(['ECONN', 'EPIPE', 'ETIMEDOUT', 'EHOST', 'ENET', 'ENOTFOUND', 'EAI_AGAIN'] as const),
      ...(['CERT_', 'ERR_TLS', 'ERR_SSL', 'UNABLE_TO_', 'SELF_SIGNED', 'DEPTH_ZERO'] as const),
    ] as const
  ).map((code) => [code, 'away'] as const),
]

/** What the client of PostgreSQL says without a code. */
const ENDED =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|The server does not support SSL connections|There was an error establishing an SSL connection)/

export function troubleOf(error: unknown): Trouble | undefined {
  const code = codeOf(error)
  if (code === '' && error instanceof Error && ENDED.test(error.message)) return 'away'
  const known = TROUBLES.find(([beginning]) => code.startsWith(beginning))?.[1]
  return known ?? (endsSession(error) ? 'away' : undefined)
}

/** What is no mistake of one statement: the session is over, as PostgreSQL says it, or never began, as for want of its socket. */
function endsSession(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const isConnecting = 'syscall' in error && error.syscall === 'connect'
  return isConnecting || ('severity' in error && error.severity === 'FATAL')
}

/** Somebody else holds a lock for a moment: wait and ask again. */
export function isBusy(error: unknown): boolean {
  return troubleOf(error) === 'locked'
}

/** PostgreSQL's word for what is unique and stands there already. */
export function isTaken(error: unknown): boolean {
  return codeOf(error) === '23505'
}

/**
 * Every write fails like this one until the lock, the disk or the operator lets go. A page that cannot
 * be read is not of this kind: it is the matter of those who ask for that page, and of nobody else.
 */
export function mayPass(error: unknown): boolean {
  const trouble = troubleOf(error)
  const isReading = ['SQLITE_IOERR_READ', 'SQLITE_IOERR_SHORT_READ'].includes(codeOf(error))
  return trouble !== undefined && trouble !== 'damaged' && !isReading
}

export function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}
