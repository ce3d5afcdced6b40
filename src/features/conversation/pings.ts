import {z} from 'zod'
import {followUp} from '../../agents/sending.ts'
import type {FollowUpDesk} from '../../agents/work.ts'
import {tryAgain} from '../../agents/try-again.ts'
import {tomorrowMorningMs} from '../../inbox/due-times.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {Link} from '../../store/link.ts'
import type {Ping, PingStore} from '../../store/pings.ts'
import {tokenMark} from '../../store/sends.ts'
import type {Forms} from '../../slack/api/forms.ts'
import type {Form} from '../../slack/deeds/form.ts'
import type {Press} from '../../slack/deeds/press.ts'
import {ANSWER_INPUT, drawAnswerForm} from './views/answer-form.ts'
import {keptMessage} from '../../slack/draw/kept-message.ts'
import {notSentMessage} from '../../slack/draw/not-sent.ts'
import {SNOOZES} from '../../slack/draw/ping.ts'
import {ACTIONS, FORMS} from '../../slack/ids.ts'
import {moment} from '../../slack/markup/lines.ts'
import type {Names} from '../../slack/markup/markup.ts'
import {senderLine} from '../../slack/parcels/sender-line.ts'
import {parseJson} from '../../slack/tell/answers.ts'
import {texts} from '../../slack/texts.ts'
import {type Act, type Check, type MakeAct, type Outcome, Refusal} from '../../slack/gate/act.ts'
import {type Checks, standingOfLink} from '../../slack/gate/checks.ts'
import {toOutcome} from './unsure.ts'

interface CallActsOptions {
  act: MakeAct
  checks: Checks
  desk: FollowUpDesk & {pings: PingStore}
  forms: Forms
  names: Names
  /** The time zone of a Slack user. */
  zoneOf: (user: string) => Promise<string>
  /** A reminder was moved. */
  onSnoozed: () => void
}

const {calls} = texts
const HOUR_MS = 3_600_000

/** What people do about a call: answer, put it off, have it tried again. */
export function createCallActs(options: CallActsOptions): Act[] {
  const {act, checks, desk, forms, names, zoneOf, onSnoozed} = options

  /** The question of the form, looked up anew: a form may have stood open for long. */
  const onForm: Check<Form, {link: Link; ping: Ping}> = {
    name: 'on the question of the form',
    look: async (form) => {
      const {data} = metadataSchema.safeParse(parseJson(form.view.metadata))
      const ping = data && (await desk.pings.byId(data.ping))
      const link = ping && (await desk.links.byId(ping.linkId))
      const isHere = link?.place.team === form.team && link.place.channel === data?.channel
      if (ping === undefined || link === undefined || !isHere) {
        return new Refusal({text: texts.notHere})
      }
      return {link, ping}
    },
    standing: ({link}) => standingOfLink(link),
  }

  const answer = async (
    form: Form,
    {link, ping}: {link: Link; ping: Ping},
    handling: Handling,
  ): Promise<Outcome | undefined> => {
    const {data} = metadataSchema.safeParse(parseJson(form.view.metadata))
    const text = (form.values.get(ANSWER_INPUT) ?? '').trim()
    const line = await senderLine(names, {user: form.user, channel: link.place.channel})
    const send = {
      inboxKey: handling.row.key,
      inboxId: handling.row.id,
      messageTs: data?.message ?? link.place.slackThread,
      sender: form.user,
      toText: (token: string) => `${line} ${tokenMark(token)}\n${text}`,
    }
    const outcome = await followUp(desk, link, send, handling.signal)
    if (outcome.outcome === 'declined') {
      return {answer: notSentMessage(outcome, text)}
    }
    if (outcome.outcome === 'kept') return {answer: keptMessage(outcome.send)}
    await desk.pings.keepAnswer(ping.id, {by: form.user, text})
    await desk.show(link.id)
    // A handler that runs again meets what it did before.
    const isLate = ping.state !== 'open' && ping.endedBy !== form.user
    return isLate ? {answer: {text: calls.form.alreadyAnswered}} : undefined
  }

  const snooze = async (press: Press, ping: Ping): Promise<Outcome> => {
    if (press.user !== ping.person) return {answer: {text: calls.snooze.notYours}}
    const untilMs = await untilOf(press)
    if (!(await desk.pings.snooze(ping.id, untilMs))) return {answer: {text: calls.over}}
    onSnoozed()
    const text = untilMs === undefined ? calls.snooze.silent : calls.snooze.until(moment(untilMs))
    return {answer: {text}}
  }

  /** Counted from the press, however late it is handled. */
  const untilOf = async ({value, actionTs, user}: Press): Promise<number | undefined> => {
    const choice = SNOOZE_CHOICE.safeParse(value.slice(value.indexOf('.') + 1)).data ?? '1h'
    const pressedMs = Math.round(Number(actionTs) * 1000) || desk.nowMs()
    const nowMs = Math.min(pressedMs, desk.nowMs())
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
    act('press', ACTIONS.answer, checks.onPing, async ({triggerId, messageTs}, {link, ping}) => {
      if (ping.state !== 'open') return {answer: {text: calls.over}}
      const form = drawAnswerForm(ping, link, messageTs)
      const isOpen = (await forms.open(triggerId, form)) !== undefined
      return isOpen ? undefined : {answer: {text: texts.tooLateToOpen}, again: true}
    }),
    act('form', FORMS.answer, onForm, answer),
    act('press', ACTIONS.snooze, checks.onPing, (press, {ping}) => snooze(press, ping)),
    act('press', ACTIONS.tryAgain, checks.onLink, async ({user, messageTs}, link, handling) => {
      const line = await senderLine(names, {user, channel: link.place.channel})
      const again = {
        by: user,
        inboxId: handling.row.id,
        messageTs: messageTs ?? link.place.slackThread,
        toText: (token: string) => `${line} ${tokenMark(token)}\n${calls.again.message}`,
      }
      const result = await tryAgain(desk, link, again, handling.signal)
      if (result.outcome === 'not-failed') return {answer: {text: calls.again.notFailed}}
      if (result.outcome === 'unknown') return {answer: {text: calls.again.unknown}}
      return result.outcome === 'declined' ? toOutcome(result) : undefined
    }),
  ]
}

/** What is wrong with an answer, as far as that can be told at once. */
export function checkAnswer(form: Form): Record<string, string> | undefined {
  const isEmpty = (form.values.get(ANSWER_INPUT) ?? '').trim() === ''
  return isEmpty ? {[ANSWER_INPUT]: calls.form.empty} : undefined
}

const metadataSchema = z.object({
  channel: z.string(),
  ping: z.string(),
  message: z.string().optional(),
})

const SNOOZE_CHOICE = z.enum(Object.keys(SNOOZES) as (keyof typeof SNOOZES)[])
