import type {KnownBlock, ModalView} from '@slack/types'
import {MACHINE_SIZES} from '../../../platform/model.ts'
import {HOOK_FORMS} from '../../../slack/ids.ts'
import {plain} from '../../../slack/draw/blocks.ts'
import {menu, option} from '../../../slack/draw/connect-form.ts'
import {automationTexts} from '../automation-texts.ts'

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
  return {
    type: 'modal',
    callback_id: HOOK_FORMS.automation,
    private_metadata: JSON.stringify({channel}),
    title: plain(words.title),
    submit: plain(words.create),
    close: plain(words.cancel),
    blocks: [
      field('name', words.name, MAX_AUTOMATION_NAME, {need: 'required'}),
      field('prompt', words.prompt, MAX_PROMPT, {
        ...{need: 'required', hint: words.promptHint, multiline: true},
      }),
      {
        type: 'input',
        block_id: 'trigger',
        label: plain(words.trigger),
        element: {
          type: 'radio_buttons',
          action_id: 'trigger',
          options: triggers,
          ...(triggers[0] !== undefined && {initial_option: triggers[0]}),
        },
      },
      field('cron', words.cron, MAX_CRON, {hint: words.cronHint}),
      field('zone', words.zone, MAX_ZONE, {hint: words.zoneHint, value: zone}),
      {
        type: 'input',
        block_id: 'keep',
        optional: true,
        label: plain(words.keep),
        hint: plain(words.keepHint),
        element: {
          ...{type: 'checkboxes', action_id: 'keep'},
          ...{options: [keep], initial_options: [keep]},
        },
      },
      field('model', words.model, MAX_MODEL, {placeholder: words.usual}),
      sizeMenu(),
    ],
  }
}

function sizeMenu(): KnownBlock {
  const sizes = MACHINE_SIZES.map((size) => option(size, size))
  return menu('size', words.size, sizes, undefined, 'optional')
}

interface FieldOptions {
  need?: 'required'
  hint?: string
  value?: string
  placeholder?: string
  multiline?: true
}

function field(
  id: string,
  label: string,
  maxLength: number,
  {need, hint, value, placeholder, multiline}: FieldOptions,
): KnownBlock {
  return {
    type: 'input',
    block_id: id,
    optional: need !== 'required',
    label: plain(label),
    ...(hint !== undefined && {hint: plain(hint)}),
    element: {
      type: 'plain_text_input',
      action_id: id,
      max_length: maxLength,
      ...(multiline === true && {multiline}),
      ...(value !== undefined && {initial_value: value.slice(0, maxLength)}),
      ...(placeholder !== undefined && {placeholder: plain(placeholder)}),
    },
  }
}
