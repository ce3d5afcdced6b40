import type {FollowDesk, FollowOutcome} from '../../inbox/follow.ts'
import {followThread} from '../../inbox/follow.ts'
import type {SettingsOf} from '../../inbox/settings.ts'
import type {PlatformClient} from '../../platform/client.ts'
import type {AnnouncementStore} from '../../store/announcements.ts'
import type {Link} from '../../store/link.ts'
import type {Announcer} from '../announcer.ts'
import {declinedMessage} from '../declined-message.ts'
import type {Door} from '../door.ts'
import type {Permalinks} from '../permalinks.ts'
import {texts} from '../texts.ts'
import {readThreadId} from '../thread-address.ts'
import type {Act, MakeAct, Outcome} from './act.ts'
import type {Checks, WhereAgentIs} from './checks.ts'

interface FollowActsOptions {
  act: MakeAct
  checks: Checks
  desk: FollowDesk & {announcements: AnnouncementStore}
  clientOf: (of: Pick<Link, 'connectionId'>) => PlatformClient
  settingsOf: SettingsOf
  announcer: Announcer
  door: Door
  permalinks: Permalinks
  webUrl: string | undefined
}

/** Brings work that was started elsewhere into a channel. */
export function createFollowActs(options: FollowActsOptions): Act[] {
  const {act, checks, desk, clientOf, announcer, door, permalinks, webUrl, settingsOf} = options
  const words = texts.commands.follow

  const endHead = createHeadEnding(desk, announcer)

  return [
    act('command', '/bosun follow', checks.member, async (deed, _subject, {signal}) => {
      const {team, channel, user} = deed
      const {isConnected, values} = await settingsOf(team, channel)
      if (!isConnected) return {answer: await door.unbound(user, 'key')}
      if (deed.rest === '') return {answer: {text: words.usage}}
      const threadId = readThreadId(deed.rest, webUrl)
      if (threadId === undefined) return {answer: {text: words.notOurs}}
      const {connectionId} = values
      const client = clientOf({connectionId})
      const ask = {team, channel, threadId, connectionId, askedBy: user, client}
      const outcome = await followThread(
        desk,
        ask,
        async ({title}, id) => {
          const head = {askedBy: user, ...(title !== undefined && {title})}
          const row = {id, team, channel, threadId, connectionId, words: head}
          return announcer.settle(await desk.announcements.open(row, desk.nowMs()), signal)
        },
        signal,
      )
      if (outcome.outcome === 'standing') await endHead(outcome, signal)
      return toAnswer(outcome, permalinks)
    }),
  ]
}

/** Whoever was faster began in another Slack thread: this head stands for nothing. */
export function createHeadEnding(
  {announcements}: {announcements: AnnouncementStore},
  announcer: Announcer,
): (standing: {link: Link; headId: string}, signal: AbortSignal) => Promise<void> {
  return async ({link, headId}, signal) => {
    const head = await announcements.byId(headId)
    if (head === undefined || head.endedBy !== undefined || head.state === 'gone') return
    if (head.state === 'wanted') return announcements.move(headId, 'gone')
    const settled = await announcer.settle(head, signal)
    if ('code' in settled || settled.ts === link.place.slackThread) return
    await announcements.end(headId, 'over')
    announcer.wake()
  }
}

export async function toAnswer(outcome: FollowOutcome, permalinks: Permalinks): Promise<Outcome> {
  const words = texts.commands.follow
  switch (outcome.outcome) {
    case 'followed':
      return {answer: {text: words.followed(await whereIs(outcome.link, permalinks))}}
    case 'standing':
      return {answer: {text: words.standing(await whereIs(outcome.link, permalinks))}}
    case 'no-place':
      return {answer: {text: words.noPlace(outcome.code)}, again: true}
    case 'declined':
      return {
        answer: outcome.why === 'gone' ? {text: words.gone} : declinedMessage(outcome),
        again: true,
      }
    default:
      throw new Error(`Unknown outcome: ${JSON.stringify(outcome satisfies never)}`)
  }
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

/** Where a link's Slack thread is, as words that lead there. */
export async function whereIs({place}: Link, permalinks: Permalinks): Promise<string> {
  const address = await permalinks.find(place)
  if (address === undefined) return texts.commands.follow.thisThread
  return `<${address}|${texts.commands.list.toThread}>`
}
