import type {Declined} from '../../agents/work.ts'
import {escapeMrkdwn} from '../markup/markup.ts'
import {declinedText} from '../texts.ts'
import type {Message} from './message.ts'

/** Why it was not done. The platform's words are shown as they are: nothing in them may mean something to Slack. */
export function declinedMessage(declined: Declined): Message {
  return {text: escapeMrkdwn(declinedText(declined))}
}
