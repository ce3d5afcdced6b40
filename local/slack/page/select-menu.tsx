import {useState} from 'react'
import type {ElementControl} from './element-control.ts'
import {
  isFields,
  labelIn,
  optionGroupsIn,
  stringIn,
  type OptionGroupShape,
  type OptionShape,
} from './block-shape.ts'

/** A `static_select`: the browser's own menu, which every keyboard and screen reader knows. */
export function SelectMenu({control}: {control: ElementControl}) {
  const {element, isPressed, press} = control
  const initial = isFields(element.initial_option)
    ? stringIn(element.initial_option.value)
    : undefined
  const [chosen, setChosen] = useState<string>()
  const placeholder = labelIn(element.placeholder) ?? 'Choose an option'
  return (
    <select
      className={isPressed ? 'button select is-pressed' : 'button select'}
      aria-label={stringIn(element.accessibility_label) ?? placeholder}
      aria-busy={isPressed}
      value={(isPressed ? chosen : undefined) ?? initial ?? ''}
      onChange={({target}) => {
        setChosen(target.value)
        press(target.value)
      }}
    >
      {initial === undefined && (
        <option value="" disabled hidden>
          {placeholder}
        </option>
      )}
      {optionGroupsIn(element).map((group, index) => (
        <Group key={index} group={group} />
      ))}
    </select>
  )
}

function Group({group: {label, options}}: {group: OptionGroupShape}) {
  const items = options.map((option) => <Item key={option.value} option={option} />)
  return label === undefined ? items : <optgroup label={label}>{items}</optgroup>
}

function Item({option: {label, value}}: {option: OptionShape}) {
  return <option value={value}>{label}</option>
}
