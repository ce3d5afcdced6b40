import {backoffMs} from '../async/pause.ts'
import {PlatformRateLimited, PlatformUnreachable} from '../platform/errors.ts'

const RETRY = {baseMs: 2000, maxMs: 300_000}

/** After how long something is asked again that the platform cannot tell just now; `undefined`: it declines. */
export function againMs(error: unknown, failures: number): number | undefined {
  const waitMs = backoffMs(failures, RETRY)
  if (error instanceof PlatformRateLimited) return error.retryAfterMs + waitMs
  return error instanceof PlatformUnreachable ? waitMs : undefined
}
