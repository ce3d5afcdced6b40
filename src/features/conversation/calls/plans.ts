import type {ModalView} from '@slack/types'
import {z} from 'zod'
import {archiveWork} from '../../../agents/lifecycle.ts'
import {GO_AHEAD, setPlan} from '../../../agents/sends/plan-words.ts'
import {type StopDeps, stopWork} from '../../../agents/stopping.ts'
import type {Handling} from '../../../inbox/worker.ts'
import {isWorking} from '../../../platform/model.ts'
import {parseJson} from '../../../security/foreign-json.ts'
import {toMetadata} from '../../../slack/draw/blocks.ts'
import {declinedMessage} from '../../../slack/draw/declined.ts'
import {field, modal} from '../../../slack/draw/form.ts'
import {type Act, type ActResult, type Check, Refusal} from '../../../slack/gate/act.ts'
import {
  type Answered,
  type AnsweringDeps,
  answerFirst,
  tellAnswered,
  takeFirst,
} from '../../../slack/gate/answering.ts'
import {standingOfLink} from '../../../slack/gate/checks.ts'
import type {ActTools} from '../../../slack/gate/tools.ts'
import {quoteUnsent} from '../../../slack/gate/written.ts'
import {ACTIONS, FORMS} from '../../../slack/ids.ts'
import type {Form} from '../../../slack/incoming/form.ts'
import type {Press} from '../../../slack/incoming/press.ts'
import {texts} from '../../../slack/texts.ts'
import type {Link, PlanState} from '../../../store/tables/work/link.ts'
import type {Notification, NotificationStore} from '../../../store/tables/work/notifications.ts'

interface PlanActsOptions extends ActTools<'forms' | 'names'> {
  deps: StopDeps & AnsweringDeps['deps'] & {notifications: NotificationStore}
}

interface Planned {
  link: Link
  notification: Notification
}

const words = texts.notifications.plan
/** The block and the action in which it is written what is to be different. */
const INPUT = 'change'
const MAX_CHANGE = 3000

/** What becomes of a plan that waits for a word: it is gone ahead with, changed, or dropped. The first word counts. */
export function createPlanActs(options: PlanActsOptions): Act[] {
  const {act, checks, deps, forms} = options
  const {links, notifications} = deps

  /** Looked up anew: a form may have stood open for long. */
  const onForm: Check<Form, Planned> = {
    name: 'on the plan of the form',
    look: async ({team, view}) => {
      const {data} = metadataSchema.safeParse(parseJson(view.metadata))
      const notification = data && (await notifications.byId(data.ping))
      const link = notification && (await links.byId(notification.linkId))
      const isHere = link?.place.team === team && link.place.channel === data?.channel
      if (notification === undefined || link === undefined || !isHere) {
        return new Refusal({text: texts.notHere})
      }
      return {link, notification}
    },
    standing: ({link}) => standingOfLink(link),
  }

  /** Of two who say what is to become of it at once, one is heard. */
  const say = async (
    {link, notification: {id, state}}: Planned,
    {user, messageTs, text, plan}: Said,
    handling: Handling,
  ): Promise<Answered> => {
    const given = {
      ...{user, messageTs, answer: text, said: text, isOver: state !== 'open'},
      // In front of the message: the run that it begins is known for what it is.
      onFirst: {act: () => setPlan(deps, link, plan), undo: () => setPlan(deps, link, 'planned')},
    }
    const outcome = await answerFirst(options, {link, id}, given, handling)
    if (outcome.outcome !== 'answered') return outcome
    await settle(id, {user, text})
    await deps.show(link.id)
    return outcome
  }

  const settle = async (id: string, {user, text}: {user: string; text: string}): Promise<void> => {
    await notifications.keepAnswer(id, {by: user, text})
    await notifications.end(id, 'answered', user)
  }

  const drop = async (
    {user, messageTs}: Press,
    {link, notification}: Planned,
    handling: Handling,
  ): Promise<ActResult | undefined> => {
    const {row, signal} = handling
    const {id, state} = notification
    const given = {user, answer: words.drop, isOver: state !== 'open'}
    const first = await takeFirst(options, {link, id}, given, row)
    if (first.outcome === 'not') return {answer: first.answer}
    if (first.outcome === 'answered') return undefined
    const now = (await links.byId(link.id)) ?? link
    // A plan that waits is at rest, unless its status says otherwise, or somebody has just written.
    const stopped = isWorking(now.status) ? await stopWork(deps, now, user, handling) : undefined
    const isStuck = stopped?.outcome === 'declined' && stopped.why !== 'at-rest'
    const outcome = isStuck ? stopped : await archiveWork(deps, now, signal)
    if (outcome.outcome === 'declined') {
      await deps.questions.release(id, row.key)
      return {answer: declinedMessage(outcome)}
    }
    await settle(id, {user, text: words.dropped})
    await setPlan(deps, link, 'dropped')
    await deps.questions.answered(id, row.key, messageTs)
    return undefined
  }

  return [
    act('press', ACTIONS.planGo, checks.onNotification, async (press, planned, handling) => {
      const {user, messageTs} = press
      const said: Said = {user, messageTs, text: GO_AHEAD, plan: 'approved'}
      return tellAnswered(await say(planned, said, handling))
    }),
    act('press', ACTIONS.planChange, checks.onNotification, async (press, planned) => {
      const {link, notification} = planned
      if (notification.state !== 'open') return {answer: {text: texts.choices.over}}
      const {triggerId, messageTs} = press
      const form = drawChangeForm(notification.id, link, messageTs)
      const isOpen = (await forms.open(triggerId, form)) !== undefined
      return isOpen ? undefined : {answer: {text: texts.tooLateToOpen}, again: true}
    }),
    act('form', FORMS.planChange, onForm, async (form, planned, handling) => {
      const {data} = metadataSchema.safeParse(parseJson(form.view.metadata))
      const text = writtenIn(form)
      const said: Said = {user: form.user, messageTs: data?.message, text, plan: 'changed'}
      const outcome = await say(planned, said, handling)
      // A form that has closed has it no more.
      if (outcome.outcome === 'not') return {answer: quoteUnsent(outcome.answer.text, text)}
      return tellAnswered(outcome)
    }),
    act('press', ACTIONS.planDrop, checks.onNotification, drop),
  ]
}

interface Said {
  user: string
  messageTs: string | undefined
  text: string
  plan: PlanState
}

/** What is wrong with what is to be different, as far as that can be told at once. */
export function checkPlanChange(form: Form): Record<string, string> | undefined {
  return writtenIn(form) === '' ? {[INPUT]: words.form.empty} : undefined
}

function writtenIn({values}: Form): string {
  return (values.get(INPUT) ?? '').trim()
}

const metadataSchema = z.object({
  channel: z.string(),
  ping: z.string(),
  message: z.string().optional(),
})

function drawChangeForm(id: string, link: Link, messageTs: string | undefined): ModalView {
  const {title, submit, close, label} = words.form
  const metadata = {...toMetadata(link), ping: id, message: messageTs}
  return modal(FORMS.planChange, metadata, {title, submit, close}, [
    field(INPUT, label, {multiline: true, max: MAX_CHANGE}),
  ])
}
