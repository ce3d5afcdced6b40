import {z} from 'zod'
import type {FollowUpDeps} from '../../../agents/lifecycle.ts'
import {readOptions} from '../../../agents/start-options.ts'
import type {Handling} from '../../../inbox/worker.ts'
import type {Send} from '../../../store/tables/work/send.ts'
import type {Start, StartStore} from '../../../store/tables/work/starts.ts'
import type {Form} from '../../../slack/incoming/form.ts'
import type {Shortcut} from '../../../slack/incoming/shortcut.ts'
import type {OpenStartForm} from './form-opening.ts'
import {MAX_TASK} from '../views/start-form.ts'
import {ACTIONS, SHORTCUTS, START_FORMS} from '../../../slack/ids.ts'
import {type Names, escapeMrkdwn, toReadable} from '../../../slack/markup/markup.ts'
import type {Prompts} from '../../../slack/prompts/prompts.ts'
import {drawFilesQuestion} from '../views/files-question.ts'
import {parseJson} from '../../../security/foreign-json.ts'
import {texts} from '../../../slack/texts.ts'
import {type Message, inSections, toQuote} from '../../../slack/draw/blocks.ts'
import type {Act, ActResult} from '../../../slack/gate/act.ts'
import {
  type Begin,
  type StartRequest,
  createOwnForm,
  requestIdOf,
  startRequestSchema,
} from '../../../slack/gate/start-request.ts'
import {soon} from '../../../slack/gate/soon.ts'
import {startTexts} from '../start-texts.ts'
import {sendWritten} from '../../../slack/gate/written.ts'
import type {Ourselves} from '../../../slack/incoming/ourselves.ts'
import {wordsPicked} from '../../../slack/prompts/said.ts'
import type {ActTools} from '../../../slack/gate/tools.ts'
import {workAt} from '../work-at.ts'

interface StartFormActsOptions extends ActTools<
  'botId' | 'botUserId' | 'names' | 'replies' | 'whereAgentIs'
> {
  deps: FollowUpDeps & {starts: StartStore}
  begin: Begin
  open: OpenStartForm
  prompts: Prompts
}

/** `/bosun new` and "Send to Bosun": a form, and what was entered in it. */
export function createStartFormActs(options: StartFormActsOptions): Act[] {
  const {act, checks, deps, begin, open, prompts, names, replies} = options

  /** What the form is about, once however often it is opened for the same inbox row. */
  const stand = (
    {team, user}: {team: string; user: string},
    request: NewStartRequest,
    {row}: Handling,
  ): Promise<Start> => {
    const requestId = requestIdOf(team, row)
    return deps.starts.open({team, user, requestId, request: {...request, requestId}}, deps.nowMs())
  }

  /** What offered the form has nothing to offer any more. */
  const withdrawOffer = ({view}: Form): void => {
    const {whisperUrl} = offerSchema.parse(parseJson(view.metadata))
    if (whisperUrl !== undefined) replies.withdraw({responseUrl: whisperUrl})
  }

  const onForm = createOwnForm(deps.starts, startTexts.tooOld)

  const send = async (
    form: Form,
    request: StartRequest,
    handling: Handling,
  ): Promise<ActResult | undefined> => {
    const {team, user, view} = form
    const {signal} = handling
    const {channel, slackThread = '', task} = request
    const link = await workAt(deps.links, {team, channel, slackThread})
    if (link === undefined) return {answer: {text: startTexts.tooOld}}
    if (link.taskId !== undefined) {
      return {answer: {text: texts.tasks.readOnly(await options.whereAgentIs(link))}}
    }
    const prompt = await prompts.pack(task, {...request, work: {...link, user}}, signal)
    signal.throwIfAborted()
    const messageTs = request.pickedTs ?? view.id
    const written = {
      ...{user, channel, messageTs, text: task, said: prompt.text},
      ask:
        prompt.notPassed.length === 0
          ? undefined
          : (kept: Send): Message => drawFilesQuestion('send', kept.id, prompt),
    }
    const sent = await sendWritten(options, link, written, handling)
    if ('answer' in sent) return sent
    if (sent.outcome === 'sent') replies.admitted(link, messageTs)
    withdrawOffer(form)
    return undefined
  }

  return [
    act('command', '/bosun new', checks.member, async (command, _subject, handling) => {
      const {channel, rest} = command
      if (rest.length > MAX_TASK) return {answer: {text: startTexts.tooLongForForm}}
      const prepare = async (): Promise<Start> => {
        const said = await soon(toReadable(rest, names), rest)
        // Names may be longer than what stood for them.
        const task = said.length > MAX_TASK ? rest : said
        return stand(command, {channel, task, options: {}, files: [], forwarded: []}, handling)
      }
      return open({...command, threadTs: undefined}, {prepare}, handling.signal)
    }),
    act('shortcut', SHORTCUTS.send, checks.member, async (shortcut, _subject, handling) => {
      const {ts, threadTs} = shortcut.message
      const prepare = async (): Promise<Start> =>
        stand(shortcut, await toPickedRequest(shortcut, options), handling)
      return open({...shortcut, threadTs}, {slackThread: threadTs ?? ts, prepare}, handling.signal)
    }),
    act('press', ACTIONS.homeNew, checks.atHome, ({team, user, triggerId}, _subject, handling) => {
      const prepare = (channel: string): Promise<Start> =>
        stand({team, user}, {channel, task: '', options: {}, files: [], forwarded: []}, handling)
      return open({team, user, triggerId}, {prepare}, handling.signal)
    }),
    act('form', START_FORMS.start, onForm, async (form, start, handling) => {
      const request = fillIn(form, start)
      // What was offered may have been started meanwhile, without the form.
      if (!(await deps.starts.take(start.id, handling.row.key))) {
        return {answer: withTask({text: startTexts.chosen}, request, start)}
      }
      // Should there be something to ask, it is asked about what was entered.
      await deps.starts.keepRequest(start.id, request)
      const outcome = await begin(request, {team: form.team, user: form.user}, handling)
      if (outcome === undefined) {
        withdrawOffer(form)
        return undefined
      }
      await deps.starts.release(start.id)
      const {answer} = outcome
      return answer === undefined ? outcome : {...outcome, answer: withTask(answer, request, start)}
    }),
    act('form', START_FORMS.send, onForm, async (form, start, handling) =>
      send(form, {...fillIn(form, start), task: wordsIn(form)}, handling),
    ),
  ]
}

