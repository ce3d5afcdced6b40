import type {Catalogue} from '../../agents/catalogue.ts'
import {followUp} from '../../agents/sending.ts'
import type {FollowUpDesk} from '../../agents/work.ts'
import type {SettingsOf} from '../../agents/settings.ts'
import {readOptions} from '../../agents/start-options.ts'
import type {Handling} from '../../inbox/worker.ts'
import {tokenMark} from '../../store/sends.ts'
import type {Start, StartStore} from '../../store/starts.ts'
import type {Forms} from '../../slack/api/forms.ts'
import type {Command} from '../../slack/deeds/command.ts'
import type {Form} from '../../slack/deeds/form.ts'
import type {Shortcut} from '../../slack/deeds/shortcut.ts'
import {keptMessage} from '../../slack/draw/kept-message.ts'
import {notSentMessage} from '../../slack/draw/not-sent.ts'
import {MAX_TASK, drawStartForm, drawStartNote} from './views/start-form.ts'
import {SHORTCUTS, START_FORMS} from '../../slack/ids.ts'
import {type Names, toReadable} from '../../slack/markup/markup.ts'
import type {Parcels} from '../../slack/parcels/parcels.ts'
import {senderLine} from '../../slack/parcels/sender-line.ts'
import type {FormChecks} from '../../slack/receivers.ts'
import type {Replies} from '../../slack/tell/replies.ts'
import {notPassedText} from '../../slack/texts/start.ts'
import {texts} from '../../slack/texts.ts'
import type {Act, MakeAct, Outcome} from '../../slack/gate/act.ts'
import type {Checks} from '../../slack/gate/checks.ts'
import {type Wish, createOwnForm, requestIdOf, wishSchema} from '../../slack/gate/wish.ts'
import {type NewWish, toPickedWish} from './picked-wish.ts'
import type {Starter} from './starter.ts'
import {soon} from '../../slack/gate/soon.ts'

interface StartFormActsOptions {
  act: MakeAct
  checks: Checks
  desk: FollowUpDesk & {starts: StartStore}
  begin: Starter
  catalogue: Catalogue
  settingsOf: SettingsOf
  forms: Forms
  parcels: Parcels
  names: Names
  replies: Replies
}

/** `/bosun new` and "Send to Bosun": a form, and what was entered in it. */
export function createStartFormActs(options: StartFormActsOptions): Act[] {
  const {act, checks, desk, begin, catalogue, settingsOf, forms, parcels, names, replies} = options

  /**
   * Opens the form at once, since a trigger lives for 3 s, and fills it in. What it is about stands in our table, and
   * only its id in the form.
   */
  const open = async (
    deed: Command | Shortcut,
    {slackThread, read}: {slackThread?: string; read: () => Promise<NewWish>},
    {row, signal}: Handling,
  ): Promise<Outcome | undefined> => {
    const {team, user, triggerId, channel} = deed
    // Slack shows nobody what is whispered below a message that has no replies.
    const threadTs = deed.kind === 'shortcut' ? deed.message.threadTs : undefined
    const metadata = {channel, ...(threadTs !== undefined && {slackThread: threadTs})}
    const note = {metadata, isSend: slackThread !== undefined}
    const viewId = await forms.open(triggerId, drawStartNote(note, 'loading'))
    if (viewId === undefined) return {answer: {text: texts.tooLateToOpen}, again: true}
    const requestId = requestIdOf(team, row)
    const [wish, link, projects] = await Promise.all([
      read(),
      slackThread === undefined ? undefined : desk.links.byPlace({team, channel, slackThread}),
      soon(projectsOf(team, channel, signal), undefined),
    ])
    const {task, picked, earlier} = wish
    const start = await desk.starts.open(
      {team, user, requestId, wish: {...wish, requestId}},
      desk.nowMs(),
    )
    const view = drawStartForm({
      metadata: {
        channel,
        slackThread: link === undefined ? threadTs : slackThread,
        start: start.id,
      },
      kind: link === undefined ? 'start' : 'send',
      title: link?.title,
      hasThread: earlier === undefined ? 'no' : 'yes',
      ...{picked, task, projects},
    })
    const isShown = await forms.update(viewId, view)
    if (!isShown) await forms.update(viewId, drawStartNote(note, 'notShown'))
    return undefined
  }

  const projectsOf = async (team: string, channel: string, signal: AbortSignal) =>
    catalogue.projects((await settingsOf(team, channel)).values, signal)

  const onForm = createOwnForm(desk.starts, texts.start.tooOld)

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
      inboxId: row.id,
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
      const {channel, rest} = command
      if (rest.length > MAX_TASK) return {answer: {text: texts.start.tooLongForForm}}
      const read = async (): Promise<NewWish> => {
        const task = await soon(toReadable(rest, names), rest)
        // Names may be longer than what stood for them.
        const isLong = task.length > MAX_TASK
        return {channel, task: isLong ? rest : task, options: {}, files: [], forwarded: []}
      }
      return open(command, {read}, handling)
    }),
    act('shortcut', SHORTCUTS.send, checks.member, async (shortcut, _subject, handling) => {
      const {ts, threadTs} = shortcut.message
      const read = () => toPickedWish(shortcut, {names, parcels})
      return open(shortcut, {slackThread: threadTs ?? ts, read}, handling)
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
