import type {Fields} from './block-shape.ts'

/** What a kind of element is given: how to press it, and whether the last press still waits. */
export interface ElementControl {
  element: Fields
  isPressed: boolean
  press: (selectedValue?: string) => void
}
