import type {ModalView} from '@slack/types'
import {ALIAS_FORM} from '../../../slack/ids.ts'
import {section} from '../../../slack/draw/blocks.ts'
import {field, modal} from '../../../slack/draw/form.ts'
import {modelInputs} from '../../../slack/draw/model-inputs.ts'
import {aliasTexts} from '../texts.ts'

const words = aliasTexts.form
const MAX_ALIAS = 30

/** A name and what it means. `of`: the name that is changed. */
export function drawAliasForm({
  metadata,
  of,
  name,
  modelId,
  effort,
  modes,
}: {
  metadata: object
  of: string | undefined
  name: string
  modelId: string
  effort: string | undefined
  modes: readonly string[]
}): ModalView {
  const heads = {
    title: of === undefined ? words.add : words.edit,
    submit: words.save,
    close: words.cancel,
  }
  return modal(ALIAS_FORM, metadata, heads, [
    of === undefined
      ? field('name', words.name, {hint: words.nameHint, value: name, max: MAX_ALIAS})
      : section(words.means(of)),
    ...modelInputs(
      {model: modelId, effort, modes},
      {need: 'required', effort: {placeholder: words.ofModel}},
    ),
  ])
}
