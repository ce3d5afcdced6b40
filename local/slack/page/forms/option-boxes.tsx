import {useId} from 'react'
import {fieldsIn, stringIn, textIn, type Fields} from '../live/block-shape.ts'
import type {ElementControl} from './element-control.ts'
import {fieldAria, focusMark} from './field-aria.ts'
import {MrkdwnLine, PlainText} from '../text/mrkdwn.tsx'

/** Radio buttons and checkboxes: every option is seen at once. */
export function OptionBoxes({control}: {control: ElementControl}) {
  const {element, entry, enter} = control
  const name = useId()
  const isMany = element.type === 'checkboxes'
  const chosen = [entry].flat().filter((value) => value !== '')
  const choose = (value: string, isChosen: boolean): void => {
    if (!isMany) enter(value)
    else enter(isChosen ? [...chosen, value] : chosen.filter((other) => other !== value))
  }
  return (
    <div
      className="option-boxes"
      role={isMany ? 'group' : 'radiogroup'}
      {...fieldAria(control, 'Options')}
    >
      {fieldsIn(element.options).map((option, index) => {
        const value = stringIn(option.value) ?? ''
        return (
          <label key={value} className="option-box">
            <input
              type={isMany ? 'checkbox' : 'radio'}
              name={name}
              value={value}
              checked={chosen.includes(value)}
              onChange={({target}) => choose(value, target.checked)}
              {...(index === 0 ? focusMark(control) : {})}
            />
            <span>
              <OptionText text={option.text} />
              <OptionDescription option={option} />
            </span>
          </label>
        )
      })}
    </div>
  )
}

function OptionDescription({option}: {option: Fields}) {
  if (textIn(option.description) === undefined) return null
  return (
    <span className="option-description muted">
      <OptionText text={option.description} />
    </span>
  )
}

function OptionText({text}: {text: unknown}) {
  const shape = textIn(text)
  if (shape === undefined) return null
  return shape.type === 'mrkdwn' ? (
    <MrkdwnLine text={shape.text} />
  ) : (
    <PlainText text={shape.text} />
  )
}
