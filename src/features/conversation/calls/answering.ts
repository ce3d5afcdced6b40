import {z} from 'zod'
import type {FollowUpDeps} from '../../../agents/lifecycle.ts'
import {tryAgain} from '../../../agents/try-again.ts'
import {tomorrowMorningMs} from '../../../inbox/due-times.ts'
import type {Handling} from '../../../inbox/worker.ts'
import type {Link} from '../../../store/tables/work/link.ts'
import type {Notification, NotificationStore} from '../../../store/tables/work/notifications.ts'
import {tokenMark} from '../../../store/tables/work/send.ts'
import type {Form} from '../../../slack/incoming/form.ts'
import type {Press} from '../../../slack/incoming/press.ts'
import {ANSWER_INPUT, drawAnswerForm} from '../views/question.ts'
import {SNOOZES} from '../../../slack/draw/notification.ts'
import {ACTIONS, FORMS} from '../../../slack/ids.ts'
import {moment} from '../../../slack/markup/lines.ts'
import {senderLine} from '../../../slack/prompts/quoting.ts'
import {parseJson} from '../../../security/foreign-json.ts'
import {texts} from '../../../slack/texts.ts'
import {type Act, type Check, type ActResult, Refusal} from '../../../slack/gate/act.ts'
import {standingOfLink} from '../../../slack/gate/checks.ts'
import {toResult} from '../unsure.ts'
import {sendWritten} from '../../../slack/gate/written.ts'
import type {ActTools} from '../../../slack/gate/tools.ts'

interface NotificationActsOptions extends ActTools<'forms' | 'names' | 'zoneOf'> {
  deps: FollowUpDeps & {notifications: NotificationStore}
  /** A reminder was moved. */
  onSnoozed: () => void
}

const {notifications} = texts
const HOUR_MS = 3_600_000

/** What people do about a call: answer, put it off, have it tried again. */
export function createNotificationActs(options: NotificationActsOptions): Act[] {
  const {act, checks, deps, forms, names, zoneOf, onSnoozed} = options

  /** The question of the form, looked up anew: a form may have stood open for long. */
  const onForm: Check<Form, {link: Link; notification: Notification}> = {
    name: 'on the question of the form',
    look: async (form) => {
      const {data} = metadataSchema.safeParse(parseJson(form.view.metadata))
      const notification = data && (await deps.notifications.byId(data.ping))
      const link = notification && (await deps.links.byId(notification.linkId))
      const isHere = link?.place.team === form.team && link.place.channel === data?.channel
      if (notification === undefined || link === undefined || !isHere) {
        return new Refusal({text: texts.notHere})
      }
      return {link, notification}
    },
    standing: ({link}) => standingOfLink(link),
  }

  const answer = async (
    form: Form,
    {link, notification}: {link: Link; notification: Notification},
    handling: Handling,
  ): Promise<ActResult | undefined> => {
    const {data} = metadataSchema.safeParse(parseJson(form.view.metadata))
    const text = (form.values.get(ANSWER_INPUT) ?? '').trim()
    const {channel, slackThread} = link.place
    const written = {user: form.user, channel, messageTs: data?.message ?? slackThread, text}
    const sent = await sendWritten(options, link, written, handling)
    if ('answer' in sent) return sent
    await deps.notifications.keepAnswer(notification.id, {by: form.user, text})
    await deps.show(link.id)
    // A handler that runs again meets what it did before.
    const isLate = notification.state !== 'open' && notification.endedBy !== form.user
    return isLate ? {answer: {text: notifications.form.alreadyAnswered}} : undefined
  }

  const snooze = async (press: Press, notification: Notification): Promise<ActResult> => {
    if (press.user !== notification.person) return {answer: {text: notifications.snooze.notYours}}
    const untilMs = await untilOf(press)
    if (!(await deps.notifications.snooze(notification.id, untilMs)))
      return {answer: {text: notifications.over}}
    onSnoozed()
    const text =
      untilMs === undefined
        ? notifications.snooze.silent
        : notifications.snooze.until(moment(untilMs))
    return {answer: {text}}
  }

  /** Counted from the press, however late it is handled. */
  const untilOf = async ({value, actionTs, user}: Press): Promise<number | undefined> => {
    const choice = SNOOZE_CHOICE.safeParse(value.slice(value.indexOf('.') + 1)).data ?? '1h'
    const pressedMs = Math.round(Number(actionTs) * 1000) || deps.nowMs()
    const nowMs = Math.min(pressedMs, deps.nowMs())
    switch (choice) {
      case '1h':
        return nowMs + HOUR_MS
      case '4h':
        return nowMs + 4 * HOUR_MS
      case 'tomorrow':
        return tomorrowMorningMs(nowMs, await zoneOf(user))
      case 'silence':
        return undefined
      default:
        throw new Error(`Unknown choice: ${String(choice satisfies never)}`)
    }
  }

  return [
    act(
      'press',
      ACTIONS.answer,
      checks.onNotification,
      async ({triggerId, messageTs}, {link, notification}) => {
        if (notification.state !== 'open') return {answer: {text: notifications.over}}
        const form = drawAnswerForm(notification, link, messageTs)
        const isOpen = (await forms.open(triggerId, form)) !== undefined
        return isOpen ? undefined : {answer: {text: texts.tooLateToOpen}, again: true}
      },
    ),
    act('form', FORMS.answer, onForm, answer),
    act('press', ACTIONS.snooze, checks.onNotification, (press, {notification}) =>
      snooze(press, notification),
    ),
    act('press', ACTIONS.tryAgain, checks.onLink, async ({user, messageTs}, link, handling) => {
      const line = await senderLine(names, {user, channel: link.place.channel})
      const again = {
        by: user,
        inboxId: handling.row.id,
        messageTs: messageTs ?? link.place.slackThread,
        toText: (token: string) => `${line} ${tokenMark(token)}\n${notifications.again.message}`,
      }
      const result = await tryAgain(deps, link, again, handling.signal)
      if (result.outcome === 'not-failed') return {answer: {text: notifications.again.notFailed}}
      if (result.outcome === 'unknown') return {answer: {text: notifications.again.unknown}}
      return result.outcome === 'declined' ? toResult(result) : undefined
    }),
  ]
}

/** What is wrong with an answer, as far as that can be told at once. */
export function checkAnswer(form: Form): Record<string, string> | undefined {
  const isEmpty = (form.values.get(ANSWER_INPUT) ?? '').trim() === ''
  return isEmpty ? {[ANSWER_INPUT]: notifications.form.empty} : undefined
}

const metadataSchema = z.object({
  channel: z.string(),
  // In tables and in forms that stand open a notification is a ping.
  ping: z.string(),
  message: z.string().optional(),
})

const SNOOZE_CHOICE = z.enum(Object.keys(SNOOZES) as (keyof typeof SNOOZES)[])
