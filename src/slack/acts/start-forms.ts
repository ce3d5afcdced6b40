import {z} from 'zod'
import type {Catalogue} from '../../inbox/catalogue.ts'
import {type FollowUpDesk, followUp} from '../../inbox/follow-up.ts'
import {readOptions} from '../../inbox/start-options.ts'
import type {Handling} from '../../inbox/worker.ts'
import {tokenMark} from '../../store/sends.ts'
import type {Start, StartStore} from '../../store/starts.ts'
import {parseJson} from '../answers.ts'
import type {Command} from '../deeds/command.ts'
import type {Form} from '../deeds/form.ts'
import type {Shortcut} from '../deeds/shortcut.ts'
import {MAX_TASK, drawStartForm} from '../draw/start-form.ts'
import type {Forms} from '../forms.ts'
import {SHORTCUTS, START_FORMS} from '../ids.ts'
import {type Names, toReadable} from '../markup.ts'
import type {Parcels} from '../parcels.ts'
import type {FormChecks} from '../receivers.ts'
import type {Replies} from '../replies.ts'
import {senderLine} from '../sender-line.ts'
import {texts} from '../texts.ts'
import {notPassedText} from '../texts/start.ts'
import {type Act, type Check, type MakeAct, type Outcome, Refusal} from './act.ts'
import {type Checks, isForeign} from './checks.ts'
import {keptMessage} from './kept-message.ts'
import {notSentMessage} from './not-sent.ts'
import type {Starter} from './starter.ts'
import {type Wish, requestIdOf, wishSchema} from './wish.ts'

interface StartFormActsOptions {
  act: MakeAct
  checks: Checks
  desk: FollowUpDesk & {starts: StartStore}
  begin: Starter
  catalogue: Catalogue
  forms: Forms
  parcels: Parcels
  names: Names
  replies: Replies
}

/** A trigger lives for 3 s: what is not known by then is left out of the form. */
const LOOK_WITHIN_MS = 1000

/** `/bosun new` and "Send to Bosun": a form, and what was entered in it. */
export function createStartFormActs(options: StartFormActsOptions): Act[] {
  const {act, checks, desk, begin, catalogue, forms, parcels, names, replies} = options

  /** Opens the form; what it is about stands in our table, and only its id in the form. */
  const open = async (
    {team, user, triggerId}: Command | Shortcut,
    wish: Omit<Wish, 'requestId'>,
    {row, signal}: Handling,
  ): Promise<Outcome | 'opened'> => {
    const {channel, slackThread, task, picked, earlier} = wish
    const requestId = requestIdOf(team, row)
    const [start, link, projects] = await Promise.all([
      desk.starts.open({team, user, requestId, wish: {...wish, requestId}}, desk.nowMs()),
      slackThread === undefined ? undefined : desk.links.byPlace({team, channel, slackThread}),
      soon(catalogue.projects(signal), undefined),
    ])
    const view = drawStartForm({
      metadata: {channel, ...(slackThread !== undefined && {slackThread}), start: start.id},
      kind: link === undefined ? 'start' : 'send',
      picked,
      hasThread: earlier === undefined ? 'no' : 'yes',
      task,
      projects,
    })
    return (await forms.open(triggerId, view)) === undefined ? {again: true} : 'opened'
  }

  const onForm: Check<Form, Start> = {
    name: 'who opened the form',
    look: async (form) => {
      if (isForeign(form)) return new Refusal({text: texts.notForGuests})
      const {data} = metadataSchema.safeParse(parseJson(form.view.metadata))
      const start = data && (await desk.starts.byId(data.start))
      const isTheirs = start?.team === form.team && start.user === form.user
      return isTheirs ? start : new Refusal({text: texts.start.tooOld})
    },
  }

  const send = async (
    {team, user, view}: Form,
    wish: Wish,
    {row, signal}: Handling,
  ): Promise<Outcome | undefined> => {
    const {channel, slackThread = '', task} = wish
    const link = await desk.links.byPlace({team, channel, slackThread})
    if (link === undefined) return {answer: {text: texts.start.tooOld}}
    const parcel = await parcels.pack(task, wish, signal)
    signal.throwIfAborted()
    const line = await senderLine(names, {user, channel})
    const message = {
      inboxKey: row.key,
      messageTs: wish.pickedTs ?? view.id,
      sender: user,
      toText: (token: string) => `${line} ${tokenMark(token)}\n${parcel.text}`,
    }
    const outcome = await followUp(desk, link, message, signal)
    if (outcome.outcome === 'declined') return {answer: notSentMessage(outcome, task)}
    if (outcome.outcome === 'kept') return {answer: keptMessage(outcome.send)}
    if (outcome.outcome === 'sent') replies.admitted(channel, message.messageTs)
    const {notPassed} = parcel
    return notPassed.length === 0 ? undefined : {answer: {text: notPassedText(notPassed)}}
  }

  return [
    act('command', '/bosun new', checks.member, async (command, _subject, handling) => {
      const task = await soon(toReadable(command.rest, names), command.rest)
      if (task.length > MAX_TASK) return {answer: {text: texts.start.tooLongForForm}}
      const wish = {channel: command.channel, task, options: {}, files: [], forwarded: []}
      const opened = await open(command, wish, handling)
      return opened === 'opened' ? undefined : {answer: {text: texts.tooLateToOpen}, ...opened}
    }),
    act('shortcut', SHORTCUTS.send, checks.member, async (shortcut, _subject, handling) => {
      const opened = await open(shortcut, await toWish(shortcut, {names, parcels}), handling)
      return opened === 'opened' ? undefined : {answer: {text: texts.tooLateToOpen}, ...opened}
    }),
    act('form', START_FORMS.start, onForm, async (form, start, handling) => {
      const wish = fillIn(form, start, requestIdOf(form.team, handling.row))
      return begin(wish, {team: form.team, user: form.user}, handling)
    }),
    act('form', START_FORMS.send, onForm, async (form, start, handling) =>
      send(form, fillIn(form, start, requestIdOf(form.team, handling.row)), handling),
    ),
  ]
}

