import {setTimeout as delay} from 'node:timers/promises'
import {type Entry, isWorking} from '../platform/model.ts'
import {repeat} from '../platform/retry.ts'
import type {Link, LinkChange} from '../store/tables/work/link.ts'
import type {Send} from '../store/tables/work/send.ts'
import type {StandingStop, Stop, StopStore} from '../store/tables/work/stops.ts'
import type {InOrder} from '../async/keyed-queue.ts'
import type {Handling} from '../inbox/worker.ts'
import {lastSaid} from './sends/said.ts'
import {takeBack} from './sends/waiting-sends.ts'
import {DONE, type WorkOutcome, answering, declined, type FollowUpDeps} from './lifecycle.ts'

/** What is needed to interrupt what a stop came too late for. */
type LateStopDeps = Pick<StopDeps, 'links' | 'sends' | 'stops' | 'clientOf' | 'show' | 'inOrder'>

export type StopDeps = FollowUpDeps & {
  stops: StopStore
  /** Interrupts of one link go out one after the other. */
  inOrder: InOrder
}

/** The row of what somebody did, while it is being handled. */
interface Asked {
  row: Pick<Handling['row'], 'id' | 'receivedAtMs'>
  signal: AbortSignal
}

/** The interrupt goes out within 2 s of the press: so long it waits for what is to be taken back before it. */
const INTERRUPT_WITHIN_MS = 1300
/** Asked late, or again after a crash, what waits has this chance to be taken back first. */
const LEAST_GRACE_MS = 300
/** So long it may take to see whether what runs was begun after the press. */
const LOOK_MS = 500
const RETRIES = 2

/**
 * Ends the run in progress, or the start that has not come through yet, and nothing starts again by itself. What was
 * written before the press, in whichever place of the workspace the thread is shown, and is not with the agent is held:
 * it is taken back from the platform side by side, and then comes the interrupt, whatever the platform answers to that.
 * What the agent got all the same is interrupted too ({@link stopLate}). Safe to do again after a crash at any point.
 *
 * @throws {TryLater} while the platform cannot be reached.
 */
