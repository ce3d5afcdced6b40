import type {Clock} from '../../async/clock.ts'

/**
 * What a reply has to show and nobody sees yet. One for each publisher; everything takes the same short
 * time, however long it waits.
 */
export interface Backlog {
  /** So many characters more. */
  grow(chars: number): void
  /** What has been there until now is about to be seen; unless the returned function is called: then it waits on. */
  shown(): () => void
  /** It is seen. */
  seen(): void
  /** Nothing is left to show: what is held back is not complete, or was taken back. */
  settled(): void
  /** When the oldest came that nobody sees yet, what is on its way there included. */
  unseenSinceMs(): number | undefined
  /** How many wait. */
  chars(): number
  /** How long they have waited since something was last shown, all together: in character-seconds. */
  waited(): number
  /** How fast it grows, smoothed, in characters; a silence is slow growth. */
  perSecond(): number
  /** How long it usually takes until more comes. */
  usualGapMs(): number
  /** How long until the silence is longer than usual, if nothing comes: below 0, it pauses. */
  untilPauseMs(): number
}

/** Growth is looked at over about so long. */
const MEMORY_S = 4
/** The first fragments say little about how fast it will go on. */
const LEAST_AGE_S = 1
const USUAL_GAP_MS = 40
const LEAST_PAUSE_MS = 60

export function createBacklog(clock: Clock): Backlog {
  let chars = 0
  let waited = 0
  let atMs = clock.nowMs()
  /** Of all that came, the older the less. */
  let recent = 0
  let sinceMs: number | undefined
  let grownMs = atMs
  let usualGapMs = USUAL_GAP_MS
  /** When the oldest came of what waits, and of what is about to be seen. */
  let oldestMs: number | undefined
  let leavingMs: number | undefined

  /** Brings everything up to now. */
  const pass = (): void => {
    const nowMs = clock.nowMs()
    const seconds = Math.max(0, nowMs - atMs) / 1000
    atMs = nowMs
    if (seconds === 0) return
    waited += chars * seconds
    recent *= Math.exp(-seconds / MEMORY_S)
  }

  return {
    grow: (more) => {
      pass()
      sinceMs ??= atMs
      // A pause says little about the gaps between.
      const gapMs = Math.min(atMs - grownMs, 3 * usualGapMs)
      usualGapMs += (gapMs - usualGapMs) / 8
      grownMs = atMs
      if (more > 0) oldestMs ??= atMs
      chars += more
      recent += more
    },
    shown: () => {
      pass()
      const before = {chars, waited, atMs}
      chars = 0
      waited = 0
      leavingMs ??= oldestMs
      oldestMs = undefined
      return () => {
        pass()
        chars += before.chars
        waited += before.waited + (before.chars * (atMs - before.atMs)) / 1000
        oldestMs = leavingMs ?? oldestMs
        leavingMs = undefined
      }
    },
    seen: () => {
      leavingMs = undefined
    },
    settled: () => {
      oldestMs = undefined
      leavingMs = undefined
    },
    unseenSinceMs: () => leavingMs ?? oldestMs,
    chars: () => chars,
    waited: () => {
      pass()
      return waited
    },
    perSecond: () => {
      pass()
      if (sinceMs === undefined) return 0
      const ageS = Math.max(LEAST_AGE_S, (atMs - sinceMs) / 1000)
      return recent / (MEMORY_S * (1 - Math.exp(-ageS / MEMORY_S)))
    },
    usualGapMs: () => usualGapMs,
    untilPauseMs: () => grownMs + Math.max(LEAST_PAUSE_MS, 3 * usualGapMs) - clock.nowMs(),
  }
}
