import type {FollowUpDeps} from '../../agents/lifecycle.ts'
import {readOptions} from '../../agents/start-options.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {Start, StartStore} from '../../store/tables/work/starts.ts'
import type {Command} from '../../slack/incoming/command.ts'
import type {Form} from '../../slack/incoming/form.ts'
import type {Shortcut} from '../../slack/incoming/shortcut.ts'
import {MAX_TASK, drawStartForm} from './views/start-form.ts'
import {SHORTCUTS, START_FORMS} from '../../slack/ids.ts'
import {type Names, toReadable} from '../../slack/markup/markup.ts'
import type {Prompts} from '../../slack/prompts/prompts.ts'
import {notPassedText} from '../../slack/texts/talk.ts'
import {texts} from '../../slack/texts.ts'
import type {Act, ActResult} from '../../slack/gate/act.ts'
import {
  type StartRequest,
  createOwnForm,
  requestIdOf,
  startRequestSchema,
} from '../../slack/gate/start-request.ts'
import type {Starter} from './starter.ts'
import {soon} from '../../slack/gate/soon.ts'
import {startTexts} from './start-texts.ts'
import {sendWritten} from '../../slack/gate/written.ts'
import type {ActTools} from '../../slack/gate/tools.ts'

interface StartFormActsOptions extends ActTools<
  'catalogue' | 'forms' | 'names' | 'replies' | 'settingsOf'
> {
  deps: FollowUpDeps & {starts: StartStore}
  begin: Starter
  prompts: Prompts
}

/** `/bosun new` and "Send to Bosun": a form, and what was entered in it. */
export function createStartFormActs(options: StartFormActsOptions): Act[] {
  const {act, checks, deps, begin, catalogue, settingsOf, forms, prompts, names, replies} = options

  /**
   * Opens the form whole, so that the task is where one types; a trigger lives for 3 s, and nothing is waited for that long.
   * What it is about stands in our table, and only its id in the form.
   */
  const open = async (
    interaction: Command | Shortcut,
    {slackThread, read}: {slackThread?: string; read: () => Promise<NewStartRequest>},
    {row, signal}: Handling,
  ): Promise<ActResult | undefined> => {
    const {team, user, triggerId, channel} = interaction
    // Slack shows nobody what is whispered below a message that has no replies.
    const threadTs = interaction.kind === 'shortcut' ? interaction.message.threadTs : undefined
    const requestId = requestIdOf(team, row)
    const [request, link, projects] = await Promise.all([
      read(),
      slackThread === undefined ? undefined : deps.links.byPlace({team, channel, slackThread}),
      soon(projectsOf(team, channel, signal), undefined),
    ])
    const {task, picked, earlier} = request
    const start = await deps.starts.open(
      {team, user, requestId, request: {...request, requestId}},
      deps.nowMs(),
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
      picked,
      task,
      projects,
    })
    const viewId = await forms.open(triggerId, view)
    return viewId === undefined ? {answer: {text: texts.tooLateToOpen}, again: true} : undefined
  }

  const projectsOf = async (team: string, channel: string, signal: AbortSignal) =>
    catalogue.projects((await settingsOf(team, channel)).values, signal)

  const onForm = createOwnForm(deps.starts, startTexts.tooOld)

  const send = async (
    {team, user, view}: Form,
    request: StartRequest,
    handling: Handling,
  ): Promise<ActResult | undefined> => {
    const {signal} = handling
    const {channel, slackThread = '', task} = request
    const link = await deps.links.byPlace({team, channel, slackThread})
    if (link === undefined) return {answer: {text: startTexts.tooOld}}
    const prompt = await prompts.pack(task, request, signal)
    signal.throwIfAborted()
    const messageTs = request.pickedTs ?? view.id
    const written = {user, channel, messageTs, text: task, said: prompt.text}
    const sent = await sendWritten(options, link, written, handling)
    if ('answer' in sent) return sent
    if (sent.outcome === 'sent') replies.admitted(channel, messageTs)
    const {notPassed} = prompt
    return notPassed.length === 0 ? undefined : {answer: {text: notPassedText(notPassed)}}
  }

  return [
    act('command', '/bosun new', checks.member, async (command, _subject, handling) => {
      const {channel, rest} = command
      if (rest.length > MAX_TASK) return {answer: {text: startTexts.tooLongForForm}}
      const read = async (): Promise<NewStartRequest> => {
        const task = await soon(toReadable(rest, names), rest)
        // Names may be longer than what stood for them.
        const isLong = task.length > MAX_TASK
        return {channel, task: isLong ? rest : task, options: {}, files: [], forwarded: []}
      }
      return open(command, {read}, handling)
    }),
    act('shortcut', SHORTCUTS.send, checks.member, async (shortcut, _subject, handling) => {
      const {ts, threadTs} = shortcut.message
      const read = () => toPickedRequest(shortcut, {names, prompts})
      return open(shortcut, {slackThread: threadTs ?? ts, read}, handling)
    }),
    act('form', START_FORMS.start, onForm, async (form, start, handling) => {
      const request = fillIn(form, start, requestIdOf(form.team, handling.row))
      return begin(request, {team: form.team, user: form.user}, handling)
    }),
    act('form', START_FORMS.send, onForm, async (form, start, handling) =>
      send(form, fillIn(form, start, requestIdOf(form.team, handling.row)), handling),
    ),
  ]
}

/** What was entered, on top of what the form was opened for. */
function fillIn({values}: Form, start: Start, requestId: string): StartRequest {
  const request = startRequestSchema.parse(start.request)
  const {options, task} = readOptions(values.get('task') ?? '')
  const include = values.get('include')?.split(',') ?? []
  const hasMessage = include.includes('message')
  const entered = (name: string): string | undefined => values.get(name)?.trim() || undefined
  return {
    ...request,
    requestId,
    task,
    options: {
      ...options,
      project: entered('project') ?? options.project,
      model: entered('model') ?? options.model,
      effort: entered('effort') ?? options.effort,
      size: entered('size') ?? options.size,
    },
    files: hasMessage ? request.files : [],
    picked: hasMessage ? request.picked : undefined,
    earlier: include.includes('thread') ? request.earlier : undefined,
  }
}

/** What can be told wrong before a form closes. */
export function checkStart({values}: Form): Record<string, string> | undefined {
  const {empty, effortNeedsModel} = startTexts.form
  const {options, task} = readOptions(values.get('task') ?? '')
  const model = values.get('model')?.trim() || options.model
  if (task === '') return {task: empty}
  return values.has('effort') && model === undefined ? {model: effortNeedsModel} : undefined
}

type NewStartRequest = Omit<StartRequest, 'requestId'>

/** What can be asked about the message that was picked. */
async function toPickedRequest(
  {channel, message}: Shortcut,
  {names, prompts}: {names: Names; prompts: Prompts},
): Promise<NewStartRequest> {
  const {ts, threadTs, user, text: written, files, forwarded: quoted} = message
  const slackThread = threadTs ?? ts
  const [author, text, forwarded] = await Promise.all([
    user === '' ? texts.quoting.anApp : soon(names.user(user), user),
    soon(toReadable(written, names), written),
    soon(prompts.toQuoted(quoted), []),
  ])
  const picked = {author, text, files: files.map(({name}) => name), forwarded}
  const asked = {task: '', options: {}, files, forwarded: []}
  return {channel, slackThread, ...asked, picked, pickedTs: ts, earlier: {channel, slackThread}}
}
