import {type Edit, cancelMessage, editSend} from '../../inbox/edit.ts'
import {type FollowUpDesk, followUp} from '../../inbox/follow-up.ts'
import {stopWork} from '../../inbox/work.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {Link} from '../../store/link.ts'
import {tokenMark} from '../../store/sends.ts'
import {declinedMessage} from '../declined-message.ts'
import type {MessageChanged, MessageDeleted, PersonsMessage} from '../deeds/message.ts'
import {type Names, toReadable} from '../markup.ts'
import type {Parcels} from '../parcels.ts'
import type {Replies} from '../replies.ts'
import {senderLine} from '../sender-line.ts'
import {texts} from '../texts.ts'
import {notPassedText} from '../texts/start.ts'
import {readWords} from '../words.ts'
import type {Act, Check, MakeAct, Outcome} from './act.ts'
import {type WhereAgentIs, isForeign} from './checks.ts'
import {keptMessage} from './kept-message.ts'
import {createMuting} from './muting.ts'
import {toOutcome} from './work.ts'

interface FollowUpsOptions {
  act: MakeAct
  desk: FollowUpDesk
  names: Names
  replies: Replies
  parcels: Parcels
  whereAgentIs: WhereAgentIs
  botUserId: string
}

/** What people write in the Slack thread of running work. */
export interface FollowUps {
  tell(message: PersonsMessage, link: Link, handling: Handling): Promise<Outcome | undefined>
  /** What they make of it later. */
  acts: Act[]
}

type Told = Awaited<ReturnType<typeof followUp>>
type Written = Pick<PersonsMessage, 'user' | 'channel' | 'ts' | 'text'>

export function createFollowUps(options: FollowUpsOptions): FollowUps {
  const {act, desk, names, replies, parcels, botUserId} = options
  const setMuted = createMuting(desk)
  /** Who has been told what `!aside` does. */
  const toldOfAside = new Set<string>()

  const tell: FollowUps['tell'] = async (message, link, {row, signal}) => {
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
      case 'stop':
        return toOutcome(await stopWork(desk, link, message.user, signal))
      case 'say': {
        if (link.muted && !words.isMention) return undefined
        const {text, notPassed} = await parcels.pack(await readText(words.text), message, signal)
        signal.throwIfAborted()
        const note = notPassed.length === 0 ? undefined : {text: notPassedText(notPassed)}
        if (text === '') return {answer: note ?? {text: texts.commands.help}}
        const send = await toSend(message, row.key, words.delivery)
        const toText = (token: string): string => send.toText(token, text)
        const told = await followUp(desk, link, {...send, toText}, signal)
        return toAnswer(message, told) ?? (note && {answer: note})
      }
      default:
        throw new Error(`Unknown words: ${JSON.stringify(words satisfies never)}`)
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
    const isDirect = message.channel.startsWith('D')
    const words = readWords(message.text, {botUserId, isDirect})
    const isKept = words.want === 'say'
    if (!isKept && words.want !== 'aside' && words.want !== 'people') return undefined
    // With the files that are still in it: what it replaces had them, too.
    const text = isKept
      ? (await parcels.pack(await readText(words.text), message, signal)).text
      : undefined
    signal.throwIfAborted()
    if (text === '') return undefined
    const send = await toSend(message, row.key, isKept ? words.delivery : 'queue')
    const told = await editSend(desk, link, {...send, words: text}, signal)
    return told && toAnswer(message, told)
  }

  const toSend = async (
    message: Written,
    inboxKey: string,
    delivery: Edit['delivery'],
  ): Promise<Omit<Edit, 'words'>> => {
    const line = await senderLine(names, message)
    const toText = (token: string, words: string) => `${line} ${tokenMark(token)}\n${words}`
    return {inboxKey, messageTs: message.ts, sender: message.user, delivery, toText}
  }

  const toAnswer = ({channel, ts}: Written, told: Told): Outcome | undefined => {
    if (told.outcome === 'sent') replies.admitted(channel, ts)
    if (told.outcome === 'kept') return {answer: keptMessage(told.send)}
    return told.outcome === 'declined' ? {answer: declinedMessage(told)} : undefined
  }

  const readText = async (text: string): Promise<string> =>
    (await toReadable(text, names)).replace(/^[ \t]+|[ \t]+$/gm, '').trim()

  /** Work of the Slack thread that it stands in; of all others we know nothing. */
  const ofWork = <D extends MessageChanged | MessageDeleted>(): Check<D, Link | 'none'> => ({
    name: 'its author, in the Slack thread of work',
    look: async (deed) => {
      const {team, channel, threadTs} = deed
      if (threadTs === undefined || isForeign(deed)) return 'none'
      return (await desk.links.byPlace({team, channel, slackThread: threadTs})) ?? 'none'
    },
  })

  const acts = [
    act('message changed', '', ofWork(), async (message, link, handling) =>
      link === 'none' ? undefined : change(message, link, handling),
    ),
    act('message deleted', '', ofWork(), async ({ts, user}, link, {signal}) => {
      if (link === 'none') return undefined
      await cancelMessage(desk, link, {messageTs: ts, sender: user}, signal)
      return undefined
    }),
  ]
  return {tell, acts}
}
