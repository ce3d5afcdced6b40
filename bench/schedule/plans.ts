import {LATENCY_MS} from './model.ts'
import type {ThreadWork} from './work.ts'

/** What is shown by calls of these methods, and which of them a token is paid for. */
export type Paid = 'edit' | 'append' | 'start' | 'stop'

export const PAID: readonly Paid[] = ['edit', 'append', 'start', 'stop']

/** How one reply is shown: every call that shows something. What shows nothing waits until nobody is left. */
export interface Plan {
  /** A beginning by a post costs nothing: posts are plenty. */
  calls: readonly {slot: number; method: Paid | 'post'}[]
  /** Character-seconds that its characters wait. */
  waited: number
}

export interface Reply {
  /** The slots in which there is something to show for the first time, and all of it. */
  first: number
  complete: number
  /** What may be shown by the end of each slot: characters, and the sum of the seconds at which they were written. */
  written: Float64Array
  moments: Float64Array
  /** When what is shown in this slot is seen. */
  seenS: (slot: number) => number
}

export function toReply({fragments}: ThreadWork, slots: number, slotS: number): Reply {
  const written = new Float64Array(slots)
  const moments = new Float64Array(slots)
  const said: {atMs: number; chars: number}[] = []
  let [chars, moment, next, readable] = [0, 0, 0, 0]
  for (let slot = 0; slot < slots; slot += 1) {
    for (let it = fragments[next]; it !== undefined && it.atMs <= slot * slotS * 1000 + 1e-6;) {
      said.push({...it})
      readable = it.readable ?? chars + said.reduce((sum, one) => sum + one.chars, 0)
      next += 1
      it = fragments[next]
    }
    for (let it = said[0]; it !== undefined && chars < readable;) {
      const shown = Math.min(it.chars, readable - chars)
      chars += shown
      moment += (shown * it.atMs) / 1000
      it.chars -= shown
      if (it.chars === 0) said.shift()
      it = said[0]
    }
    written[slot] = chars
    moments[slot] = moment
  }
  return {
    first: written.findIndex((it) => it > 0),
    complete: written.findIndex((it) => it === chars),
    written,
    moments,
    seenS: (slot) => slot * slotS + LATENCY_MS / 2000,
  }
}

/** Character-seconds, if what was written up to one slot was shown there and the rest in the other. */
export function waitBetween({written, moments, seenS}: Reply, shown: number, slot: number): number {
  const [from, before] = shown < 0 ? [0, 0] : [written[shown] ?? 0, moments[shown] ?? 0]
  return ((written[slot] ?? 0) - from) * seenS(slot) - ((moments[slot] ?? 0) - before)
}

/** Begun by a post and edited, begun as a stream, or posted once it is complete. */
export type WritingMode = 'post' | 'start' | 'whole'

export type Prices = Readonly<Record<Paid, Float64Array>>

/** The cheapest way to show a reply by these prices; a price of Infinity is a slot that has no room. */
export function cheapest(reply: Reply, prices: Prices, ways: readonly WritingMode[]): Plan {
  const plans = ways.map((way) => cheapestFrom(way, reply, prices))
  return plans.reduce((best, it) => (it.cost < best.cost ? it : best))
}

/** What has been shown in the slot `shown` (-1: nothing) is to be gone on with from the slot `from` on. */
export interface Standing {
  shown: number
  from: number
}

export function cheapestFrom(
  way: WritingMode,
  reply: Reply,
  prices: Prices,
  {shown: begun, from}: Standing = {shown: -1, from: reply.first},
): Plan & {cost: number} {
  const {complete} = reply
  const slots = prices.edit.length
  const grow = way === 'start' ? 'append' : 'edit'
  const costs = new Float64Array(slots).fill(Infinity)
  const before = new Int32Array(slots).fill(-1)
  const endings = new Array<Paid>(slots).fill(grow)
  const earlier = createEnvelope()
  if (begun >= 0) {
    costs[begun] = 0
    earlier.add(begun, reply.written[begun] ?? 0, reply.moments[begun] ?? 0)
  }
  for (let slot = Math.max(from, reply.first); slot < slots; slot += 1) {
    const isOver = slot >= complete
    const startPrice = {
      post: 0,
      start: isOver ? Infinity : (prices.start[slot] ?? 0),
      whole: isOver ? 0 : Infinity,
    }[way]
    const growPrice = way === 'whole' ? Infinity : (prices[grow][slot] ?? 0)
    const stopPrice = way === 'start' && isOver ? (prices.stop[slot] ?? 0) : Infinity
    if (stopPrice < growPrice) endings[slot] = 'stop'
    const atOnce = begun < 0 ? waitBetween(reply, -1, slot) + startPrice : Infinity
    const shown = earlier.lowestAt(reply.seenS(slot))
    const later =
      shown < 0
        ? Infinity
        : (costs[shown] ?? 0) + waitBetween(reply, shown, slot) + Math.min(growPrice, stopPrice)
    costs[slot] = Math.min(atOnce, later)
    before[slot] = later < atOnce ? shown : -1
    const [written, moment] = [reply.written[slot] ?? 0, reply.moments[slot] ?? 0]
    if (!isOver) earlier.add(slot, written, (costs[slot] ?? 0) + moment)
  }
  let last = Math.max(from, complete)
  for (let slot = last; slot < slots; slot += 1) {
    if ((costs[slot] ?? 0) < (costs[last] ?? 0)) last = slot
  }
  const calls: Plan['calls'][number][] = []
  let waited = 0
  for (let slot = last; slot > begun; slot = before[slot] ?? -1) {
    const shown = before[slot] ?? -1
    calls.unshift({
      slot,
      method: shown < 0 ? (way === 'start' ? 'start' : 'post') : (endings[slot] ?? grow),
    })
    waited += waitBetween(reply, shown, slot)
  }
  return {calls, waited, cost: costs[last] ?? Infinity}
}

/**
 * What was shown last decides the cost of the next showing as a line over time: `height - chars · seconds`.
 * Lines come ever steeper and are asked for ever later, so only the lowest ones are kept.
 */
function createEnvelope() {
  const lines: {slot: number; chars: number; height: number}[] = []
  let front = 0

  const meet = (a: (typeof lines)[number], b: (typeof lines)[number]): number =>
    (b.height - a.height) / (b.chars - a.chars)

  return {
    add: (slot: number, chars: number, height: number): void => {
      if (height === Infinity) return
      const line = {slot, chars, height}
      const twin = lines.at(-1)
      if (twin?.chars === chars) {
        if (twin.height <= height) return
        lines.pop()
      }
      for (;;) {
        const [low, lower] = [lines.at(-1), lines.at(-2)]
        if (low === undefined || lower === undefined || meet(lower, low) < meet(low, line)) break
        lines.pop()
      }
      lines.push(line)
    },
    /** Its slot; -1 when nothing was shown yet. */
    lowestAt: (seconds: number): number => {
      front = Math.max(0, Math.min(front, lines.length - 1))
      for (;;) {
        const [line, next] = [lines[front], lines[front + 1]]
        if (line === undefined) return -1
        if (next === undefined || meet(line, next) > seconds) return line.slot
        front += 1
      }
    },
  }
}
