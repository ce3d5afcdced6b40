import type {KnownBlock, PlainTextOption} from '@slack/types'
import {EFFORTS, MODES} from '../../platform/model.ts'
import {texts} from '../texts.ts'
import {field, input, menu, option} from './form.ts'
import {plain} from './blocks.ts'

/** The block and the action of a model's menu: what it offers is asked of us while somebody types. */
export const MODEL_INPUT = 'model'
const EFFORT_INPUT = 'effort'
const MODES_INPUT = 'modes'

/** What Slack takes as the value of an option. */
const MAX_VALUE = 150
const MAX_TYPED = 200

interface ModelInput {
  label?: string
  hint?: string
  placeholder?: string
  need?: 'optional' | 'required'
  /** An alias, or the id of a model. */
  value?: string | undefined
}

/**
 * A model: of those that have a name here, of those that were met, or typed. The form's metadata has to say whose they are:
 * see `model-lookup.ts`.
 */
export function modelInput(of: ModelInput = {}): KnownBlock {
  const {label = texts.models.model, need = 'optional', hint, placeholder, value = ''} = of
  if (value.length > MAX_VALUE)
    return field(MODEL_INPUT, label, {need, hint, value, max: MAX_TYPED})
  return input(MODEL_INPUT, label, {
    need,
    hint,
    element: {
      type: 'external_select',
      min_query_length: 0,
      ...(placeholder !== undefined && {placeholder: plain(placeholder)}),
      ...(value !== '' && {initial_option: option(value, value)}),
    },
  })
}

interface HowInput {
  label?: string
  hint?: string
  placeholder?: string
}

/** How long it thinks; without a choice as the model does. */
export function effortInput({
  value,
  ...of
}: HowInput & {value?: string | undefined} = {}): KnownBlock {
  const {label = texts.models.effort, ...more} = of
  const options = EFFORTS.map((effort) => option(effort, effort))
  const initial = options.find((one) => one.value === value)
  return menu(EFFORT_INPUT, label, options, {need: 'optional', ...more, initial})
}

/** How else it works. */
export function modesInput({
  value = [],
  ...of
}: Omit<HowInput, 'placeholder'> & {value?: readonly string[] | undefined} = {}): KnownBlock {
  const {label = texts.models.modes, hint} = of
  const options = modeOptions()
  const chosen = options.filter((one) => value.includes(one.value ?? ''))
  return input(MODES_INPUT, label, {
    need: 'optional',
    hint,
    element: {type: 'checkboxes', options, ...(chosen.length > 0 && {initial_options: chosen})},
  })
}

export function modeOptions(): PlainTextOption[] {
  return MODES.map((mode) => option(mode, mode))
}
