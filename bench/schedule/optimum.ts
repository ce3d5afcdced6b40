import {type Rate, type Rates, type Writer, slackRates} from './model.ts'
import {
  PAID,
  type Paid,
  type Plan,
  type Prices,
  type Reply,
  type WritingMode,
  cheapest,
  toReply,
  waitBetween,
} from './plans.ts'
import {type Usage, createUsage} from './usage.ts'
import {createRandom} from '../../local/random.ts'
import {type ThreadWork, unevenWork} from './work.ts'

interface Optimum {
  /** Mean seconds that a character waits in the best schedule that was found. */
  meanS: number
  /** No schedule can do better, as far as prices tell. */
  boundS: number
}

interface Options {
  threads: number
  writer: Writer
  work?: readonly ThreadWork[]
  rates?: Rates
}

export const WAYS: Readonly<Record<Writer, readonly WritingMode[]>> = {
  edit: ['post'],
  stream: ['start', 'whole'],
  auto: ['post', 'start'],
}

export const METHODS: Readonly<Record<Paid, string>> = {
  edit: 'chat.update',
  append: 'chat.appendStream',
  start: 'chat.startStream',
  stop: 'chat.stopStream',
}

/** Behind the end of the work so long is planned; what shows nothing (stops, cards) comes later still. */
const TAIL_S = 35

/**
 * The best schedule for somebody who knows everything that will be written. Every method's tokens get a
 * price in every slot of time; each reply buys what is cheapest for it alone; prices rise where too much is
 * bought and fall where tokens are left over. What all would pay less what the tokens bring in is a bound
 * for every schedule. One that holds to the buckets is made by letting replies choose among the slots with
 * room, guided by the prices, and then taking a few of them out and placing them anew, again and again.
 */
export function optimum({threads, writer, work, rates = slackRates}: Options): Optimum {
  const replies = work ?? unevenWork(threads, 1)
  const endS = Math.max(...replies.map(({fragments}) => fragments.at(-1)?.atMs ?? 0)) / 1000
  const slotS = replies.length <= 5 ? 0.1 : 0.25
  const slots = Math.ceil((endS + (replies.length <= 5 ? 10 : TAIL_S)) / slotS)
  const model: Model = {
    replies: replies.map((it) => toReply(it, slots, slotS)),
    ways: WAYS[writer],
    ...{slots, slotS},
    rateOf: (method) => rates[METHODS[method]]?.[0] ?? {perMinute: 1, burst: 1, per: 'workspace'},
  }
  const chars = replies.reduce(
    (sum, {fragments}) => sum + fragments.reduce((all, it) => all + it.chars, 0),
    0,
  )
  const {prices, bound} = findPrices(model)
  const waited = schedule(model, prices)
  // Who may use both ways may also use one alone.
  const subsets: Writer[] = writer === 'auto' ? ['edit', 'stream'] : []
  const others = subsets.map((it) => {
    const narrow = {...model, ways: WAYS[it]}
    return schedule(narrow, findPrices(narrow).prices)
  })
  return {meanS: Math.min(waited, ...others) / chars, boundS: Math.max(0, bound / chars)}
}

export interface Model {
  replies: readonly Reply[]
  ways: readonly WritingMode[]
  slots: number
  slotS: number
  rateOf: (method: Paid) => Rate
}

const ROUNDS = 300

