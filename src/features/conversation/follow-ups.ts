import {type Edit, cancelMessage, editSend} from '../../agents/send-edits.ts'
import {followUp} from '../../agents/sending.ts'
import {type StopDesk, stopWork} from '../../agents/stopping.ts'
import {readOptions} from '../../agents/start-options.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {InboxStore} from '../../store/inbox.ts'
import type {Link} from '../../store/link.ts'
import {type Send, tokenMark} from '../../store/sends.ts'
import {isLaterEdit, isOfMessage} from '../../slack/deeds/arrival.ts'
import type {MessageChanged, MessageDeleted, PersonsMessage} from '../../slack/deeds/message.ts'
import {declinedMessage} from '../../slack/draw/declined-message.ts'
import {keptMessage} from '../../slack/draw/kept-message.ts'
import {type Names, toReadable} from '../../slack/markup/markup.ts'
import type {Parcels} from '../../slack/parcels/parcels.ts'
import {senderLine} from '../../slack/parcels/sender-line.ts'
import {readWords} from '../../slack/parse/words.ts'
import type {Replies} from '../../slack/tell/replies.ts'
import {notPassedText} from '../../slack/texts/start.ts'
import {texts} from '../../slack/texts.ts'
import type {Act, Check, MakeAct, Outcome} from '../../slack/gate/act.ts'
import {type WhereAgentIs, standingOfLink} from '../../slack/gate/checks.ts'
import {NEW, messageRequestId} from '../../slack/gate/wish.ts'
import {createMuting} from './muting.ts'
import {toOutcome} from './unsure.ts'

interface FollowUpsOptions {
  act: MakeAct
  desk: StopDesk
  names: Names
  replies: Replies
  parcels: Parcels
  whereAgentIs: WhereAgentIs
  /** Has a pull request reviewed that somebody named. */
  review: (
    message: PersonsMessage,
    link: Link,
    said: string,
    handling: Handling,
  ) => Promise<Outcome>
  inbox: Pick<InboxStore, 'handledBefore'>
  botUserId: string
}

/** What people write in the Slack thread of running work. */
export interface FollowUps {
  /** `home`: it was written where a captain is at home, and readers of its Slack thread are shown it. */
  tell(
    message: PersonsMessage,
    link: Link,
    handling: Handling,
    home?: {whenGone: () => Promise<Outcome | undefined>},
  ): Promise<Outcome | undefined>
  /** What they make of it later. */
  acts: Act[]
}

/** Everything has its first sign within a second. */
const SEEN_AFTER_MS = 500

type Told = Awaited<ReturnType<typeof followUp>> | {outcome: 'cancelled'}
type Written = Pick<PersonsMessage, 'user' | 'channel' | 'ts' | 'threadTs'>

