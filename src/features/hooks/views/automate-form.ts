import type {ModalView} from '@slack/types'
import type {Hook} from '../../../store/hooks.ts'
import {HOOK_FORMS} from '../../../slack/ids.ts'
import {context, plain, section} from '../../../slack/draw/blocks.ts'
import {menu, option} from '../../../slack/draw/connect-form.ts'
import {hookTexts} from '../texts.ts'

const words = hookTexts.automate
/** Slack takes so many entries in a menu. */
const MAX_OPTIONS = 100

/** While the message is being read, or why there is nothing to choose. */
export function drawAutomateNote(metadata: object, text: string): ModalView {
  return {
    type: 'modal',
    callback_id: HOOK_FORMS.automate,
    private_metadata: JSON.stringify(metadata),
    title: plain(words.title),
    close: plain(hookTexts.form.close),
    blocks: [section(text)],
  }
}

/** Which of the channel's hooks gets the message; with a word about what becomes of private ones. */
export function drawAutomateForm(
  metadata: object,
  {hooks, isPrivate}: {hooks: readonly Hook[]; isPrivate: boolean},
): ModalView {
  const options = hooks.slice(0, MAX_OPTIONS).map(({name, id}) => option(name, id))
  return {
    type: 'modal',
    callback_id: HOOK_FORMS.automate,
    private_metadata: JSON.stringify(metadata),
    title: plain(words.title),
    submit: plain(words.send),
    close: plain(hookTexts.form.cancel),
    blocks: [
      menu('hook', words.which, options, options[0]),
      ...(isPrivate ? [context(words.fromPrivate)] : []),
    ],
  }
}
