import type {KnownBlock, ModalView} from '@slack/types'
import type {Project} from '../../../platform/model.ts'
import {CAPTAIN_FORMS} from '../../../slack/ids.ts'
import {MAX_NAME, oneLine} from '../../../slack/markup/lines.ts'
import {field, fitMenu, input, menu, modal, option} from '../../../slack/draw/form.ts'
import {modelInputs, wishIn} from '../../../slack/draw/model-inputs.ts'
import {texts} from '../../../slack/texts.ts'
import {captainTexts} from '../texts.ts'

/** What was entered, as it was entered. */
export interface CaptainEntry {
  name: string
  brief: string
  /** An id, or what somebody calls it. */
  project: string
  model: string
  effort: string
  /** Joined by commas. */
  modes: string
  face: string
  background: string
  /** The address of a picture. */
  image: string
  /** A Slack user. */
  owner: string
}

/** The longest name that the platform takes (section 8), and the longest text that Slack does. */
const MAX_CAPTAIN_NAME = 100
const MAX_TEXT = 3000
const MAX_SHORT = 200
const MAX_IMAGE = 1000

const need = 'optional'
const words = captainTexts.form
const usual = {placeholder: texts.models.usual}

/** `projects`: `undefined` when they could not be read in time. */
export function drawCaptainForm(
  metadata: object,
  entry: CaptainEntry,
  projects: readonly Project[] | undefined,
): ModalView {
  const colours = captainTexts.colours.map((colour) => option(colour, colour))
  const {title, create: submit, cancel: close} = words
  return modal(CAPTAIN_FORMS.create, metadata, {title, submit, close}, [
    field('name', words.name, {hint: words.nameHint, value: entry.name, max: MAX_CAPTAIN_NAME}),
    field('brief', words.brief, {
      need,
      hint: words.briefHint,
      value: entry.brief,
      max: MAX_TEXT,
      multiline: true,
    }),
    projectInput(entry, projects),
    ...modelInputs(wishIn(new Map(Object.entries(entry))), {model: usual, effort: usual}),
    field('face', words.face, {need, hint: words.faceHint, value: entry.face, max: MAX_SHORT}),
    menu('background', words.background, colours, {
      need,
      initial: colours.find(({value}) => value === entry.background),
    }),
    field('image', words.image, {need, hint: words.imageHint, value: entry.image, max: MAX_IMAGE}),
    input('owner', words.owner, {
      hint: words.ownerHint,
      element: {type: 'users_select', initial_user: entry.owner},
    }),
  ])
}

function projectInput({project}: CaptainEntry, projects: readonly Project[] = []): KnownBlock {
  const options = projects.map(({id, name}) => option(name, id))
  if (!fitMenu(options)) {
    return field('project', words.project, {need, value: project, max: MAX_SHORT})
  }
  const initial = options.find(({value}) => value === project)
  return menu('project', words.project, options, {need, initial})
}

/** A question to a captain, whom the form names. */
export function drawAskForm(metadata: object, name: string, text: string): ModalView {
  const {title, ask, cancel, label} = captainTexts.askForm
  return modal(CAPTAIN_FORMS.ask, metadata, {title, submit: ask, close: cancel}, [
    field('text', label(oneLine(name, MAX_NAME)), {value: text, max: MAX_TEXT, multiline: true}),
  ])
}
