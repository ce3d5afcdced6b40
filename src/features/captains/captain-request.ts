import {z} from 'zod'
import type {Avatar} from '../../platform/model.ts'
import type {Form} from '../../slack/incoming/form.ts'
import type {CaptainEntry} from './views/forms.ts'
import {checkModel} from '../../slack/draw/model-inputs.ts'
import {isPicture} from '../../slack/draw/persona.ts'
import {emojiIn, isEmoji} from '../../slack/draw/emoji.ts'
import {type StartRequest, startRequestSchema} from '../../slack/gate/start-request.ts'
import {captainTexts} from './texts.ts'

const entrySchema = z.object({
  name: z.string(),
  brief: z.string(),
  project: z.string(),
  model: z.string(),
  // What stood open before these were asked has none of them.
  effort: z.string().default(''),
  modes: z.string().default(''),
  face: z.string(),
  background: z.string(),
  image: z.string().default(''),
  owner: z.string(),
})

/** A captain that somebody asks for: it stands where other work does that is asked for and stands nowhere yet. */
export const captainRequestSchema = startRequestSchema.extend({
  captain: entrySchema,
  /** The inbox row that has begun to create it: the platform may know it. */
  sentBy: z.string().optional(),
})
export type CaptainRequest = z.infer<typeof captainRequestSchema>

/** A question to a captain, whose form is open. */
export const questionSchema = startRequestSchema.extend({
  asked: z.object({threadId: z.string(), name: z.string()}),
})

/** What is common to both. */
export function emptyCaptainRequest(requestId: string, channel: string): StartRequest {
  return {requestId, channel, task: '', options: {}, files: [], forwarded: []}
}

/** What was entered in the form. */
export function readEntry({values, user}: Form): CaptainEntry {
  const text = (name: string): string => values.get(name)?.trim() ?? ''
  return {
    name: text('name').replaceAll(/\s+/gu, ' '),
    brief: text('brief'),
    project: text('project'),
    model: text('model'),
    effort: text('effort'),
    modes: text('modes'),
    face: text('face'),
    background: text('background'),
    image: text('image'),
    owner: text('owner') || user,
  }
}

/** Section 2.4. The first preset face stands on blue (section 4.4), and so does whatever names no colour. */
export function toAvatar({face, background, image}: CaptainEntry): Avatar | undefined {
  if (face === '' && image === '') return undefined
  const shown = {background: background || 'blue', ...(image !== '' && {image})}
  // A picture goes with a face: it stands where pictures can't be shown.
  if (face === '') return {kind: 'emoji', value: FACE_OF_PICTURES, ...shown}
  if (!isEmoji(face)) return {kind: 'preset', value: face, ...shown}
  return {kind: 'emoji', value: emojiIn(face)?.emoji ?? face, ...shown}
}

const FACE_OF_PICTURES = '🙂'

/** What can be told wrong before the form closes. */
export function checkCaptain(form: Form): Record<string, string> | undefined {
  const {name, face, background, image} = readEntry(form)
  const {noName, noFace, noPicture} = captainTexts.form
  const isBare = background !== '' && face === '' && image === ''
  const wrong = {
    ...(name === '' && {name: noName}),
    ...(isBare && {face: noFace}),
    ...(image !== '' && !isPicture(image) && {image: noPicture}),
    ...checkModel(form.values),
  }
  return Object.keys(wrong).length === 0 ? undefined : wrong
}

export function checkQuestion({values}: Form): Record<string, string> | undefined {
  return (values.get('text')?.trim() ?? '') === '' ? {text: captainTexts.askForm.empty} : undefined
}
