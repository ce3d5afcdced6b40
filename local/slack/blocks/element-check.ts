import type {Check, Checker, Spot} from './check.ts'

/** Elements without limits worth checking here. */
const unlimited = [
  ...['users_select', 'conversations_select', 'channels_select', 'external_select'],
  ...['datepicker', 'timepicker', 'datetimepicker', 'number_input', 'rich_text_input'],
  ...['email_text_input', 'url_text_input', 'file_input'],
]

/** These act at once and hold nothing: they cannot stand in an input block. */
const notForInput = new Set<unknown>(
  'button overflow image feedback_buttons icon_button workflow_button'.split(' '),
)

const checkers = new Map<unknown, Checker>([
  ['button', checkButton],
  ['static_select', (check, at) => checkOptions(check, at, 100)],
  ['multi_static_select', (check, at) => checkOptions(check, at, 100)],
  ['overflow', (check, at) => checkOptions(check, at, 5)],
  ['radio_buttons', (check, at) => checkOptions(check, at, 10)],
  ['checkboxes', (check, at) => checkOptions(check, at, 10)],
  ['feedback_buttons', checkFeedback],
  ['icon_button', (check, at) => check.text(at, 'text', {max: 75, plain: true})],
  ['workflow_button', (check, at) => check.text(at, 'text', {max: 75, plain: true})],
  ['image', checkImage],
  ['plain_text_input', checkPlainTextInput],
])

/** Elements that stand in `actions` blocks, as accessories and in `context_actions`. */
export function checkElement(check: Check, at: Spot): void {
  const {type} = at.value
  check.string(at, 'action_id', {max: 255, optional: true})
  check.text(at, 'placeholder', {max: 150, plain: true, optional: true})
  const confirm = check.record(at, 'confirm')
  if (confirm !== undefined) checkConfirm(check, confirm)
  const checker = checkers.get(type)
  if (checker !== undefined) checker(check, at)
  else if (!unlimited.includes(String(type).replace(/^multi_/, ''))) {
    check.fail(`${at.pointer}/type`, `unsupported type: ${String(type)}`)
  }
}

/** https://docs.slack.dev/reference/block-kit/blocks/input-block names what may stand there. */
export function checkInputElement(check: Check, at: Spot): void {
  if (notForInput.has(at.value['type'])) {
    check.fail(`${at.pointer}/type`, `unsupported type: ${String(at.value['type'])}`)
  } else checkElement(check, at)
}

function checkPlainTextInput(check: Check, at: Spot): void {
  check.string(at, 'initial_value', {min: 0, max: 3000, optional: true})
  for (const name of ['min_length', 'max_length']) {
    const value = at.value[name]
    if (value === undefined) continue
    const isLength = typeof value === 'number' && Number.isInteger(value) && value >= 0
    if (!isLength) check.fail(`${at.pointer}/${name}`, 'must be an integer')
    else if (value > 3000) check.fail(`${at.pointer}/${name}`, 'must be less than 3001')
  }
}

export function checkImage(check: Check, at: Spot): void {
  check.string(at, 'alt_text', {max: 2000})
  if (at.value['slack_file'] === undefined) check.string(at, 'image_url', {max: 3000})
}

function checkButton(check: Check, at: Spot): void {
  check.text(at, 'text', {max: 75, plain: true})
  check.string(at, 'value', {max: 2000, optional: true})
  check.string(at, 'url', {max: 3000, optional: true})
  check.string(at, 'accessibility_label', {max: 75, optional: true})
  const {style} = at.value
  if (style !== undefined && style !== 'primary' && style !== 'danger') {
    check.fail(`${at.pointer}/style`, 'must be a valid enum value')
  }
}

function checkConfirm(check: Check, at: Spot): void {
  check.text(at, 'title', {max: 100, plain: true})
  check.text(at, 'text', {max: 300})
  check.text(at, 'confirm', {max: 30, plain: true, optional: true})
  check.text(at, 'deny', {max: 30, plain: true, optional: true})
}

function checkOptions(check: Check, at: Spot, max: number): void {
  const groups = check.items(at, 'option_groups', {max: 100, optional: true})
  for (const group of groups) check.text(group, 'label', {max: 75, plain: true})
  for (const owner of groups.length > 0 ? groups : [at]) {
    for (const option of check.items(owner, 'options', {min: 1, max})) {
      check.text(option, 'text', {max: 75})
      check.string(option, 'value', {max: 150})
      check.text(option, 'description', {max: 75, optional: true})
      check.string(option, 'url', {max: 3000, optional: true})
    }
  }
}

function checkFeedback(check: Check, at: Spot): void {
  for (const name of ['positive_button', 'negative_button']) {
    const button = check.record(at, name)
    if (button === undefined) {
      check.fail(at.pointer, `missing required field: ${name}`)
      continue
    }
    check.text(button, 'text', {max: 75, plain: true})
    check.string(button, 'value', {max: 2000})
  }
}
