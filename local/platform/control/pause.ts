import type {Clock} from '../clock.ts'

/** Waits by the platform's clock, at most until the signal. */
export async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (ms === 0 || signal.aborted) return
  const {promise, resolve} = Promise.withResolvers<undefined>()
  const wake = (): void => resolve(undefined)
  const cancel = clock.after(ms, wake)
  signal.addEventListener('abort', wake)
  await promise
  cancel()
  signal.removeEventListener('abort', wake)
}
