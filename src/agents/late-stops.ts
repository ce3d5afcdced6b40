import {backoffMs, isAborted, pause} from '../async/pause.ts'
import {TryLater} from '../inbox/try-later.ts'

/** Interrupts what a stop came too late for, as soon as anybody sees it, and until it is done. */
interface LateStops extends AsyncDisposable {
  /** `show`: shows what our tables now say of it. */
  look(linkId: string, show: Show): void
}

type Show = (linkId: string) => Promise<void>

interface LateStopsOptions {
  /** @throws {TryLater} while the platform cannot be reached. */
  stop: (linkId: string, show: Show, signal: AbortSignal) => Promise<void>
  log: {error(details: object, message: string): void}
}

const RETRY = {baseMs: 500, maxMs: 15_000}

export function createLateStops({stop, log}: LateStopsOptions): LateStops {
  const ending = new AbortController()
  const underway = new Map<string, Promise<void>>()
  /** Seen while the one before was being seen to. */
  const again = new Set<string>()

  const run = async (linkId: string, show: Show): Promise<void> => {
    for (let attempt = 0; !isAborted(ending.signal); attempt += 1) {
      again.delete(linkId)
      try {
        await stop(linkId, show, ending.signal)
        if (!again.has(linkId)) return
        attempt = 0
      } catch (error) {
        if (isAborted(ending.signal)) return
        if (!(error instanceof TryLater)) {
          log.error({err: error, linkId}, 'What a stop came too late for could not be interrupted')
        }
        const afterMs = error instanceof TryLater ? error.afterMs : 0
        await pause(Math.max(afterMs, 100, backoffMs(attempt, RETRY)), ending.signal)
      }
    }
  }

  return {
    look: (linkId, show) => {
      if (underway.has(linkId)) again.add(linkId)
      else
        underway.set(
          linkId,
          run(linkId, show).finally(() => underway.delete(linkId)),
        )
    },
    [Symbol.asyncDispose]: async () => {
      ending.abort()
      await Promise.all(underway.values())
    },
  }
}
