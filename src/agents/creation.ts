import type {PlatformClient} from '../platform/client.ts'
import {PlatformError, PlatformModelRejected, PlatformUnreachable} from '../platform/errors.ts'
import {MACHINE_SIZES, type MachineSize, type Thread} from '../platform/model.ts'
import type {Ask, Link} from '../store/tables/work/link.ts'
import type {LinkStore} from '../store/tables/work/links.ts'
import {NOBODY} from '../store/forget/blanking.ts'
import type {PeopleStore, Person} from '../store/tables/people.ts'
import type {Attribution} from './attribution.ts'
import {toSelection} from './models/model-choice.ts'
import type {OriginStore} from '../store/tables/work/origins.ts'
import type {Channel, Knowing} from './who-may-know.ts'

/** What the creation of a thread needs. */
export interface CreationDeps extends BeginningDeps {
  links: LinkStore
  people: PeopleStore
  clientOf: (of: Pick<Link, 'connectionId'>) => PlatformClient
  attribute: (
    person: Person,
    connectionId: string | undefined,
    signal: AbortSignal,
  ) => Promise<Attribution>
}

/**
 * Creates the link's thread in the name of who asked for it; the platform returns the original one for a
 * `requestId` that it knows.
 *
 * @throws {PlatformError}
 */
export async function createThread(
  deps: CreationDeps,
  link: Link,
  work: Ask,
  signal: AbortSignal,
): Promise<Thread> {
  const {projectId, place} = link
  const requestId = threadRequestIdOf(link)
  const create = async (ask: Ask): Promise<Thread> => {
    const {made} = await beginIn(
      deps,
      {...place, requestId, projectId},
      () => deps.clientOf(link).createThread({requestId, projectId, ...toThread(ask)}, signal),
      ({id}) => ({threadId: id, isAdopted: false}),
    )
    return made
  }
  const {ask, notes} = await attributed(deps, link, work, signal)
  try {
    return await create(ask)
  } catch (error) {
    const isRefused = error instanceof PlatformError && error.status === 400
    const isOfModel = error instanceof PlatformModelRejected
    if (!isRefused || isOfModel || ask.authorId === undefined) throw error
    // Whoever was found may have left the platform since.
    const keys: Ask = {...ask}
    delete keys.authorId
    const thread = await create(keys)
    await deps.links.changeIf(link.id, link, {ask: keys, notes: {...notes, byKey: 'left'}})
    const nobody = {platformUser: undefined, lookedAtMs: deps.nowMs()}
    const person = {team: link.place.team, user: link.startedBy}
    await deps.people.keepMatch(person, link.connectionId, nobody)
    return thread
  }
}

/**
 * By what the platform knows the creation. Each time that it starts over it is another one, unless nobody knows what
 * became of the one before.
 */
export function threadRequestIdOf({
  ask,
  attempt,
  requestId,
}: Pick<Link, 'ask' | 'attempt' | 'requestId'>) {
  return ask?.requestId ?? (attempt === 0 ? requestId : `${requestId}#${attempt + 1}`)
}

/** Under whose name it starts is settled once, and written down before it does. */
async function attributed(
  {links, attribute}: CreationDeps,
  link: Link,
  ask: Ask,
  signal: AbortSignal,
): Promise<Pick<Link, 'notes'> & {ask: Ask}> {
  const {notes, place, startedBy, connectionId} = link
  const isSettled = ask.authorId !== undefined || notes?.byKey !== undefined
  // What a rule begins is nobody's.
  if (isSettled || startedBy === NOBODY) return {ask, notes}
  const found = await attribute({team: place.team, user: startedBy}, connectionId, signal)
  const change =
    'authorId' in found ? {ask: {...ask, ...found}, notes} : {ask, notes: {...notes, ...found}}
  // Who has started it over meanwhile asks for it in their own way.
  await links.changeIf(link.id, link, change)
  return change
}

function toThread({message, title, machineSize, authorId, modelId, ...how}: Ask) {
  const model = modelId === undefined ? undefined : toSelection({modelId, ...how})
  return {
    message,
    ...(title !== undefined && {title}),
    ...(model && {model}),
    ...(isSize(machineSize) && {machineSize}),
    ...(authorId !== undefined && {authorId}),
  }
}

export function isSize(word: string | undefined): word is MachineSize {
  return MACHINE_SIZES.some((size) => size === word)
}

/** What it takes to begin work where it belongs. */
interface BeginningDeps {
  origins: Pick<OriginStore, 'begin' | 'isUnderway' | 'settle' | 'hasBegun' | 'of'>
  knowing: Knowing
  nowMs: () => number
}

interface Beginning extends Channel {
  /** The same for the same work, however often it is asked for. */
  requestId: string
  /** `undefined`: the platform chooses it. */
  projectId: string | undefined
}

/** What the platform answered: the thread, and whether it stood there already. */
interface Begun {
  threadId: string | undefined
  isAdopted: boolean
}

/**
 * Has the platform begin work in a place. That the place is closed to others is written down before the call, and with the
 * answer that the thread is: at no moment can it be taken for work that was begun elsewhere, also after a crash.
 *
 * @returns what was made, and whether it was begun by this request.
 * @throws what `create` throws.
 */
export async function beginIn<Made>(
  {origins, knowing, nowMs}: BeginningDeps,
  {team, channel, requestId, projectId}: Beginning,
  create: () => Promise<Made>,
  toBegun: (made: Made) => Begun,
): Promise<{made: Made; isBegunHere: boolean}> {
  // What was begun while the place was closed, or nobody said whether it is, ends as it began.
  const isClosed =
    (await origins.isUnderway(requestId)) || (await knowing.isClosed({team, channel}))
  if (!isClosed) {
    const made = await create()
    return {made, isBegunHere: !toBegun(made).isAdopted}
  }
  const isFirst = await origins.begin({requestId, projectId, nowMs: nowMs()})
  try {
    const made = await create()
    const {threadId, isAdopted} = toBegun(made)
    const isBegunHere = !isAdopted || (await isOwn(origins, {requestId, threadId, isFirst}))
    await origins.settle(requestId, isBegunHere ? threadId : undefined)
    return {made, isBegunHere}
  } catch (error) {
    // Before this it may have been asked for without an answer.
    if (isFirst && isNothingBegun(error)) await origins.settle(requestId, undefined)
    throw error
  }
}

/**
 * What stood there already may be what this very request began: before its answer was lost, and then nobody knows it yet; or
 * before a crash, and then that is known of it.
 */
async function isOwn(
  origins: Pick<OriginStore, 'hasBegun' | 'of'>,
  {
    requestId,
    threadId,
    isFirst,
  }: {requestId: string; threadId?: string | undefined; isFirst: boolean},
): Promise<boolean> {
  if (threadId === undefined) return false
  if (await origins.hasBegun(requestId, threadId)) return true
  return !isFirst && !(await origins.of([threadId])).has(threadId)
}

/** Told no, or not heard at all. */
function isNothingBegun(error: unknown): boolean {
  if (!(error instanceof PlatformError) || isUnheard(error)) return false
  return !(error instanceof PlatformUnreachable && error.mayHaveArrived)
}

/**
 * It was refused, and may have been made all the same: by an attempt whose answer was lost. A conflict may be with that, or with one
 * that is still under way.
 */
export function isUnheard({isDoubtful, status}: PlatformError): boolean {
  return isDoubtful || status === 409
}
