import {aborted, backoffMs, pause} from '../platform/waiting.ts'
import type {Place} from '../store/links.ts'
import type {IntendedPost, PostRow, PostStore} from '../store/posts.ts'
import type {Clock} from './clock.ts'
import type {Ask, Pacer} from './pacer.ts'
import {type KnownPost, type Step, hashOf, isDelivered, plan} from './plan.ts'
import {type Log, type PostWriter, WriteError} from './ports.ts'
import {type WantedPost, essenceOf} from './posts.ts'

/** Makes one place in Slack equal to the wanted posts, one call at a time. */
interface Publisher {
  /** What is wanted has changed; `growth`: only in that a reply became longer. */
  poke(change: 'growth' | 'any'): void
  /** Ends with the signal, after the call in flight; never fails. */
  run(signal: AbortSignal): Promise<void>
}

interface PublisherOptions {
  linkId: string
  place: Place
  wanted: () => readonly WantedPost[]
  /** The posts that may still change, as they stand in the store. */
  standing: readonly PostRow[]
  /** No reply may be settled in front of this `ts`. */
  floor: () => string
  /** Deliveries that stand in their last form, and the newest `ts` of those that are not broken off. */
  onDelivered: (deliveries: ReadonlyMap<string, string | undefined>) => void
  /** Nothing is left to do for now. */
  onIdle: () => void
  posts: PostStore
  writer: PostWriter
  pacer: Pacer
  clock: Clock
  log: Log
}

/** Two edits of one preview are at least this far apart: steadier to read, and kinder to the budget. */
const PREVIEW_GAP_MS = 800
const SPARE_GAP_MS = 15_000

/** A call without an answer is applied by then, or never: absence counts after two looks this far apart. */
const LATE_MS = 15_000

