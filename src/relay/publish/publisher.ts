import {isAborted, pause} from '../../async/pause.ts'
import type {PostRow} from '../../store/tables/work/posts.ts'
import type {Backlog} from '../pace/backlog.ts'
import type {Ask} from '../pace/pacer.ts'
import type {WantedPost} from '../post.ts'
import type {Shaping} from '../posts/reply-posts.ts'
import {createKnownPosts} from './known-posts.ts'
import {createPerformer} from './performer.ts'
import {isDelivered, plan} from './plan.ts'
import {createRefusals} from './refusals.ts'
import type {Step} from './steps.ts'
import {SlackError} from '../../once/slack-error.ts'

/** Makes one place in Slack equal to the wanted posts, one call at a time. */
interface Publisher {
  /** What is wanted has changed; `growth`: only in that a reply became longer. */
  poke(change: 'growth' | 'any'): void
  /** Ends with the signal, after the call in flight; never fails. */
  run(signal: AbortSignal): Promise<void>
}

interface PublisherOptions
  extends
    Omit<Parameters<typeof createPerformer>[0], 'known'>,
    Omit<Parameters<typeof createRefusals>[0], 'known'> {
  wanted: (shaping: Shaping) => readonly WantedPost[]
  /** The posts that may still change, as they stand in the store. */
  standing: readonly PostRow[]
  /** No reply may be settled in front of this `ts`. */
  floor: () => string
  /** Deliveries that stand in their last form, and the newest `ts` of those that are not broken off. */
  onDelivered: (deliveries: ReadonlyMap<string, string | undefined>) => void
  /** Nothing is left to do for now. */
  onIdle: () => void
  /** Slack says there what the agent is doing: the card is not edited for that. */
  hasStatusLine: () => boolean
  /** What its replies have to show and nobody sees yet. */
  backlog: Backlog
  /** Text is seen now that had waited for so long. */
  onSeen?: ((waitedMs: number) => void) | undefined
}

/** Two edits of one preview are at least this far apart: steadier to read, and kinder to the budget. */
const PREVIEW_GAP_MS = 250
const PLAN_GAP_MS = 15_000
/** Where nothing but the card says what the agent is doing. */
const CARD_GAP_MS = 3000

