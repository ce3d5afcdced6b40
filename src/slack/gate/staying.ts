import type {ModalView} from '@slack/types'
import {drawNote} from '../draw/form.ts'
import type {Form} from '../incoming/form.ts'
import type {ActResult} from './act.ts'

/** What a form shows until it is known what came of it. */
export function pause(text: string, title?: string): (form: Form) => ModalView {
  return ({view}) => drawNote(text, view.metadata, title)
}

/** A form that nobody looks at any more is answered where its person is. */
export function shown(isShown: boolean, otherwise: string): ActResult {
  return isShown ? {} : {answer: {text: otherwise}}
}
