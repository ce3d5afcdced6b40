import type {Declined} from '../inbox/work.ts'
import {escapeMrkdwn} from './markup.ts'
import type {Message} from './replies.ts'
import {declinedText} from './texts.ts'

/** Why it was not done. The platform's words are shown as they are: nothing in them may mean something to Slack. */
export function declinedMessage(declined: Declined): Message {
  return {text: escapeMrkdwn(declinedText(declined))}
}