/** Ascends along the slope of the bound, from the best of a few simple shapes. */
export function findPrices(model: Model): {prices: Prices; bound: number} {
  let best = firstGuess(model)
  const highest = model.replies.reduce((sum, it) => sum + waitBetween(it, -1, it.complete), 0)
  let prices = copyOf(best.prices)
  let direction = byMethod(() => new Float64Array(model.slots))
  let step = 0.3
  let stale = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const {bound, excess} = evaluate(model, prices)
    if (bound > best.bound) {
      best = {prices: copyOf(prices), bound}
      stale = 0
    } else if ((stale += 1) === 8) {
      step *= 0.6
      stale = 0
      prices = copyOf(best.prices)
      direction = byMethod(() => new Float64Array(model.slots))
      continue
    }
    for (const method of PAID) {
      direction[method] = direction[method].map(
        (it, slot) => 0.6 * it + (excess[method][slot] ?? 0),
      )
    }
    const size = PAID.reduce((sum, it) => sum + direction[it].reduce((all, x) => all + x * x, 0), 0)
    if (size < 1e-9) break
    const scale = (step * (highest - bound)) / size
    for (const method of PAID) {
      prices[method] = prices[method].map((it, slot) =>
        Math.max(0, it + scale * (direction[method][slot] ?? 0)),
      )
    }
  }
  return best
}

/** All tokens are worth the same while replies grow, and ever less behind their end. */
function firstGuess(model: Model): {prices: Prices; bound: number} {
  const {replies, slots, slotS} = model
  const end = Math.max(...replies.map(({complete}) => complete))
  let best: {prices: Prices; bound: number} | undefined
  for (const fall of [5, 15, 40, 80]) {
    for (let level = 1; level < 40_000; level *= 2) {
      for (const start of model.ways.includes('start') ? [0, 1, 4] : [0]) {
        const shape = (height: number) =>
          Float64Array.from({length: slots}, (_, slot) =>
            Math.max(0, height * (1 - (Math.max(0, slot - end) * slotS) / fall)),
          )
        const dear = model.ways.includes('start') ? level : 0
        const prices: Prices = {
          edit: shape(model.ways.includes('post') ? level : 0),
          append: shape(dear),
          start: shape(dear * start),
          stop: shape(0),
        }
        const {bound} = evaluate(model, prices, Math.ceil(replies.length / 6))
        if (best === undefined || bound > best.bound) best = {prices, bound}
      }
    }
  }
  const prices = best?.prices ?? byMethod(() => new Float64Array(slots))
  return {prices, bound: evaluate(model, prices).bound}
}

function copyOf(prices: Prices): Record<Paid, Float64Array> {
  return byMethod((it) => prices[it].slice())
}

/** What all would pay at these prices, less what the tokens bring in. Of many alike, every `every`th is asked. */
function evaluate(model: Model, prices: Prices, every = 1) {
  const bought = byMethod(() => new Float64Array(model.slots))
  const asked = model.replies.filter((_, index) => index % every === 0)
  const weight = model.replies.length / asked.length
  let bound = 0
  for (const reply of asked) {
    const plan = cheapest(reply, prices, model.ways)
    bound += costOf(plan, prices, 1) * weight
    for (const {slot, method} of plan.calls) {
      if (method !== 'post') bought[method][slot] = (bought[method][slot] ?? 0) + weight
    }
  }
  for (const method of PAID) bound -= worthOf(model, method, prices[method])
  return {bound, excess: byMethod((it) => excessOf(model, it, prices[it], bought[it]))}
}

/** What the bucket brings in at these prices: a full one at first, its refill, and what it can save up for dear times. */
function worthOf({slots, slotS, rateOf}: Model, method: Paid, prices: Float64Array): number {
  const {perMinute, burst} = rateOf(method)
  let worth = burst * (prices[0] ?? 0)
  for (let slot = 0; slot < slots - 1; slot += 1) {
    const next = prices[slot + 1] ?? 0
    worth += (perMinute / 60) * slotS * next
    worth += burst * Math.max(0, next - (prices[slot] ?? 0))
  }
  return worth
}

