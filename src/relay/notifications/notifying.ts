import {waitOn} from '../../async/clock.ts'
import {backoffMs} from '../../async/pause.ts'
import type {PlatformClient} from '../../platform/client.ts'
import type {Frame} from '../../platform/stream/frame.ts'
import {type Entry, isWorking} from '../../platform/model.ts'
import type {Noise} from '../../store/tables/choices.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {Notification} from '../../store/tables/work/notifications.ts'
import type {SendStore} from '../../store/tables/work/sends.ts'
import type {LinkKeeper} from '../link-keeper.ts'
import type {Timeline} from '../timeline/timeline.ts'
import type {Naming} from '../posts/pull-request.ts'
import {type CallingOptions, createCalling} from './calling.ts'
import {createLastWords} from './last-words.ts'
import {createReplay} from './replay.ts'
import {type Scene, decide} from './who-is-needed.ts'

/** Calls people to a thread, and ends the calls that are over. */
export interface Notifying {
  /** Something is known of the thread that was not before; `as`: see {@link Scene}. */
  look(as: Scene['as']): void
  /** A frame was folded; `isNews`: it brought another status than before. */
  hear(frame: Frame, than: {isNews: boolean; statusBefore: string | undefined}): void
  /**
   * Whether the platform has said since we listen that somebody is still needed where our tables say so: until then nobody is
   * called, and nobody reminded.
   */
  isSure(): boolean
  /** Nobody listens any more. */
  doubt(): void
}

export interface NotifyingOptions extends CallingOptions {
  sends: SendStore
  /** What calls. */
  noiseOf: (link: Link) => Promise<Noise>
  /** Somebody was called here; at most once for each call. */
  onNotified?: (link: Link, notification: Notification) => void
  clientOf: (link: Link) => PlatformClient
}

const RETRY = {baseMs: 1000, maxMs: 60_000}

