import type {SettingsOf} from '../../agents/channel-settings.ts'
import {type ReadingDeps, readPullRequests} from '../../agents/sends/pull-requests/reading.ts'
import {type Knowing, isDirect} from '../../agents/who-may-know.ts'
import type {PlatformClient} from '../../platform/client.ts'
import {isOutOfSight} from '../../platform/errors.ts'
import type {Thread} from '../../platform/model.ts'
import type {PullRequestState} from '../../relay/pull-requests.ts'
import type {Membership} from '../../slack/api/membership.ts'
import type {BarredChannelStore} from '../../store/tables/channels/barred-channels.ts'
import {pullRequestKey} from '../../store/tables/pull-requests/key.ts'
import type {LinkLists} from '../../store/tables/work/link-lists.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {Subject} from './subject.ts'

/** What everybody in a place may know of the thing that a link leads to. */
export type Sight =
  /** `link`: it stands in this place, too. `stoppedBy`: in another one. */
  | {kind: 'work'; thread: Thread; link: Link | undefined; stoppedBy?: string | undefined}
  | {kind: 'pull-request'; address: string; link: Link; state: PullRequestState | undefined}

/**
 * A preview is read by everybody in the place, whoever posted the link. So it is the place that has to be entitled to know:
 * of work that stands there, or that belongs to its project and is nobody's secret; of pull requests that its own work has
 * named. Where people of other companies read, only what stands there already is told.
 *
 * `hidden`: it must not be known there, or there is no such thing. The two cost the same, and say the same: nothing.
 *
 * @throws {PlatformError} while the platform does not say.
 * @throws {TryLater} while Slack does not.
 */
export type Look = (
  channel: string,
  subject: Subject,
  signal: AbortSignal,
) => Promise<Sight | 'hidden'>

interface LookOptions extends ReadingDeps {
  team: string
  lists: Pick<LinkLists, 'ofThread' | 'ofThreads' | 'namersIn'>
  settingsOf: SettingsOf
  knowing: Pick<Knowing, 'isHiddenFrom'>
  membership: Pick<Membership, 'isSurelyShared'>
  barredChannels: Pick<BarredChannelStore, 'isBarred'>
  clientOf: (of: {connectionId: string | undefined}) => Pick<PlatformClient, 'getThread'>
}

export function createLook(options: LookOptions): Look {
  const {team, lists, settingsOf, knowing, membership, barredChannels, clientOf} = options

  /** `undefined`: there is none, or not for everybody here. */
  const readThread = async (
    channel: string,
    threadId: string,
    {link, connectionId}: {link: Link | undefined; connectionId: string | undefined},
    signal: AbortSignal,
  ): Promise<Thread | undefined> => {
    try {
      const thread = await clientOf({connectionId}).getThread(threadId, signal)
      // Of a direct message everybody is the one who asked there.
      const user = isDirect(channel) ? link?.startedBy : undefined
      const reader = {team, channel, user, connectionId, canWait: true}
      const isHidden = await knowing.isHiddenFrom(reader, thread)
      return isHidden ? undefined : thread
    } catch (error) {
      if (isOutOfSight(error)) return undefined
      throw error
    }
  }

  const ofWork = async (
    channel: string,
    threadId: string,
    signal: AbortSignal,
  ): Promise<Sight | 'hidden'> => {
    const {values, isConnected} = await settingsOf(team, channel)
    const links = await lists.ofThread({team, channel, threadId, taskId: undefined})
    const link = newestOf(links)
    const isForeign = link === undefined && isConnected
    if (isForeign ? await membership.isSurelyShared(channel) : link === undefined) return 'hidden'
    const {connectionId} = link ?? values
    const thread = await readThread(channel, threadId, {link, connectionId}, signal)
    if (thread === undefined) return 'hidden'
    const isOfProject = values.projectId !== undefined && thread.projectId === values.projectId
    if (link !== undefined) return {kind: 'work', thread, link}
    if (!isOfProject) return 'hidden'
    const elsewhere = await lists.ofThreads({team, threadIds: [threadId]})
    const stoppedBy = elsewhere.find((one) => one.link.stoppedBy !== undefined)?.link.stoppedBy
    return {kind: 'work', thread, link, stoppedBy}
  }

  const ofPullRequest = async (
    channel: string,
    key: string,
    signal: AbortSignal,
  ): Promise<Sight | 'hidden'> => {
    const link = newestOf(await lists.namersIn({team, channel, key}))
    const {threadId, connectionId} = link ?? {}
    if (link === undefined || threadId === undefined) return 'hidden'
    const thread = await readThread(channel, threadId, {link, connectionId}, signal)
    const named = [...link.pullRequests.map(({address}) => address), link.pullRequest ?? '']
    const address = named.find((one) => pullRequestKey(one) === key)
    if (thread === undefined || address === undefined) return 'hidden'
    const state = (await readPullRequests(options, link)).get(key)?.state
    return {kind: 'pull-request', address, link, state}
  }

  return async (channel, subject, signal) => {
    if (await barredChannels.isBarred({team, channel})) return 'hidden'
    return subject.kind === 'work'
      ? ofWork(channel, subject.threadId, signal)
      : ofPullRequest(channel, subject.key, signal)
  }
}

/** Oldest first; what goes on says more than what has ended. */
function newestOf(links: readonly Link[]): Link | undefined {
  const shown = links.filter(({notice}) => notice?.code !== 'misplaced')
  return shown.findLast(({state}) => state !== 'ended') ?? shown.at(-1)
}
