import type {Clock} from '../clock.ts'
import {pause} from './pause.ts'

/** Keeps one server running at a time. */
export interface Power<Server> extends AsyncDisposable {
  /** The one that runs, or ran last. */
  current(): Server
  /** Takes it down, waits, and starts the next one. Restarts happen one after the other. */
  restart(downMs: number): Promise<void>
}

export async function switchOn<Server extends AsyncDisposable>(
  clock: Clock,
  start: () => Promise<Server>,
): Promise<Power<Server>> {
  let server = await start()
  let restarts = Promise.resolve()
  const ending = new AbortController()
  const isEnding = (): boolean => ending.signal.aborted
  const restart = async (downMs: number): Promise<void> => {
    if (isEnding()) return
    await server[Symbol.asyncDispose]()
    await pause(clock, downMs, ending.signal)
    if (!isEnding()) server = await start()
  }
  return {
    current: () => server,
    restart: (downMs) => {
      restarts = restarts.then(() => restart(downMs))
      return restarts
    },
    [Symbol.asyncDispose]: async () => {
      ending.abort()
      await restarts
      await server[Symbol.asyncDispose]()
    },
  }
}
