import type {ModalView} from '@slack/types'
import type {Hook} from '../../../store/tables/hooks/hooks.ts'
import {HOOK_FORMS, KEY_INPUT} from '../../../slack/ids.ts'
import {inBold} from '../../../slack/markup/lines.ts'
import {context, section} from '../../../slack/draw/blocks.ts'
import {field, input, menu, modal, option} from '../../../slack/draw/form.ts'
import {hookTexts} from '../texts.ts'

const {automate} = hookTexts
/** Slack takes so many entries in a menu. */
const MAX_OPTIONS = 100

/** While the message is being read, or why there is nothing to choose. */
export function drawAutomateNote(metadata: object, text: string): ModalView {
  const {title} = automate
  return modal(HOOK_FORMS.automate, metadata, {title, close: hookTexts.form.close}, [section(text)])
}

/** Which of the channel's hooks gets the message; with a word about what becomes of private ones. */
export function drawAutomateForm(
  metadata: object,
  {hooks, isClosed}: {hooks: readonly Hook[]; isClosed: boolean},
): ModalView {
  const options = hooks.slice(0, MAX_OPTIONS).map(({name, id}) => option(name, id))
  const {title, send: submit} = automate
  return modal(HOOK_FORMS.automate, metadata, {title, submit, close: hookTexts.form.cancel}, [
    menu('hook', automate.which, options, {initial: options[0]}),
    ...(isClosed ? [context(automate.fromPrivate)] : []),
  ])
}

const MAX_URL = 1000
export const MAX_HOOK_NAME = 80

/** The form for a hook of an automation that exists. The address is sealed before anything is written down. */
export function drawHookForm(channel: string): ModalView {
  const {title, create: submit, cancel: close} = hookTexts.form
  return modal(HOOK_FORMS.hook, {channel}, {title, submit, close}, [
    section(hookTexts.form.explain),
    field('name', hookTexts.form.name, {max: MAX_HOOK_NAME}),
    field(KEY_INPUT, hookTexts.form.url, {hint: hookTexts.form.urlHint, max: MAX_URL}),
  ])
}

/** The form for a hook to which GitHub speaks. `project`: of the channel, by its name. */
export function drawGithubForm(channel: string, project: string | undefined): ModalView {
  const {create: submit, cancel: close} = hookTexts.form
  const {title, explain, name, nameHint, reach, wide, wideHint} = hookTexts.github
  const options = [option(wide, 'wide')]
  const shown = project === undefined ? undefined : inBold(project, MAX_HOOK_NAME)
  return modal(HOOK_FORMS.github, {channel}, {title, submit, close}, [
    section(explain(shown)),
    field('name', name, {hint: nameHint, max: MAX_HOOK_NAME}),
    input('wide', reach, {
      need: 'optional',
      hint: wideHint,
      element: {type: 'checkboxes', options},
    }),
  ])
}
