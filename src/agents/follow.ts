import {createHash} from 'node:crypto'
import type {PlatformClient} from '../platform/client.ts'
import {PlatformError} from '../platform/errors.ts'
import type {Task, Thread} from '../platform/model.ts'
import type {LinkLists} from '../store/tables/work/link-lists.ts'
import {FOLLOWED, type Face, type Link, type NewLink} from '../store/tables/work/link.ts'
import type {LinkStore} from '../store/tables/work/links.ts'
import {readLastWord} from './last-word.ts'
import type {Knowing} from './who-may-know.ts'
import {
  type Declined,
  type WorkDeps,
  declined,
  nameProject,
  throwIfPassing,
  toDeclined,
} from './lifecycle.ts'

export type FollowDeps = WorkDeps & {lists: LinkLists; knowing: Knowing}

/** Other work stands in that Slack thread. */
export const TAKEN = 'thread_taken'

const FIRST_WORD = {cursor: undefined, earlier: 0}

/** A thread that was there before, on its way into a channel. */
interface Following {
  team: string
  channel: string
  threadId: string
  connectionId: string | undefined
  /** The Slack user who asked for it. */
  askedBy: string
  /** It is the review of this pull request, and shown from its beginning on. */
  reviews?: string
  /** It is this captain's, also where the platform's thread does not say so. */
  face?: Face
  /** Only if it is in this project. */
  within?: {projectId: string | undefined} | undefined
  /** A message of ours in the channel tells of it. */
  isToldHere?: true
  /** It was begun here and now: the request that it was created with. It is shown from its first word on. */
  begunAs?: string
}

export type FollowOutcome =
  | {outcome: 'followed'; link: Link}
  /** It stands in this channel already, and needs no head by this id. */
  | {outcome: 'standing'; link: Link; headId: string}
  | {outcome: 'no-place'; code: string}
  | Declined

/** A Slack thread: its parent's `ts`, or why Slack does not let us. */
type Made = {ts: string} | {code: string}

/**
 * Relays a thread from its last words on, once in a channel however often it is asked for. Whoever comes again
 * after a crash comes to the same Slack thread.
 *
 * @throws {TryLater} while the platform cannot be reached.
 */
export async function followThread(
  deps: FollowDeps,
  {client, ...ask}: Following & {client: PlatformClient},
  makePlace: (thread: Thread, headId: string) => Promise<Made>,
  signal: AbortSignal,
): Promise<FollowOutcome> {
  const {threadId} = ask
  const all = await deps.lists.ofThread({...ask, taskId: undefined})
  const standing = all.find(({state}) => state !== 'ended')
  const id = headId(ask, threadId, all.filter(({state}) => state === 'ended').length)
  const toWork = async () => {
    const isOfHere = ask.begunAs !== undefined || ask.isToldHere === true
    if (!isOfHere && !(await deps.knowing.mayBring({...ask, user: ask.askedBy}))) return 'shared'
    const thread = await client.getThread(threadId, signal)
    const {team, channel, askedBy: user, connectionId} = ask
    const reader = {team, channel, user, connectionId}
    if (ask.within !== undefined && ask.within.projectId !== thread.projectId) return undefined
    // What is not to be known here is not there.
    if (ask.begunAs === undefined && (await deps.knowing.isHiddenFrom(reader, thread))) {
      return undefined
    }
    const isBegun = ask.begunAs !== undefined || ask.reviews !== undefined
    const {cursor, earlier} = isBegun ? FIRST_WORD : await readLastWord(client, threadId, signal)
    const face = faceOf(thread) ?? ask.face
    return {
      made: await makePlace(thread, id),
      status: thread.status,
      work: {
        projectId: thread.projectId ?? '',
        ...(thread.title !== undefined && {title: thread.title}),
        ...(face !== undefined && {face}),
        ...(cursor !== undefined && {cursor}),
        ...(earlier > 0 && {notes: {earlier}}),
        ...(ask.reviews !== undefined && {notes: {reviews: ask.reviews}}),
      },
    }
  }
  return follow(deps, {ask, id, standing, toWork}, signal)
}

/** The task of a thread, on its way into a channel. */
interface FollowingTask extends Following {
  taskId: string
  projectId: string
}

/** The same for a task, from its beginning on. */
export async function followTask(
  deps: FollowDeps,
  {client, taskId, projectId, ...ask}: FollowingTask & {client: PlatformClient},
  makePlace: (task: Task, headId: string) => Promise<Made>,
  signal: AbortSignal,
): Promise<FollowOutcome> {
  const all = await deps.lists.ofThread({...ask, taskId})
  // What is done has said all that it will.
  const isOver = ({state, status}: Link): boolean => state === 'ended' && status !== 'done'
  const standing = all.find((link) => !isOver(link))
  const id = headId(ask, taskId, all.filter(isOver).length)
  const toWork = async () => {
    const task = await client.getTask(taskId, signal)
    const {title, status} = task
    const work = {projectId, taskId, ...(title !== undefined && {title})}
    return {made: await makePlace(task, id), status, work}
  }
  return follow(deps, {ask, id, standing, toWork}, signal)
}

