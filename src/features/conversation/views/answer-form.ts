import type {ModalView} from '@slack/types'
import type {Link} from '../../../store/link.ts'
import type {Ping} from '../../../store/pings.ts'
import {FORMS} from '../../../slack/ids.ts'
import {texts} from '../../../slack/texts.ts'
import {plain, section} from '../../../slack/draw/blocks.ts'
import {questionText} from '../../../slack/draw/ping.ts'

/** Action and block of what is written. */
export const ANSWER_INPUT = 'answer'

/** A section takes 3,000 characters. */
const MAX_QUESTION = 2500

/** `messageTs`: of the call, if it was pressed there. */
export function drawAnswerForm(
  {id, words}: Ping,
  {place}: Link,
  messageTs: string | undefined,
): ModalView {
  const {title, submit, close, noQuestion, label} = texts.calls.form
  const {channel, slackThread} = place
  const question = questionText(words, MAX_QUESTION)
  return {
    type: 'modal',
    callback_id: FORMS.answer,
    private_metadata: JSON.stringify({channel, slackThread, ping: id, message: messageTs}),
    title: plain(title),
    submit: plain(submit),
    close: plain(close),
    blocks: [
      section(question === '' ? noQuestion : question),
      {
        type: 'input',
        block_id: ANSWER_INPUT,
        label: plain(label),
        element: {type: 'plain_text_input', action_id: ANSWER_INPUT, multiline: true},
      },
    ],
  }
}
