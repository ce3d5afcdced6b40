import {useRef, type RefObject} from 'react'
import {labelIn, type OptionShape} from '../live/block-shape.ts'
import type {ElementControl} from './element-control.ts'
import {fieldAria, focusMark} from './field-aria.ts'
import {CloseIcon} from '../kit/icons.tsx'
import {PlainText, plainText} from '../text/mrkdwn.tsx'
import {isMany} from './picker-options.ts'
import {PickerList} from './picker-list.tsx'
import {usePicker} from './use-picker.ts'

/** All kinds of select: of own options, people, places, or what the app answers. */
export function OptionPicker({control}: {control: ElementControl}) {
  const picker = usePicker(control)
  const frame = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const {chosen, isOpen, remove} = picker
  const many = isMany(control.element)
  const toInput = (): void => input.current?.focus()
  const isClearable = !many && chosen.length > 0 && control.field?.isRequired === false
  return (
    <div
      className={control.field ? 'picker' : 'picker picker-small'}
      ref={frame}
      onBlur={({relatedTarget}) => {
        if (!frame.current?.contains(relatedTarget)) picker.close()
      }}
    >
      <div
        className={isOpen ? 'picker-box is-open' : 'picker-box'}
        onClick={() => {
          toInput()
          picker.open()
        }}
      >
        {many && <Chips chosen={chosen} onRemove={remove} />}
        <PickerInput control={control} picker={picker} input={input} />
        {isClearable && (
          <RemoveButton
            className="picker-clear"
            label="Clear the selection"
            onRemove={() => {
              remove('')
              toInput()
            }}
          />
        )}
      </div>
      {isOpen && <PickerList picker={picker} anchor={frame} isMany={many} />}
    </div>
  )
}

/** Shows what is chosen while the list is closed, and what is searched for while it is open. */
function PickerInput({
  control,
  picker,
  input,
}: {
  control: ElementControl
  picker: ReturnType<typeof usePicker>
  input: RefObject<HTMLInputElement | null>
}) {
  const {chosen, isOpen, listId} = picker
  const many = isMany(control.element)
  const fallback = many ? 'Select options' : 'Select an option'
  const placeholder = labelIn(control.element.placeholder) ?? fallback
  const single = many ? '' : plainText(chosen[0]?.label ?? '')
  return (
    <input
      ref={input}
      role="combobox"
      type="text"
      className="picker-input"
      autoComplete="off"
      aria-expanded={isOpen}
      aria-controls={listId}
      aria-autocomplete="list"
      aria-busy={control.isPressed}
      aria-activedescendant={isOpen ? `${listId}-${picker.active}` : undefined}
      placeholder={many && chosen.length > 0 ? '' : single || placeholder}
      value={isOpen ? picker.query : single}
      onChange={({target}) => picker.type(target.value)}
      onKeyDown={picker.onKeyDown}
      {...fieldAria(control, placeholder)}
      {...focusMark(control)}
    />
  )
}

function Chips({chosen, onRemove}: {chosen: OptionShape[]; onRemove: (value: string) => void}) {
  return chosen.map(({label, value}) => (
    <span key={value} className="chip">
      <PlainText text={label} />
      <RemoveButton label={`Remove ${plainText(label)}`} onRemove={() => onRemove(value)} />
    </span>
  ))
}

/** Not in the way of Tab: Backspace in the field does the same. */
function RemoveButton({
  label,
  className,
  onRemove,
}: {
  label: string
  className?: string
  onRemove: () => void
}) {
  return (
    <button
      type="button"
      tabIndex={-1}
      className={className}
      aria-label={label}
      onClick={(event) => {
        event.stopPropagation()
        onRemove()
      }}
    >
      <CloseIcon />
    </button>
  )
}
