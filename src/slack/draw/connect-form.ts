import type {KnownBlock, ModalView, PlainTextOption} from '@slack/types'
import {KEY_FORMS, KEY_INPUT} from '../ids.ts'
import {oneLine} from '../markup/lines.ts'
import {texts} from '../texts.ts'
import {plain, section} from './blocks.ts'

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
  isInChannel: 'yes' | 'no'
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

const {connect} = texts
/** Slack takes so many entries in a menu; one stands for a new key. */
const MAX_KEYS = 99
const MAX_OPTION = 74
const MAX_KEY = 1000
const MAX_LABEL = 40

/** Which key, and for what. */
export function drawConnectForm(form: ConnectForm): ModalView {
  const {keys, canStore, chosen, trouble, metadata} = form
  const options = [
    ...keys.slice(0, MAX_KEYS).map(({id, label}) => option(label, id)),
    ...(canStore === 'yes' ? [option(connect.form.another, NEW_KEY)] : []),
  ]
  const initial = options.find(({value}) => value === chosen) ?? options.at(-1)
  const blocks: KnownBlock[] = [
    ...(trouble === undefined ? [] : [section(trouble)]),
    ...(canStore === 'yes' ? [] : [section(connect.form.noSealing)]),
    ...(options.length === 0 || initial === undefined
      ? []
      : [scopeInput(form), menu('connection', connect.form.which, options, initial)]),
    ...(canStore === 'yes' ? newKeyInputs(form) : []),
  ]
  return {
    type: 'modal',
    callback_id: KEY_FORMS.connect,
    private_metadata: JSON.stringify(metadata),
    title: plain(connect.title),
    ...(options.length > 0 && {submit: plain(connect.next)}),
    close: plain(options.length > 0 ? connect.cancel : connect.close),
    blocks,
  }
}

function newKeyInputs({label}: ConnectForm): KnownBlock[] {
  return [
    keyInput('optional'),
    {
      type: 'input',
      block_id: 'label',
      optional: true,
      label: plain(connect.form.label),
      hint: plain(connect.form.labelHint),
      element: {
        type: 'plain_text_input',
        action_id: 'label',
        max_length: MAX_LABEL,
        ...(label !== undefined && label !== '' && {initial_value: label}),
      },
    },
  ]
}

/** What is entered here is never shown again. */
export function keyInput(need: 'optional' | 'required'): KnownBlock {
  return {
    type: 'input',
    block_id: KEY_INPUT,
    optional: need === 'optional',
    label: plain(connect.form.key),
    hint: plain(connect.form.keyHint),
    element: {type: 'plain_text_input', action_id: KEY_INPUT, max_length: MAX_KEY},
  }
}

function scopeInput({isInChannel, scope}: ConnectForm): KnownBlock {
  const here = option(connect.form.here, 'channel')
  const everywhere = option(connect.form.everywhere, 'workspace')
  return {
    type: 'input',
    block_id: 'scope',
    label: plain(connect.form.scope),
    element: {
      type: 'radio_buttons',
      action_id: 'scope',
      options: isInChannel === 'yes' ? [here, everywhere] : [everywhere],
      initial_option: isInChannel === 'yes' && scope === 'channel' ? here : everywhere,
    },
  }
}

export function menu(
  id: string,
  label: string,
  options: PlainTextOption[],
  initial: PlainTextOption | undefined,
  need: 'optional' | 'required' = 'required',
): KnownBlock {
  return {
    type: 'input',
    block_id: id,
    optional: need === 'optional',
    label: plain(label),
    element: {
      type: 'static_select',
      action_id: id,
      options,
      ...(initial !== undefined && {initial_option: initial}),
    },
  }
}

export function option(text: string, value: string): PlainTextOption {
  return {text: plain(oneLine(text, MAX_OPTION) || '–'), value}
}

/** A form that asks nothing (any more): that it is being seen to, or what came of it. */
export function drawNote(text: string, metadata: string): ModalView {
  return {
    type: 'modal',
    private_metadata: metadata,
    title: plain(connect.title),
    close: plain(connect.close),
    blocks: [section(text)],
  }
}
