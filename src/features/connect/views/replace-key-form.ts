import type {ModalView} from '@slack/types'
import {KEY_FORMS} from '../../../slack/ids.ts'
import {inBold} from '../../../slack/markup/lines.ts'
import {texts} from '../../../slack/texts.ts'
import {plain, section} from '../../../slack/draw/blocks.ts'
import {keyInput} from '../../../slack/draw/connect-form.ts'

const MAX_LABEL = 80

/** Another key in the place of one, whose name is `key`. */
export function drawReplaceKeyForm({
  metadata,
  key,
  canStore,
  trouble,
}: {
  metadata: object
  key: string
  canStore: 'yes' | 'no'
  trouble?: string
}): ModalView {
  const {connect} = texts
  const {refused} = connect
  const isOpen = canStore === 'yes'
  return {
    type: 'modal',
    callback_id: KEY_FORMS.replace,
    private_metadata: JSON.stringify(metadata),
    title: plain(refused.title),
    ...(isOpen && {submit: plain(refused.replace)}),
    close: plain(isOpen ? connect.cancel : connect.close),
    blocks: [
      ...(trouble === undefined ? [] : [section(trouble)]),
      section(isOpen ? refused.of(inBold(key, MAX_LABEL)) : refused.noSealing),
      ...(isOpen ? [keyInput('required')] : []),
    ],
  }
}
