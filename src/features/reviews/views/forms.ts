import type {ModalView} from '@slack/types'
import type {Link} from '../../../store/tables/work/link.ts'
import {REVIEW_FORMS} from '../../../slack/ids.ts'
import {section} from '../../../slack/draw/blocks.ts'
import {field, modal} from '../../../slack/draw/form.ts'
import {reviewTexts} from '../texts.ts'

/** Actions and blocks of what is written. */
export const CHANGES_INPUT = 'changes'
export const RULE_INPUTS = {body: 'rule', scopes: 'scopes', file: 'file'} as const

const MAX_BODY = 3000

/** What the agent is to change. `card`: the message that it was pressed on. */
export function drawChangesForm(
  {id, place: {channel, slackThread}}: Link,
  {mark, name, card}: {mark: string; name: string; card: string | undefined},
): ModalView {
  const {title, submit, close, label} = reviewTexts.changes
  const metadata = {channel, slackThread, link: id, mark, message: card}
  return modal(REVIEW_FORMS.changes, metadata, {title, submit, close}, [
    section(name),
    field(CHANGES_INPUT, label, {multiline: true}),
  ])
}

/** A new rule of reviews; `body`: what was typed already. */
export function drawRuleForm(channel: string, body: string): ModalView {
  const words = reviewTexts.rule
  const need = 'optional'
  return modal(REVIEW_FORMS.rule, {channel}, words, [
    field(RULE_INPUTS.body, words.body, {
      value: body,
      placeholder: words.bodyExample,
      max: MAX_BODY,
      multiline: true,
    }),
    field(RULE_INPUTS.scopes, words.scopes, {
      need,
      hint: words.scopesHint,
      placeholder: words.scopesExample,
      multiline: true,
    }),
    field(RULE_INPUTS.file, words.file, {
      need,
      hint: words.fileHint,
      placeholder: words.fileExample,
    }),
  ])
}
