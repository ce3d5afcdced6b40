import type {ModalView} from '@slack/types'
import type {Keys} from '../../agents/refused-keys.ts'
import type {Connections} from '../../relay/streams/connections.ts'
import type {Store} from '../../store/store.ts'
import type {Form} from '../../slack/incoming/form.ts'
import type {ActResult} from '../../slack/gate/act.ts'
import {drawNote} from '../../slack/draw/form.ts'
import type {ActTools} from '../../slack/gate/tools.ts'

/** What acts about keys need. */
export interface KeyActsOptions extends ActTools<
  'clientOf' | 'forms' | 'groups' | 'nowMs' | 'settingsOf'
> {
  deps: Pick<Store, 'connections' | 'bindings' | 'sealer' | 'uses' | 'announcements' | 'links'>
  keys: Keys
  clientWith: Connections['clientWith']
  /** Whether the environment gives a key. */
  hasStandard: 'yes' | 'no'
}

/** A form that nobody looks at any more is answered where its person is. */
export function shown(isShown: boolean, otherwise: string): ActResult {
  return isShown ? {} : {answer: {text: otherwise}}
}

/** It goes into a header. */
export function isOneWord(key: string): boolean {
  return /^[!-~]+$/.test(key)
}

export function pause(text: string): (form: Form) => ModalView {
  return ({view}) => drawNote(text, view.metadata)
}
