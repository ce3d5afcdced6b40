import type {Kysely, Transaction} from 'kysely'
import type {Sealer, SealingKey} from '../security/seal.ts'
import type {Secret} from '../security/secret.ts'
import type {Schema} from './database/schema.ts'
import type {SealedCounts} from './database/sealed-values.ts'
import type {Checkup} from './database/checkup.ts'
import type {Write} from './database/writer.ts'
import type {Claim, Ownership} from './ownership/ownership.ts'
import type {Notices} from './notices/notices.ts'
import type {AuditStore} from './tables/audit.ts'
import type {Tables} from './tables.ts'

/** A database that is open: a file for one bot alone, one of PostgreSQL for as many as work with it. */
export interface Store extends Tables, AsyncDisposable {
  kind: 'sqlite' | 'postgres'
  /** Which of the bots that work with it works for what. */
  ownership: Ownership
  /** What is written here is committed only while the claim holds; else it fails with `ClaimLost`. */
  tablesFor(claim: Claim): Tables
  /** What those who work with this database let each other know. */
  notices: Notices
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
  /** What tells the Slack app from others, where the settings name it: bots of two share no database. */
  app: string | undefined
  /** Where the agent platform is: whoever works with another one would take its answers for those of this one. */
  platform: string | undefined
  sealingKeys: readonly SealingKey[]
  /** Hears what an operator should know, a line for each. */
  tell: (line: string) => void
  /** Ends when the process is asked to stop: what cannot be written then is given up soon, before the store is closed. */
  signal: AbortSignal | undefined
  /** Told every secret that is read or kept. */
  learn: (secret: Secret) => void
  /** A commit took so long; without an error it stands. */
  onCommit: ((tookMs: number, error: unknown) => void) | undefined
  /** Takes secrets out of every text that is to be kept: agents and platforms may quote them. */
  omit: (text: string) => string
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
  /** Whether each bot that runs seals with the key of this id. */
  doAllSealWith(keyId: string): boolean
  checkUp(): Promise<Checkup>
  /** Bots that run look anew at what is set, once this is committed. */
  tellBots(transaction: Transaction<Schema>): Promise<void>
  /** As a start of the bot would say it: the first key seals from now on. */
  beginSealing(): Promise<void>
  /** Moves what was written into the file itself, and cuts the log off: what was deleted is then in neither. */
  emptyLog(): boolean
  /** Writes the file anew, without what was deleted and without a word of who used it. Only while no bot runs. */
  vacuum(): Promise<void>
}
