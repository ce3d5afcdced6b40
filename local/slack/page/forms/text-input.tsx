import type {KeyboardEvent} from 'react'
import {labelIn, type Fields} from '../live/block-shape.ts'
import type {ElementControl} from './element-control.ts'
import {fieldAria, focusMark} from './field-aria.ts'
import {lengthIn, triggersIn} from './text-limits.ts'
import {useDelay} from '../kit/use-delay.ts'

/** How long a person pauses before the app is told of what is being typed. */
const pauseMs = 400

/** https://docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element and its kin. */
export function TextInput({control}: {control: ElementControl}) {
  const {element, entry, keep, enter, field} = control
  const triggers = field?.isDispatched === false ? [] : triggersIn(element)
  const delay = useDelay(pauseMs)
  const isLong = element.type === 'rich_text_input' || element.multiline === true
  const text = typeof entry === 'string' ? entry : ''
  const onText = (typed: string): void => {
    keep(typed)
    if (triggers.includes('on_character_entered')) delay.later(() => enter(typed))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    if (isLong || event.metaKey || event.ctrlKey) return
    event.preventDefault() // one line: Enter is not a letter here, and sends no form by itself
    delay.drop()
    if (triggers.includes('on_enter_pressed')) enter(text)
  }
  const shared = {
    className: 'text-input',
    value: text,
    placeholder: labelIn(element.placeholder) ?? '',
    autoComplete: 'off',
    onChange: ({target}: {target: {value: string}}) => onText(target.value),
    onKeyDown,
    ...fieldAria(control, 'Text'),
    ...focusMark(control),
  }
  return (
    <div className="text-input-frame">
      {isLong ? (
        <textarea {...shared} rows={3} />
      ) : (
        <input {...shared} type="text" inputMode={inputModeOf(element)} />
      )}
      <Length text={text} control={control} />
    </div>
  )
}

/** The browser checks nothing: what is wrong stands below the field, in one voice. */
function inputModeOf({type, is_decimal_allowed: isDecimal}: Fields) {
  switch (type) {
    case 'email_text_input':
      return 'email'
    case 'url_text_input':
      return 'url'
    case 'number_input':
      return isDecimal === true ? 'decimal' : 'numeric'
    default:
      return 'text'
  }
}

/** How much is left, as soon as it matters. */
function Length({text, control: {element}}: {text: string; control: ElementControl}) {
  const {max} = lengthIn(element)
  if (max === undefined || text.length < max * 0.8) return null
  return (
    <span className={text.length > max ? 'text-left is-over' : 'text-left'} aria-live="polite">
      {max - text.length}
    </span>
  )
}
