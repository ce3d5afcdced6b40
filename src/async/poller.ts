/** Looks whether something in a table is due: one look at a time, and again for whatever came meanwhile. */
export interface Poller extends AsyncDisposable {
  /** Something may be due sooner than was thought. */
  wake: () => void
}

interface PollerOptions {
  /** Begins what is due; after how many milliseconds more will be, or `undefined` when time alone brings nothing. */
  look: (signal: AbortSignal) => Promise<number | undefined>
  /** It is looked again after `retryMs`. */
  onFailure: (error: unknown) => void
  retryMs: number
}

/** Somebody may set the clock. */
export const LONGEST_SLEEP_MS = 60_000

export function createPoller({look, onFailure, retryMs}: PollerOptions): Poller {
  const stop = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let isStale = false

  const wake = (): void => {
    isStale = true
    if (looking !== undefined || stop.signal.aborted) return
    looking = lookOnce().finally(() => {
      looking = undefined
      // Woken behind its last look.
      if (isStale) wake()
    })
  }

  const lookOnce = async (): Promise<void> => {
    isStale = false
    try {
      sleep(await look(stop.signal))
    } catch (error) {
      onFailure(error)
      sleep(retryMs)
    }
  }

  const sleep = (ms: number | undefined): void => {
    if (ms === undefined || stop.signal.aborted) return
    clearTimeout(timer)
    timer = setTimeout(wake, Math.min(Math.max(ms, 1), LONGEST_SLEEP_MS)).unref()
  }

  return {
    wake,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      clearTimeout(timer)
      await looking
    },
  }
}
