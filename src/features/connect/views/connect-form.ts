import type {KnownBlock, ModalView} from '@slack/types'
import {KEY_FORMS, KEY_INPUT} from '../../../slack/ids.ts'
import {texts} from '../../../slack/texts.ts'
import {section} from '../../../slack/draw/blocks.ts'
import {field, input, menu, modal, option} from '../../../slack/draw/form.ts'
import {connectTexts} from '../texts.ts'

/** Stands for no connection of ours: the key of the environment, or one that is to be pasted. */
export const OF_ENVIRONMENT = 'environment'
export const NEW_KEY = 'new'

/** A key that may be chosen. */
export interface KeyOption {
  /** A connection's, or {@link OF_ENVIRONMENT}. */
  id: string
  label: string
}

interface ConnectForm {
  /** For `private_metadata`. */
  metadata: object
  /** Where nobody stands in a channel, only the workspace can be meant. */
  standsIn: 'channel' | 'room' | 'none'
  scope: 'channel' | 'workspace'
  keys: readonly KeyOption[]
  /** The one that holds now. */
  chosen: string | undefined
  /** Without sealing keys nothing new can be stored. */
  canStore: 'yes' | 'no'
  label?: string
  /** What is wrong with what was entered. */
  trouble?: string
}

/** Slack takes so many entries in a menu; one stands for a new key. */
const MAX_KEYS = 99
const MAX_KEY = 1000
const MAX_LABEL = 40

/** Which key, and for what. */
export function drawConnectForm(form: ConnectForm): ModalView {
  const {keys, canStore, chosen, trouble, metadata} = form
  const options = [
    ...keys.slice(0, MAX_KEYS).map(({id, label}) => option(label, id)),
    ...(canStore === 'yes' ? [option(connectTexts.form.another, NEW_KEY)] : []),
  ]
  const initial = options.find(({value}) => value === chosen) ?? options.at(-1)
  const blocks: KnownBlock[] = [
    ...(trouble === undefined ? [] : [section(trouble)]),
    ...(canStore === 'yes' ? [] : [section(connectTexts.form.noSealing)]),
    ...(options.length === 0 || initial === undefined
      ? []
      : [scopeInput(form), menu('connection', connectTexts.form.which, options, {initial})]),
    ...(canStore === 'yes' ? newKeyInputs(form) : []),
  ]
  const isOpen = options.length > 0
  const {title, cancel, close} = texts.unconnected
  const {next} = connectTexts
  const words = isOpen ? {title, submit: next, close: cancel} : {title, close}
  return modal(KEY_FORMS.connect, metadata, words, blocks)
}

function newKeyInputs({label}: ConnectForm): KnownBlock[] {
  const {label: name, labelHint: hint} = connectTexts.form
  return [
    keyInput('optional'),
    field('label', name, {need: 'optional', hint, value: label, max: MAX_LABEL}),
  ]
}

/** What is entered here is never shown again. */
export function keyInput(need: 'optional' | 'required'): KnownBlock {
  const {key, keyHint: hint} = connectTexts.form
  return field(KEY_INPUT, key, {need, hint, max: MAX_KEY})
}

function scopeInput({standsIn, scope}: ConnectForm): KnownBlock {
  const {origin, here: channel} = connectTexts.form
  const here = option(standsIn === 'room' ? origin : channel, 'channel')
  const everywhere = option(connectTexts.form.everywhere, 'workspace')
  return input('scope', connectTexts.form.scope, {
    element: {
      type: 'radio_buttons',
      options: standsIn === 'none' ? [everywhere] : [here, everywhere],
      initial_option: standsIn !== 'none' && scope === 'channel' ? here : everywhere,
    },
  })
}
