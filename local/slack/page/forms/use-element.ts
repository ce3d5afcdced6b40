import {useState} from 'react'
import type {Entry} from '../../blocks/elements.ts'
import {confirmIn, type ConfirmShape, type Fields} from '../live/block-shape.ts'
import type {ElementControl, InputField} from './element-control.ts'
import {useSurface, type ElementPlace} from './surface.ts'
import {usePress} from './use-press.ts'

interface Asking {
  confirm: ConfirmShape
  onAnswer: (isConfirmed: boolean) => void
}

/** What one element does in the surface in which it is drawn. */
export function useElement(
  place: ElementPlace,
  element: Fields,
  field: InputField | undefined,
): {control: ElementControl; asking: Asking | undefined; problem: string | undefined} {
  const surface = useSurface()
  const {press, tell, isPressed, problem} = usePress(place)
  const [asking, setAsking] = useState<Asking>()
  const keep = (entry: Entry): void => surface.keep(place, element, entry)
  /** The app may want a person to be asked before anything happens. */
  const ask = (act: () => void): void => {
    const confirm = confirmIn(element.confirm)
    if (confirm === undefined) {
      act()
      return
    }
    const onAnswer = (isConfirmed: boolean): void => {
      setAsking(undefined)
      if (isConfirmed) act()
    }
    setAsking({confirm, onAnswer})
  }
  const enter = (entry: Entry): void => {
    if (field?.isDispatched === false) keep(entry)
    else {
      ask(() => {
        keep(entry)
        tell(entry)
      })
    }
  }
  const control: ElementControl = {
    element,
    field,
    isPressed,
    entry: surface.entryOf(place, element),
    chosen: surface.chosenOf(place, element),
    keep,
    enter,
    press: (value) => {
      if (!isPressed) ask(() => press(value))
    },
    search: (query) => surface.search(place, query),
    upload: (file) => surface.upload(place, file),
  }
  return {control, asking, problem}
}
