import {type FollowUpDesk, followUp} from '../inbox/follow-up.ts'
import {TryLater} from '../inbox/try-later.ts'
import {startWork} from '../inbox/work.ts'
import type {Handling} from '../inbox/worker.ts'
import type {Link, Place} from '../store/links.ts'
import {tokenMark} from '../store/sends.ts'
import {type PersonsMessage, isMention, slackThreadOf} from './delivery.ts'
import {type Names, toReadable} from './markup.ts'
import type {Asker, Replies} from './replies.ts'
import {declinedText, texts} from './texts.ts'

interface MessageOptions {
  desk: FollowUpDesk
  names: Names
  replies: Replies
  botUserId: string
  /** The project of channels without a binding; `undefined` when no key is configured. */
  standardProjectId: string | undefined
}

export type MessageHandler = (message: PersonsMessage, handling: Handling) => Promise<void>

/**
 * A mention starts work, and so does a direct message; in a Slack thread that has an agent, every
 * message goes to it. Anything else is between people.
 */
export function createMessageHandler(options: MessageOptions): MessageHandler {
  const {desk, names, replies, botUserId, standardProjectId} = options

  const handle: MessageHandler = async (message, handling) => {
    const place = placeOf(message)
    const link = await desk.links.byPlace(place)
    const isCall = message.isDirect || isMention(message, botUserId)
    if (link === undefined && !isCall) return
    if (message.userTeam !== undefined && message.userTeam !== message.team) {
      await whisper(message, handling, texts.notForGuests)
      return
    }
    const text = await readText(message)
    if (text === '') await whisper(message, handling, texts.help)
    // The row that opened a link comes here again when the platform was not there the first time.
    else if (link === undefined || link.requestId === requestIdOf(message)) {
      await start(message, text, handling)
    } else await tell(message, link, text, handling)
  }

  const start = async (
    message: PersonsMessage,
    text: string,
    handling: Handling,
  ): Promise<void> => {
    if (standardProjectId === undefined) {
      await whisper(message, handling, texts.notConnected)
      return
    }
    const ask = {
      place: placeOf(message),
      requestId: requestIdOf(message),
      projectId: standardProjectId,
      startedBy: message.user,
      message: text,
    }
    replies.seen(message.channel, message.ts)
    await startWork(desk, ask, handling.signal)
  }

  const tell = async (
    message: PersonsMessage,
    link: Link,
    text: string,
    handling: Handling,
  ): Promise<void> => {
    const line = await senderLine(message)
    const send = {
      inboxKey: handling.row.key,
      messageTs: message.ts,
      sender: message.user,
      toText: (token: string) => `${line} ${tokenMark(token)}\n${text}`,
    }
    try {
      const outcome = await followUp(desk, link, send, handling.signal)
      if (outcome.outcome === 'sent') replies.admitted(message.channel, message.ts)
      else if (outcome.outcome === 'declined')
        await whisper(message, handling, declinedText(outcome))
    } catch (error) {
      if (error instanceof TryLater) await whisper(message, handling, texts.platformSilent)
      throw error
    }
  }

  const readText = async (message: PersonsMessage): Promise<string> => {
    const task = message.text.replaceAll(new RegExp(`<@${botUserId}(\\|[^>]*)?>`, 'g'), ' ')
    return (await toReadable(task, names)).replace(/^[ \t]+|[ \t]+$/gm, '').trim()
  }

  const senderLine = async ({user, channel, isDirect}: PersonsMessage): Promise<string> => {
    const name = await names.user(user)
    return isDirect ? `${name} in a direct message` : `${name} in #${await names.channel(channel)}`
  }

  const whisper = async (
    message: PersonsMessage,
    handling: Handling,
    text: string,
  ): Promise<void> => {
    if (await handling.mayTell()) replies.whisper(askerOf(message), text)
  }
  return handle
}

function askerOf({channel, user, threadTs}: PersonsMessage): Asker {
  return {channel, user, slackThread: threadTs}
}

function placeOf(message: PersonsMessage): Place {
  return {team: message.team, channel: message.channel, slackThread: slackThreadOf(message)}
}

/** Deterministic, so that however often a message is handled it is one thread (section 4.1 rule 1). */
function requestIdOf({team, channel, ts}: PersonsMessage): string {
  return `slack:${team}:${channel}:${ts}`
}
