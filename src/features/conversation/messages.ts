import type {FollowUpDesk} from '../../agents/work.ts'
import type {SettingsOf} from '../../agents/settings.ts'
import {readOptions} from '../../agents/start-options.ts'
import {TryLater} from '../../inbox/try-later.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {InboxStore} from '../../store/inbox.ts'
import type {Link, Place} from '../../store/link.ts'
import {threadLaneOf} from '../../slack/deeds/arrival.ts'
import {type PersonsMessage, isMention, slackThreadOf} from '../../slack/deeds/message.ts'
import type {Message} from '../../slack/draw/message.ts'
import {MAX_NAME, inBold} from '../../slack/markup/lines.ts'
import {type Names, toReadable} from '../../slack/markup/markup.ts'
import {type Words, readWords} from '../../slack/parse/words.ts'
import {hadLeak} from '../../slack/secrecy.ts'
import type {Replies} from '../../slack/tell/replies.ts'
import {texts} from '../../slack/texts.ts'
import {type Act, type Check, type MakeAct, type Outcome} from '../../slack/gate/act.ts'
import {standingOfLink} from '../../slack/gate/checks.ts'
import {NEW, messageRequestId} from '../../slack/gate/wish.ts'
import type {FollowUps} from './follow-ups.ts'
import type {Overtaken} from './overtaken.ts'
import type {Starter} from './starter.ts'

interface MessageActsOptions {
  act: MakeAct
  inbox: Pick<InboxStore, 'isOpen'>
  desk: FollowUpDesk
  followUps: FollowUps
  names: Names
  replies: Replies
  begin: Starter
  /** Replies that came before the mention. */
  overtaken: Overtaken
  settingsOf: SettingsOf
  /** Words that lead to its Slack thread. */
  whereIs: (link: Link) => Promise<string>
  botUserId: string
}

interface Concerned {
  /** The work of the Slack thread. */
  link: Link | undefined
  home: Link | undefined
}

/** A mention whose work is about to begin is known within this. */
const SOON_MS = 200
const HELP = /^(?:help|\?)$/i

/**
 * A mention starts work, and so does a direct message; in a Slack thread that has an agent, every
 * message goes to it. Anything else is between people.
 */
