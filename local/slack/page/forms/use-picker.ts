import {useId, useState, type KeyboardEvent} from 'react'
import type {OptionGroupShape, OptionShape} from '../live/block-shape.ts'
import type {ElementControl} from './element-control.ts'
import {isMany, labelsOf, maxChosenOf} from './picker-options.ts'
import {usePickerOptions} from './use-picker-options.ts'

interface Picker {
  listId: string
  isOpen: boolean
  query: string
  groups: OptionGroupShape[]
  note: string | undefined
  /** What is chosen, in order. */
  chosen: OptionShape[]
  /** Which of all options the arrows have come to. */
  active: number
  open: () => void
  close: () => void
  type: (query: string) => void
  choose: (value: string) => void
  remove: (value: string) => void
  onKeyDown: (event: KeyboardEvent) => void
}

/** A list with a text field above it: arrows move in it, Enter chooses, Escape closes it. */
export function usePicker(control: ElementControl): Picker {
  const listId = useId()
  const [isOpen, setOpen] = useState(false)
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const {groups, note, known} = usePickerOptions(control, {query, isOpen})
  const values = [control.entry].flat().filter((value) => value !== '')
  const options = groups.flatMap((group) => group.options)
  const many = isMany(control.element)

  const open = (): void => {
    if (isOpen) return
    setOpen(true)
    const at = many ? -1 : options.findIndex(({value}) => value === values[0])
    setActive(Math.max(at, 0))
  }
  const close = (): void => {
    setOpen(false)
    setQuery('')
  }
  const type = (text: string): void => {
    setOpen(true)
    setQuery(text)
    setActive(0)
  }
  const remove = (value: string): void =>
    control.enter(many ? values.filter((other) => other !== value) : '')
  const choose = (value: string): void => {
    if (!many) {
      close()
      if (value !== values[0]) control.enter(value)
    } else if (values.includes(value)) remove(value)
    else if (values.length < maxChosenOf(control.element)) {
      control.enter([...values, value])
      setQuery('')
    }
  }
  const keys = {
    move: (step: number) => {
      if (!isOpen) open()
      else setActive((active + step + options.length) % Math.max(options.length, 1))
    },
    accept: () => {
      const option = options[active]
      if (!isOpen) open()
      else if (option) choose(option.value)
    },
    close,
    removeLast: () => {
      const last = values.at(-1)
      const isRemovable = many || (!isOpen && control.field?.isRequired === false)
      if (isRemovable && query === '' && last !== undefined) remove(last)
    },
  }
  const onKeyDown = (event: KeyboardEvent): void => pressKey(event, isOpen, keys)
  const chosen = labelsOf(values, known)
  return {
    listId,
    isOpen,
    query,
    groups,
    note,
    chosen,
    active,
    open,
    close,
    type,
    choose,
    remove,
    onKeyDown,
  }
}

interface PickerKeys {
  move: (step: number) => void
  accept: () => void
  close: () => void
  removeLast: () => void
}

function pressKey(event: KeyboardEvent, isOpen: boolean, keys: PickerKeys): void {
  if (event.nativeEvent.isComposing) return
  switch (event.key) {
    case 'ArrowDown':
    case 'ArrowUp':
      event.preventDefault()
      keys.move(event.key === 'ArrowDown' ? 1 : -1)
      return
    case 'Enter':
      if (event.metaKey || event.ctrlKey) return // sends the form
      event.preventDefault()
      keys.accept()
      return
    case 'Escape':
      if (!isOpen) return
      event.preventDefault()
      event.stopPropagation() // the list closes, not the modal around it
      keys.close()
      return
    case 'Tab':
      keys.close()
      return
    case 'Backspace':
      keys.removeLast()
  }
}
