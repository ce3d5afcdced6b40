import type {InputBlock, KnownBlock, ModalView, PlainTextOption} from '@slack/types'
import {trimmed} from '../../markdown/visible.ts'
import {oneLine} from '../markup/lines.ts'
import {plain, section} from './blocks.ts'
import {texts} from '../texts.ts'

/** What Slack takes in a menu: so many entries, and so much of each. */
const MAX_OPTIONS = 100
const MAX_OPTION = 74
const MAX_VALUE = 150

interface ModalWords {
  title: string
  /** Without it there is nothing to send. */
  submit?: string
  close: string
}

/** A form in a window of its own. `metadata` comes back with it. */
export function modal(
  id: string,
  metadata: object,
  {title, submit, close}: ModalWords,
  blocks: KnownBlock[],
): ModalView {
  return {
    type: 'modal',
    callback_id: id,
    private_metadata: JSON.stringify(metadata),
    title: plain(title),
    ...(submit !== undefined && {submit: plain(submit)}),
    close: plain(close),
    blocks,
  }
}

interface InputOptions {
  need?: 'optional' | 'required'
  hint?: string | undefined
  placeholder?: string
}

interface FieldOptions extends InputOptions {
  /** What stands there already. */
  value?: string | undefined
  max?: number
  multiline?: true
}

/** Ids of blocks and actions are the same words. */
export function field(
  id: string,
  label: string,
  {value = '', max, multiline, ...more}: FieldOptions = {},
): KnownBlock {
  return input(id, label, {
    ...more,
    element: {
      type: 'plain_text_input',
      ...(max !== undefined && {max_length: max}),
      ...(multiline === true && {multiline}),
      ...(value !== '' && {initial_value: value.slice(0, max).replace(/[\ud800-\udbff]$/, '')}),
      ...placeholderOf(more),
    },
  })
}

export function menu(
  id: string,
  label: string,
  options: PlainTextOption[],
  {initial, ...more}: InputOptions & {initial?: PlainTextOption | undefined} = {},
): KnownBlock {
  return input(id, label, {
    ...more,
    element: {
      type: 'static_select',
      options,
      ...(initial !== undefined && {initial_option: initial}),
      ...placeholderOf(more),
    },
  })
}

export function option(text: string, value: string): PlainTextOption {
  return {text: plain(trimmed(oneLine(text, MAX_OPTION)) || '–'), value}
}

/** Otherwise it is asked for in words. */
export function fitMenu(options: readonly PlainTextOption[]): boolean {
  const fit = options.every(({value = ''}) => value !== '' && value.length <= MAX_VALUE)
  return options.length > 0 && options.length <= MAX_OPTIONS && fit
}

export function input(
  id: string,
  label: string,
  {need = 'required', hint, element}: InputOptions & {element: InputBlock['element']},
): KnownBlock {
  return {
    type: 'input',
    block_id: id,
    optional: need === 'optional',
    label: plain(label),
    ...(hint !== undefined && {hint: plain(hint)}),
    element: {...element, action_id: id},
  }
}

function placeholderOf({placeholder}: InputOptions) {
  return placeholder === undefined ? {} : {placeholder: plain(placeholder)}
}

/** A form that asks nothing (any more): that it is being seen to, or what came of it. */
export function drawNote(
  text: string,
  metadata: string,
  title: string = texts.unconnected.title,
): ModalView {
  return {
    type: 'modal',
    private_metadata: metadata,
    title: plain(title),
    close: plain(texts.unconnected.close),
    blocks: [section(text)],
  }
}
