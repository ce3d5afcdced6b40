import type {Declined} from '../../agents/work.ts'
import {escapeMrkdwn} from '../markup/markup.ts'
import {texts} from '../texts.ts'
import {declinedMessage} from './declined-message.ts'
import type {Message} from './message.ts'

/** Why it was not sent, with what was written: a form that has closed has it no more. */
export function notSentMessage(declined: Declined, text: string): Message {
  const quote = escapeMrkdwn(text)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
  return {text: texts.calls.form.notSent(declinedMessage(declined).text, quote)}
}
