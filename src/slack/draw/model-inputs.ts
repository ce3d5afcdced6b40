import type {ExternalSelect, KnownBlock, PlainTextOption} from '@slack/types'
import {type ModelWish, settleModel, toSelection} from '../../agents/models/model-choice.ts'
import {EFFORTS, MODES, type ModelSelection} from '../../platform/model.ts'
import type {Alias} from '../../store/tables/models.ts'
import {type Entered, listed} from '../incoming/entered.ts'
import {texts} from '../texts.ts'
import {field, input, menu, option} from './form.ts'
import {plain} from './blocks.ts'

/** The block and the action of a model's menu: what it offers is asked of us while somebody types. */
export const MODEL_INPUT = 'model'

/** What Slack takes as the value of an option. */
const MAX_VALUE = 150
const MAX_TYPED = 200

/** What an input says where it says something of its own. */
interface Words {
  label?: string
  hint?: string
  placeholder?: string
}

interface ModelInputs {
  need?: 'optional' | 'required'
  model?: Words
  effort?: Words
  modes?: Omit<Words, 'placeholder'>
}

/**
 * A model (of those that have a name here, of those that were met, or typed), how long it thinks and how else it works, in
 * every form that asks for one. Ids of blocks and actions are the same words. The form's metadata has to say whose models
 * they are: see `model-lookup.ts`. `said`: what stands there at first.
 */
export function modelInputs(
  said: ModelWish,
  {need = 'optional', model = {}, effort, modes}: ModelInputs = {},
): KnownBlock[] {
  return [
    modelInput(said.model, {...model, need}),
    effortInput(said.effort, effort),
    modesInput(said.modes, modes),
  ]
}

function modelInput(
  value = '',
  {label = texts.models.model, placeholder, ...more}: Words & {need: 'optional' | 'required'},
): KnownBlock {
  return value.length > MAX_VALUE
    ? field(MODEL_INPUT, label, {...more, value, max: MAX_TYPED})
    : input(MODEL_INPUT, label, {...more, element: modelMenu(value, placeholder)})
}

/** `value`: an alias, or the id of a model, as far as Slack takes it. */
export function modelMenu(value: string, placeholder: string | undefined): ExternalSelect {
  return {
    type: 'external_select',
    min_query_length: 0,
    ...(placeholder !== undefined && {placeholder: plain(placeholder)}),
    ...(value !== '' && {initial_option: option(value, value)}),
  }
}

/** Without a choice it thinks as long as the model does. */
function effortInput(
  value: string | undefined,
  {label = texts.models.effort, ...more}: Words = {},
): KnownBlock {
  const options = EFFORTS.map((effort) => option(effort, effort))
  const initial = options.find((one) => one.value === value)
  return menu('effort', label, options, {need: 'optional', ...more, initial})
}

function modesInput(
  value: readonly string[] = [],
  {label = texts.models.modes, hint}: Words = {},
): KnownBlock {
  const options = modeOptions()
  const chosen = options.filter((one) => value.includes(one.value ?? ''))
  return input('modes', label, {
    need: 'optional',
    hint,
    element: {type: 'checkboxes', options, ...(chosen.length > 0 && {initial_options: chosen})},
  })
}

export function modeOptions(): PlainTextOption[] {
  return MODES.map((mode) => option(mode, mode))
}

type Values = Entered['values']

/** What was entered in them; nothing that was not. */
export function wishIn(values: Values): ModelWish {
  const modes = listed(values, 'modes')
  return {
    model: values.get(MODEL_INPUT)?.trim(),
    effort: values.get('effort'),
    ...(modes.length > 0 && {modes}),
  }
}

/** What a request says of it (section 2.5): what was chosen by a name of the workspace's own is what that means. */
export function modelIn(values: Values, aliases: readonly Alias[]): ModelSelection | undefined {
  const choice = settleModel([wishIn(values)], aliases)
  return choice && toSelection(choice)
}

/** Where nothing else names a model: effort and modes go to the platform with one alone. */
export function checkModel(values: Values): Record<string, string> {
  const {model = '', effort, modes} = wishIn(values)
  const isAlone = model === '' && (effort !== undefined || modes !== undefined)
  return isAlone ? {[MODEL_INPUT]: texts.models.needsModel} : {}
}
