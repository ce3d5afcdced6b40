/** How the database is. */
export type Checkup = FileCheckup | ServerCheckup

/** A file of SQLite's. */
export interface FileCheckup {
  kind: 'file'
  bytes: number
  logBytes: number
  /** What is left on its disk. */
  roomBytes: number
  /** `ok`, else what SQLite found wrong first. */
  integrity: string
  /** Of it and of what stands beside it: what others on this machine may read or write. */
  wide: readonly string[]
}

/** One of a PostgreSQL server's, which looks after its own files. */
interface ServerCheckup {
  kind: 'server'
  bytes: number
  version: string
}
