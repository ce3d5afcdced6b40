import type {PlatformClient} from '../../platform/client.ts'
import {isOutOfSight} from '../../platform/errors.ts'
import type {Thread} from '../../platform/model.ts'
import type {LinkLists} from '../../store/tables/work/link-lists.ts'
import type {Face, Link} from '../../store/tables/work/link.ts'
import {sameName} from './names.ts'
import {faceOf} from '../../agents/follow.ts'
import type {Known, Knowing} from '../../agents/who-may-know.ts'

/** An agent that stays and has a name: section 2.2 of the platform's API. */
export interface Captain {
  threadId: string
  face: Face
  /** As the platform says it; `gone`: it is not there any more. */
  state: {status: string; needsYou?: boolean | undefined; archived: boolean} | 'gone'
  /** The platform's user who owns it. */
  ownerId: string | undefined
  projectId: string | undefined
  /** It is its owner's alone. */
  personal: boolean
  createdAt: string | undefined
  /** Where it stands in the channel. */
  link: Link | undefined
}

/** Captains within the reach of a channel, by name. */
interface Roster {
  captains: Captain[]
  /** There are more threads than were looked through. */
  isCut: boolean
}

interface Within {
  team: string
  channel: string
  /** Who asks. */
  user: string
  connectionId: string | undefined
  /** Those of the channel; a channel that has chosen none reaches all. */
  projectIds: readonly string[]
}

/** The API has no list of captains, so they are met among the threads: so many of each project are looked through. */
const MAX_THREADS = 2000
/** And so many of all of them: a key may reach hundreds. */
const MAX_OF_ALL = 6000
/** Those that we know and did not meet are asked for one by one. */
const MAX_ASKED = 25

interface Reading {
  client: PlatformClient
  lists: LinkLists
  knowing: Knowing
}

/**
 * Reads the captains of the channel's projects, and those that stand in one of our Slack threads, as far as they may be
 * known there.
 *
 * @throws {PlatformError}
 */
export async function readRoster(
  {client, lists, knowing}: Reading,
  within: Within,
  signal: AbortSignal,
): Promise<Roster> {
  const known = await lists.captains(within)
  const here = new Map<string, Link>()
  for (const link of known) {
    const {threadId = '', place} = link
    // A Slack thread that goes on counts more than one that has ended.
    const standing = here.get(threadId)?.state ?? 'ended'
    if (place.channel === within.channel && standing === 'ended') here.set(threadId, link)
  }
  const found = new Map<string, Captain>()
  const faces = new Map(known.map(({threadId, face}) => [threadId, face]))
  const meet = (thread: Thread): void => {
    const captain = toCaptain(thread, here.get(thread.id), faces.get(thread.id))
    if (captain !== undefined) found.set(thread.id, captain)
  }
  let isCut = false
  let leftOfAll = MAX_OF_ALL
  for (const projectId of within.projectIds) {
    let left = Math.min(MAX_THREADS, leftOfAll)
    if (left === 0) {
      isCut = true
      break
    }
    for await (const thread of client.listThreads({projectId}, signal)) {
      meet(thread)
      left -= 1
      leftOfAll -= 1
      if (left > 0) continue
      isCut = true
      break
    }
  }
  const others = known.filter(({threadId = '', projectId, place}) => {
    const isNear = place.channel === within.channel || within.projectIds.includes(projectId)
    return isNear && !found.has(threadId)
  })
  const asked = new Map(others.map((link) => [link.threadId ?? '', link]))
  for (const [threadId, link] of [...asked].slice(-MAX_ASKED)) {
    try {
      meet(await client.getThread(threadId, signal))
    } catch (error) {
      if (!isOutOfSight(error)) throw error
      found.set(threadId, toGone(link))
    }
  }
  const hidden = await knowing.hiddenFrom(within, [...found.values()].map(toKnown))
  const captains = [...found.values()].filter(({threadId}) => !hidden.has(threadId))
  return {captains: captains.toSorted(byName), isCut}
}

/** One of them. `undefined`: a thread that is no captain's, or not to be known there. @throws {PlatformError} */
export async function readCaptain(
  {client, lists, knowing}: Reading,
  {threadId, ...within}: Within & {threadId: string},
  signal: AbortSignal,
): Promise<Captain | undefined> {
  const {team, channel} = within
  const all = await lists.ofThread({team, channel, threadId, taskId: undefined})
  const link = all.findLast(({state}) => state !== 'ended') ?? all.at(-1)
  try {
    const thread = await client.getThread(threadId, signal)
    if (await knowing.isHiddenFrom(within, thread)) return undefined
    const known = thread.captain === undefined ? await lists.captains(within) : []
    const face = known.findLast((one) => one.threadId === threadId)?.face
    const captain = toCaptain(thread, link, face)
    const isReached = link !== undefined || within.projectIds.includes(captain?.projectId ?? '')
    return isReached ? captain : undefined
  } catch (error) {
    if (!isOutOfSight(error) || link?.face === undefined) throw error
    return toGone(link)
  }
}

/** `known`: its face as we last saw it. */
function toCaptain(
  thread: Thread,
  link: Link | undefined,
  known: Face | undefined,
): Captain | undefined {
  const face = faceOf(thread) ?? known
  if (face === undefined) return undefined
  const {id: threadId, status, needsYou, archived, authorId: ownerId, projectId} = thread
  const {personal = false, createdAt} = thread
  const isArchived = archived || status === 'archived'
  const state = {status, needsYou, archived: isArchived}
  return {threadId, face, state, ownerId, projectId, personal, createdAt, link}
}

function toKnown({threadId, ownerId, projectId, personal, createdAt}: Captain): Known {
  return {id: threadId, authorId: ownerId, projectId, personal, createdAt}
}

function toGone(link: Link): Captain {
  const {threadId = '', face = {name: ''}, projectId} = link
  const unsaid = {ownerId: undefined, personal: false, createdAt: undefined}
  return {threadId, face, state: 'gone', ...unsaid, projectId, link}
}

function byName(a: Captain, b: Captain): number {
  const [one, other] = [a, b].map(({face}) => sameName(face.name))
  if (one !== other) return (one ?? '') < (other ?? '') ? -1 : 1
  return a.threadId < b.threadId ? -1 : 1
}
