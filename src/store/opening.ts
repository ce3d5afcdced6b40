import type {Sealer, SealingKey} from '../security/seal.ts'
import type {Secret} from '../security/secret.ts'
import type {SealedCounts} from './database/sealed-values.ts'
import type {Checkup} from './sqlite/upkeep/checkup.ts'
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