/** What was entered stands nowhere else, unless a button of the answer begins it after all. */
function withTask(answer: Message, {task}: StartRequest, {id}: Start): Message {
  const {text, blocks} = answer
  if (JSON.stringify(blocks ?? []).includes(id)) return answer
  const quoted = startTexts.form.entered(toQuote(escapeMrkdwn(task)))
  return {
    text: `${text}\n${quoted}`,
    ...(blocks !== undefined && {blocks: [...blocks, ...inSections(quoted.split('\n'))]}),
  }
}

/** For an agent that is at work: options stand in front of tasks alone. */
function wordsIn({values}: Form): string {
  return (values.get('task') ?? '').trim()
}

/** What was entered, on top of what the form was opened for. */
function fillIn({values, blocks}: Form, start: Start): StartRequest {
  const request = startRequestSchema.parse(start.request)
  const {options, task} = readOptions(values.get('task') ?? '')
  const include = values.get('include')?.split(',') ?? []
  const hasMessage = include.includes('message')
  const entered = (name: string): string | undefined => values.get(name)?.trim() || undefined
  return {
    ...request,
    task,
    options: {
      ...options,
      project: entered('project') ?? options.project,
      model: entered('model') ?? options.model,
      effort: entered('effort') ?? options.effort,
      modes: entered('modes') ?? options.modes,
      size: entered('size') ?? options.size,
      // What is typed in front of the task is said of this one; a box may be as it was shown.
      plan: options.plan ?? (blocks.has('plan') ? (entered('plan') ?? 'no') : undefined),
    },
    files: hasMessage ? request.files : [],
    picked: hasMessage ? request.picked : undefined,
    earlier:
      include.includes('thread') && request.earlier !== undefined
        ? {...request.earlier, isWhole: true}
        : undefined,
  }
}

/** What can be told wrong before a form closes. */
export function checkStart({values}: Form): Record<string, string> | undefined {
  const {task} = readOptions(values.get('task') ?? '')
  return task === '' ? {task: startTexts.form.empty} : undefined
}

export function checkSend(form: Form): Record<string, string> | undefined {
  return wordsIn(form) === '' ? {task: startTexts.form.empty} : undefined
}

const offerSchema = z.object({whisperUrl: z.string().optional()})

type NewStartRequest = Omit<StartRequest, 'requestId'>

/** What can be asked about the message that was picked. */
async function toPickedRequest(
  {channel, message}: Shortcut,
  {names, prompts, ...us}: Ourselves & {names: Names; prompts: Prompts},
): Promise<NewStartRequest> {
  const {ts, threadTs, user, files, forwarded: quoted} = message
  const written = wordsPicked(message, us)
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
