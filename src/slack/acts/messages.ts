import type {FollowUpDesk} from '../../inbox/follow-up.ts'
import {readOptions} from '../../inbox/start-options.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {Link, Place} from '../../store/links.ts'
import {type PersonsMessage, isMention, slackThreadOf} from '../deeds/message.ts'
import {type Names, toReadable} from '../markup.ts'
import type {Replies} from '../replies.ts'
import {texts} from '../texts.ts'
import {type Act, type Check, type MakeAct, type Outcome, Refusal} from './act.ts'
import {isForeign} from './checks.ts'
import type {FollowUps} from './follow-ups.ts'
import type {Starter} from './starter.ts'

interface MessageActsOptions {
  act: MakeAct
  desk: FollowUpDesk
  followUps: FollowUps
  names: Names
  replies: Replies
  begin: Starter
  botUserId: string
}

/** In a Slack thread that has an agent, it asks for a second one. */
const NEW = /^new\s+(?=\S)/i

/**
 * A mention starts work, and so does a direct message; in a Slack thread that has an agent, every
 * message goes to it. Anything else is between people.
 */
export function createMessageActs(options: MessageActsOptions): Act[] {
  const {act, desk, followUps, names, replies, begin, botUserId} = options

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
    // The row that opened a link comes here again when the platform was not there the first time.
    const isStart = link === undefined || link.requestId === requestIdOf(message)
    if (isStart) return start(message, text, handling, slackThreadOf(message))
    if (isMention(message, botUserId) && NEW.test(text)) {
      return start(message, text.replace(NEW, ''), handling, undefined)
    }
    return followUps.tell(message, link, handling)
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
      return {answer: {text: text === '' ? texts.help : texts.start.emptyTask}}
    }
    const isInDiscussion = threadTs !== undefined && slackThread !== undefined
    const wish = {
      ...{requestId: requestIdOf(message), channel, slackThread, task, options: chosen},
      ...{files, forwarded},
      earlier: isInDiscussion ? {channel, slackThread, beforeTs: ts} : undefined,
    }
    replies.seen(channel, ts)
    return begin(wish, {team, user}, handling)
  }

  const readText = async (message: PersonsMessage): Promise<string> => {
    const task = message.text.replaceAll(new RegExp(`<@${botUserId}(\\|[^>]*)?>`, 'g'), ' ')
    return (await toReadable(task, names)).replace(/^[ \t]+|[ \t]+$/gm, '').trim()
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
