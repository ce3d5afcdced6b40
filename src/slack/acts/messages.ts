import {type FollowUpDesk, followUp} from '../../inbox/follow-up.ts'
import {startWork} from '../../inbox/work.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {Link, Place} from '../../store/links.ts'
import {tokenMark} from '../../store/sends.ts'
import {type PersonsMessage, isMention, slackThreadOf} from '../deeds/message.ts'
import {type Names, toReadable} from '../markup.ts'
import type {Replies} from '../replies.ts'
import {declinedText, texts} from '../texts.ts'
import {type Act, type Check, type MakeAct, type Outcome, Refusal} from './act.ts'
import {isForeign} from './checks.ts'

interface MessageActsOptions {
  act: MakeAct
  desk: FollowUpDesk
  names: Names
  replies: Replies
  botUserId: string
  /** The project of channels without a binding; `undefined` when no key is configured. */
  standardProjectId: string | undefined
  /** Words that lead to the Slack thread of the agent whose task this link follows. */
  whereAgentIs: (link: Link) => Promise<string | undefined>
}

/**
 * A mention starts work, and so does a direct message; in a Slack thread that has an agent, every
 * message goes to it. Anything else is between people.
 */
export function createMessageActs(options: MessageActsOptions): Act[] {
  const {act, desk, names, replies, botUserId, standardProjectId} = options

  /** The work of the Slack thread, if there is any; `none` for what is between people. */
  const concerned: Check<PersonsMessage, {link: Link | undefined} | 'none'> = {
    name: 'member',
    look: async (message) => {
      const link = await desk.links.byPlace(placeOf(message))
      const isCall = message.isDirect || isMention(message, botUserId)
      if (link === undefined && !isCall) return 'none'
      return isForeign(message) ? new Refusal({text: texts.notForGuests}) : {link}
    },
  }

  const handle = async (
    message: PersonsMessage,
    subject: {link: Link | undefined} | 'none',
    handling: Handling,
  ): Promise<Outcome | undefined> => {
    if (subject === 'none') return undefined
    const {link} = subject
    const text = await readText(message)
    if (text === '') return {answer: {text: texts.help}}
    // The row that opened a link comes here again when the platform was not there the first time.
    const isStart = link === undefined || link.requestId === requestIdOf(message)
    return isStart
      ? await start(message, text, handling)
      : await tell(message, link, text, handling)
  }

  const start = async (
    message: PersonsMessage,
    text: string,
    handling: Handling,
  ): Promise<Outcome | undefined> => {
    if (standardProjectId === undefined) return {answer: {text: texts.notConnected}}
    const ask = {
      place: placeOf(message),
      requestId: requestIdOf(message),
      projectId: standardProjectId,
      startedBy: message.user,
      ask: {message: text},
    }
    replies.seen(message.channel, message.ts)
    await startWork(desk, ask, handling.signal)
    return undefined
  }

  const tell = async (
    message: PersonsMessage,
    link: Link,
    text: string,
    handling: Handling,
  ): Promise<Outcome | undefined> => {
    if (link.taskId !== undefined) {
      return {answer: {text: texts.tasks.readOnly(await options.whereAgentIs(link))}}
    }
    const line = await senderLine(message)
    const send = {
      inboxKey: handling.row.key,
      messageTs: message.ts,
      sender: message.user,
      toText: (token: string) => `${line} ${tokenMark(token)}\n${text}`,
    }
    const outcome = await followUp(desk, link, send, handling.signal)
    if (outcome.outcome === 'sent') replies.admitted(message.channel, message.ts)
    return outcome.outcome === 'declined' ? {answer: {text: declinedText(outcome)}} : undefined
  }

  const readText = async (message: PersonsMessage): Promise<string> => {
    const task = message.text.replaceAll(new RegExp(`<@${botUserId}(\\|[^>]*)?>`, 'g'), ' ')
    return (await toReadable(task, names)).replace(/^[ \t]+|[ \t]+$/gm, '').trim()
  }

  const senderLine = async ({user, channel, isDirect}: PersonsMessage): Promise<string> => {
    const name = await names.user(user)
    return isDirect ? `${name} in a direct message` : `${name} in #${await names.channel(channel)}`
  }

  return [act('message', '', concerned, handle)]
}

function placeOf(message: PersonsMessage): Place {
  return {team: message.team, channel: message.channel, slackThread: slackThreadOf(message)}
}

/** Deterministic, so that however often a message is handled it is one thread (section 4.1 rule 1). */
function requestIdOf({team, channel, ts}: PersonsMessage): string {
  return `slack:${team}:${channel}:${ts}`
}
