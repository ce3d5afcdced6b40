import {setTimeout as sleep} from 'node:timers/promises'

/** Waits; `false` when the signal was aborted before or meanwhile. */
export async function pause(delayMs: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(delayMs, undefined, {signal})
  } catch (error) {
    if (!signal.aborted) throw error
  }
  return !signal.aborted
}
