import {
  PlatformError,
  PlatformModelRejected,
  PlatformRateLimited,
  PlatformUnauthorized,
  PlatformUnreachable,
  reasonOf,
} from '../platform/errors.ts'
import type {ChoiceStore} from '../store/tables/choices.ts'
import type {ModelStore} from '../store/tables/models.ts'
import type {Ask, Link, LinkChange, NewLink, RejectedModel} from '../store/tables/work/link.ts'
import type {BudgetNote} from '../store/tables/budgets/notes.ts'
import type {LinkStore} from '../store/tables/work/links.ts'
import type {SendStore} from '../store/tables/work/sends.ts'
import type {StopStore} from '../store/tables/work/stops.ts'
import {TryLater} from '../inbox/try-later.ts'
import type {Budgets} from './budgets/budgets.ts'
import {meetCandidates, toRejected} from './models/rejected-model.ts'
import {type CreationDeps, createThread, isUnheard, threadRequestIdOf} from './creation.ts'

/** What the commands of people need: our tables, the platform, and somebody who shows the outcome. */
export interface WorkDeps extends CreationDeps {
  choices: ChoiceStore
  models: Pick<ModelStore, 'meet'>
  stops: Pick<StopStore, 'newest' | 'answered'>
  /** Shows what our tables now say of this link. */
  show: (linkId: string) => Promise<void>
}

/** And our table of what people write to agents, and what that may cost. */
export type FollowUpDeps = WorkDeps & {
  sends: SendStore
  budgets: Pick<Budgets, 'ofLink' | 'refusalOf' | 'raise'>
}

/** Why something was not done, in words that `slack/` puts into sentences. */
export type Declined =
  | {outcome: 'declined'; why: 'key-refused' | 'not-running' | 'at-rest' | 'gone' | 'shared'}
  | {outcome: 'declined'; why: 'refused'; detail: string}
  /** A message is kept, and can go with another model. */
  | {outcome: 'declined'; why: 'model-rejected'; rejected: RejectedModel; sendId: string}
  | {outcome: 'declined'; why: 'spent'; note: BudgetNote}

export type WorkOutcome = {outcome: 'done'} | Declined

export const DONE: WorkOutcome = {outcome: 'done'}

/**
 * Starts work in a place, exactly once however often it is called: the link stands before the thread
 * is created, and the platform returns the original thread for a `requestId` that it knows.
 *
 * @throws {TryLater} while the platform cannot be reached; the card says so meanwhile.
 */
export async function startWork(
  deps: WorkDeps,
  work: NewLink & {ask: Ask},
  signal: AbortSignal,
): Promise<void> {
  const {links, show, nowMs} = deps
  const link = await links.open(work, nowMs())
  const wasUnheard = link.notice?.code === 'unreachable'
  // Whoever started it over may have chosen another model meanwhile.
  const ask = (await links.askOf(link.id)) ?? work.ask
  await show(link.id)
  // Stopped while nobody knew whether it had begun: it is begun, and stopped.
  const isStoppedEarly = link.state === 'ended' && link.notice?.code === 'stopped-early'
  if (link.state !== 'starting' && !isStoppedEarly) {
    // The process may have died between the creation and the name.
    if (link.state === 'open') await nameProject(deps, link, signal)
    return
  }
  // Beside the creation, so that the card can say both at once.
  const naming = nameProject(deps, link, signal)
  naming.catch(() => undefined) // met below, unless something worse comes first
  try {
    const thread = await createThread(deps, link, ask, signal)
    const born = {
      threadId: thread.id,
      title: thread.title ?? link.title,
      status: thread.status,
      statusSinceMs: nowMs(),
      lastModelId: thread.lastModelId,
      // Also of one that has come to rest before we knew of it: somebody may have to be called.
      runSinceMs: nowMs(),
    }
    const {attempt} = link
    const open: LinkChange = {...born, state: 'open', notice: undefined}
    const opened = await links.changeIf(link.id, {state: 'starting', attempt}, open)
    if (opened === undefined) await stopBorn(deps, link, {born, open}, signal)
    await show(link.id)
    await naming
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    const {attempt} = link
    const change = toStartChange(error, {...ask, isUnheard: isUnheard(error) || wasUnheard})
    if (change.notice?.rejected !== undefined) {
      await meetCandidates(deps, link, change.notice.rejected)
    }
    // Who stopped it, or started it over, has said what the card says.
    await links.changeIf(link.id, {state: 'starting', attempt}, change)
    await show(link.id)
    if ((await links.byId(link.id))?.attempt === attempt) throwIfPassing(error)
  }
}

