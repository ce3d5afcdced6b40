import type {ModalView} from '@slack/types'
import {z} from 'zod'
import type {Announcement} from '../../../store/announcements.ts'
import {FORMS} from '../../../slack/ids.ts'
import {texts} from '../../../slack/texts.ts'
import {titleOf, toQuote} from '../../../slack/draw/announcement.ts'
import {plain, section} from '../../../slack/draw/blocks.ts'
import {questionText} from '../../../slack/draw/ping.ts'

/** Action and block of what is written. */
export const ANSWER_WATCHED_INPUT = 'text'
/** A section takes 3,000 characters. */
const MAX_QUESTION = 2000
/** Slack takes no more in one field. */
const MAX_ANSWER = 3000

/** What the agent asked, and room for an answer. */
export function answerForm(told: Announcement): ModalView {
  const {id, channel, words} = told
  const {title, label, send, cancel, nothingSaid} = texts.watch.form
  const said = questionText({question: words.said ?? nothingSaid}, MAX_QUESTION)
  return {
    type: 'modal',
    callback_id: FORMS.answerWatched,
    // Answered in the channel: below a message without replies Slack shows no whisper.
    private_metadata: JSON.stringify({channel, announcement: id}),
    title: plain(title),
    submit: plain(send),
    close: plain(cancel),
    blocks: [
      section(`*${titleOf(told)}*\n${toQuote(said)}`),
      {
        type: 'input',
        block_id: ANSWER_WATCHED_INPUT,
        label: plain(label),
        element: {
          type: 'plain_text_input',
          action_id: ANSWER_WATCHED_INPUT,
          multiline: true,
          max_length: MAX_ANSWER,
        },
      },
    ],
  }
}

const metadataSchema = z.object({announcement: z.string()})

/** What was entered, and for what; nothing of it is trusted. */
export function readAnswerForm(
  metadata: unknown,
  values: ReadonlyMap<string, string>,
): {id: string | undefined; text: string} {
  const {data} = metadataSchema.safeParse(metadata)
  return {id: data?.announcement, text: (values.get(ANSWER_WATCHED_INPUT) ?? '').trim()}
}