const metadataSchema = z.object({start: z.string()})

async function toWish(
  {channel, message}: Shortcut,
  {names, parcels}: {names: Names; parcels: Parcels},
): Promise<Omit<Wish, 'requestId'>> {
  const {ts, threadTs, user, text, files, forwarded} = message
  const slackThread = threadTs ?? ts
  const author = user === '' ? texts.start.anApp : await soon(names.user(user), user)
  const picked = {
    author,
    text: await soon(toReadable(text, names), text),
    files: files.map(({name}) => name),
    forwarded: await soon(parcels.toQuoted(forwarded), []),
  }
  const asked = {task: '', options: {}, files, forwarded: []}
  return {channel, slackThread, ...asked, picked, pickedTs: ts, earlier: {channel, slackThread}}
}

/** What was entered, on top of what the form was opened for. */
function fillIn({values}: Form, start: Start, requestId: string): Wish {
  const wish = wishSchema.parse(start.wish)
  const {options, task} = readOptions(values.get('task') ?? '')
  const include = values.get('include')?.split(',') ?? []
  const hasMessage = include.includes('message')
  const entered = (name: string): string | undefined => values.get(name)?.trim() || undefined
  return {
    ...wish,
    requestId,
    task,
    options: {
      ...options,
      project: entered('project') ?? options.project,
      model: entered('model') ?? options.model,
      effort: entered('effort') ?? options.effort,
      size: entered('size') ?? options.size,
    },
    files: hasMessage ? wish.files : [],
    picked: hasMessage ? wish.picked : undefined,
    earlier: include.includes('thread') ? wish.earlier : undefined,
  }
}

/** What can be told wrong before a form closes. */
export const startFormChecks: FormChecks = new Map(
  Object.values(START_FORMS).map((id) => [
    id,
    ({values}: Form) => {
      const {empty, effortNeedsModel} = texts.start.form
      const {options, task} = readOptions(values.get('task') ?? '')
      const model = values.get('model')?.trim() || options.model
      if (task === '') return {task: empty}
      return values.has('effort') && model === undefined ? {model: effortNeedsModel} : undefined
    },
  ]),
)

/** The fallback for what takes too long, or fails. */
async function soon<Value>(work: Promise<Value>, fallback: Value): Promise<Value> {
  const late = new Promise<Value>((resolve) => {
    setTimeout(resolve, LOOK_WITHIN_MS, fallback).unref()
  })
  return Promise.race([work.catch(() => fallback), late])
}
