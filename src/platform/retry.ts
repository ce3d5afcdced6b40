import {setTimeout as delay} from 'node:timers/promises'
import {PlatformError, PlatformRateLimited, PlatformUnreachable} from './errors.ts'
import {backoffMs} from '../async/pause.ts'

/**
 * Asks again, up to `retries` times, while the platform cannot be reached or asks for a short wait. A refusal after an attempt
 * that may have arrived is `isDoubtful`.
 */
export async function repeat<Answer>(
  ask: () => Promise<Answer>,
  retries: number,
  signal: AbortSignal,
): Promise<Answer> {
  let isDoubtful = false
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await ask()
    } catch (error) {
      isDoubtful ||= error instanceof PlatformUnreachable && error.mayHaveArrived
      if (error instanceof PlatformError) error.isDoubtful = isDoubtful
      const waitMs = attempt < retries ? retryDelayMs(error, attempt) : undefined
      if (waitMs === undefined) throw error
      await delay(waitMs, undefined, {signal})
    }
  }
}

/** The longest wait of a 429 that a call sits out; a longer one is its caller's to plan. */
const MAX_RETRY_AFTER_MS = 10_000

/** How long to wait before asking again; `undefined`: let the error surface. */
function retryDelayMs(error: unknown, attempt: number): number | undefined {
  if (error instanceof PlatformRateLimited) {
    return error.retryAfterMs <= MAX_RETRY_AFTER_MS ? error.retryAfterMs : undefined
  }
  if (error instanceof PlatformUnreachable) return backoffMs(attempt, {baseMs: 250, maxMs: 4000})
  return undefined
}
