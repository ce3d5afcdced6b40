import type {KnownBlock} from '@slack/types'
import {EFFORTS, MODES, type ModelSelection} from '../../platform/model.ts'
import type {Entered} from '../incoming/entered.ts'
import {texts} from '../texts.ts'
import {field} from './form.ts'
import {effortInput, modesInput} from './model-inputs.ts'

type Values = Entered['values']

const MAX_MODEL = 200

/** A model by its id, how hard it thinks and its modes (section 2.5). Ids of blocks and actions are the same words. */
export function modelInputs(
  values: Values,
): [model: KnownBlock, effort: KnownBlock, modes: KnownBlock] {
  const {model, usual} = texts.models
  return [
    field('model', model, {
      ...{need: 'optional', placeholder: usual, max: MAX_MODEL},
      value: values.get('model'),
    }),
    effortInput({placeholder: usual, value: values.get('effort')}),
    modesInput({value: listed(values, 'modes')}),
  ]
}

/** What was entered in them; nothing that was not. */
export function modelIn(values: Values): ModelSelection | undefined {
  const modelId = values.get('model')?.trim() ?? ''
  if (modelId === '') return undefined
  const reasoningMode = EFFORTS.find((effort) => effort === values.get('effort'))
  const modes = MODES.filter((mode) => listed(values, 'modes').includes(mode))
  return {
    modelId,
    ...(reasoningMode !== undefined && {reasoningMode}),
    ...(modes.length > 0 && {modes: Object.fromEntries(modes.map((mode) => [mode, true]))}),
  }
}

/** Effort and modes go to the platform with a model alone. */
export function checkModel(values: Values): Record<string, string> {
  const isAlone = (values.get('model') ?? '').trim() === ''
  const needsModel = values.has('effort') || values.has('modes')
  return isAlone && needsModel ? {model: texts.models.needsModel} : {}
}

/** Of what several can be chosen. */
export function listed(values: Values, name: string): string[] {
  return values.get(name)?.split(',') ?? []
}
