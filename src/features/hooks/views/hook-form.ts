import type {ModalView} from '@slack/types'
import {HOOK_FORMS, KEY_INPUT} from '../../../slack/ids.ts'
import {plain, section} from '../../../slack/draw/blocks.ts'
import {hookTexts} from '../texts.ts'

const words = hookTexts.form
const MAX_URL = 1000
export const MAX_HOOK_NAME = 80

/** The form for a hook of an automation that exists. The address is sealed before anything is written down. */
export function drawHookForm(channel: string): ModalView {
  return {
    type: 'modal',
    callback_id: HOOK_FORMS.hook,
    private_metadata: JSON.stringify({channel}),
    title: plain(words.title),
    submit: plain(words.create),
    close: plain(words.cancel),
    blocks: [
      section(words.explain),
      {
        type: 'input',
        block_id: 'name',
        label: plain(words.name),
        element: {type: 'plain_text_input', action_id: 'name', max_length: MAX_HOOK_NAME},
      },
      {
        type: 'input',
        block_id: KEY_INPUT,
        label: plain(words.url),
        hint: plain(words.urlHint),
        element: {type: 'plain_text_input', action_id: KEY_INPUT, max_length: MAX_URL},
      },
    ],
  }
}
