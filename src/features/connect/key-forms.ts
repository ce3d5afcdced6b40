import type {ModalView} from '@slack/types'
import type {SettingsOf} from '../../agents/settings.ts'
import type {Keys} from '../../agents/keys.ts'
import type {Connections} from '../../relay/streams/connections.ts'
import type {Store} from '../../store/store.ts'
import type {Forms} from '../../slack/api/forms.ts'
import type {Groups} from '../../slack/api/groups.ts'
import type {Form} from '../../slack/deeds/form.ts'
import {drawNote} from '../../slack/draw/connect-form.ts'
import type {MakeAct, Outcome} from '../../slack/gate/act.ts'
import type {Checks} from '../../slack/gate/checks.ts'

/** What acts about keys need. */
export interface KeyActsOptions {
  act: MakeAct
  checks: Checks
  desk: Pick<Store, 'connections' | 'bindings' | 'sealer' | 'uses' | 'announcements' | 'links'>
  keys: Keys
  clientOf: Connections['clientOf']
  clientWith: Connections['clientWith']
  settingsOf: SettingsOf
  /** Whether the environment gives a key. */
  hasStandard: 'yes' | 'no'
  forms: Forms
  groups: Groups
  nowMs: () => number
}

/** A form that nobody looks at any more is answered where its person is. */
export function shown(isShown: boolean, otherwise: string): Outcome {
  return isShown ? {} : {answer: {text: otherwise}}
}

/** It goes into a header. */
export function isOneWord(key: string): boolean {
  return /^[!-~]+$/.test(key)
}

export function pause(text: string): (form: Form) => ModalView {
  return ({view}) => drawNote(text, view.metadata)
}
