import {type Rate, type Writer, slackRates} from './model.ts'
import {METHODS, type Model, WAYS, byMethod, findPrices} from './optimum.ts'
import {
  PAID,
  type Paid,
  type Prices,
  type Reply,
  type Standing,
  type WritingMode,
  cheapestFrom,
  toReply,
  waitBetween,
} from './plans.ts'
import {createRandom} from '../../local/random.ts'
import {type ThreadWork, imagineRest, unevenWork} from './work.ts'

/** Other replies by the same law: what tokens are usually worth while one is written is known in advance. */
const KNOWN_SEEDS = [1001, 1002]
const SLOT_S = 0.1
const TAIL_S = 10
/** So many ways in which it may go on are imagined before each decision. */
const FUTURES = 24
/** What is imagined to wait knows its future, and so waits too gladly or not enough: the best of these is taken. */
const PARTS_OF_PRICE = [2.5, 3, 3.5, 4, 5]

/**
 * Mean seconds that a character of one reply waits in the best schedule that was found for somebody who sees only the past, and
 * knows the law by which replies are written: how long they are, and how they pause. In each slot it imagines how the reply may
 * go on, and shows what there is where that, and going on as well as can be, costs less in the mean than waiting for the next slot.
 */
export function online(work: ThreadWork, writer: Writer): number {
  const endS = (work.fragments.at(-1)?.atMs ?? 0) / 1000
  const slots = Math.ceil((endS + TAIL_S) / SLOT_S)
  const prices = usualPrices(slots, WAYS[writer])
  return Math.min(...PARTS_OF_PRICE.map((part) => waitOf(work, {writer, slots, prices, part})))
}

interface Setting {
  writer: Writer
  slots: number
  prices: Prices
  part: number
}

function waitOf({fragments}: ThreadWork, {writer, slots, prices, part}: Setting): number {
  const random = createRandom(7)
  const whole = toReply({channel: '', fragments}, slots, SLOT_S)
  const tokens = byMethod((method) => rateOf(method).burst)
  let way: WritingMode | undefined
  let shown = -1
  let waited = 0

  const imagine = (slot: number): Reply => {
    const nowMs = slot * SLOT_S * 1000
    const past = fragments.filter(({atMs}) => atMs <= nowMs + 1e-6)
    const all = [...past, ...imagineRest(random, past, nowMs)]
    return toReply({channel: '', fragments: all}, slots, SLOT_S)
  }

  const costOf = (reply: Reply, from: Standing, next: readonly WritingMode[]): number =>
    Math.min(...next.map((it) => cheapestFrom(it, reply, prices, from).cost))

  const methodsAt = (isOver: boolean): (readonly [Paid | 'post', WritingMode])[] => {
    if (way === 'start') return [['append', way], ...(isOver ? [['stop', way] as const] : [])]
    if (way !== undefined) return [['edit', way]]
    const begin = (it: WritingMode) => [it === 'start' ? 'start' : 'post', it] as const
    return WAYS[writer].filter((it) => (it === 'whole') === isOver || it === 'post').map(begin)
  }

  for (let slot = whole.first; slot < slots; slot += 1) {
    const isOver = slot >= whole.complete
    const seen = waitBetween(whole, shown, slot)
    const futures = isOver ? [whole] : Array.from({length: FUTURES}, () => imagine(slot))
    const ways = way === undefined ? WAYS[writer] : [way]
    const later = mean(futures.map((it) => costOf(it, {shown, from: slot + 1}, ways)))
    const gains = methodsAt(isOver).map(([method, next]) => {
      const price = method === 'post' ? 0 : part * (prices[method][slot] ?? 0)
      const rest = (it: Reply) => (isOver ? 0 : costOf(it, {shown: slot, from: slot + 1}, [next]))
      const canGo = method === 'post' || tokens[method] >= 1
      return {method, next, gain: canGo ? later - seen - mean(futures.map(rest)) - price : -1}
    })
    const best = gains.toSorted((a, b) => b.gain - a.gain)[0]
    if (seen > 0 && best !== undefined && best.gain > 0) {
      waited += seen
      shown = slot
      way = best.next
      if (best.method !== 'post') tokens[best.method] -= 1
      if (isOver) break
    }
    for (const method of PAID) {
      const {perMinute, burst} = rateOf(method)
      tokens[method] = Math.min(burst, tokens[method] + (perMinute / 60) * SLOT_S)
    }
  }
  if (shown < whole.complete) waited += waitBetween(whole, shown, slots - 1)
  return waited / (whole.written[slots - 1] ?? 1)
}

function usualPrices(slots: number, ways: Model['ways']): Prices {
  const all = KNOWN_SEEDS.map((seed) => {
    const replies = unevenWork(1, seed).map((it) => toReply(it, slots, SLOT_S))
    return findPrices({replies, ways, slots, slotS: SLOT_S, rateOf}).prices
  })
  return byMethod((method) =>
    Float64Array.from({length: slots}, (_, slot) => mean(all.map((it) => it[method][slot] ?? 0))),
  )
}

function rateOf(method: Paid): Rate {
  return slackRates[METHODS[method]]?.[0] ?? {perMinute: 1, burst: 1, per: 'workspace'}
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, it) => sum + it, 0) / Math.max(1, numbers.length)
}
