import {labelIn, stringIn} from '../live/block-shape.ts'
import type {ElementControl} from './element-control.ts'

/** How an element is called and described; outside an input block its placeholder has to do. */
export function fieldAria({element, field}: ElementControl, fallback: string) {
  if (field === undefined) {
    const label = stringIn(element.accessibility_label) ?? labelIn(element.placeholder) ?? fallback
    return {'aria-label': label}
  }
  return {
    'aria-labelledby': field.labelId,
    'aria-describedby': field.describedBy,
    'aria-invalid': field.isInvalid,
    'aria-required': field.isRequired,
  }
}

/** Where the caret goes when a view opens. */
export function focusMark({element}: ElementControl): {'data-focus-on-load'?: true} {
  return element.focus_on_load === true ? {'data-focus-on-load': true} : {}
}