/** What was created is stopped where its work has been stopped meanwhile, or even started over with another one. */
async function stopBorn(
  {links, stops, clientOf}: WorkDeps,
  link: Link,
  {born, open}: {born: LinkChange & {threadId: string}; open: LinkChange},
  signal: AbortSignal,
): Promise<void> {
  const standing = {state: 'ended', attempt: link.attempt} as const
  const {threadId} = born
  // Written down first: who tries it again from now on asks for another one.
  const ended = await links.changeIf(link.id, standing, {threadId})
  const now = ended ?? (await links.byId(link.id))
  const isSame = now !== undefined && threadRequestIdOf(now) === threadRequestIdOf(link)
  if (isSame && now.state !== 'ended') return
  const stop = await stops.newest(link.id)
  await clientOf(link).interrupt(threadId, signal)
  if (stop !== undefined) await stops.answered(link.id, stop.inboxId)
  // Who stopped it can go on with it, as with all that was stopped.
  await links.changeIf(link.id, standing, now?.stoppedBy === undefined ? born : open)
}

/**
 * What was to begin by this request is not tried any more: its card says so, and offers to try again. False: there is no card
 * of it.
 */
export async function giveUpWork(
  {links, show}: Pick<WorkDeps, 'show'> & {links: Pick<LinkStore, 'byRequest' | 'changeIf'>},
  {team, requestId}: {team: string; requestId: string},
): Promise<boolean> {
  const link = await links.byRequest(requestId)
  if (link?.place.team !== team) return false
  const {id, attempt} = link
  const ended = {state: 'ended', notice: {code: 'given-up'}} as const
  if ((await links.changeIf(id, {state: 'starting', attempt}, ended)) !== undefined) await show(id)
  return true
}

/** Puts the work away. It does not stop it (section 3.1 of the platform's API). */
export async function archiveWork(
  deps: WorkDeps,
  link: Link,
  signal: AbortSignal,
): Promise<WorkOutcome> {
  const threadId = threadHere(link)
  if (threadId === undefined) return declined('not-running')
  if (link.state === 'archived') {
    // Who died in between may not have shown it.
    await deps.show(link.id)
    return DONE
  }
  return answering(async () => {
    await deps.clientOf(link).archive(threadId, signal)
    const change: LinkChange = {state: 'archived', status: 'archived', statusSinceMs: deps.nowMs()}
    // What has ended it meanwhile, as that its key is gone, stays.
    await deps.links.changeIf(link.id, link, change)
    await deps.show(link.id)
  })
}

export async function unarchiveWork(
  deps: WorkDeps,
  link: Link,
  signal: AbortSignal,
): Promise<WorkOutcome> {
  const threadId = threadHere(link)
  if (threadId === undefined) return declined('not-running')
  if (link.state === 'open') return DONE
  return answering(async () => {
    const {status} = await deps.clientOf(link).unarchive(threadId, signal)
    const change: LinkChange = {
      state: 'open',
      status,
      statusSinceMs: deps.nowMs(),
      notice: undefined,
    }
    await deps.links.changeIf(link.id, link, change)
    await deps.show(link.id)
  })
}