export function createMessageActs(options: MessageActsOptions): Act[] {
  const {act, desk, followUps, names, replies, begin, settingsOf, botUserId} = options

  /** The work of the Slack thread, if there is any; `none` for what is between people. */
  const concerned: Check<PersonsMessage, Concerned> = {
    name: 'a mention, or in the Slack thread of work',
    look: async (message) => {
      const link = await desk.links.byPlace(placeOf(message))
      const isCall = message.isDirect || isMention(message, botUserId)
      if (link === undefined && (await mayBegin(message))) {
        throw new TryLater(undefined, SOON_MS, 'order')
      }
      if (link === undefined && !isCall) return 'none'
      if (link !== undefined && !isCall && (await staysBetweenPeople(message, link))) return 'none'
      return {link, home: link === undefined ? await homeOf(message) : undefined}
    },
    standing: ({link}) => (link === undefined ? {} : standingOfLink(link)),
  }

  /** Whether this word would stop what is about to begin in its Slack thread: it does not wait in that lane. */
  const mayBegin = async (message: PersonsMessage): Promise<boolean> => {
    const {threadTs, isDirect, text} = message
    if (threadTs === undefined || readWords(text, {botUserId, isDirect}).want !== 'stop')
      return false
    return options.inbox.isOpen(threadLaneOf(message))
  }

  /** The captain who answers in the channel; in Slack threads nobody does but who works there. */
  const homeOf = async ({team, channel, threadTs, isDirect}: PersonsMessage) =>
    isDirect || threadTs !== undefined ? undefined : desk.links.homeOf({team, channel})

  /** Where only mentions go to the agent; what is written to it by a word of its own does all the same. */
  const staysBetweenPeople = async (message: PersonsMessage, {place}: Link): Promise<boolean> => {
    const words = readWords(message.text, {botUserId, isDirect: message.isDirect})
    if (words.want !== 'say' || words.delivery !== 'queue' || hadLeak(message)) return false
    const {values} = await settingsOf(place.team, place.channel)
    return values.followUps === 'mention'
  }

  const handle = async (
    message: PersonsMessage,
    {link, home}: Concerned,
    handling: Handling,
  ): Promise<Outcome | undefined> => {
    const text = await readText(message)
    // The row that opened a link comes here again when the platform was not there the first time.
    const isStart = link === undefined || link.requestId === messageRequestId(message)
    if (isStart) {
      if (home !== undefined && !HELP.test(text)) return atHome(message, text, home, handling)
      const answer = answerToWords(message, text)
      return answer ? {answer} : start(message, text, handling, slackThreadOf(message))
    }
    if (isMention(message, botUserId) && NEW.test(text)) {
      const task = text.replace(NEW, '')
      if (task === '') return {answer: {text: texts.start.emptyTask}}
      return start(message, task, handling, undefined)
    }
    return followUps.tell(message, link, handling)
  }

  /** Where a captain is at home it is asked, unless somebody wants new work; what nobody sees there is quoted. */
  const atHome = async (
    message: PersonsMessage,
    text: string,
    home: Link,
    handling: Handling,
  ): Promise<Outcome | undefined> => {
    const {team, channel} = message
    const slackThread = slackThreadOf(message)
    if (NEW.test(text)) {
      const task = text.replace(NEW, '')
      if (task === '') return {answer: {text: texts.start.emptyTask}}
      return start(message, task, handling, slackThread)
    }
    const name = inBold(home.face?.name ?? '', MAX_NAME)
    const {values} = await settingsOf(team, channel)
    const whenGone = async (): Promise<Outcome> => {
      const outcome = await start(message, text, handling, slackThread)
      return outcome ?? {answer: {text: texts.captains.homeGone(name)}}
    }
    const isGone = home.state === 'ended' || home.connectionId !== values.connectionId
    if (isGone) return whenGone()
    const outcome = await followUps.tell(message, home, handling, {whenGone})
    if (outcome !== undefined) return outcome
    const words = readWords(message.text, {botUserId, isDirect: false})
    if (words.want !== 'say') return undefined
    return {answer: {text: texts.captains.answers(name, await options.whereIs(home))}}
  }

  /** Words for an agent, where there is none: they are no task. */
  const answerToWords = (message: PersonsMessage, text: string): Message | undefined => {
    if (HELP.test(text)) return {text: texts.commands.help['/bosun']}
    if (/^new$/i.test(text)) return {text: texts.start.emptyTask}
    const {isDirect} = message
    const {want} = readWords(message.text, {botUserId, isDirect})
    if (want === 'review') return {text: texts.reviews.named.noAgent}
    const what = purposeOf(readWords(message.text, {botUserId, isDirect}))
    return what === undefined ? undefined : {text: texts.start.noAgent(what)}
  }

  const start = async (
    message: PersonsMessage,
    text: string,
    handling: Handling,
    slackThread: string | undefined,
  ): Promise<Outcome | undefined> => {
    const {channel, ts, threadTs, files, forwarded, team, user} = message
    const {options: chosen, task} = readOptions(text)
    if (task === '') {
      return {answer: {text: text === '' ? texts.commands.help['/bosun'] : texts.start.emptyTask}}
    }
    const isInDiscussion = threadTs !== undefined && slackThread !== undefined
    const wish = {
      ...{requestId: messageRequestId(message), channel, slackThread, task, options: chosen},
      ...{files, forwarded},
      earlier: isInDiscussion ? {channel, slackThread, beforeTs: ts} : undefined,
    }
    replies.seen(channel, ts)
    const outcome = await begin(wish, {team, user}, handling)
    if (slackThread !== undefined) await options.overtaken(message, handling)
    return outcome
  }

  const readText = async (message: PersonsMessage): Promise<string> => {
    const task = message.text.replaceAll(new RegExp(`<@${botUserId}(\\|[^<>]*)?>`, 'g'), ' ')
    return (await toReadable(task, names)).replace(/^[ \t]+|(?<![ \t])[ \t]+$/gm, '').trim()
  }

  return [act('message', '', concerned, handle)]
}

/** What a word to an agent is for; `undefined` for what may be a task. */
function purposeOf(words: Words): string | undefined {
  const {stop, mute, unmute, aside, interrupt, steer} = texts.start.purposes
  switch (words.want) {
    case 'stop':
      return stop
    case 'mute':
      return mute
    case 'unmute':
      return unmute
    case 'aside':
      return aside
    case 'nothing':
      return words.word === '!now' ? interrupt : steer
    case 'say':
      if (words.delivery === 'queue') return undefined
      return words.delivery === 'interrupt' ? interrupt : steer
    case 'review':
    case 'people':
      return undefined
    default:
      throw new Error(`Unknown words: ${JSON.stringify(words satisfies never)}`)
  }
}

function placeOf(message: PersonsMessage): Place {
  return {team: message.team, channel: message.channel, slackThread: slackThreadOf(message)}
}
