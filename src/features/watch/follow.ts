import type {FollowDeps} from '../../agents/follow.ts'
import {ownProject} from '../../agents/who-may-know.ts'
import type {AnnouncementStore} from '../../store/tables/channels/announcements.ts'
import type {Permalinks} from '../../slack/api/permalinks.ts'
import {ACTIONS} from '../../slack/ids.ts'
import {asTyped} from '../../slack/markup/markup.ts'
import {threadIdIn} from '../../slack/markup/work-address.ts'
import {texts} from '../../slack/texts.ts'
import type {Act, ActResult} from '../../slack/gate/act.ts'
import type {WhereAgentIs} from '../../slack/gate/checks.ts'
import {createFollowing, toAnswer, whereIs} from '../../slack/gate/following.ts'
import type {ActTools} from '../../slack/gate/tools.ts'

interface FollowActsOptions extends ActTools<
  'access' | 'announcer' | 'clientOf' | 'unconnected' | 'permalinks' | 'settingsOf' | 'webUrl'
> {
  deps: FollowDeps & {announcements: AnnouncementStore}
}

/** Brings work that was started elsewhere into a channel. */
export function createFollowActs(options: FollowActsOptions): Act[] {
  const {act, checks, deps, access, unconnected, permalinks, webUrl, settingsOf} = options
  const words = texts.commands.follow

  const followHere = createFollowing(options)

  const follow = async (
    {team, channel, user}: {team: string; channel: string; user: string},
    threadId: string | undefined,
    signal: AbortSignal,
  ): Promise<ActResult> => {
    const {isConnected, values} = await settingsOf(team, channel)
    if (!isConnected) return {answer: await unconnected.answer(user, 'key')}
    if (threadId === '') return {answer: {text: words.usage}}
    if (threadId === undefined) return {answer: {text: words.notOurs}}
    const {connectionId} = values
    const own = await ownProject(deps, {team, channel, user}, values)
    const within = (await access.isAdmin(user)) ? undefined : {projectId: own}
    const ask = {team, channel, threadId, connectionId, within, askedBy: user}
    const outcome = await followHere(ask, signal)
    return toAnswer(outcome, permalinks)
  }

  return [
    act('command', '/bosun follow', checks.member, (interaction, _subject, {signal}) =>
      follow(interaction, readThreadId(interaction.rest, webUrl), signal),
    ),
    // The id stands there as it is. It says no more than the command could: what it names is looked up with the channel's own key.
    act('press', ACTIONS.findFollow, checks.member, async (press, _subject, {signal}) => {
      const {team, channel, user, value} = press
      if (channel === undefined || value === '') return {answer: {text: texts.notHere}}
      return follow({team, channel, user}, value, signal)
    }),
  ]
}

/** Where the agent is whose task a link follows; `undefined` where it is not in this channel. */
export function createWhereAgentIs(
  lists: FollowDeps['lists'],
  permalinks: Permalinks,
): WhereAgentIs {
  return async ({place: {team, channel}, threadId}) => {
    if (threadId === undefined) return undefined
    const [agent] = await lists.ofThread({team, channel, threadId, taskId: undefined})
    return agent && whereIs(agent, permalinks)
  }
}

/**
 * The thread that somebody named: by its id, or by its web address after the template that holds `{threadId}`.
 * `undefined`: an address of something else; empty: nothing was named.
 */
export function readThreadId(said: string, webUrl: string | undefined): string | undefined {
  const [word = ''] = unwrap(said).split(/\s/, 1)
  const named = threadIdIn(word, webUrl)
  if (named !== undefined) return named
  const isAddress = /^[a-z][a-z\d+.-]*:\/\//i.test(word)
  return isAddress || word.length > MAX_ID ? undefined : word
}

const MAX_ID = 200

/** Slack writes links as `<address>` or `<address|label>`, and escapes three characters. */
function unwrap(said: string): string {
  const [, inner = said] = /^<([^<>|]*)(?:\|[^<>]*)?>/.exec(said.trim()) ?? []
  return asTyped(inner.trim().replace(/^`(.*)`$/, '$1'))
}
