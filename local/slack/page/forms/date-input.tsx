import {labelIn} from '../live/block-shape.ts'
import {toLocalDateTime, toUnixSeconds} from './date-entry.ts'
import type {ElementControl} from './element-control.ts'
import {fieldAria, focusMark} from './field-aria.ts'
import {useDelay} from '../kit/use-delay.ts'

const inputTypes = new Map<unknown, {type: string; name: string}>([
  ['datepicker', {type: 'date', name: 'Date'}],
  ['timepicker', {type: 'time', name: 'Time'}],
  ['datetimepicker', {type: 'datetime-local', name: 'Date and time'}],
])

/** A year is typed digit by digit, and each is a date already. */
const pauseMs = 500

/** Dates and times by the browser's own picker, which every keyboard and screen reader knows. */
export function DateInput({control}: {control: ElementControl}) {
  const {element, entry, enter, keep, isPressed} = control
  const delay = useDelay(pauseMs)
  const {type, name} = inputTypes.get(element.type) ?? {type: 'date', name: 'Date'}
  const text = typeof entry === 'string' ? entry : ''
  const isMoment = type === 'datetime-local'
  const onDate = (typed: string): void => {
    keep(typed)
    delay.later(() => enter(typed))
  }
  return (
    <input
      className="text-input date-input"
      type={type}
      value={isMoment ? toLocalDateTime(text) : text}
      title={labelIn(element.placeholder)}
      aria-busy={isPressed}
      onChange={({target}) => onDate(isMoment ? toUnixSeconds(target.value) : target.value)}
      {...fieldAria(control, name)}
      {...focusMark(control)}
    />
  )
}