export function createPublisher(options: PublisherOptions): Publisher {
  const {linkId, place, wanted, posts, writer, pacer, clock, log} = options
  const known = new Map(options.standing.map((row) => [row.key, toKnown(row)]))
  const loaded = new Set(options.standing.flatMap(({delivery}) => delivery ?? []))
  const lessons = {plain: new Set<string>(), again: new Set<string>()}
  /** What the pacer is being asked for just now. */
  let awaited: readonly Ask[] = []
  let wake = new AbortController()
  let failures = 0
  let pausedUntilMs = 0

  const poke = (change: 'growth' | 'any'): void => {
    // The grant that is waited for will show the newest text anyhow.
    const isCovered = awaited.some(({rank}) => rank === 'preview' || rank === 'first')
    if (change === 'any' || !isCovered) wake.abort()
  }

  /** A delivery that is new to us may have posts from before a restart. */
  const load = async (post: WantedPost): Promise<void> => {
    const {delivery} = post
    if (delivery === undefined || loaded.has(delivery)) return
    loaded.add(delivery)
    for (const row of await posts.ofDelivery(linkId, delivery)) known.set(row.key, toKnown(row))
  }

  const nextSteps = async (): Promise<Step[]> => {
    const now = wanted()
    for (const post of now) await load(post)
    const gaps = {previewGapMs: PREVIEW_GAP_MS, spareGapMs: SPARE_GAP_MS}
    const rules = {floor: options.floor(), ...gaps}
    const {steps, toConfirm} = plan(now, known, lessons, rules)
    for (const post of toConfirm) await confirm(post, known.get(post.key)?.ts ?? '')
    reportDelivered(now)
    return steps
  }

  const reportDelivered = (now: readonly WantedPost[]): void => {
    const deliveries = new Set(now.filter(({isFinal}) => isFinal).map(({delivery}) => delivery))
    const delivered = new Map<string, string | undefined>()
    for (const delivery of deliveries) {
      if (delivery === undefined || !isDelivered(delivery, now, known, lessons)) continue
      delivered.set(delivery, newestOf(delivery))
    }
    if (delivered.size === 0) return
    options.onDelivered(delivered)
    const still = new Set(wanted().map(({delivery}) => delivery))
    for (const delivery of delivered.keys()) {
      if (!still.has(delivery)) forgetDelivery(delivery)
    }
  }

  const newestOf = (delivery: string): string | undefined => {
    const rows = [...known.values()].filter((row) => row.delivery === delivery)
    const whole = rows.flatMap(({draft, ts}) => (draft === undefined && ts !== undefined ? ts : []))
    return whole.toSorted().at(-1)
  }

  /** What is confirmed and no longer wanted is known to the store alone. */
  const forgetDelivery = (delivery: string): void => {
    loaded.delete(delivery)
    for (const {key, delivery: its} of [...known.values()]) {
      if (its !== delivery) continue
      known.delete(key)
      lessons.plain.delete(key)
      lessons.again.delete(key)
    }
  }

  const toAsk = (step: Step): Ask => ({
    team: place.team,
    channel: place.channel,
    method: writer.methods[step.move],
    rank: step.rank,
    sinceMs: step.sinceMs,
    notBeforeMs: Math.max(step.notBeforeMs, pausedUntilMs),
  })

  const run = async (signal: AbortSignal): Promise<void> => {
    while (!isAborted(signal)) {
      wake = new AbortController()
      const either = AbortSignal.any([signal, wake.signal])
      try {
        const asks = (await nextSteps()).map(toAsk)
        if (asks.length === 0) {
          options.onIdle()
          await aborted(either)
          continue
        }
        awaited = asks
        const granted = asks[(await pacer.next(asks, either)) ?? -1]
        awaited = []
        if (granted !== undefined) await use(granted)
      } catch (error) {
        // Our own store, or a bug: what is wanted stays wanted, and is tried again.
        failures += 1
        log.error({err: error, linkId}, 'The publisher stumbled')
        await pause(backoffMs(failures, TROUBLE), signal)
      }
    }
  }

  /** The newest state counts: what the grant was asked for may have changed meanwhile. */
  const use = async (granted: Ask): Promise<void> => {
    const steps = await nextSteps()
    const step = steps.find(({move}) => writer.methods[move] === granted.method)
    if (step === undefined) {
      pacer.giveBack(granted)
      return
    }
    try {
      await perform(step)
      failures = 0
    } catch (error) {
      if (!(error instanceof WriteError)) throw error
      await recover(step, error)
    }
  }

  const perform = async (step: Step): Promise<void> => {
    switch (step.move) {
      case 'create': {
        const {key, delivery, draft, content} = step.post
        await posts.intend(linkId, {key, delivery, draft}, clock.nowMs())
        known.set(key, intended(step.post))
        await confirm(step.post, await writer.create({place, linkId, key, content}))
        return
      }
      case 'edit':
        await writer.edit({place, ts: step.ts, content: step.post.content})
        await confirm(step.post, step.ts)
        return
      case 'remove':
        // A crash in between leaves an open intent, not a message that somebody seems to have deleted.
        await posts.intend(linkId, draftOf(step.key), clock.nowMs())
        await writer.remove({place, ts: step.ts})
        await forget(step.key)
        return
      case 'find':
        await look(step.key)
        return
      default:
        throw new Error(`Unknown step: ${JSON.stringify(step satisfies never)}`)
    }
  }

  const look = async (key: string): Promise<void> => {
    const row = known.get(key)
    if (row === undefined) return
    const ours = await posts.knownTs(linkId)
    const ts = await writer.find({place, linkId, key, isKnown: (it) => ours.has(it)})
    if (ts !== undefined) {
      // What it says is not known, so it is written once more if it is still wanted.
      await posts.confirm(linkId, {key, ts, hash: undefined, final: false, draft: row.draft})
      known.set(key, {...row, state: 'placed', ts, hash: undefined, essence: undefined})
    } else if (row.looks > 0) {
      await forget(key)
    } else {
      known.set(key, {...row, looks: 1, notBeforeMs: clock.nowMs() + LATE_MS})
    }
  }

  const confirm = async (post: WantedPost, ts: string): Promise<void> => {
    const {key, isFinal: final, draft} = post
    const hash = hashOf(post.content)
    await posts.confirm(linkId, {key, ts, hash, final, draft})
    const essence = hashOf(essenceOf(post.content))
    const before = known.get(key) ?? intended(post)
    const nowMs = clock.nowMs()
    known.set(key, {
      ...before,
      ...{state: 'placed', ts, hash, final, draft, essence},
      shownAtMs: nowMs,
      spareAtMs: before.essence === essence ? nowMs : before.spareAtMs,
      doubtfulUntilMs: before.doubtfulUntilMs > nowMs ? before.doubtfulUntilMs : 0,
      notBeforeMs: 0,
    })
  }

  const draftOf = (key: string): IntendedPost => {
    const row = known.get(key)
    return {key, delivery: row?.delivery, draft: row?.draft}
  }

  const forget = async (key: string): Promise<void> => {
    await posts.forget(linkId, key)
    known.delete(key)
  }

  /** One answer for each class of refusal. */
  const recover = async (step: Step, error: WriteError): Promise<void> => {
    const key = 'post' in step ? step.post.key : step.key
    log.warn({err: error, linkId, key, move: step.move}, 'Slack did not take a call')
    failures += 1
    const waitMs = backoffMs(failures, TROUBLE)
    // A refusal is an answer: the message surely does not exist. No answer leaves the intent open.
    if (step.move === 'create' && error.kind !== 'retry') await forget(key)
    switch (error.kind) {
      case 'wait':
        pacer.pause({team: place.team, method: writer.methods[step.move]}, error.retryAfterMs)
        return
      case 'retry':
        if (step.move === 'edit') doubt(key)
        postpone(key, step.move === 'create' ? 0 : waitMs)
        return
      case 'refused':
        if (lessons.plain.has(key)) pausedUntilMs = clock.nowMs() + backoffMs(failures, STANDSTILL)
        else lessons.plain.add(key)
        return
      case 'gone':
        await lose(step, key)
        return
      case 'unusable':
      case 'mistake':
        pausedUntilMs = clock.nowMs() + backoffMs(failures, STANDSTILL)
        return
      default:
        throw new Error(`Unknown refusal: ${String(error.kind satisfies never)}`)
    }
  }

  const lose = async (step: Step, key: string): Promise<void> => {
    const row = known.get(key)
    if (step.move === 'remove') {
      await forget(key)
    } else if (step.move === 'edit' && row !== undefined) {
      await posts.markGone(linkId, key)
      known.set(key, {...row, state: 'gone', ts: undefined})
      lessons.again.add(key)
    } else {
      // The Slack thread itself is gone.
      pausedUntilMs = clock.nowMs() + backoffMs(failures, STANDSTILL)
    }
  }

  const doubt = (key: string): void => {
    const row = known.get(key)
    if (row !== undefined) known.set(key, {...row, doubtfulUntilMs: clock.nowMs() + LATE_MS})
  }

  const postpone = (key: string, forMs: number): void => {
    const row = known.get(key)
    if (row !== undefined) known.set(key, {...row, notBeforeMs: clock.nowMs() + forMs})
  }

  return {poke, run}
}

const TROUBLE = {baseMs: 500, maxMs: 30_000}
const STANDSTILL = {baseMs: 10_000, maxMs: 600_000}

function toKnown(row: PostRow): KnownPost {
  return {
    ...row,
    essence: undefined,
    shownAtMs: 0,
    spareAtMs: 0,
    doubtfulUntilMs: 0,
    looks: 0,
    notBeforeMs: 0,
  }
}

function intended({key, delivery, draft}: WantedPost): KnownPost {
  return toKnown({
    key,
    delivery,
    state: 'intended',
    ts: undefined,
    hash: undefined,
    final: false,
    draft,
  })
}

function isAborted(signal: AbortSignal): boolean {
  return signal.aborted
}