export function createNotifying({
  keeper,
  naming,
  timeline,
  onChanged,
  signal,
  ...options
}: NotifyingOptions & {
  keeper: LinkKeeper
  naming: Naming
  timeline: () => Timeline
  onChanged: () => Promise<void>
  signal: AbortSignal
}): Notifying {
  const {notifications, sends, noiseOf, clientOf, clock} = options
  const lastWords = createLastWords({clientOf, signal})
  const calling = createCalling({...options, naming, timeline, lastWords})
  /** Somebody wrote to the agent, and it has not been heard to work since. */
  let isSpokenTo = false
  /**
   * What is made of how the thread was read. `due`: not read since it came to rest. `held`: what was said in it is still
   * under way. `heeded`: whoever had to be called has been.
   */
  let reading: 'due' | 'held' | 'heeded' = 'due'
  /** What is still to be done, each once: whatever comes to its turn sees what is true by then. */
  const due = new Set<Scene['as'] | 'noted'>()
  let isAttending = false
  let failures = 0
  /** How often what was heard has become what was heard once; which of these times what our tables say was looked at. */
  let doubts = 0
  let sureOf = -1

  const settle = async (as: Scene['as']): Promise<void> => {
    const doubtsBefore = doubts
    await followPlan(as)
    const link = keeper.link()
    const known = await notifications.ofLink(link.id)
    if (as === 'read' && (await isAskedAnew(link, known))) {
      await settle('begun')
      await settle('read')
      return
    }
    const {ended, wanted, isRunOver} = decide(sceneOf(as, await noiseOf(link)), known)
    for (const {notification, state} of ended) {
      const answer =
        state === 'answered' ? await sends.firstSince(link.id, notification.madeAtMs) : undefined
      await notifications.end(notification.id, state, answer?.sender)
    }
    const called = wanted && (await calling.call(link, wanted, known))
    const isPlaced = as === 'read' && !isBusy() && naming.place(naming.due(), 'own')
    // Behind the call: who dies in between comes to the same decision again.
    if (isRunOver && link.runSinceMs !== undefined) await keeper.change({runSinceMs: undefined})
    // What rests, or needs somebody beside what it waits for, is read first.
    const isTold = as === 'read' || (isWorking(timeline().status) && !keeper.link().needsYou)
    const isSureNow = doubtsBefore !== sureOf && isTold
    if (isSureNow) sureOf = doubtsBefore
    const isAwaited = isSureNow && known.some(({state}) => state === 'open')
    if (ended.length > 0 || called !== undefined || isPlaced || isAwaited) await onChanged()
    if (called?.isNew === true) options.onNotified?.(link, called.notification)
  }

  /** Whatever else it does in this run may still call somebody. What waits for others may do so for long. */
  const isBusy = (): boolean => {
    const {status} = timeline()
    return status === undefined || (isWorking(status) && status !== 'waiting')
  }

  const sceneOf = (as: Scene['as'], noise: Scene['noise']): Scene => {
    const {state, needsYou, plan, runSinceMs, stoppedBy} = keeper.link()
    const isPlanned = plan === 'planned'
    const {status, statusSinceMs} = timeline()
    const said = {status, statusSinceMs, as, noise}
    return {state, needsYou, isPlanned, runSinceMs, stoppedBy, ...said}
  }

  /** A plan stands once its run rests, until somebody says a word: whoever began a run without one wants it changed. */
  const followPlan = async (as: Scene['as']): Promise<void> => {
    const link = keeper.link()
    const {status} = timeline()
    if (link.plan === 'planned') {
      const isGoingOn = as === 'begun' || (isWorking(status) && status !== 'waiting')
      if (isGoingOn) await keeper.change({plan: 'changed'})
      return
    }
    const isWanted = link.plan === 'asked' || link.plan === 'changed'
    const rests = status !== undefined && RESTS_WITH_PLAN.includes(status)
    if (as !== 'read' || !isWanted || !rests || link.state !== 'open') return
    if (link.stoppedBy !== undefined) return
    await lastWords.recall(link, 'question')
    // Without words there is nothing to go ahead with.
    if (lastWords.question() !== undefined) await keeper.change({plan: 'planned'})
  }

  /** Whoever listens again may find the state of before: it ran meanwhile, and may ask something else. */
  const noteRun = async (): Promise<void> => {
    const asked = askedIn(await notifications.ofLink(keeper.link().id))
    if (asked !== undefined) await keeper.change({runSinceMs: clock.dateMs()})
  }

  /** What it says now, and not that it ran: what we heard before may come again. */
  const isAskedAnew = async (link: Link, known: readonly Notification[]): Promise<boolean> => {
    const asked = askedIn(known)
    if (asked === undefined || link.runSinceMs === undefined) return false
    await lastWords.recall(link, 'question')
    const question = lastWords.question()
    return question !== undefined && question.text !== asked.words.question
  }

  const queue = (what: Scene['as'] | 'noted'): void => {
    due.delete(what) // behind what was asked for since
    due.add(what)
    if (!isAttending) attend()
  }

  /** One after the other. */
  const attend = (): void => {
    const [what] = due
    isAttending = what !== undefined
    if (what === undefined) return
    due.delete(what)
    const act = what === 'noted' ? noteRun : () => settle(what)
    const done = Promise.resolve().then(act)
    keeper.keep(
      done.then(
        () => {
          failures = 0
          attend()
        },
        (error: unknown) => {
          void again(what).finally(attend)
          throw error
        },
      ),
    )
  }

  /** A table that could not be read once calls nobody: it comes to its turn again, in front of what was asked for since. */
  const again = async (what: Scene['as'] | 'noted'): Promise<void> => {
    failures += 1
    await waitOn(clock, backoffMs(failures, RETRY), signal)
    // Asked for anew behind something else it has its place there.
    if (signal.aborted || due.has(what)) return
    const behind = [...due]
    due.clear()
    for (const one of [what, ...behind]) due.add(one)
  }

  /** Nobody is called in front of the words that they are called for. */
  const mustWait = (): boolean =>
    replay.isUnderWay() || timeline().drafts.some(({state}) => state === 'earlier')

  const look = (as: Scene['as']): void => {
    if (as === 'read') reading = mustWait() ? 'held' : 'heeded'
    if (as !== 'read' || reading === 'heeded') queue(as)
  }

  const lookAtLast = (): void => {
    if (reading === 'held' && !signal.aborted) look('read')
  }
  const replay = createReplay({clock, onLull: lookAtLast})

  const hearEntry = ({source}: Entry): void => {
    const {status} = timeline()
    const isAtRest = status !== undefined && !isWorking(status)
    if (source === 'user') isSpokenTo = isAtRest
    if (source !== 'assistant') return
    if (isSpokenTo && isAtRest) queue('noted')
    if (isSpokenTo && isAtRest && reading === 'heeded') reading = 'held'
    isSpokenTo = false
  }

  /** What is named at rest is looked at once more; nothing else is read of what waits for others. */
  const holdNamed = (): void => {
    if (reading === 'heeded' || timeline().status === 'waiting') reading = 'held'
  }

  const doubt = (): void => {
    doubts += 1
  }
  const isSure = (): boolean => sureOf === doubts

  const hear: Notifying['hear'] = (frame, {isNews, statusBefore}) => {
    if (frame.type === 'connected' || frame.type === 'broken') doubt()
    replay.hear(frame)
    lastWords.hear(frame)
    // Behind it the thread is read once more.
    if (frame.type === 'status' && !isWorking(frame.status)) reading = 'due'
    if (frame.type === 'transcript') hearEntry(frame.entry)
    const {status} = timeline()
    const runBegins = frame.type === 'run' && frame.phase === 'start'
    const isAtWork = isWorking(status)
    const begins = runBegins || (isNews && isAtWork)
    // What came to rest while nobody listened ran, too.
    const hasRun = isNews && !isAtWork && [status, statusBefore].every(isOutOfArchive)
    if (!isBusy() && naming.due().length > 0) holdNamed()
    const isNewRun = (begins || hasRun) && keeper.link().runSinceMs === undefined
    if (isNewRun) keeper.note({runSinceMs: clock.dateMs()})
    // What runs after it came out of the archive is another run.
    if (status === 'archived' && isNews) keeper.note({runSinceMs: undefined})
    // What it needed before is over; what it needs now is read.
    if ((begins || isNewRun) && status !== 'waiting' && keeper.link().needsYou) {
      keeper.note({needsYou: false})
    }
    if (!begins) {
      // What waits as it did before another connection is not read.
      if (frame.type === 'status' && isAtWork && !isSure()) look('heard')
      lookAtLast()
      return
    }
    isSpokenTo = false
    reading = 'due'
    look(runBegins ? 'begun' : 'heard')
  }

  return {look, hear, isSure, doubt}
}

/** In whatever words the platform says that it has done what it was asked for. */
const RESTS_WITH_PLAN: readonly string[] = ['idle', 'pending_user', 'ready_for_review']

/** The call for an answer that still stands. */
function askedIn(notifications: readonly Notification[]): Notification | undefined {
  return notifications.find(({kind, state}) => kind === 'needs-you' && state === 'open')
}

/** To archive is no run, and what comes out of the archive is as it was. */
function isOutOfArchive(status: string | undefined): boolean {
  return status !== undefined && status !== 'archived'
}
