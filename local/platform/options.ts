import type {Clock} from './clock.ts'
import type {RateLimit} from './edge/rates.ts'
import type {Seed} from './seed/seed.ts'
import type {Vocabulary} from './threads/vocabulary.ts'

export interface PlatformOptions {
  /** 0 chooses a free one. */
  port?: number
  /** The SQLite file; `:memory:` forgets everything with the process. */
  dataFile?: string
  /** What the organization holds at the first start. */
  seed?: Seed
  clock?: Clock
  /** Multiplies all delays of the agent: 1 is pleasant to watch, 0.05 suits tests. */
  pace?: number
  /** The interval of heartbeats and of key checks on streams. Section 8. */
  heartbeatMs?: number
  /** Open streams above which a new one answers 429. Section 8. */
  maxStreams?: number
  /** Requests of each key above which one answers 429; `null`: no limit. Section 8. */
  rateLimit?: RateLimit | null
  /** Which of the two value sets of section 3.1 threads show. */
  vocabulary?: Vocabulary
  /** The origin of a bot, from which code on agents' machines fetches files, and to which it posts; without it, none does. */
  bot?: string
  /** A file that keeps every row of the ledger. */
  ledgerFile?: string
  /** How many of the newest rows of the ledger stay in memory. */
  ledgerRows?: number
}