export function createPublisher(options: PublisherOptions): Publisher {
  const {linkId, place, backlog, writer, pacer, clock, log} = options
  const known = createKnownPosts(options)
  const perform = createPerformer({...options, known})
  const refusals = createRefusals({...options, known})
  /** What the pacer is being asked for just now. */
  let awaited: readonly Step[] = []
  /** What is wanted has changed since it was last looked at. */
  let isStale = false
  let interrupt: (() => void) | undefined
  let grown: (() => void) | undefined

  const wanted = (): readonly WantedPost[] => options.wanted(refusals.lessons())

  const wake = (): void => {
    isStale = true
    interrupt?.()
  }

  const poke = (change: 'growth' | 'any'): void => {
    // The grant that is waited for will show the newest text anyhow.
    const isCovered = awaited.some(({rank}) => rank === 'preview' || rank === 'first')
    if (change === 'growth' && isCovered) grown?.()
    else if (change === 'any' || !isBehind()) wake()
  }

  /** What grows stands nowhere yet, and something comes before it: it is looked at once that stands. */
  const isBehind = (): boolean =>
    awaited.some(({move}) => move === 'create' || move === 'share' || move === 'find') &&
    ![...known.all.values()].some(({state, draft}) => state === 'placed' && draft !== undefined)

  const nextSteps = async (): Promise<Step[]> => {
    const now = wanted()
    // Work that is only being created says nothing yet of what it wants.
    if (now.length > 0) known.releaseNotifications(now)
    for (const {delivery} of now) if (delivery !== undefined) await known.load(delivery)
    const spareGapMs = {card: options.hasStatusLine() ? Infinity : CARD_GAP_MS, plan: PLAN_GAP_MS}
    const gaps = {previewGapMs: PREVIEW_GAP_MS, spareGapMs}
    const rules = {floor: options.floor(), modes: options.modes.at(options), ...gaps}
    const {steps, toConfirm} = plan(now, known.all, refusals.lessons(), rules)
    for (const post of toConfirm) await known.confirm(post, known.all.get(post.key)?.ts ?? '')
    reportDelivered(now)
    return steps
  }

  const reportDelivered = (now: readonly WantedPost[]): void => {
    const deliveries = new Set(now.filter(({isFinal}) => isFinal).map(({delivery}) => delivery))
    const delivered = new Map<string, string | undefined>()
    for (const delivery of deliveries) {
      if (delivery === undefined || !isDelivered(delivery, now, known.all, refusals.lessons()))
        continue
      delivered.set(delivery, newestOf(delivery))
    }
    if (delivered.size === 0) return
    options.onDelivered(delivered)
    const next = wanted()
    if (next !== now) isStale = true
    const still = new Set(next.map(({delivery}) => delivery))
    for (const delivery of delivered.keys()) {
      // What is confirmed and no longer wanted is known to the store alone.
      if (!still.has(delivery)) refusals.forget(delivery, known.release(delivery))
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
    notBeforeMs: Math.max(step.notBeforeMs, refusals.pausedUntilMs()),
    ...(isOfReply(step) && {backlog}),
    ...(step.rank === 'first' && {
      growsBy: writer.methods[step.move === 'open' ? 'append' : 'edit'],
    }),
  })

  const run = async (signal: AbortSignal): Promise<void> => {
    signal.addEventListener('abort', wake, {once: true})
    while (!isAborted(signal)) {
      isStale = false
      try {
        const steps = await nextSteps()
        if (steps.length === 0) {
          backlog.settled()
          await rest()
        } else {
          const granted = await grant(steps)
          if (granted !== undefined) await use(granted)
        }
      } catch (error) {
        // Our own store, or a bug: what is wanted stays wanted, and is tried again.
        log.error({err: error, linkId}, 'The publisher stumbled')
        await pause(refusals.stumbled(), signal)
      }
    }
    backlog.shown() // nobody waits for it any more
    backlog.settled()
    await endStreams()
  }

  /** Slack marks a stream that nobody ends as broken. For which there is no token now, the next start ends it. */
  const endStreams = async (): Promise<void> => {
    for (const {key, ts, streaming} of known.all.values()) {
      if (!streaming || ts === undefined) continue
      const now = {sinceMs: 0, notBeforeMs: 0, rank: 'state'} as const
      const close: Step = {...now, move: 'close', key, ts, stretch: undefined}
      const {granted, leave} = pacer.queue([toAsk(close)])
      leave()
      if ((await granted) === undefined) return
      try {
        await perform(close).catch(async (error: unknown) => {
          if (!(error instanceof SlackError)) throw error
          await refusals.answer(close, error)
        })
      } catch (error) {
        log.error({err: error, linkId}, 'A stream was left open')
      }
    }
  }

  const rest = async (): Promise<void> => {
    if (isStale) return
    options.onIdle()
    await news()
  }

  const news = async (): Promise<void> => {
    if (isStale) return
    await new Promise<void>((resolve) => (interrupt = resolve))
    interrupt = undefined
  }

  /** The pacer's answer; `undefined` when what is wanted has changed meanwhile. */
  const grant = async (steps: readonly Step[]): Promise<Ask | undefined> => {
    if (isStale) return undefined
    const asks = steps.map(toAsk)
    const queued = pacer.queue(asks)
    interrupt = queued.leave
    grown = queued.grown
    awaited = steps
    const index = await queued.granted
    interrupt = undefined
    grown = undefined
    awaited = []
    return asks[index ?? -1]
  }

  /** The newest state counts: what the grant was asked for may have changed meanwhile. */
  const use = async (granted: Ask): Promise<void> => {
    const steps = await nextSteps()
    const nowMs = clock.nowMs()
    const step = steps.find(
      ({move, notBeforeMs}) => writer.methods[move] === granted.method && notBeforeMs <= nowMs,
    )
    // Another place may have been told "not now" meanwhile.
    if (step === undefined || pacer.isPaused(granted)) {
      pacer.giveBack(granted)
      return
    }
    const putBack = isOfReply(step) ? backlog.shown() : undefined
    const sinceMs = putBack && backlog.unseenSinceMs()
    try {
      await perform(step)
      if (putBack !== undefined) backlog.seen()
      if (sinceMs !== undefined) options.onSeen?.(clock.nowMs() - sinceMs)
      if (isOneCall(step)) pacer.took(granted, clock.nowMs() - nowMs)
      refusals.passed(step, granted)
    } catch (error) {
      putBack?.()
      if (!(error instanceof SlackError)) throw error
      await refusals.answer(step, error)
    }
  }

  return {poke, run}
}

/** Files and looks take more than one, as long as they take. */
function isOneCall({move}: Step): boolean {
  return move === 'create' || move === 'edit' || move === 'append'
}

/** Whether it shows what a reply says. */
function isOfReply(step: Step): boolean {
  if ('post' in step) return step.post.content.kind === 'say'
  return step.move === 'close' && step.stretch !== undefined
}
