import type {KnownBlock, ModalView, PlainTextOption} from '@slack/types'
import {EFFORTS, MACHINE_SIZES, type Project} from '../../../platform/model.ts'
import {START_FORMS} from '../../../slack/ids.ts'
import {MAX_NAME, inBold, oneLine, shorten} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../slack/markup/markup.ts'
import type {QuotedMessage} from '../../../slack/parcels/quoting.ts'
import {texts} from '../../../slack/texts.ts'
import {context, plain, section} from '../../../slack/draw/blocks.ts'

interface StartForm {
  /** For `private_metadata`. */
  metadata: object
  /** `send`: to the agent that works in this Slack thread. */
  kind: keyof typeof START_FORMS
  /** The message that it is about. */
  picked: QuotedMessage | undefined
  /** It stands in a Slack thread that may go along. */
  hasThread: 'yes' | 'no'
  /** What was typed already. */
  task: string
  /** Of the work that it goes to, if there is some. */
  title: string | undefined
  /** `undefined` when they could not be read in time. */
  projects: readonly Project[] | undefined
}

/** What Slack takes in a text field, in a menu, and in an entry of one. */
export const MAX_TASK = 3000
const MAX_OPTIONS = 100
const MAX_OPTION_TEXT = 75
const MAX_OPTION_VALUE = 150
/** Escaped and cut into lines it is many times as long. */
const MAX_QUOTE = 300

/** The form that says one thing: that it is being made, or that it can't be. */
export function drawStartNote(
  {metadata, isSend}: {metadata: object; isSend: boolean},
  note: 'loading' | 'notShown',
): ModalView {
  const words = texts.start.form
  return {
    type: 'modal',
    callback_id: START_FORMS.start,
    private_metadata: JSON.stringify(metadata),
    title: plain(isSend ? words.titleSend : words.title),
    close: plain(words.cancel),
    blocks: [section(words[note])],
  }
}

export function drawStartForm(form: StartForm): ModalView {
  const {kind, picked, metadata, title} = form
  const words = texts.start.form
  const isSend = kind === 'send'
  return {
    type: 'modal',
    callback_id: START_FORMS[kind],
    private_metadata: JSON.stringify(metadata),
    title: plain(picked === undefined ? words.title : words.titleSend),
    submit: plain(isSend ? words.send : words.start),
    close: plain(words.cancel),
    blocks: [
      ...(isSend ? [context(words.to(inBold(title ?? texts.card.untitled, MAX_NAME)))] : []),
      ...(picked === undefined ? [] : [section(quoted(picked))]),
      taskInput(form),
      ...(isSend ? [] : optionInputs(form)),
      ...(picked === undefined ? [] : [includeInput(form)]),
    ],
  }
}

function quoted({author, text, files}: QuotedMessage): string {
  const said = shorten(text, MAX_QUOTE) || files.join(', ')
  const lines = said.split('\n').map((line) => `> ${escapeMrkdwn(line)}`)
  return [`*${inBold(author, MAX_NAME)}*`, ...lines].join('\n')
}

function taskInput({kind, task}: StartForm): KnownBlock {
  const {task: label, tell} = texts.start.form
  return {
    type: 'input',
    block_id: 'task',
    label: plain(kind === 'send' ? tell : label),
    element: {
      type: 'plain_text_input',
      action_id: 'task',
      multiline: true,
      max_length: MAX_TASK,
      ...(task !== '' && {initial_value: task}),
    },
  }
}

function optionInputs({projects}: StartForm): KnownBlock[] {
  const {project, model, effort, size} = texts.start.form
  const options = (projects ?? []).map(({id, name}) => option(name, id))
  const isMenu = options.length > 0 && options.length <= MAX_OPTIONS && options.every(fits)
  const asOptions = (words: readonly string[]) => words.map((word) => option(word, word))
  return [
    isMenu ? menu('project', project, options) : field('project', project),
    field('model', model),
    menu('effort', effort, asOptions(EFFORTS)),
    menu('size', size, asOptions(MACHINE_SIZES)),
  ]
}

function includeInput({hasThread}: StartForm): KnownBlock {
  const {include, includeMessage, includeThread} = texts.start.form
  const message = option(includeMessage, 'message')
  const thread = option(includeThread, 'thread')
  return {
    type: 'input',
    block_id: 'include',
    optional: true,
    label: plain(include),
    element: {
      type: 'checkboxes',
      action_id: 'include',
      options: hasThread === 'yes' ? [message, thread] : [message],
      initial_options: [message],
    },
  }
}

function field(id: OptionName, label: string): KnownBlock {
  return {
    type: 'input',
    block_id: id,
    optional: true,
    label: plain(label),
    element: {type: 'plain_text_input', action_id: id, max_length: 200, placeholder: usual(id)},
  }
}

function menu(id: OptionName, label: string, options: PlainTextOption[]): KnownBlock {
  return {
    type: 'input',
    block_id: id,
    optional: true,
    label: plain(label),
    element: {type: 'static_select', action_id: id, options, placeholder: usual(id)},
  }
}

type OptionName = keyof typeof texts.start.form.usual

function usual(name: OptionName) {
  return plain(texts.start.form.usual[name])
}

function option(text: string, value: string): PlainTextOption {
  return {text: plain(oneLine(text, MAX_OPTION_TEXT - 1) || '–'), value}
}

function fits({value = ''}: PlainTextOption): boolean {
  return value !== '' && value.length <= MAX_OPTION_VALUE
}
