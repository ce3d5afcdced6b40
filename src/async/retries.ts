import {createBackground} from './background.ts'
import {untilDone} from './until-done.ts'

/** Work that nobody waits for and that must not be lost: each piece is tried until it is done, or all ends. */
export interface Retries extends AsyncDisposable {
  keep(act: () => Promise<void>): void
}

export function createRetries(onFailure: (error: unknown) => void): Retries {
  const stop = new AbortController()
  const background = createBackground(() => undefined) // it failed as all ended
  return {
    keep: (act) => {
      if (stop.signal.aborted) return
      background.keep(untilDone(act, {onFailure, signal: stop.signal}))
    },
    [Symbol.asyncDispose]: () => {
      stop.abort()
      return background.ended()
    },
  }
}
