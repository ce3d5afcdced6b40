import {aborted, backoffMs, pause} from '../platform/waiting.ts'
import type {Place} from '../store/links.ts'
import type {PostRow, PostStore} from '../store/posts.ts'
import type {Clock} from './clock.ts'
import {createKnownPosts} from './known-posts.ts'
import {NOTHING_LEARNT, learnLoss, learnRefusal, unlearn, unlearnPlain} from './lessons.ts'
import type {Obstacles} from './obstacles.ts'
import type {Ask, Pacer} from './pacer.ts'
import {type FilePost, type Step, isDelivered, plan} from './plan.ts'
import {type Log, type PostWriter, WriteError} from './ports.ts'
import type {WantedPost} from './post.ts'
import type {Shaping} from './reply-posts.ts'

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
  wanted: (shaping: Shaping) => readonly WantedPost[]
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
  obstacles: Obstacles
  clock: Clock
  log: Log
}

/** Two edits of one preview are at least this far apart: steadier to read, and kinder to the budget. */
const PREVIEW_GAP_MS = 800
const SPARE_GAP_MS = 15_000

/** A call without an answer is applied by then, or never: absence counts after two looks this far apart. */
const LATE_MS = 15_000
/** The message of a shared file appears by itself: it is looked for more often. */
const FILE_LOOK_MS = 1500

