import type {Announcement} from '../../../store/tables/channels/announcement.ts'
import type {StoredConnection} from '../../../store/tables/platform-keys.ts'
import {ACTIONS, KEY_FORMS} from '../../../slack/ids.ts'
import {MAX_NAME, inBold, oneLine} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../slack/markup/markup.ts'
import {type DrawnMessage, button, section} from '../../../slack/draw/blocks.ts'
import {keyName, texts} from '../../../slack/texts.ts'
import {connectTexts} from '../texts.ts'
import type {ModalView} from '@slack/types'
import {keyInput} from './connect-form.ts'
import {modal} from '../../../slack/draw/form.ts'

const MAX_LABEL = 80

/** A channel hears that its key is refused; then, that it is not any more. */
export function drawRefusedKey(
  {connectionId, endedBy}: Announcement,
  key: StoredConnection | undefined,
  nameOf: (userId: string) => string,
): DrawnMessage {
  const words = connectTexts.refused
  if (endedBy !== undefined) {
    const isPerson = /^[UW]/.test(endedBy)
    const text = isPerson
      ? words.replacedBy(escapeMrkdwn(oneLine(nameOf(endedBy), MAX_NAME)))
      : words.over
    return {text, blocks: [section(text)]}
  }
  const isOfEnvironment = connectionId === undefined
  const text = isOfEnvironment
    ? words.ofEnvironment
    : words.headline(inBold(key === undefined ? '–' : keyName(key), MAX_LABEL))
  const replace = button(ACTIONS.replaceKey, words.replace, connectionId ?? '', {style: 'primary'})
  return {
    text,
    blocks: [
      section(text),
      ...(isOfEnvironment ? [] : [{type: 'actions' as const, elements: [replace]}]),
    ],
  }
}

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
  const {refused} = connectTexts
  const isOpen = canStore === 'yes'
  const {title, replace: submit} = refused
  const words = isOpen
    ? {title, submit, close: texts.unconnected.cancel}
    : {title, close: texts.unconnected.close}
  return modal(KEY_FORMS.replace, metadata, words, [
    ...(trouble === undefined ? [] : [section(trouble)]),
    section(isOpen ? refused.of(inBold(key, MAX_LABEL)) : refused.noSealing),
    ...(isOpen ? [keyInput('required')] : []),
  ])
}
