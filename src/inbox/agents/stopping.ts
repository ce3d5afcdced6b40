import {setTimeout as delay} from 'node:timers/promises'
import {isWorking} from '../../platform/model.ts'
import {repeat} from '../../platform/retry.ts'
import type {Link, LinkChange} from '../../store/link.ts'
import type {StandingStop, Stop, StopStore} from '../../store/stops.ts'
import type {InTurn} from '../turns.ts'
import type {Handling} from '../worker.ts'
import {lastSaid} from './said.ts'
import {takeBack} from './waiting-sends.ts'
import {DONE, type Outcome, answering, declined, type FollowUpDesk} from './work.ts'

/** What is needed to interrupt what a stop came too late for. */
type LateDesk = Pick<StopDesk, 'links' | 'sends' | 'stops' | 'clientOf' | 'show' | 'inTurn'>

export type StopDesk = FollowUpDesk & {
  stops: StopStore
  /** Interrupts of one link go out one after the other. */
  inTurn: InTurn
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
 * written before the press and is not with the agent is held: it is taken back from the platform side by side, and
 * then comes the interrupt, whatever the platform answers to that. What the agent got all the same is interrupted too
 * ({@link stopLate}). Safe to do again after a crash at any point.
 *
 * @throws {TryLater} while the platform cannot be reached.
 */
export async function stopWork(
  desk: StopDesk,
  link: Link,
  by: string,
  asked: Asked,
): Promise<Outcome> {
  const {links, stops, show} = desk
  const {row, signal} = asked
  const stop: Stop = {inboxId: row.id, by, atMs: row.receivedAtMs}
  const waiting = await stops.begin(link.id, stop)
  if (link.threadId === undefined && link.state === 'starting') {
    return stopStart(desk, link, by, asked)
  }
  if (link.threadId === undefined || link.state === 'ended') return declined('not-running')
  const {state, stoppedBy} = link
  const isAtRest = state === 'open' && link.status !== undefined && !isWorking(link.status)
  const isNothing = isAtRest && waiting.length === 0
  if (!isNothing) {
    // Before the call: the run's end may be here before its answer. Who stopped archived work before did stop it.
    const stopper = state === 'archived' ? (stoppedBy ?? by) : by
    await links.change(link.id, {stoppedBy: stopper})
    await show(link.id)
  }
  const taking = Promise.allSettled(waiting.map((send) => takeBack(desk, link, send, signal)))
  const [interrupted, taken] = await Promise.all([
    settling(interruptOnce(desk, link, {stop, taking, signal})),
    taking,
  ])
  if (interrupted.status === 'rejected') throw interrupted.reason
  const outcome = interrupted.value
  if (outcome.outcome === 'declined') {
    if (!isNothing) await links.change(link.id, {stoppedBy})
    await show(link.id)
    return outcome
  }
  const failed = taken.find((one) => one.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  await stopLate(desk, link.id, signal)
  // Who stopped it, and is asked again after a crash, did stop it.
  return isNothing && stoppedBy !== by ? declined('at-rest') : DONE
}

/** Nobody knows yet whether it has begun: whoever creates it finds that it is stopped. */
async function stopStart(desk: StopDesk, link: Link, by: string, asked: Asked): Promise<Outcome> {
  const early: LinkChange = {state: 'ended', stoppedBy: by, notice: {code: 'stopped-early'}}
  const stopped = await desk.links.changeIf(link.id, link, early)
  if (stopped === undefined) {
    // It has begun since we looked.
    const begun = await desk.links.byId(link.id)
    return begun === undefined ? declined('not-running') : stopWork(desk, begun, by, asked)
  }
  await desk.show(link.id)
  return DONE
}

/** Interrupts once for all presses until then; not what was begun since the newest of them. */
async function interruptOnce(
  desk: StopDesk,
  link: Link,
  {stop, taking, signal}: {stop: Stop; taking: Promise<unknown>; signal: AbortSignal},
): Promise<Outcome> {
  const {stops, clientOf, nowMs} = desk
  const graceMs = Math.max(LEAST_GRACE_MS, stop.atMs + INTERRUPT_WITHIN_MS - nowMs())
  await Promise.race([taking, delay(graceMs, undefined, {ref: false})])
  return desk.inTurn(link.id, async () => {
    const newest = await stops.newest(link.id)
    if (newest === undefined || newest.isAnswered) return DONE
    // The agent has these, and this interrupt is for them, too.
    const late = await stops.late(link.id)
    let isAnother = false
    const outcome = await answering(() =>
      repeat(
        async () => {
          isAnother = await isBegunSince(desk, link, newest, signal)
          if (!isAnother) await clientOf(link).interrupt(link.threadId ?? '', signal)
        },
        RETRIES,
        signal,
      ),
    )
    await stops.answered(link.id, newest.inboxId)
    if (outcome.outcome === 'declined') return outcome
    // Nobody stopped what runs now; it may have begun before the answer stood in our table.
    isAnother ||= await isBegunSince(desk, link, newest, signal)
    if (isAnother) await desk.links.change(link.id, {stoppedBy: undefined})
    await stops.settle(late)
    await desk.show(link.id)
    return outcome
  })
}

/** Whether what runs now was begun by a message that was written after the stop; `false` where that can't be seen soon. */
async function isBegunSince(
  desk: StopDesk,
  link: Link,
  {inboxId}: StandingStop,
  signal: AbortSignal,
): Promise<boolean> {
  const newer = await desk.stops.firstAfter(link.id, inboxId)
  if (newer === undefined) return false
  const looking = lastSaid(desk, link, newer.cursor, signal)
    .then(async (entry) => entry && (await desk.sends.ofEntry(link.id, entry)))
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
export async function stopLate(desk: LateDesk, linkId: string, signal: AbortSignal): Promise<void> {
  const {links, stops, sends, clientOf, show} = desk
  await desk.inTurn(linkId, async () => {
    const late = await stops.late(linkId)
    const link = await links.byId(linkId)
    if (late.length === 0 || link === undefined) return
    const outcome = await answering(async () => {
      const last = await lastSaid(desk, link, late[0]?.cursor, signal)
      const send = last && (await sends.ofEntry(linkId, last))
      const begun = late.find(({id}) => id === send?.id)
      if (begun === undefined) return
      await links.change(linkId, {stoppedBy: begun.stoppedBy})
      await show(linkId)
      await clientOf(link).interrupt(link.threadId ?? '', signal)
    })
    // Gone, or not ours to stop: nothing more can be done.
    await stops.settle(late)
    if (outcome.outcome === 'declined') await show(linkId)
  })
}

function settling<Value>(work: Promise<Value>): Promise<PromiseSettledResult<Value>> {
  return Promise.allSettled([work]).then(([settled]) => settled)
}
