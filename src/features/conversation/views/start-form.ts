import type {KnownBlock, ModalView} from '@slack/types'
import {MACHINE_SIZES, type Project} from '../../../platform/model.ts'
import {START_FORMS} from '../../../slack/ids.ts'
import {MAX_NAME, inBold, shorten} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../slack/markup/markup.ts'
import type {QuotedMessage} from '../../../slack/prompts/quoting.ts'
import {texts} from '../../../slack/texts.ts'
import {context, section} from '../../../slack/draw/blocks.ts'
import {field, fitMenu, input, menu, modal, option} from '../../../slack/draw/form.ts'
import {modelInputs} from '../../../slack/draw/model-inputs.ts'
import {startTexts} from '../start-texts.ts'

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
  /** It was opened in App Home, which is no place for work. */
  isAtHome: boolean
  /** Whether a plan comes first where nothing else is said. */
  planFirst: boolean
  /** `undefined` when they could not be read in time. */
  projects: readonly Project[] | undefined
}

/** What Slack takes in a text field. */
export const MAX_TASK = 3000
const MAX_SHORT = 200
/** Escaped and cut into lines it is many times as long. */
const MAX_QUOTE = 300

/** The form that says one thing: that it is being made, or why it can't be. */
export function drawStartNote(
  {metadata, isSend}: {metadata: object; isSend: boolean},
  note: string,
): ModalView {
  const words = startTexts.form
  const title = isSend ? words.titleSend : words.title
  return modal(START_FORMS.start, metadata, {title, close: words.cancel}, [section(note)])
}

export function drawStartForm(form: StartForm): ModalView {
  const {kind, picked, metadata, title} = form
  const words = startTexts.form
  const isSend = kind === 'send'
  const heads = {
    title: picked === undefined ? words.title : words.titleSend,
    submit: isSend ? words.send : words.start,
    close: words.cancel,
  }
  return modal(START_FORMS[kind], metadata, heads, [
    ...(isSend ? [context(words.to(inBold(title ?? texts.card.untitled, MAX_NAME)))] : []),
    ...(form.isAtHome ? [context(words.inDirect)] : []),
    ...(picked === undefined ? [] : [section(quoted(picked))]),
    taskInput(form),
    ...(isSend ? [] : optionInputs(form)),
    ...(picked === undefined ? [] : [includeInput(form)]),
  ])
}

function quoted({author, text, files}: QuotedMessage): string {
  const said = shorten(text, MAX_QUOTE) || files.join(', ')
  const lines = said.split('\n').map((line) => `> ${escapeMrkdwn(line)}`)
  return [`*${inBold(author, MAX_NAME)}*`, ...lines].join('\n')
}

function taskInput({kind, task}: StartForm): KnownBlock {
  const {task: label, tell} = startTexts.form
  const words = kind === 'send' ? tell : label
  return field('task', words, {value: task, max: MAX_TASK, multiline: true})
}

function optionInputs({projects, planFirst}: StartForm): KnownBlock[] {
  const {project, size, plan} = startTexts.form
  const planBox = option(startTexts.form.planFirst, 'yes')
  const options = (projects ?? []).map(({id, name}) => option(name, id))
  const asOptions = (words: readonly string[]) => words.map((word) => option(word, word))
  return [
    fitMenu(options)
      ? menu('project', project, options, usual('project'))
      : field('project', project, {...usual('project'), max: MAX_SHORT}),
    ...modelInputs({}, {model: usual('model'), effort: usual('effort')}),
    menu('size', size, asOptions(MACHINE_SIZES), usual('size')),
    input('plan', plan, {
      need: 'optional',
      element: {
        type: 'checkboxes',
        options: [planBox],
        ...(planFirst && {initial_options: [planBox]}),
      },
    }),
  ]
}

function includeInput({hasThread}: StartForm): KnownBlock {
  const {include, includeMessage, includeThread} = startTexts.form
  const message = option(includeMessage, 'message')
  const thread = option(includeThread, 'thread')
  return input('include', include, {
    need: 'optional',
    element: {
      type: 'checkboxes',
      options: hasThread === 'yes' ? [message, thread] : [message],
      initial_options: [message],
    },
  })
}

function usual(name: keyof typeof startTexts.form.usual) {
  return {need: 'optional', placeholder: startTexts.form.usual[name]} as const
}
