import type {FollowDesk} from '../../agents/follow.ts'
import {ownProject} from '../../agents/own-project.ts'
import type {SettingsOf} from '../../agents/settings.ts'
import type {PlatformClient} from '../../platform/client.ts'
import type {AnnouncementStore} from '../../store/announcements.ts'
import type {Link} from '../../store/link.ts'
import type {Access} from '../../slack/access.ts'
import type {Permalinks} from '../../slack/api/permalinks.ts'
import {ACTIONS} from '../../slack/ids.ts'
import {readThreadId} from './thread-address.ts'
import type {Announcer} from '../../slack/posts/announcer.ts'
import type {Door} from '../../slack/tell/unbound.ts'
import {texts} from '../../slack/texts.ts'
import type {Act, MakeAct, Outcome} from '../../slack/gate/act.ts'
import type {Checks, WhereAgentIs} from '../../slack/gate/checks.ts'
import {createBringing, toAnswer, whereIs} from '../../slack/gate/bringing.ts'

interface FollowActsOptions {
  act: MakeAct
  checks: Checks
  desk: FollowDesk & {announcements: AnnouncementStore}
  access: Access
  clientOf: (of: Pick<Link, 'connectionId'>) => PlatformClient
  settingsOf: SettingsOf
  announcer: Announcer
  door: Door
  permalinks: Permalinks
  webUrl: string | undefined
}

/** Brings work that was started elsewhere into a channel. */
export function createFollowActs(options: FollowActsOptions): Act[] {
  const {act, checks, desk, access, door, permalinks, webUrl, settingsOf} = options
  const words = texts.commands.follow

  const bring = createBringing(options)

  const follow = async (
    {team, channel, user}: {team: string; channel: string; user: string},
    said: string,
    signal: AbortSignal,
  ): Promise<Outcome> => {
    const {isConnected, values} = await settingsOf(team, channel)
    if (!isConnected) return {answer: await door.unbound(user, 'key')}
    if (said === '') return {answer: {text: words.usage}}
    const threadId = readThreadId(said, webUrl)
    if (threadId === undefined) return {answer: {text: words.notOurs}}
    const {connectionId} = values
    const own = await ownProject(desk, {team, channel, user}, values)
    const within = (await access.isAdmin(user)) ? undefined : {projectId: own}
    const ask = {team, channel, threadId, connectionId, within, askedBy: user}
    const outcome = await bring(ask, signal)
    return toAnswer(outcome, permalinks)
  }

  return [
    act('command', '/bosun follow', checks.member, (deed, _subject, {signal}) =>
      follow(deed, deed.rest, signal),
    ),
    // It says no more than the command could: what it names is looked up with the channel's own key.
    act('press', ACTIONS.findFollow, checks.member, async (press, _subject, {signal}) => {
      const {team, channel, user, value} = press
      if (channel === undefined || value === '') return {answer: {text: texts.notHere}}
      return follow({team, channel, user}, value, signal)
    }),
  ]
}

/** Where the agent is whose task a link follows; `undefined` where it is not in this channel. */
export function createWhereAgentIs(
  lists: FollowDesk['lists'],
  permalinks: Permalinks,
): WhereAgentIs {
  return async ({place: {team, channel}, threadId}) => {
    if (threadId === undefined) return undefined
    const [agent] = await lists.ofThread({team, channel, threadId, taskId: undefined})
    return agent && whereIs(agent, permalinks)
  }
}
