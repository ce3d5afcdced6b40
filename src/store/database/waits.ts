import {setTimeout as delay} from 'node:timers/promises'
import {isBusy} from './errors.ts'

/**
 * Growing and jittered, so that two programs that want one lock do not meet again and again. The first waits are short:
 * who was in the way of a change that could not be serialized has committed by then.
 */
export async function waitForTurn(attempt: number, maxMs: number): Promise<void> {
  const ms = Math.min(maxMs, 2 ** Math.min(attempt, 10))
  await delay(ms / 2 + (Math.random() * ms) / 2)
}

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
