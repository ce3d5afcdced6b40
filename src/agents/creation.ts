import type {PlatformClient} from '../platform/client.ts'
import {PlatformError} from '../platform/errors.ts'
import {
  EFFORTS,
  type Effort,
  MACHINE_SIZES,
  type MachineSize,
  type Thread,
} from '../platform/model.ts'
import type {Ask, Link} from '../store/link.ts'
import type {LinkStore} from '../store/links.ts'
import type {PeopleStore, Person} from '../store/people.ts'
import type {Attribution} from './attribution.ts'
import {type BeginningDesk, beginIn} from './beginning.ts'

/** What the creation of a thread needs. */
export interface CreationDesk extends BeginningDesk {
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
  desk: CreationDesk,
  link: Link,
  work: Ask,
  signal: AbortSignal,
): Promise<Thread> {
  const {projectId, place} = link
  const requestId = link.attempt === 0 ? link.requestId : `${link.requestId}#${link.attempt + 1}`
  const create = async (ask: Ask): Promise<Thread> => {
    const {made} = await beginIn(
      desk,
      {...place, requestId, projectId},
      () => desk.clientOf(link).createThread({requestId, projectId, ...toThread(ask)}, signal),
      ({id}) => ({threadId: id, isAdopted: false}),
    )
    return made
  }
  const {ask, notes} = await attributed(desk, link, work, signal)
  try {
    return await create(ask)
  } catch (error) {
    const isRefused = error instanceof PlatformError && error.status === 400
    if (!isRefused || ask.authorId === undefined) throw error
    // Whoever was found may have left the platform since.
    const keys: Ask = {...ask}
    delete keys.authorId
    const thread = await create(keys)
    await desk.links.change(link.id, {ask: keys, notes: {...notes, byKey: 'left'}})
    const nobody = {platformUser: undefined, lookedAtMs: desk.nowMs()}
    const person = {team: link.place.team, user: link.startedBy}
    await desk.people.keepMatch(person, link.connectionId, nobody)
    return thread
  }
}

/** Under whose name it starts is settled once, and written down before it does. */
async function attributed(
  {links, attribute}: CreationDesk,
  link: Link,
  ask: Ask,
  signal: AbortSignal,
): Promise<Pick<Link, 'notes'> & {ask: Ask}> {
  const {notes, place, startedBy, connectionId} = link
  if (ask.authorId !== undefined || notes?.byKey !== undefined) return {ask, notes}
  const found = await attribute({team: place.team, user: startedBy}, connectionId, signal)
  const change =
    'authorId' in found ? {ask: {...ask, ...found}, notes} : {ask, notes: {...notes, ...found}}
  await links.change(link.id, change)
  return change
}

function toThread({message, title, modelId, effort, machineSize, authorId}: Ask) {
  const model = modelId && {modelId, ...(isEffort(effort) && {reasoningMode: effort})}
  return {
    message,
    ...(title !== undefined && {title}),
    ...(model && {model}),
    ...(isSize(machineSize) && {machineSize}),
    ...(authorId !== undefined && {authorId}),
  }
}

function isEffort(word: string | undefined): word is Effort {
  return EFFORTS.some((effort) => effort === word)
}

export function isSize(word: string | undefined): word is MachineSize {
  return MACHINE_SIZES.some((size) => size === word)
}
