import type {KnownBlock, ModalView} from '@slack/types'
import type {Project} from '../../../platform/model.ts'
import {CAPTAIN_FORMS} from '../../../slack/ids.ts'
import {MAX_NAME, oneLine} from '../../../slack/markup/lines.ts'
import {texts} from '../../../slack/texts.ts'
import {plain, section} from '../../../slack/draw/blocks.ts'
import {menu, option} from '../../../slack/draw/connect-form.ts'

/** What was entered, as it was entered. */
export interface CaptainEntry {
  name: string
  brief: string
  /** An id, or what somebody calls it. */
  project: string
  model: string
  face: string
  background: string
  /** A Slack user. */
  owner: string
}

/** The longest name that the platform takes (section 8), and the longest text that Slack does. */
export const MAX_CAPTAIN_NAME = 100
const MAX_TEXT = 3000
const MAX_OPTIONS = 100
const MAX_OPTION_VALUE = 150
const MAX_SHORT = 200

const words = texts.captains.form

/** The form that says one thing: that it is being made, or that it can't be. */
export function drawCaptainNote(metadata: object, note: 'loading' | 'notShown'): ModalView {
  return {
    type: 'modal',
    callback_id: CAPTAIN_FORMS.create,
    private_metadata: JSON.stringify(metadata),
    title: plain(words.title),
    close: plain(words.cancel),
    blocks: [section(words[note])],
  }
}

/** `projects`: `undefined` when they could not be read in time. */
export function drawCaptainForm(
  metadata: object,
  entry: CaptainEntry,
  projects: readonly Project[] | undefined,
): ModalView {
  return {
    type: 'modal',
    callback_id: CAPTAIN_FORMS.create,
    private_metadata: JSON.stringify(metadata),
    title: plain(words.title),
    submit: plain(words.create),
    close: plain(words.cancel),
    blocks: [
      field('name', words.name, entry.name, {max: MAX_CAPTAIN_NAME, hint: words.nameHint}),
      field('brief', words.brief, entry.brief, {max: MAX_TEXT, hint: words.briefHint}),
      projectInput(entry, projects),
      field('model', words.model, entry.model),
      field('face', words.face, entry.face, {hint: words.faceHint}),
      menu(
        'background',
        words.background,
        texts.captains.colours.map((colour) => option(colour, colour)),
        chosen(texts.captains.colours, entry.background),
        'optional',
      ),
      {
        type: 'input',
        block_id: 'owner',
        label: plain(words.owner),
        hint: plain(words.ownerHint),
        element: {type: 'users_select', action_id: 'owner', initial_user: entry.owner},
      },
    ],
  }
}

function chosen(values: readonly string[], value: string) {
  return values.includes(value) ? option(value, value) : undefined
}

function projectInput({project}: CaptainEntry, projects: readonly Project[] = []): KnownBlock {
  const options = projects.map(({id, name}) => option(name, id))
  const fits = options.every(({value = ''}) => value !== '' && value.length <= MAX_OPTION_VALUE)
  const isMenu = options.length > 0 && options.length <= MAX_OPTIONS && fits
  if (!isMenu) return field('project', words.project, project)
  const initial = options.find(({value}) => value === project)
  return menu('project', words.project, options, initial, 'optional')
}

function field(
  id: string,
  label: string,
  value: string,
  {max = MAX_SHORT, hint}: {max?: number; hint?: string} = {},
): KnownBlock {
  return {
    type: 'input',
    block_id: id,
    optional: id !== 'name',
    label: plain(label),
    ...(hint !== undefined && {hint: plain(hint)}),
    element: {
      type: 'plain_text_input',
      action_id: id,
      multiline: max === MAX_TEXT,
      max_length: max,
      ...(value !== '' && {initial_value: value.slice(0, max)}),
    },
  }
}

/** A question to a captain, whom the form names. */
export function drawAskForm(metadata: object, name: string, text: string): ModalView {
  const {title, ask, cancel, label} = texts.captains.askForm
  return {
    type: 'modal',
    callback_id: CAPTAIN_FORMS.ask,
    private_metadata: JSON.stringify(metadata),
    title: plain(title),
    submit: plain(ask),
    close: plain(cancel),
    blocks: [
      {
        type: 'input',
        block_id: 'text',
        label: plain(label(oneLine(name, MAX_NAME))),
        element: {
          type: 'plain_text_input',
          action_id: 'text',
          multiline: true,
          max_length: MAX_TEXT,
          ...(text !== '' && {initial_value: text}),
        },
      },
    ],
  }
}
