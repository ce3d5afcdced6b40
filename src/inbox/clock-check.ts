/** What is wrong with this machine's clock, or that nobody has said what time it is. */
export type ClockTrouble =
  | {kind: 'unproved'}
  /** `ms`: how far it is ahead of theirs. */
  | {kind: 'off'; from: ClockWitness; ms: number}
  /** `ms`: how far it is behind what was written down last. */
  | {kind: 'behind-rows'; ms: number}

/** Who says in a `Date` header what time it is. */
const WITNESSES = ['slack', 'platform'] as const
type ClockWitness = (typeof WITNESSES)[number]

/** Whether our clock may be trusted with what cannot be undone: what is deleted or given up by its age. */
export interface ClockCheck {
  /** A `Date` header, as it came. */
  heard: (from: ClockWitness, date: string | null | undefined) => void
  /** How far it is ahead of Slack's; `undefined` where Slack has not said lately what time it is. */
  aheadOfSlackMs: () => number | undefined
  /** What time it is by the platform's clock: by ours where it has not said lately. */
  platformMs: () => number
  /** `undefined` while it is right. */
  trouble: () => Promise<ClockTrouble | undefined>
  /** Whether something is older than that, by a clock that is right. */
  isOlder: (sinceMs: number, thanMs: number) => Promise<boolean>
}

interface ClockCheckOptions {
  /** When the newest row was written, as far as it can be told quickly. */
  newestRowMs: () => Promise<number | undefined>
  nowMs?: () => number
  /** Of a clock that nobody sets. */
  elapsedMs?: () => number
}

/** Nobody sets a clock wrong by less: it would not be noticed in what is deleted after days. */
const MAX_OFF_MS = 3_600_000
/** A `Date` that was heard longer ago says nothing of a clock that may have been set since. */
const FRESH_MS = 600_000

export function createClockCheck({
  newestRowMs,
  nowMs = Date.now,
  elapsedMs = () => performance.now(),
}: ClockCheckOptions): ClockCheck {
  const last = new Map<ClockWitness, {theirMs: number; atMs: number}>()

  const heard: ClockCheck['heard'] = (from, date) => {
    const theirMs = Date.parse(date ?? '')
    if (!Number.isNaN(theirMs)) last.set(from, {theirMs, atMs: elapsedMs()})
  }

  const aheadOf = (witness: ClockWitness): number | undefined => {
    const said = last.get(witness)
    if (said === undefined || elapsedMs() - said.atMs > FRESH_MS) return undefined
    return nowMs() - (said.theirMs + elapsedMs() - said.atMs)
  }

  const trouble: ClockCheck['trouble'] = async () => {
    const aheadMs = WITNESSES.map((from) => ({from, ms: aheadOf(from)}))
    for (const {from, ms} of aheadMs) {
      if (ms !== undefined && Math.abs(ms) > MAX_OFF_MS) return {kind: 'off', from, ms}
    }
    const behindMs = ((await newestRowMs()) ?? 0) - nowMs()
    if (behindMs > MAX_OFF_MS) return {kind: 'behind-rows', ms: behindMs}
    return aheadMs.every(({ms}) => ms === undefined) ? {kind: 'unproved'} : undefined
  }

  const isOlder: ClockCheck['isOlder'] = async (sinceMs, thanMs) =>
    nowMs() - sinceMs > thanMs && (await trouble()) === undefined

  return {
    heard,
    aheadOfSlackMs: () => aheadOf('slack'),
    platformMs: () => nowMs() - (aheadOf('platform') ?? 0),
    trouble,
    isOlder,
  }
}
