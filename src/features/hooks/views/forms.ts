import type {ModalView} from '@slack/types'
import type {Hook} from '../../../store/tables/hooks/hooks.ts'
import {HOOK_FORMS, KEY_INPUT} from '../../../slack/ids.ts'
import {context, section} from '../../../slack/draw/blocks.ts'
import {field, input, menu, modal, option} from '../../../slack/draw/form.ts'
import {hookTexts} from '../texts.ts'
import {MACHINE_SIZES} from '../../../platform/model.ts'
import {automationTexts} from '../automation-texts.ts'

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
  {hooks, isPrivate}: {hooks: readonly Hook[]; isPrivate: boolean},
): ModalView {
  const options = hooks.slice(0, MAX_OPTIONS).map(({name, id}) => option(name, id))
  const {title, send: submit} = automate
  return modal(HOOK_FORMS.automate, metadata, {title, submit, close: hookTexts.form.cancel}, [
    menu('hook', automate.which, options, {initial: options[0]}),
    ...(isPrivate ? [context(automate.fromPrivate)] : []),
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

const words = automationTexts.form
const MAX_AUTOMATION_NAME = 80
const MAX_PROMPT = 3000
const MAX_CRON = 100
const MAX_ZONE = 60
const MAX_MODEL = 100

/** What is asked of a new automation. Ids of blocks and actions are the same words. */
export function drawAutomationForm(channel: string, zone: string): ModalView {
  const keep = option(words.keepIt, 'keep')
  const triggers = [option(words.schedule, 'schedule'), option(words.incoming, 'incoming_webhook')]
  const sizes = MACHINE_SIZES.map((size) => option(size, size))
  const {title, create: submit, cancel: close} = words
  const need = 'optional'
  return modal(HOOK_FORMS.automation, {channel}, {title, submit, close}, [
    field('name', words.name, {max: MAX_AUTOMATION_NAME}),
    field('prompt', words.prompt, {hint: words.promptHint, max: MAX_PROMPT, multiline: true}),
    input('trigger', words.trigger, {
      element: {
        type: 'radio_buttons',
        options: triggers,
        ...(triggers[0] !== undefined && {initial_option: triggers[0]}),
      },
    }),
    field('cron', words.cron, {need, hint: words.cronHint, max: MAX_CRON}),
    field('zone', words.zone, {need, hint: words.zoneHint, value: zone, max: MAX_ZONE}),
    input('keep', words.keep, {
      need,
      hint: words.keepHint,
      element: {type: 'checkboxes', options: [keep], initial_options: [keep]},
    }),
    field('model', words.model, {need, placeholder: words.usual, max: MAX_MODEL}),
    menu('size', words.size, sizes, {need}),
  ])
}