export function createFollowUps(options: FollowUpsOptions): FollowUps {
  const {act, desk, names, replies, parcels, botUserId} = options
  const setMuted = createMuting(desk)
  /** Who has been told what `!aside` does. */
  const toldOfAside = new Set<string>()

  const tell: FollowUps['tell'] = async (message, link, handling, home) => {
    const {row, signal} = handling
    const words = readWords(message.text, {botUserId, isDirect: message.isDirect})
    if (link.taskId !== undefined && words.want !== 'people' && words.want !== 'aside') {
      return {answer: {text: texts.tasks.readOnly(await options.whereAgentIs(link))}}
    }
    switch (words.want) {
      case 'people':
        return undefined
      case 'aside':
        return tellOfAside(message)
      case 'nothing':
        return {answer: {text: texts.talk.words.empty(words.word)}}
      case 'mute':
      case 'unmute':
        return {answer: {text: await setMuted(link, words.want)}}
      case 'review':
        return options.review(message, link, words.text, handling)
      case 'stop':
        replies.stopped(message.channel, message.ts)
        return toOutcome(await stopWork(desk, link, message.user, handling))
      case 'say': {
        if (link.muted && !words.isMention) return undefined
        const {text, notPassed} = await parcels.pack(await readText(words.text), message, signal)
        signal.throwIfAborted()
        const note = notPassed.length === 0 ? undefined : {text: notPassedText(notPassed)}
        if (text === '') return {answer: note ?? {text: texts.commands.help['/bosun']}}
        const send = await toSend(message, row, words.delivery)
        const toText = (token: string): string => send.toText(token, text)
        const told = await seenWhenSlow(message, () =>
          followUp(desk, link, {...send, toText, isQuoted: home !== undefined}, signal),
        )
        const isGone = told.outcome === 'declined' && told.why === 'gone'
        if (isGone && home !== undefined) return home.whenGone()
        return toAnswer(message, told) ?? (note && {answer: note})
      }
      default:
        throw new Error(`Unknown words: ${JSON.stringify(words satisfies never)}`)
    }
  }

  /** What takes its time, as when an answer is lost, shows that we are at it. */
  const seenWhenSlow = async (
    {channel, ts}: PersonsMessage,
    send: () => Promise<Told>,
  ): Promise<Told> => {
    const slow = setTimeout(() => replies.seen(channel, ts), SEEN_AFTER_MS)
    try {
      return await send()
    } finally {
      clearTimeout(slow)
    }
  }

  const tellOfAside = ({team, user}: PersonsMessage): Outcome | undefined => {
    const who = `${team}:${user}`
    if (toldOfAside.has(who)) return undefined
    toldOfAside.add(who)
    return {answer: {text: texts.talk.words.aside}}
  }

  /** What was done by a word is not done again: an edit only changes what the agent is told. */
  const change = async (
    message: MessageChanged,
    link: Link,
    {row, signal}: Handling,
  ): Promise<Outcome | undefined> => {
    // Slack may deliver what was said before behind what is said now.
    const before = await options.inbox.handledBefore(row)
    if (before.some(({key}) => isLaterEdit(key, message))) return undefined
    const isDirect = message.channel.startsWith('D')
    const words = readWords(message.text, {botUserId, isDirect})
    const isKept = words.want === 'say'
    const began = link.requestId === messageRequestId(message)
    const toText = async (said: string): Promise<string> => {
      if (began) return readTask(said, message, link)
      // With the files that are still in it: what it replaces had them, too.
      return (await parcels.pack(await readText(said), message, signal)).text
    }
    const text = isKept ? await toText(words.text) : ''
    signal.throwIfAborted()
    // Its files may be read another time.
    if (isKept && text === '' && message.files.length > 0) return undefined
    const left = text === '' ? undefined : text
    const send = await toSend(message, row, isKept ? words.delivery : 'queue')
    const isQuoted = (message.threadTs ?? message.ts) !== link.place.slackThread && !began
    const edit = {
      isQuoted,
      ...{...send, words: left, correctionOf: texts.talk.correction, isOfMessage: isOfMessageSend},
      ...(began && {asked: await readTask(message.before, message, link)}),
    }
    const told = await editSend(desk, link, edit, signal)
    if (told?.outcome === 'cancelled') replies.cancelled(message.channel, message.ts)
    const outcome = told && toAnswer(message, told)
    return outcome && {...outcome, slackThread: link.place.slackThread}
  }

  /** What a message asked for that began work, here or in a Slack thread of its own. */
  const readTask = async (
    written: string,
    {ts, threadTs}: Written,
    link: Link,
  ): Promise<string> => {
    const isElsewhere = link.place.slackThread !== (threadTs ?? ts)
    const ours = new RegExp(`<@${botUserId}(\\|[^<>]*)?>`, 'g')
    const text = await readText(written.replaceAll(ours, ' '))
    return readOptions(isElsewhere ? text.replace(NEW, '') : text).task
  }

  const toSend = async (
    message: Written,
    {key: inboxKey, id: inboxId}: Handling['row'],
    delivery: Edit['delivery'],
  ): Promise<Omit<Edit, 'words' | 'correctionOf' | 'isOfMessage'>> => {
    const line = await senderLine(names, message)
    const toText = (token: string, words: string) => `${line} ${tokenMark(token)}\n${words}`
    return {inboxKey, inboxId, messageTs: message.ts, sender: message.user, delivery, toText}
  }

  const toAnswer = ({channel, ts}: Written, told: Told): Outcome | undefined => {
    if (told.outcome === 'sent') replies.admitted(channel, ts)
    if (told.outcome === 'kept') return {answer: keptMessage(told.send)}
    return told.outcome === 'declined' ? {answer: declinedMessage(told)} : undefined
  }

  const readText = async (text: string): Promise<string> =>
    (await toReadable(text, names)).replace(/^[ \t]+|(?<![ \t])[ \t]+$/gm, '').trim()

  /** Work that it began, or of the Slack thread that it stands in; of all others we know nothing. */
  const ofWork = <D extends MessageChanged | MessageDeleted>(): Check<D, Link> => ({
    name: 'its author, in the Slack thread of work',
    look: async (deed) => {
      const {team, channel, threadTs} = deed
      const begun = await desk.links.byRequest(messageRequestId(deed))
      if (begun !== undefined) return begun
      // Written where a captain is at home.
      if (threadTs === undefined) return (await desk.links.homeOf({team, channel})) ?? 'none'
      return (await desk.links.byPlace({team, channel, slackThread: threadTs})) ?? 'none'
    },
    standing: standingOfLink,
  })

  const acts = [
    act('message changed', '', ofWork(), change),
    act('message deleted', '', ofWork(), async ({ts, user}, link, {signal}) => {
      const message = {messageTs: ts, sender: user, isOfMessage: isOfMessageSend}
      await cancelMessage(desk, link, message, signal)
      return undefined
    }),
  ]
  return {tell, acts}
}

function isOfMessageSend({inboxKey}: Send): boolean {
  return isOfMessage(inboxKey)
}