export async function stopWork(
  deps: StopDeps,
  link: Link,
  by: string,
  asked: Asked,
): Promise<WorkOutcome> {
  const {stops, show} = deps
  const {row, signal} = asked
  // It may go on elsewhere, and what waits there is not held from here.
  if (link.state === 'ended') return declined('not-running')
  const {state, stoppedBy} = link
  const seemsAtRest = state === 'open' && link.status !== undefined && !isWorking(link.status)
  const isAtRest = seemsAtRest && !(await isAtWork(deps, link, signal))
  // Nobody has heard yet that it goes on.
  const unheardSinceMs = seemsAtRest && !isAtRest ? link.statusSinceMs : undefined
  const stop: Stop = {inboxId: row.id, by, atMs: row.receivedAtMs, unheardSinceMs}
  const waiting = await stops.begin(link.id, stop)
  if (link.threadId === undefined && link.state === 'starting') {
    return stopStart(deps, link, by, asked)
  }
  if (link.threadId === undefined) return declined('not-running')
  const isNothing = isAtRest && waiting.length === 0
  const all = await linksTogether(deps, link)
  if (!isNothing) {
    // Before the call: the run's end may be here before its answer. Who stopped archived work before did stop it.
    const stopper = state === 'archived' ? (stoppedBy ?? by) : by
    await setStopper(deps, all, () => stopper)
  }
  const linkOf = (send: Send): Link => all.find(({id}) => id === send.linkId) ?? link
  const taking = Promise.allSettled(
    waiting.map((send) => takeBack(deps, linkOf(send), send, signal)),
  )
  const [interrupted, taken] = await Promise.all([
    settling(interruptOnce(deps, link, {stop, taking, signal})),
    taking,
  ])
  if (interrupted.status === 'rejected') throw interrupted.reason
  const outcome = interrupted.value
  if (outcome.outcome === 'declined') {
    if (isNothing) await show(link.id)
    else await setStopper(deps, all, (one) => one.stoppedBy)
    return outcome
  }
  const failed = taken.find((one) => one.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  await stopLate(deps, link.id, signal)
  // Who stopped it, and is asked again after a crash, did stop it.
  return isNothing && stoppedBy !== by ? declined('at-rest') : DONE
}

/** Nobody knows yet whether it has begun: whoever creates it finds that it is stopped. */
async function stopStart(
  deps: StopDeps,
  link: Link,
  by: string,
  asked: Asked,
): Promise<WorkOutcome> {
  const early: LinkChange = {state: 'ended', stoppedBy: by, notice: {code: 'stopped-early'}}
  const stopped = await deps.links.changeIf(link.id, link, early)
  if (stopped === undefined) {
    // It has begun since we looked.
    const begun = await deps.links.byId(link.id)
    return begun === undefined ? declined('not-running') : stopWork(deps, begun, by, asked)
  }
  await deps.show(link.id)
  return DONE
}

/** Interrupts once for all presses until then; not what was begun since the newest of them. */
async function interruptOnce(
  deps: StopDeps,
  link: Link,
  {stop, taking, signal}: {stop: Stop; taking: Promise<unknown>; signal: AbortSignal},
): Promise<WorkOutcome> {
  const {stops, clientOf, nowMs} = deps
  // Another instance may have written it down, by a clock that is ahead.
  const agoMs = Math.max(0, nowMs() - stop.atMs)
  const graceMs = Math.max(LEAST_GRACE_MS, INTERRUPT_WITHIN_MS - agoMs)
  await Promise.race([taking, delay(graceMs, undefined, {ref: false})])
  return deps.inOrder(turnOf(link), async () => {
    const newest = await stops.newest(link.id)
    if (newest === undefined || newest.isAnswered) return DONE
    // The agent has these, and this interrupt is for them, too.
    const late = await stops.late(link.id)
    let isAnother = false
    const outcome = await answering(() =>
      repeat(
        async () => {
          isAnother = await isBegunSince(deps, link, newest, signal)
          if (!isAnother) await clientOf(link).interrupt(link.threadId ?? '', signal)
        },
        RETRIES,
        signal,
      ),
    )
    await stops.answered(link.id, newest.inboxId)
    if (outcome.outcome === 'declined') return outcome
    // Nobody stopped what runs now; it may have begun before the answer stood in our table.
    isAnother ||= await isBegunSince(deps, link, newest, signal)
    await stops.settle(late)
    const all = await linksTogether(deps, link)
    if (isAnother) await setStopper(deps, all, () => undefined)
    else for (const {id} of all) await deps.show(id)
    return outcome
  })
}

/** Whether the platform says that it works, where that can be seen soon: what we know may be of before. */
async function isAtWork({clientOf}: StopDeps, link: Link, signal: AbortSignal): Promise<boolean> {
  const looking = clientOf(link)
    .getThread(link.threadId ?? '', signal)
    .then(({status}) => isWorking(status))
    .catch(() => false)
  return Promise.race([looking, delay(LOOK_MS, false, {ref: false})])
}

/** Whether what runs now was begun by a message that was written after the stop; `false` where that can't be seen soon. */
async function isBegunSince(
  deps: StopDeps,
  link: Link,
  {inboxId}: StandingStop,
  signal: AbortSignal,
): Promise<boolean> {
  const newer = await deps.stops.firstAfter(link.id, inboxId)
  if (newer === undefined) return false
  const looking = lastSaid(deps, link, newer.cursor, signal)
    .then(async (entry) => entry && (await sendOf(deps, link.id, entry)))
    .then((send) => (send?.inboxId ?? 0) > inboxId)
    .catch(() => false)
  return Promise.race([looking, delay(LOOK_MS, false, {ref: false})])
}

/**
 * Interrupts what was begun by a message that waited when the work was stopped, and that was too late to take back: if
 * that message is still the last word that the agent was told, and nothing else.
 *
 * @throws {TryLater} while the platform cannot be reached.
 */
export async function stopLate(
  deps: LateStopDeps,
  linkId: string,
  signal: AbortSignal,
): Promise<void> {
  const {links, stops, clientOf, show} = deps
  const at = await links.byId(linkId)
  if (at === undefined) return
  await deps.inOrder(turnOf(at), async () => {
    const late = await stops.late(linkId)
    const link = await links.byId(linkId)
    if (late.length === 0 || link === undefined) return
    const outcome = await answering(async () => {
      const last = await lastSaid(deps, link, late[0]?.cursor, signal)
      const send = last && (await sendOf(deps, linkId, last))
      const begun = late.find(({id}) => id === send?.id)
      if (begun === undefined) return
      await setStopper(deps, await linksTogether(deps, link), () => begun.stoppedBy)
      await clientOf(link).interrupt(link.threadId ?? '', signal)
    })
    // Gone, or not ours to stop: nothing more can be done.
    await stops.settle(late)
    if (outcome.outcome === 'declined') await show(linkId)
  })
}

/** Interrupts of one thread go out one after the other, wherever they were asked for. */
function turnOf({id, threadId}: Link): string {
  return threadId ?? id
}

/** The links that show the same thread, this one first. */
async function linksTogether({links, stops}: LateStopDeps, link: Link): Promise<Link[]> {
  const [, ...others] = await stops.together(link.id)
  const found = await Promise.all(others.map((id) => links.byId(id)))
  return [link, ...found.filter((one) => one !== undefined)]
}

/** Says in each place who stopped it, or that nobody did. */
async function setStopper(
  {links, show}: LateStopDeps,
  all: readonly Link[],
  stopper: (link: Link) => string | undefined,
): Promise<void> {
  for (const link of all) {
    await links.change(link.id, {stoppedBy: stopper(link)})
    await show(link.id)
  }
}

/** Which of our messages an entry is, wherever in Slack it was written. */
async function sendOf(
  {stops, sends}: LateStopDeps,
  linkId: string,
  entry: Entry,
): Promise<Send | undefined> {
  for (const id of await stops.together(linkId)) {
    const send = await sends.ofEntry(id, entry)
    if (send !== undefined) return send
  }
  return undefined
}

function settling<Value>(work: Promise<Value>): Promise<PromiseSettledResult<Value>> {
  return Promise.allSettled([work]).then(([settled]) => settled)
}
