/**
 * What events have said of the checks of one commit. A check that runs again has a higher number, and of one run what is
 * further on counts; so `joinChecks` is commutative, associative and idempotent, too.
 */
export interface Checks {
  /** In the order of their keys. */
  runs: readonly Check[]
  /** There are more than are kept: nobody can say that all have passed. */
  isMore?: true
}

const OUTCOMES = ['failed', 'running', 'passed', 'nothing'] as const

export interface Check {
  /** Who runs it, and its name; what has another one is another check. */
  key: string
  name: string
  /** Compared from the front: what is higher is newer. */
  order: readonly number[]
  /** `nothing`: what it said counts no more. */
  outcome: (typeof OUTCOMES)[number]
  url: string
}

/** Of one commit. Those with the lowest keys stay, so that it does not matter which came first. */
export const MOST_CHECKS = 400

export function joinChecks(a: Checks, b: Checks): Checks {
  const byKey = new Map<string, Check>()
  for (const run of [...a.runs, ...b.runs]) {
    const known = byKey.get(run.key)
    if (known === undefined || compare(run, known) > 0) byKey.set(run.key, run)
  }
  const runs = [...byKey.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1))
  const isMore = a.isMore === true || b.isMore === true || runs.length > MOST_CHECKS
  return {runs: runs.slice(0, MOST_CHECKS), ...(isMore && {isMore})}
}

/** Positive: the first is newer. What is of one moment is told as the worse of both. */
function compare(a: Check, b: Check): number {
  const length = Math.max(a.order.length, b.order.length)
  for (let at = 0; at < length; at += 1) {
    const difference = (a.order[at] ?? 0) - (b.order[at] ?? 0)
    if (difference !== 0) return difference
  }
  const worse = OUTCOMES.indexOf(b.outcome) - OUTCOMES.indexOf(a.outcome)
  return worse || compareTexts(a.url, b.url) || compareTexts(a.name, b.name)
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
