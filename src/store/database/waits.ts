import {setTimeout as delay} from 'node:timers/promises'

/** Growing and jittered, so that two programs that want one lock do not meet again and again. */
export async function waitForTurn(attempt: number, maxMs: number): Promise<void> {
  const ms = Math.min(maxMs, 10 * 2 ** Math.min(attempt, 10))
  await delay(ms / 2 + (Math.random() * ms) / 2)
}
