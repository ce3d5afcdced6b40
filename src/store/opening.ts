import type {Kysely} from 'kysely'
import type {Sealer, SealingKey} from '../security/seal.ts'
import type {Secret} from '../security/secret.ts'
import type {Schema} from './database/schema.ts'
import type {SealedCounts} from './database/sealed-values.ts'
import type {Checkup} from './database/checkup.ts'
import type {Write} from './database/writer.ts'
import type {AuditStore} from './tables/audit.ts'
import type {Tables} from './tables.ts'

/** A database that is open, for one bot: a second one is refused while this one lives. */
export interface Store extends Tables, AsyncDisposable {
  checkUp: () => Promise<Checkup>
  /** Which sealing keys are in use, and how often. */
  countSealed(): Promise<SealedCounts>
  /** What seals the columns: for what is on its way to them. */
  sealer: Sealer
  /** `undefined` while the database is well, else what is wrong with it and what to do. */
  check(): Promise<string | undefined>
  /** The bot works: what earlier starts have kept to go back to is removed. */
  settle(): void
  /** Aborted with a {@link StoreError} once another bot has the database: this one must do nothing any more. */
  lost: AbortSignal
}

/** What every database is opened with. */
export interface OpeningOptions {
  sealingKeys: readonly SealingKey[]
  /** Hears what an operator should know, a line for each. */
  tell: (line: string) => void
  /** Ends when the process is asked to stop: what cannot be written then is given up soon, before the store is closed. */
  signal: AbortSignal | undefined
  /** Told every secret that is read or kept. */
  learn: (secret: Secret) => void
}

export type ToolOptions = Pick<OpeningOptions, 'sealingKeys'> & {
  /** A file's, or the address of a PostgreSQL. */
  path: string
}

/** The database as a tool opens it, while a bot runs or not. */
export interface ToolStore extends AsyncDisposable {
  db: Kysely<Schema>
  write: Write
  sealer: Sealer
  audit: AuditStore
  isBotRunning: boolean
  /** The key that the newest start seals with. */
  sealingKey: string | undefined
  checkUp(): Promise<Checkup>
  /** As a start of the bot would say it: the first key seals from now on. */
  beginSealing(): Promise<void>
  /** Moves what was written into the file itself, and cuts the log off: what was deleted is then in neither. */
  emptyLog(): boolean
  /** Writes the file anew, without what was deleted and without a word of who used it. Only while no bot runs. */
  vacuum(): Promise<void>
}
