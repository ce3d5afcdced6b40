import {isBusy} from './errors.ts'
import {waitForTurn} from './waits.ts'

/** A start, or a tool, waits this long for a lock of somebody else. */
export const LOCK_WAIT_MS = 10_000

/** A backup or a tool may hold the database for a moment. */
export async function unlessLocked<Result>(act: () => Result | Promise<Result>): Promise<Result> {
  const endMs = performance.now() + LOCK_WAIT_MS
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await act()
    } catch (error) {
      if (!isBusy(error) || performance.now() > endMs) throw error
    }
    await waitForTurn(attempt, 200)
  }
}