interface Follow {
  ask: Following
  /** Of the head. */
  id: string
  standing: Link | undefined
  /** `undefined`: it is not to be shown there. */
  toWork: () => Promise<
    | 'shared'
    | {
        made: Made
        status: string
        work: Omit<NewLink, 'place' | 'requestId' | 'startedBy' | 'threadId'>
      }
    | undefined
  >
}

async function follow(
  deps: FollowDeps,
  {ask, id, standing, toWork}: Follow,
  signal: AbortSignal,
): Promise<FollowOutcome> {
  const {team, channel, threadId, connectionId, askedBy, begunAs} = ask
  if (standing !== undefined) return stands(deps, {link: standing, headId: id}, signal)
  try {
    const found = await toWork()
    if (found === undefined) return declined('gone')
    if (found === 'shared') return declined('shared')
    const {made, status, work} = found
    if ('code' in made) return {outcome: 'no-place', code: made.code}
    const place = {team, channel, slackThread: made.ts}
    const requestId = begunAs ?? `${FOLLOWED}${team}:${channel}:${made.ts}`
    const begun = {...work, place, requestId, connectionId, startedBy: askedBy, threadId}
    const link = await deps.links.open(begun, deps.nowMs())
    // Whoever mentioned us below it was faster still: that is other work.
    if (link.threadId !== threadId || link.taskId !== work.taskId) {
      return {outcome: 'no-place', code: TAKEN}
    }
    // Somebody else was faster, in another Slack thread.
    if (link.place.slackThread !== made.ts) {
      return await stands(deps, {link, headId: id}, signal)
    }
    await deps.links.change(link.id, {status})
    await deps.show(link.id)
    await nameProject(deps, link, signal)
    return {outcome: 'followed', link}
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    throwIfPassing(error)
    return toDeclined(error)
  }
}

/** The same for all who ask at once, and another one when the link before it has ended. */
function headId({team, channel}: Following, id: string, ordinal: number): string {
  const words = JSON.stringify([team, channel, id, ordinal])
  return createHash('sha256').update(words).digest('base64url').slice(0, 16)
}

/** Whoever followed it may have crashed before its project had a name. */
async function stands(
  deps: FollowDeps,
  standing: {link: Link; headId: string},
  signal: AbortSignal,
): Promise<FollowOutcome> {
  await deps.show(standing.link.id)
  await nameProject(deps, standing.link, signal)
  return {outcome: 'standing', ...standing}
}

/** The name and the face of a captain's thread, which its record need not hold. */
export function faceOf({
  captain,
}: {
  captain?: Pick<NonNullable<Thread['captain']>, 'name' | 'avatar'> | undefined
}): Face | undefined {
  if (captain === undefined) return undefined
  const {name, avatar} = captain
  if (avatar === undefined) return {name}
  const {kind, value, background, image} = avatar
  return {name, avatar: {kind, value, background, image}}
}

export interface MisplacedDeps {
  links: Pick<LinkStore, 'change'>
  knowing: Pick<Knowing, 'isMisplaced'>
  show: (linkId: string) => Promise<void>
}

/**
 * What is followed may have become nobody's business but another place's since, while it rested: nobody tells of that. Whoever is about
 * to show or to do something about it ends it here first.
 *
 * @returns the link as it is then.
 */
export async function endIfMisplaced(
  {links, knowing, show}: MisplacedDeps,
  link: Link,
): Promise<Link> {
  const {id, place, threadId, requestId, notice} = link
  if (threadId === undefined || !requestId.startsWith(FOLLOWED)) return link
  if (notice?.code === 'misplaced') return link
  if (!(await knowing.isMisplaced(place, {id: threadId, personal: false}))) return link
  const ended = {state: 'ended', notice: {code: 'misplaced'}} as const
  await links.change(id, ended)
  await show(id)
  return {...link, ...ended}
}

/** So many are asked about side by side. */
const AT_ONCE = 50

/** Those of them that may be shown where they are; the others are ended there. */
export async function placedOf(deps: MisplacedDeps, links: readonly Link[]): Promise<Link[]> {
  const now: Link[] = []
  // Of all that somebody follows there may be a thousand, and Slack may take its time with each.
  for (let from = 0; from < links.length; from += AT_ONCE) {
    const some = links.slice(from, from + AT_ONCE)
    now.push(...(await Promise.all(some.map((link) => endIfMisplaced(deps, link)))))
  }
  return now.filter(({notice}) => notice?.code !== 'misplaced')
}
