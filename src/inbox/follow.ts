import {createHash} from 'node:crypto'
import type {PlatformClient} from '../platform/client.ts'
import {PlatformError} from '../platform/errors.ts'
import type {Task, Thread} from '../platform/model.ts'
import {FOLLOWED, type Link} from '../store/link.ts'
import type {LinkLists} from '../store/link-lists.ts'
import {readLastWord} from './last-word.ts'
import {type Declined, type Desk, throwIfPassing, toDeclined} from './work.ts'

export type FollowDesk = Desk & {lists: LinkLists}

/** A thread that was there before, on its way into a channel. */
interface Following {
  team: string
  channel: string
  threadId: string
  /** The Slack user who asked for it. */
  askedBy: string
}

export type FollowOutcome =
  | {outcome: 'followed'; link: Link}
  /** It stands in this channel already. */
  | {outcome: 'standing'; link: Link}
  | {outcome: 'no-place'; code: string}
  | Declined

/** Gives the thread a Slack thread: its parent's `ts`, or why Slack does not let us. */
type MakePlace = (thread: Thread, headId: string) => Promise<{ts: string} | {code: string}>

/**
 * Relays a thread from its last words on, once in a channel however often it is asked for. Whoever comes again
 * after a crash comes to the same Slack thread.
 *
 * @throws {TryLater} while the platform cannot be reached.
 */
export async function followThread(
  desk: FollowDesk,
  {client, ...ask}: Following & {client: PlatformClient},
  makePlace: MakePlace,
  signal: AbortSignal,
): Promise<FollowOutcome> {
  const {team, channel, threadId, askedBy} = ask
  const before = await desk.lists.ofThread({team, channel, threadId, taskId: undefined})
  const standing = before.find(({state}) => state !== 'ended')
  if (standing !== undefined) return stands(desk, client, standing, signal)
  try {
    const thread = await client.getThread(threadId, signal)
    const last = await readLastWord(client, threadId, signal)
    const projectId = thread.projectId ?? ''
    const place = await makePlace(thread, headId(ask, before.length))
    if ('code' in place) return {outcome: 'no-place', code: place.code}
    const link = await desk.links.open(
      {
        place: {team, channel, slackThread: place.ts},
        requestId: `${FOLLOWED}${team}:${channel}:${place.ts}`,
        projectId,
        startedBy: askedBy,
        threadId,
        ...(thread.title !== undefined && {title: thread.title}),
        ...(last.cursor !== undefined && {cursor: last.cursor}),
        ...(last.earlier > 0 && {notes: {earlier: last.earlier}}),
      },
      desk.nowMs(),
    )
    // Somebody else was faster, in another Slack thread.
    if (link.place.slackThread !== place.ts) return await stands(desk, client, link, signal)
    await desk.links.change(link.id, {status: thread.status})
    await desk.show(link.id)
    await nameProject(desk, client, link, signal)
    return {outcome: 'followed', link}
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    throwIfPassing(error)
    return toDeclined(error)
  }
}

/** The task of a thread, on its way into a channel. */
interface FollowingTask extends Following {
  taskId: string
  projectId: string
}

/** The same for a task, from its beginning on. */
export async function followTask(
  desk: FollowDesk,
  {client, ...ask}: FollowingTask & {client: PlatformClient},
  makePlace: (task: Task, headId: string) => Promise<{ts: string} | {code: string}>,
  signal: AbortSignal,
): Promise<FollowOutcome> {
  const {team, channel, threadId, taskId, projectId, askedBy} = ask
  const [standing] = await desk.lists.ofThread({team, channel, threadId, taskId})
  if (standing !== undefined) return stands(desk, client, standing, signal)
  try {
    const task = await client.getTask(taskId, signal)
    const place = await makePlace(task, headId({team, channel, threadId: taskId}, 0))
    if ('code' in place) return {outcome: 'no-place', code: place.code}
    const {ts} = place
    const link = await desk.links.open(
      {
        place: {team, channel, slackThread: ts},
        requestId: `${FOLLOWED}${team}:${channel}:${ts}`,
        ...{projectId, startedBy: askedBy, threadId, taskId},
        ...(task.title !== undefined && {title: task.title}),
      },
      desk.nowMs(),
    )
    if (link.place.slackThread !== ts) return await stands(desk, client, link, signal)
    await desk.links.change(link.id, {status: task.status})
    await desk.show(link.id)
    await nameProject(desk, client, link, signal)
    return {outcome: 'followed', link}
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    throwIfPassing(error)
    return toDeclined(error)
  }
}

/** The same for all who ask at once, and another one when the link before it has ended. */
function headId({team, channel, threadId}: Omit<Following, 'askedBy'>, ordinal: number): string {
  const words = JSON.stringify([team, channel, threadId, ordinal])
  return createHash('sha256').update(words).digest('base64url').slice(0, 16)
}

/** Whoever followed it may have crashed before its project had a name. */
async function stands(
  desk: FollowDesk,
  client: PlatformClient,
  link: Link,
  signal: AbortSignal,
): Promise<FollowOutcome> {
  await desk.show(link.id)
  await nameProject(desk, client, link, signal)
  return {outcome: 'standing', link}
}

async function nameProject(
  {links, show}: FollowDesk,
  client: PlatformClient,
  link: Link,
  signal: AbortSignal,
): Promise<void> {
  if (link.projectName !== undefined || link.projectId === '') return
  try {
    const {name} = await client.getProject(link.projectId, signal)
    await links.change(link.id, {projectName: name})
    await show(link.id)
  } catch (error) {
    // A card with the project's id in place of its name is no reason to start anew.
    if (!(error instanceof PlatformError)) throw error
  }
}