/** How much more was bought in each slot than is there: the slope of the bound. */
function excessOf(
  {slots, slotS, rateOf}: Model,
  method: Paid,
  prices: Float64Array,
  bought: Float64Array,
): Float64Array {
  const {perMinute, burst} = rateOf(method)
  const excess = bought.slice()
  excess[0] = (excess[0] ?? 0) - burst
  for (let slot = 0; slot < slots - 1; slot += 1) {
    excess[slot + 1] = (excess[slot + 1] ?? 0) - (perMinute / 60) * slotS
    if ((prices[slot + 1] ?? 0) > (prices[slot] ?? 0)) {
      excess[slot + 1] = (excess[slot + 1] ?? 0) - burst
      excess[slot] = (excess[slot] ?? 0) + burst
    }
  }
  return excess
}

const TRIES = 2000

/** Character-seconds of a schedule in which everything fits: some replies are taken out and placed anew, again and again. */
function schedule(model: Model, prices: Prices): number {
  const {replies, ways, slots, slotS, rateOf} = model
  const random = createRandom(1)
  const usages = byMethod((method) => createUsage(slots, slotS, rateOf(method)))
  const plans = replies.map((reply) => place(reply, usages, prices, 1, ways))
  for (let turn = 0; turn < TRIES; turn += 1) {
    const count = Math.min(replies.length, 1 + Math.floor(random() * 5))
    const chosen = new Set(Array.from({length: count}, () => Math.floor(random() * replies.length)))
    const guidance = 0.2 + 1.6 * random()
    const olds = [...chosen].map((index) => ({index, plan: plans[index]}))
    for (const {plan} of olds) if (plan !== undefined) clear(plan, usages)
    const nexts = olds.flatMap(({index}) => {
      const reply = replies[index]
      return reply === undefined ? [] : {index, plan: place(reply, usages, prices, guidance, ways)}
    })
    const before = olds.reduce((sum, {plan}) => sum + (plan?.waited ?? 0), 0)
    const after = nexts.reduce((sum, {plan}) => sum + plan.waited, 0)
    if (after < before) {
      for (const {index, plan} of nexts) plans[index] = plan
    } else {
      for (const {plan} of nexts) clear(plan, usages)
      for (const {plan} of olds) if (plan !== undefined) put(plan, usages)
    }
  }
  return plans.reduce((sum, {waited}) => sum + waited, 0)
}

type Usages = Readonly<Record<Paid, Usage>>

/**
 * Chooses among the slots with room. Where its own calls take each other's room the later one waits for the next slot with
 * room, or is left out if another one comes before that.
 */
function place(
  reply: Reply,
  usages: Usages,
  prices: Prices,
  guidance: number,
  ways: Model['ways'],
): Plan {
  const open = byMethod((method) =>
    prices[method].map((price, slot) => (usages[method].fits(slot) ? price * guidance : Infinity)),
  )
  const wanted = cheapest(reply, open, ways)
  const calls: Plan['calls'][number][] = []
  let waited = 0
  let shown = -1
  for (const [index, {slot: earliest, method}] of wanted.calls.entries()) {
    let slot = Math.max(earliest, shown + 1)
    const next = wanted.calls[index + 1]?.slot ?? Infinity
    if (method !== 'post') {
      const usage = usages[method]
      while (slot < next && slot < usage.counts.length - 1 && !usage.fits(slot)) slot += 1
      if (slot >= next) continue
      usage.add(slot)
    }
    calls.push({slot, method})
    waited += waitBetween(reply, shown, slot)
    shown = slot
  }
  return {calls, waited}
}

function put({calls}: Plan, usages: Usages): void {
  for (const {slot, method} of calls) if (method !== 'post') usages[method].add(slot)
}

function clear({calls}: Plan, usages: Usages): void {
  for (const {slot, method} of calls) if (method !== 'post') usages[method].remove(slot)
}

function costOf({calls, waited}: Plan, prices: Prices, guidance: number): number {
  return calls.reduce(
    (sum, {slot, method}) => sum + (method === 'post' ? 0 : guidance * (prices[method][slot] ?? 0)),
    waited,
  )
}

export function byMethod<T>(make: (method: Paid) => T): Record<Paid, T> {
  return {edit: make('edit'), append: make('append'), start: make('start'), stop: make('stop')}
}
