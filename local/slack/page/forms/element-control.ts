import type {Entry} from '../../blocks/elements.ts'
import type {Fields} from '../live/block-shape.ts'
import type {SearchAnswer} from './surface.ts'

/** What an `input` block says of its element. */
export interface InputField {
  labelId: string
  /** The ids of its hint and of what is wrong with it. */
  describedBy: string | undefined
  isInvalid: boolean
  isRequired: boolean
  /** The app wants to know at once, not only when the form is sent. */
  isDispatched: boolean
}

/** What a kind of element is given: what stands in it, how to act by it, and whether that still waits. */
export interface ElementControl {
  element: Fields
  isPressed: boolean
  /** Tells the app; not twice while it still works on the first. */
  press: (value?: Entry) => void
  /** What stands in the element: empty when nothing does. */
  entry: Entry
  /** The options known to be chosen, for their labels. */
  chosen: Fields[]
  /** Puts something in; the app is told where it wants to know. */
  enter: (entry: Entry) => void
  /** Puts something in that is not finished: the app is not told. */
  keep: (entry: Entry) => void
  search: (query: string) => Promise<SearchAnswer>
  upload: (file: {name: string; base64: string}) => Promise<string>
  field: InputField | undefined
}
