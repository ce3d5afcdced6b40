import type {Bench} from './bench.ts'
import type {AssumptionId} from './catalogue.ts'

/** Some assumptions that are tried one after the other; those that are left over come after one that did not work. */
export interface Scene {
  ids: readonly AssumptionId[]
  /** Why it is not played here at all. */
  without?: (bench: Bench) => string | undefined
  play: (bench: Bench) => Promise<void>
}