export function createPublisher(options: PublisherOptions): Publisher {
  const {linkId, place, writer, pacer, obstacles, clock, log} = options
  const known = createKnownPosts(options)
  let lessons = NOTHING_LEARNT
  /** What the pacer is being asked for just now. */
  let awaited: readonly Ask[] = []
  let wake = new AbortController()
  let failures = 0
  let pausedUntilMs = 0

  const wanted = (): readonly WantedPost[] => options.wanted(lessons)

  const poke = (change: 'growth' | 'any'): void => {
    // The grant that is waited for will show the newest text anyhow.
    const isCovered = awaited.some(({rank}) => rank === 'preview' || rank === 'first')
    if (change === 'any' || !isCovered) wake.abort()
  }

  const nextSteps = async (): Promise<Step[]> => {
    const now = wanted()
    for (const {delivery} of now) if (delivery !== undefined) await known.load(delivery)
    const gaps = {previewGapMs: PREVIEW_GAP_MS, spareGapMs: SPARE_GAP_MS}
    const rules = {floor: options.floor(), ...gaps}
    const {steps, toConfirm} = plan(now, known.all, lessons, rules)
    for (const post of toConfirm) await known.confirm(post, known.all.get(post.key)?.ts ?? '')
    reportDelivered(now)
    return steps
  }

  const reportDelivered = (now: readonly WantedPost[]): void => {
    const deliveries = new Set(now.filter(({isFinal}) => isFinal).map(({delivery}) => delivery))
    const delivered = new Map<string, string | undefined>()
    for (const delivery of deliveries) {
      if (delivery === undefined || !isDelivered(delivery, now, known.all, lessons)) continue
      delivered.set(delivery, newestOf(delivery))
    }
    if (delivered.size === 0) return
    options.onDelivered(delivered)
    const still = new Set(wanted().map(({delivery}) => delivery))
    for (const delivery of delivered.keys()) {
      // What is confirmed and no longer wanted is known to the store alone.
      if (!still.has(delivery)) lessons = unlearn(lessons, delivery, known.release(delivery))
    }
  }

  const newestOf = (delivery: string): string | undefined => {
    const rows = [...known.all.values()].filter((row) => row.delivery === delivery)
    const whole = rows.flatMap(({draft, ts}) => (draft === undefined && ts !== undefined ? ts : []))
    return whole.toSorted().at(-1)
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
      obstacles.pass(granted)
    } catch (error) {
      if (!(error instanceof WriteError)) throw error
      await recover(step, error)
    }
  }

  const perform = async (step: Step): Promise<void> => {
    switch (step.move) {
      case 'create': {
        const {key, content} = step.post
        await known.intend(step.post)
        await known.confirm(step.post, await writer.create({place, linkId, key, content}))
        lessons = unlearnPlain(lessons, step.post)
        return
      }
      case 'share':
        await share(step.post)
        return
      case 'edit':
        await writer.edit({place, ts: step.ts, content: step.post.content})
        await known.confirm(step.post, step.ts)
        return
      case 'remove':
        await known.intendRemoval(step.key)
        await writer.remove({place, ts: step.ts})
        await known.forget(step.key)
        return
      case 'find':
        await look(step.key)
        return
      default:
        throw new Error(`Unknown step: ${JSON.stringify(step satisfies never)}`)
    }
  }

  /** The file is with Slack, and named in our table, before anybody sees it; then its message is looked for. */
  const share = async (post: FilePost): Promise<void> => {
    const file = await writer.upload(post.content)
    await known.intend(post, file)
    await writer.share({place, file, content: post.content})
  }

  const look = async (key: string): Promise<void> => {
    const row = known.all.get(key)
    if (row === undefined) return
    const {file, soughtSinceMs = clock.nowMs()} = row
    const ours = await options.posts.knownTs(linkId)
    const ts = await writer.find({place, linkId, key, file, isKnown: (it) => ours.has(it)})
    const lookedForMs = clock.nowMs() - soughtSinceMs
    if (ts !== undefined) {
      await known.adopt(key, ts)
    } else if (lookedForMs >= LATE_MS) {
      await known.forget(key)
    } else {
      const afterMs = file === undefined ? LATE_MS : FILE_LOOK_MS
      known.note(key, {soughtSinceMs, notBeforeMs: clock.nowMs() + afterMs})
    }
  }

  /** One answer for each class of refusal. */
  const recover = async (step: Step, error: WriteError): Promise<void> => {
    const {kind, code} = error
    const {team, channel} = place
    const key = 'post' in step ? step.post.key : step.key
    const method = writer.methods[step.move]
    log.warn({err: error, linkId, key, move: step.move}, 'Slack did not take a call')
    failures += 1
    const isMaking = step.move === 'create' || step.move === 'share'
    // A refusal is an answer: the message surely does not exist. No answer leaves the intent open.
    if (isMaking && kind !== 'retry') await known.forget(key)
    switch (kind) {
      case 'wait':
        pacer.pause({team, method}, error.retryAfterMs)
        return
      case 'retry':
        tryAgain(step, key)
        return
      case 'refused':
        await refuse(step, key)
        return
      case 'gone':
        await lose(step, key)
        return
      case 'stuck':
        await leave(step, key)
        return
      case 'closed':
        standStill()
        return
      case 'unusable':
        obstacles.meet({scope: {team, channel}, code})
        return
      case 'dead':
        obstacles.meet({scope: {team}, code})
        return
      case 'mistake':
        if (step.move === 'share') learn(step)
        else obstacles.meet({scope: {team, method}, code: error.message})
        return
      default:
        throw new Error(`Unknown refusal: ${String(kind satisfies never)}`)
    }
  }

  const tryAgain = ({move}: Step, key: string): void => {
    const nowMs = clock.nowMs()
    const notBeforeMs = nowMs + backoffMs(failures, TROUBLE)
    if (move === 'edit') known.note(key, {doubtfulUntilMs: nowMs + LATE_MS, notBeforeMs})
    else if (!known.all.has(key)) pausedUntilMs = notBeforeMs
    // What may have been made is looked for at once.
    else if (move !== 'create' && move !== 'share') known.note(key, {notBeforeMs})
  }

  const refuse = async (step: Step, key: string): Promise<void> => {
    const isReply = 'post' in step && step.post.delivery !== undefined
    if (step.move === 'remove') await leave(step, key)
    // A card or a question stands as it was, and holds up no reply.
    else if (step.move === 'edit' && !isReply) {
      const waitMs = REFUSED.baseMs + backoffMs(failures, REFUSED)
      known.note(key, {notBeforeMs: clock.nowMs() + waitMs})
    } else learn(step)
  }

  const learn = (step: Step): void => {
    const learnt = 'post' in step ? learnRefusal(lessons, step.post) : undefined
    if (learnt === undefined) standStill()
    else lessons = learnt
  }

  const standStill = (): void => {
    pausedUntilMs = clock.nowMs() + backoffMs(failures, STANDSTILL)
  }

  const lose = async (step: Step, key: string): Promise<void> => {
    if (step.move === 'remove') {
      await known.forget(key)
    } else if (step.move === 'edit') {
      await known.markGone(key)
      lessons = learnLoss(lessons, key)
    } else {
      // The Slack thread itself is gone.
      standStill()
    }
  }

  /** It stands and nobody can change it: what is final is posted again, and it goes first if it can. */
  const leave = async (step: Step, key: string): Promise<void> => {
    if (step.move === 'remove') await known.markGone(key)
    else known.note(key, {isStuck: true})
    lessons = learnLoss(lessons, key)
  }

  return {poke, run}
}

const TROUBLE = {baseMs: 500, maxMs: 30_000}
const REFUSED = {baseMs: 1000, maxMs: 600_000}
const STANDSTILL = {baseMs: 10_000, maxMs: 600_000}

function isAborted(signal: AbortSignal): boolean {
  return signal.aborted
}
