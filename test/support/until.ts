import {setTimeout as delay} from 'node:timers/promises'

interface UntilOptions {
  withinMs?: number
  /** What to tell when it does not come to pass. */
  tell?: () => string
}

/** Twice as long as Slack waits between two deliveries of what was not acknowledged. */
const USUAL_MS = 120_000

/** Between two looks; a part of what has been waited for so far, so that long waits leave the machine to what they wait for. */
const LEAST_REST_MS = 10
const MAX_REST_MS = 30
const REST_PART = 0.02

/** What is seen at last, where `undefined` and `false` say that there is nothing yet. */
export type Seen<Value> = Exclude<Awaited<Value>, undefined | false>

/** Looks again and again until there is something to see; fails, with words, at the deadline. */
export async function until<Value>(
  what: string,
  look: () => Value,
  {withinMs = USUAL_MS, tell}: UntilOptions = {},
): Promise<Seen<Value>> {
  const startMs = Date.now()
  const endMs = startMs + withinMs
  for (;;) {
    const seen = await look()
    if (seen !== undefined && seen !== false) return seen as Seen<Value>
    if (Date.now() > endMs) {
      throw new Error(
        `Not within ${withinMs} ms: ${what}${tell === undefined ? '' : `\n${tell()}`}`,
      )
    }
    await delay(Math.min(MAX_REST_MS, LEAST_REST_MS + (Date.now() - startMs) * REST_PART))
  }
}
