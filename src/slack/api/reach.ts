import type {CallOutcome} from './call-watch.ts'

/** Whether Slack answers at all: over HTTP no connection says so. */
interface Reach {
  /** What came of a call. */
  heard(outcome: CallOutcome): void
  /** The last call was not answered: it may have been that one alone. */
  isDoubtful(): boolean
  /** In words, once nothing was answered for a minute. */
  explain(): string | undefined
}

const PATIENCE_MS = 60_000

export function createReach(nowMs: () => number): Reach {
  let silent: {firstMs: number; lastMs: number} | undefined
  return {
    heard: (outcome) => {
      const now = nowMs()
      silent = outcome === 'unanswered' ? {firstMs: silent?.firstMs ?? now, lastMs: now} : undefined
    },
    isDoubtful: () => silent !== undefined,
    explain: () => {
      const isLong = silent !== undefined && silent.lastMs - silent.firstMs >= PATIENCE_MS
      return isLong ? 'does not answer' : undefined
    },
  }
}
