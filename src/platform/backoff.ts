/**
 * The wait before attempt `attempt + 1` (attempts count from 0): exponential with full jitter, so
 * that many who failed together do not come back together.
 */
export function backoffMs(
  attempt: number,
  {baseMs, maxMs}: {baseMs: number; maxMs: number},
  random: () => number = Math.random,
): number {
  return random() * Math.min(maxMs, baseMs * 2 ** Math.min(attempt, 30))
}
