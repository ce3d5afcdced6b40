import type {Clock} from '../../async/clock.ts'
import type {Backlog} from './backlog.ts'
import type {Bucket} from '../../async/buckets.ts'

/**
 * The growing replies that share one method of one workspace, and what a token of it is worth to them.
 *
 * A reply that grows by `g` characters a second and is shown every `T` seconds has gathered `g·T²/2`
 * character-seconds by then, and saves so many: that is what its token is worth. The least text waits when
 * all tokens are worth the same. With `r` tokens a second for all, that worth is `(Σ√g)² / 2r²`. Replies come in
 * bursts, though, and what is shown in the pauses between waits less: the price is two thirds of that. A reply is shown
 * when what it has gathered reaches the price.
 */
export interface Contention {
  /** It waits for its turn to begin. */
  wait(backlog: Backlog): void
  /** It has begun. */
  join(backlog: Backlog): void
  waitNoMore(backlog: Backlog): void
  leave(backlog: Backlog): void
  /** A token went to something better than growth. */
  spend(): void
  /** What a token must be worth just now, in character-seconds. */
  price(): number
  /** Tokens that growth leaves to what ranks above it. */
  reserve(): number
  /** Seconds between two showings of this one, were it among them. */
  intervalFor(backlog: Backlog): number
  /** How many replies will need a last edit, this one among them, over how many there are tokens for soon. */
  load(): number
  /** More want to be shown than there will be last edits for. */
  isCrowded(): boolean
}

/** A burst lasts for about so long. */
const BURST_S = 14
/** A reply that has begun needs its last edit within about so long. */
const REPLY_S = 14
/** Of those who are about to begin so many count as if they had begun. */
const COMING = 0.5
/** What goes to something better than growth is looked at over about so long. */
const SPENT_S = 50

/** What is known of the others is looked up this often. */
const FRESH_MS = 100

export function createContention(bucket: Bucket, clock: Clock): Contention {
  const live = new Set<Backlog>()
  const waiting = new Set<Backlog>()
  let crowd = 0
  /** Of those who wait to begin, on average, what each would add to the crowd. */
  let comer = 0
  let countedMs = -Infinity
  let spent = 0
  let spentMs = clock.nowMs()

  const count = (): void => {
    const nowMs = clock.nowMs()
    if (nowMs - countedMs < FRESH_MS && nowMs >= countedMs) return
    countedMs = nowMs
    crowd = 0
    for (const backlog of live) {
      const growth = backlog.perSecond()
      // It has ended, or rests; then it comes back with what it asks for next.
      if (growth < 0.1) live.delete(backlog)
      else crowd += Math.sqrt(growth)
    }
    let comers = 0
    for (const backlog of waiting) comers += Math.sqrt(backlog.perSecond())
    comer = comers / Math.max(1, waiting.size)
  }

  const spentPerSecond = (): number => {
    const nowMs = clock.nowMs()
    spent *= Math.exp(-Math.max(0, nowMs - spentMs) / 1000 / SPENT_S)
    spentMs = nowMs
    return spent / SPENT_S
  }

  const reserve = (): number => {
    count()
    return Math.min((bucket.burst() - 1) * 0.9, 1 + live.size / 2)
  }

  /** A burst is not spent at once: it lasts for a while. */
  const perSecond = (): number => {
    const steady = Math.max(bucket.perSecond() / 5, bucket.perSecond() - spentPerSecond())
    return steady + Math.max(0, bucket.tokens() - reserve()) / BURST_S
  }

  /** Last edits that there will be tokens for within the length of a reply. */
  const room = (): number => bucket.tokens() + bucket.perSecond() * REPLY_S

  const isCrowded = (): boolean => live.size + waiting.size > room()

  /** What those who are about to begin will make of the crowd. */
  const comingCrowd = (): number => {
    const coming = Math.max(0, Math.min(waiting.size, room() - live.size))
    return COMING * coming * comer
  }

  const priceOf = (tokens: number): number => {
    // Of a full bucket tokens run over: they cost nothing.
    const scarcity = Math.min(1, bucket.burst() - tokens)
    const roots = crowd + comingCrowd()
    // Where not everybody is shown while they write, what has begun is not left alone for as long as that would take.
    const part = isCrowded() ? 6 : 3
    return (scarcity * roots * roots) / (part * perSecond() ** 2)
  }

  return {
    wait: (backlog) => void waiting.add(backlog),
    join: (backlog) => {
      if (live.has(backlog)) return
      live.add(backlog)
      crowd += Math.sqrt(backlog.perSecond())
    },
    waitNoMore: (backlog) => void waiting.delete(backlog),
    leave: (backlog) => {
      if (live.delete(backlog)) countedMs = -Infinity
    },
    spend: () => {
      spent = spentPerSecond() * SPENT_S + 1
    },
    price: () => {
      count()
      return priceOf(bucket.tokens())
    },
    reserve,
    intervalFor: (backlog) => {
      count()
      const root = Math.sqrt(Math.max(1, backlog.perSecond()))
      const others = live.has(backlog) ? crowd - root : crowd
      return (Math.max(0, others) + root) / (root * perSecond())
    },
    load: () => (live.size + 1) / room(),
    isCrowded,
  }
}