/** A title of what the work has become; the new one, if there is any. */
export async function retitleWork(
  deps: WorkDeps,
  link: Link,
  signal: AbortSignal,
): Promise<{outcome: 'done'; title: string | undefined} | Declined> {
  const threadId = threadHere(link)
  if (threadId === undefined) return declined('not-running')
  let title: string | undefined
  const outcome = await answering(async () => {
    ;({title} = await deps.clientOf(link).regenerateTitle(threadId, signal))
    if (title === undefined) return
    await deps.links.change(link.id, {title})
    await deps.show(link.id)
  })
  return outcome.outcome === 'done' ? {outcome: 'done', title} : outcome
}

/** What has ended here may go on elsewhere, where it is nobody's business of this place. */
function threadHere({threadId, state}: Link): string | undefined {
  return state === 'ended' ? undefined : threadId
}

/** Makes the key's own member the author. */
export async function takeOverWork(
  deps: WorkDeps,
  link: Link,
  signal: AbortSignal,
): Promise<WorkOutcome> {
  const threadId = threadHere(link)
  if (threadId === undefined) return declined('not-running')
  return answering(() => deps.clientOf(link).takeOver(threadId, signal))
}

/** A refusal is an outcome; what passes by itself is tried again. */
export async function answering(act: () => Promise<unknown>): Promise<WorkOutcome> {
  try {
    await act()
    return DONE
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    throwIfPassing(error)
    return toDeclined(error)
  }
}

/** Nothing wakes the agent beyond its budget. */
export async function declinedBy(
  {budgets}: Pick<FollowUpDeps, 'budgets'>,
  link: Link,
): Promise<Declined | undefined> {
  const note = await budgets.refusalOf(link)
  return note && {outcome: 'declined', why: 'spent', note}
}

export function toDeclined(error: PlatformError): Declined {
  if (error instanceof PlatformUnauthorized) return declined('key-refused')
  if (error.status === 404) return declined('gone')
  return {outcome: 'declined', why: 'refused', detail: reasonOf(error)}
}

export function declined(
  why: Exclude<Declined['why'], 'refused' | 'model-rejected' | 'spent'>,
): Declined {
  return {outcome: 'declined', why}
}

/** Nothing is wrong with what was asked: the platform will take it later. */
export function throwIfPassing(error: PlatformError): void {
  if (error instanceof PlatformRateLimited) throw new TryLater(error, error.retryAfterMs)
  if (error instanceof PlatformUnreachable) throw new TryLater(error)
}

/** Asks for the name of the project, unless it is known or there is none. */
export async function nameProject(
  {links, clientOf, show}: WorkDeps,
  link: Link,
  signal: AbortSignal,
): Promise<void> {
  if (link.projectName !== undefined || link.projectId === '') return
  try {
    const {name} = await clientOf(link).getProject(link.projectId, signal)
    await links.change(link.id, {projectName: name})
    await show(link.id)
  } catch (error) {
    // A card with the project's id in place of its name is no reason to start anew.
    if (!(error instanceof PlatformError)) throw error
  }
}

function toStartChange(
  error: PlatformError,
  {modelId, alias, isUnheard}: Pick<Ask, 'modelId' | 'alias'> & {isUnheard: boolean},
): LinkChange {
  if (error instanceof PlatformUnreachable || error instanceof PlatformRateLimited) {
    return {notice: {code: 'unreachable'}}
  }
  if (error instanceof PlatformUnauthorized) return {state: 'ended', notice: {code: 'not-begun'}}
  if (error instanceof PlatformModelRejected) {
    const rejected = toRejected(error, modelId)
    const called = alias === undefined ? {} : {detail: alias}
    return {state: 'ended', notice: {code: 'model-rejected', ...called, rejected}}
  }
  const unheard = isUnheard ? {isUnheard: true as const} : {}
  return {state: 'ended', notice: {code: 'refused', detail: reasonOf(error), ...unheard}}
}
