import {setTimeout as delay} from 'node:timers/promises'

/** Waits for a condition, looking every few milliseconds; fails when its deadline passes. */
export async function eventually<Value>(
  look: () => Value | Promise<Value>,
  isReached: (value: Value) => boolean,
  deadlineMs = 30_000,
): Promise<Value> {
  const endMs = Date.now() + deadlineMs
  for (;;) {
    const value = await look()
    if (isReached(value)) return value
    if (Date.now() > endMs) {
      throw new Error(`Not reached within ${deadlineMs} ms: ${JSON.stringify(value)}`)
    }
    await delay(5)
  }
}
