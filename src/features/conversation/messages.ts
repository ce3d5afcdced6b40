import type {FollowUpDeps} from '../../agents/lifecycle.ts'
import {readOptions} from '../../agents/start-options.ts'
import {createMemory} from '../../async/memory.ts'
import {TryLater} from '../../inbox/try-later.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {InboxStore} from '../../store/tables/inbox.ts'
import type {Link, Place} from '../../store/tables/work/link.ts'
import type {Notification, NotificationStore} from '../../store/tables/work/notifications.ts'
import {threadLaneOf} from '../../slack/incoming/arrival.ts'
import {type PersonsMessage, isMention, slackThreadOf} from '../../slack/incoming/message.ts'
import {type Message, section} from '../../slack/draw/blocks.ts'
import {answerButton} from '../../slack/draw/notification.ts'
import {MAX_NAME, inBold} from '../../slack/markup/lines.ts'
import {readWritten, withoutMentions} from '../../slack/markup/markup.ts'
import {type Instruction, readInstruction} from '../../slack/incoming/instructions.ts'
import {hadLeak} from '../../slack/secrecy.ts'
import {texts} from '../../slack/texts.ts'
import type {Act, Check, ActResult} from '../../slack/gate/act.ts'
import {standingOfLink} from '../../slack/gate/checks.ts'
import {type Begin, NEW, messageRequestId} from '../../slack/gate/start-request.ts'
import type {FollowUps} from './follow-ups.ts'
import type {Overtaken} from './overtaken.ts'
import type {WorkLists} from './work-lists.ts'
import {conversationTexts} from './texts.ts'
import {startTexts} from './start-texts.ts'
import type {Tools} from '../../slack/gate/tools.ts'
import {workAt} from './work-at.ts'

interface MessagesOptions extends Pick<
  Tools,
  'act' | 'botUserId' | 'help' | 'names' | 'replies' | 'settingsOf'
> {
  inbox: Pick<InboxStore, 'isOpen'>
  deps: FollowUpDeps & {notifications: Pick<NotificationStore, 'asking'>}
  followUps: FollowUps
  begin: Begin
  list: WorkLists
  /** Says once in somebody's direct messages what we do there. */
  greeter: {met(user: string, channel: string): Promise<void>}
  /** Replies that came before the mention. */
  overtaken: Overtaken
  /** Words that lead to its Slack thread. */
  whereIs: (link: Link) => Promise<string>
}

export interface Concerned {
  /** The work of the Slack thread. */
  link: Link | undefined
  home: Link | undefined
  /** What its agent asked of who wrote this, where only mentions go to it. */
  unheard?: Notification
  /** It asks its work to stop. */
  isStop?: boolean
}

/** A mention whose work is about to begin is known within this. */
const SOON_MS = 200
const MAX_TOLD = 10_000
const HELP = /^(?:help|\?)$/i

/** What people write. */
export interface Messages {
  concerned: Check<PersonsMessage, Concerned>
  handle(
    message: PersonsMessage,
    concerned: Concerned,
    handling: Handling,
  ): Promise<ActResult | undefined>
  acts: Act[]
}

/**
 * A mention starts work, and so does a direct message; in a Slack thread that has an agent, every
 * message goes to it. Anything else is between people.
 */
