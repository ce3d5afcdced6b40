import type {ModalView} from '@slack/types'
import {z} from 'zod'
import type {Knowing} from '../../agents/who-may-know.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {Start} from '../../store/tables/work/starts.ts'
import type {Store} from '../../store/store.ts'
import type {Form} from '../../slack/incoming/form.ts'
import type {Shortcut} from '../../slack/incoming/shortcut.ts'
import {drawAutomateForm, drawAutomateNote} from './views/forms.ts'
import {hookName} from './views/hooks.ts'
import {HOOK_FORMS, SHORTCUTS} from '../../slack/ids.ts'
import {wordsPicked} from '../../slack/prompts/said.ts'
import {toReadable} from '../../slack/markup/markup.ts'
import {texts} from '../../slack/texts.ts'
import type {Act, ActResult} from '../../slack/gate/act.ts'
import {createOwnForm, requestIdOf, standingOfStart} from '../../slack/gate/start-request.ts'
import {deliverTo, ifOpened, keyOfRow} from './hook-lookup.ts'
import {soon} from '../../slack/gate/soon.ts'
import {hookTexts} from './texts.ts'
import type {ActTools} from '../../slack/gate/tools.ts'

interface AutomateActsOptions extends ActTools<
  'botId' | 'botUserId' | 'forms' | 'names' | 'nowMs' | 'permalinks'
> {
  deps: Pick<Store, 'hooks' | 'deliveries' | 'starts'> & {knowing: Pick<Knowing, 'isClosed'>}
  onDelivery: () => void
}

const words = hookTexts.automate
/** What the automation gets. It stands beside a wish for work until somebody has chosen one. */
const pickedSchema = z.object({
  message: z.object({
    text: z.string(),
    author: z.string(),
    channel: z.string(),
    permalink: z.string().optional(),
    ts: z.string(),
    files: z.array(z.object({name: z.string()})).optional(),
    forwarded: z.array(z.object({author: z.string(), text: z.string()})).optional(),
  }),
})

/** The message shortcut "Send to automation". */
export function createAutomateActs(options: AutomateActsOptions): Act[] {
  const {act, checks, deps, forms, names, permalinks, onDelivery, nowMs} = options

  const toPicked = async ({channel, message}: Shortcut): Promise<z.infer<typeof pickedSchema>> => {
    const {ts, user, files, forwarded: quoted} = message
    const written = wordsPicked(message, options)
    const [text, author, channelName, permalink, forwarded] = await Promise.all([
      soon(toReadable(written, names), written),
      user === '' ? texts.quoting.anApp : soon(names.user(user), user),
      soon(names.place(channel), channel),
      soon(permalinks.find({channel, slackThread: ts}), undefined),
      Promise.all(
        quoted.map(async (one) => ({
          author: one.author === '' ? texts.quoting.somebody : one.author,
          text: await soon(toReadable(one.text, names), one.text),
        })),
      ),
    ])
    const link = permalink === undefined ? {} : {permalink}
    const carried = files.length === 0 ? {} : {files: files.map(({name}) => ({name}))}
    const along = forwarded.length === 0 ? {} : {forwarded}
    return {message: {text, author, channel: channelName, ...link, ts, ...carried, ...along}}
  }

  /** What is not in our tables is waited for no longer than a trigger lives, which is 3 s. */
  const draw = async (shortcut: Shortcut, {row}: Handling): Promise<ModalView> => {
    const {team, user, channel} = shortcut
    const all = await deps.hooks.ofChannel(team, channel)
    const usable = all.filter(({kind, state}) => kind === 'automation' && state === 'on')
    if (usable.length === 0) return drawAutomateNote({channel}, words.none)
    const requestId = requestIdOf(team, row)
    const none = {task: '', options: {}, files: [], forwarded: []}
    const [picked, isClosed] = await Promise.all([
      toPicked(shortcut),
      soon(deps.knowing.isClosed({team, channel}), true),
    ])
    const request = {requestId, channel, ...none, ...picked}
    const {id} = await deps.starts.open({team, user, requestId, request}, nowMs())
    return drawAutomateForm({channel, start: id}, {hooks: usable, isClosed})
  }

  const send = async ({team, values}: Form, start: Start, {row}: Handling): Promise<ActResult> => {
    const {data: picked} = pickedSchema.safeParse(start.request)
    if (picked === undefined) return {answer: {text: words.tooOld}}
    const hook = await deps.hooks.byId(values.get('hook') ?? '')
    const isItsOwn = hook?.team === team && hook.kind === 'automation'
    const isHere = isItsOwn && hook.channel === standingOfStart(start).channel
    if (hook === undefined || !isHere) return {answer: {text: hookTexts.gone}}
    if (hook.state === 'off') return {answer: {text: hookTexts.again.off}}
    const {message} = picked
    const sent = {json: JSON.stringify({message}), key: keyOfRow('slack', row)}
    const added = await ifOpened(() => deliverTo(deps, hook, sent, nowMs()))
    if (added === undefined) return {answer: {text: hookTexts.lost}}
    if (added === 'full') return {answer: {text: hookTexts.again.full}, again: true}
    onDelivery()
    return {answer: {text: words.sent(hookName(hook))}}
  }

  return [
    act('shortcut', SHORTCUTS.automate, checks.member, async (shortcut, _subject, handling) => {
      const opened = await forms.open(shortcut.triggerId, await draw(shortcut, handling))
      return opened === undefined ? {answer: {text: texts.tooLateToOpen}, again: true} : undefined
    }),
    act('form', HOOK_FORMS.automate, createOwnForm(deps.starts, words.tooOld), send),
  ]
}
