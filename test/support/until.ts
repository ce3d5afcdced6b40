import {setTimeout as delay} from 'node:timers/promises'

interface UntilOptions {
  withinMs?: number
  /** What to tell when it does not come to pass. */
  tell?: () => string
}

/** Looks again and again until there is something to see; fails, with words, at the deadline. */
export async function until<Value>(
  what: string,
  look: () => Value | undefined | false,
  {withinMs = 30_000, tell}: UntilOptions = {},
): Promise<Value> {
  const endMs = Date.now() + withinMs
  for (;;) {
    const seen = look()
    if (seen !== undefined && seen !== false) return seen
    if (Date.now() > endMs) {
      throw new Error(
        `Not within ${withinMs} ms: ${what}${tell === undefined ? '' : `\n${tell()}`}`,
      )
    }
    await delay(10)
  }
}