export function createMessages(options: MessagesOptions): Messages {
  const {act, deps, followUps, names, replies, begin, settingsOf, botUserId} = options

  const toldOfMention = createMemory<true>({most: MAX_TOLD})

  /** The work of the Slack thread, if there is any; `none` for what is between people. */
  const concerned: Messages['concerned'] = {
    name: 'a mention, or in the Slack thread of work',
    look: async (message) => {
      const link = await workAt(deps.links, placeOf(message))
      const isNotification = message.isDirect || isMention(message, botUserId)
      if (link === undefined && (await mayBegin(message))) {
        throw new TryLater(undefined, SOON_MS, 'order')
      }
      if (link === undefined && !isNotification) return 'none'
      if (link !== undefined && !isNotification && isForPeople(message)) return 'none'
      if (link !== undefined && !isNotification && (await staysBetweenPeople(message, link))) {
        const unheard = await unheardAnswer(message, link)
        return unheard === undefined ? 'none' : {link, home: undefined, unheard}
      }
      if (link?.muted === true && !isNotification && isTalk(message)) return 'none'
      if (link !== undefined) return {link, home: undefined, isStop: isStop(message)}
      return {link, home: await homeOf(message)}
    },
    standing: ({link, isStop = false}) => (link && {...standingOfLink(link), isStop}) ?? {},
  }

  /** It speaks to somebody else. What holds a key is nobody's business either, and that is said. */
  const isForPeople = (message: PersonsMessage): boolean =>
    readInstruction(message.text, {botUserId, isDirect: false}).want === 'people' &&
    !hadLeak(message)

  /** Without a word of its own for the agent. */
  const isTalk = (message: PersonsMessage): boolean => {
    const words = readInstruction(message.text, {botUserId, isDirect: message.isDirect})
    return words.want === 'say' && words.delivery === 'queue' && !hadLeak(message)
  }

  const isStop = ({text, isDirect}: PersonsMessage): boolean =>
    readInstruction(text, {botUserId, isDirect}).want === 'stop'

  /** Whether this word would stop what is about to begin in its Slack thread: it does not wait in that lane. */
  const mayBegin = async (message: PersonsMessage): Promise<boolean> =>
    message.threadTs !== undefined && isStop(message) && options.inbox.isOpen(threadLaneOf(message))

  /** The captain who answers in the channel; in Slack threads nobody does but who works there. */
  const homeOf = async ({team, channel, threadTs, isDirect}: PersonsMessage) =>
    isDirect || threadTs !== undefined ? undefined : deps.links.homeOf({team, channel})

  /** Where only mentions go to the agent; what is written to it by a word of its own does all the same. */
  const staysBetweenPeople = async (message: PersonsMessage, {place}: Link): Promise<boolean> => {
    if (!isTalk(message) || place.isRoom === true) return false
    const {values} = await settingsOf(place.team, place.channel)
    return values.followUps === 'mention'
  }

  /** Who is asked something may take a reply for the answer: once for each question they hear that it is none. */
  const unheardAnswer = async ({user}: PersonsMessage, {id}: Link) => {
    const asked = (await deps.notifications.asking([id])).get(id)
    return asked?.person === user && !toldOfMention.of(asked.id) ? asked : undefined
  }

  const handle: Messages['handle'] = async (message, {link, home, unheard}, handling) => {
    if (unheard !== undefined) {
      toldOfMention.keep(unheard.id, true)
      return {answer: mentionMe(unheard)}
    }
    const text = await readText(message)
    // The row that opened a link comes here again when the platform was not there the first time.
    const isStart = link === undefined || link.requestId === messageRequestId(message)
    if (isStart) {
      const {isDirect, channel, user} = message
      if (isDirect) await options.greeter.met(user, channel)
      if (isDirect && text.trim() === texts.commands.list.waitsOnMe) {
        return options.list({kind: 'mine', filter: 'needsYou'}, message)
      }
      if (home !== undefined && !HELP.test(text)) return atHome(message, text, home, handling)
      const answer = await answerToWords(message, text)
      return answer ?? start(message, text, handling, slackThreadOf(message))
    }
    if (isMention(message, botUserId) && NEW.test(text)) {
      const task = text.replace(NEW, '')
      if (task === '') return {answer: {text: startTexts.emptyTask}}
      if (link.place.isRoom === true) return {answer: {text: startTexts.inRoom}}
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
  ): Promise<ActResult | undefined> => {
    const {team, channel} = message
    const slackThread = slackThreadOf(message)
    if (NEW.test(text)) {
      const task = text.replace(NEW, '')
      if (task === '') return {answer: {text: startTexts.emptyTask}}
      return start(message, task, handling, slackThread)
    }
    const name = inBold(home.face?.name ?? '', MAX_NAME)
    const {values} = await settingsOf(team, channel)
    const whenGone = async (): Promise<ActResult> => {
      const outcome = await start(message, text, handling, slackThread)
      return outcome ?? {answer: {text: conversationTexts.captainGone(name)}}
    }
    const isGone = home.state === 'ended' || home.connectionId !== values.connectionId
    if (isGone) return whenGone()
    const outcome = await followUps.tell(message, home, handling, {whenGone})
    if (outcome !== undefined) return outcome
    const words = readInstruction(message.text, {botUserId, isDirect: false})
    if (words.want !== 'say') return undefined
    const answers = {text: conversationTexts.captainAnswers(name, await options.whereIs(home))}
    // For everybody who reads the question and looks for its answer.
    if (await handling.mayTell('outcome')) replies.say({channel, slackThread: message.ts}, answers)
    return undefined
  }

  /** Words for an agent, where there is none: they are no task. */
  const answerToWords = async (
    message: PersonsMessage,
    text: string,
  ): Promise<ActResult | undefined> => {
    if (HELP.test(text)) return {answer: await options.help.first(message)}
    if (/^new$/i.test(text)) return {answer: {text: startTexts.emptyTask}}
    const words = readInstruction(message.text, {botUserId, isDirect: message.isDirect})
    // Whoever wants something stopped is shown what can be.
    if (words.want === 'stop') return options.list({kind: 'here', filter: 'all'}, message)
    if (words.want === 'review') return {answer: {text: texts.pullRequests.named.noAgent}}
    const what = purposeOf(words)
    return what === undefined ? undefined : {answer: {text: startTexts.noAgent(what)}}
  }

  const start = async (
    message: PersonsMessage,
    text: string,
    handling: Handling,
    slackThread: string | undefined,
  ): Promise<ActResult | undefined> => {
    const {channel, ts, threadTs, files, forwarded, team, user} = message
    const {options: chosen, task} = readOptions(text)
    if (task === '') {
      const isNothing = text === ''
      return {answer: isNothing ? await options.help.first(message) : {text: startTexts.emptyTask}}
    }
    const isInDiscussion = threadTs !== undefined && slackThread !== undefined
    const request = {
      requestId: messageRequestId(message),
      channel,
      slackThread,
      task,
      options: chosen,
      files,
      forwarded,
      earlier: isInDiscussion ? {channel, slackThread, beforeTs: ts} : undefined,
    }
    const outcome = await begin(request, {team, user}, handling)
    if (slackThread !== undefined) await options.overtaken(message, handling)
    return outcome
  }

  const readText = ({text}: PersonsMessage): Promise<string> =>
    readWritten(withoutMentions(text, botUserId), names)

  return {concerned, handle, acts: [act('message', '', concerned, handle)]}
}

function mentionMe({id}: Notification): Message {
  const text = conversationTexts.words.mentionMe
  return {text, blocks: [section(text), {type: 'actions', elements: [answerButton(id)]}]}
}

/** What a word to an agent is for; `undefined` for what may be a task. */
function purposeOf(words: Instruction): string | undefined {
  const {mute, unmute, aside, interrupt, steer, model} = startTexts.purposes
  switch (words.want) {
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
    case 'model':
      return model
    case 'stop':
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
