import type {ModalView} from '@slack/types'
import type {Link} from '../../../store/link.ts'
import {REVIEW_FORMS} from '../../../slack/ids.ts'
import {texts} from '../../../slack/texts.ts'
import {plain, section} from '../../../slack/draw/blocks.ts'

/** Actions and blocks of what is written. */
export const CHANGES_INPUT = 'changes'
export const RULE_INPUTS = {body: 'rule', scopes: 'scopes', file: 'file'} as const

const MAX_BODY = 3000

/** What the agent is to change. `card`: the message that it was pressed on. */
export function drawChangesForm(
  {id, place: {channel, slackThread}}: Link,
  {mark, name, card}: {mark: string; name: string; card: string | undefined},
): ModalView {
  const {title, submit, close, label} = texts.reviews.changes
  return {
    type: 'modal',
    callback_id: REVIEW_FORMS.changes,
    private_metadata: JSON.stringify({channel, slackThread, link: id, mark, message: card}),
    title: plain(title),
    submit: plain(submit),
    close: plain(close),
    blocks: [
      section(name),
      {
        type: 'input',
        block_id: CHANGES_INPUT,
        label: plain(label),
        element: {type: 'plain_text_input', action_id: CHANGES_INPUT, multiline: true},
      },
    ],
  }
}

/** A new rule of reviews; `body`: what was typed already. */
export function drawRuleForm(channel: string, body: string): ModalView {
  const words = texts.reviews.rule
  return {
    type: 'modal',
    callback_id: REVIEW_FORMS.rule,
    private_metadata: JSON.stringify({channel}),
    title: plain(words.title),
    submit: plain(words.submit),
    close: plain(words.close),
    blocks: [
      {
        type: 'input',
        block_id: RULE_INPUTS.body,
        label: plain(words.body),
        element: {
          ...{type: 'plain_text_input', action_id: RULE_INPUTS.body, multiline: true},
          ...{max_length: MAX_BODY, placeholder: plain(words.bodyExample)},
          ...(body !== '' && {initial_value: body.slice(0, MAX_BODY)}),
        },
      },
      {
        type: 'input',
        block_id: RULE_INPUTS.scopes,
        optional: true,
        label: plain(words.scopes),
        hint: plain(words.scopesHint),
        element: {
          ...{type: 'plain_text_input', action_id: RULE_INPUTS.scopes, multiline: true},
          placeholder: plain(words.scopesExample),
        },
      },
      {
        type: 'input',
        block_id: RULE_INPUTS.file,
        optional: true,
        label: plain(words.file),
        hint: plain(words.fileHint),
        element: {
          ...{type: 'plain_text_input', action_id: RULE_INPUTS.file},
          placeholder: plain(words.fileExample),
        },
      },
    ],
  }
}
