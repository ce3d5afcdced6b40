import {z} from 'zod'
import {followUp} from '../../agents/sending.ts'
import type {FollowUpDesk} from '../../agents/work.ts'
import type {Handling} from '../../inbox/worker.ts'
import {markOf} from '../../relay/posts/pull-request.ts'
import type {Link} from '../../store/link.ts'
import {tokenMark} from '../../store/sends.ts'
import type {Forms} from '../../slack/api/forms.ts'
import type {Form} from '../../slack/deeds/form.ts'
import {keptMessage} from '../../slack/draw/kept-message.ts'
import {notSentMessage} from '../../slack/draw/not-sent.ts'
import {addressName} from '../../slack/draw/pull-request.ts'
import {CHANGES_INPUT, drawChangesForm} from './views/forms.ts'
import {ACTIONS, REVIEW_FORMS} from '../../slack/ids.ts'
import type {Names} from '../../slack/markup/markup.ts'
import {senderLine} from '../../slack/parcels/sender-line.ts'
import {parseJson} from '../../slack/tell/answers.ts'
import type {Replies} from '../../slack/tell/replies.ts'
import {texts} from '../../slack/texts.ts'
import {type Act, type Check, type MakeAct, type Outcome, Refusal} from '../../slack/gate/act.ts'
import {type Checks, standingOfLink} from '../../slack/gate/checks.ts'
import {addressOn} from './reviews.ts'

interface ChangesActsOptions {
  act: MakeAct
  checks: Checks
  desk: FollowUpDesk
  forms: Forms
  names: Names
  replies: Replies
}

interface Wanted {
  link: Link
  address: string
  /** The card that it was pressed on. */
  message: string
}

/** What people want changed about a pull request: the agent hears of it as of any other message. */
export function createChangesActs(options: ChangesActsOptions): Act[] {
  const {act, checks, desk, forms, names, replies} = options

  /** Looked up anew: a form may have stood open for long. */
  const onForm: Check<Form, {link: Link; wanted: Wanted | undefined}> = {
    name: 'on the work of the form',
    look: async (form) => {
      const {data} = metadataSchema.safeParse(parseJson(form.view.metadata))
      const link = data && (await desk.links.byId(data.link))
      const isHere = link?.place.team === form.team && link.place.channel === data?.channel
      if (data === undefined || link === undefined || !isHere) {
        return new Refusal({text: texts.notHere})
      }
      const address = link.pullRequests.find(
        (named) => markOf(named.address) === data.mark,
      )?.address
      const {message = link.place.slackThread} = data
      return {link, wanted: address === undefined ? undefined : {link, address, message}}
    },
    standing: ({link}) => standingOfLink(link),
  }

  const send = async (
    {user, values}: Form,
    {link, address, message}: Wanted,
    {row, signal}: Handling,
  ): Promise<Outcome | undefined> => {
    const {channel} = link.place
    const text = (values.get(CHANGES_INPUT) ?? '').trim()
    const line = await senderLine(names, {user, channel})
    const said = texts.reviews.changes.message(address, text)
    const asked = {
      ...{inboxKey: row.key, inboxId: row.id, messageTs: message, sender: user},
      toText: (token: string) => `${line} ${tokenMark(token)}\n${said}`,
    }
    const outcome = await followUp(desk, link, asked, signal)
    if (outcome.outcome === 'declined') return {answer: notSentMessage(outcome, text)}
    if (outcome.outcome === 'kept') return {answer: keptMessage(outcome.send)}
    if (outcome.outcome === 'sent') replies.admitted(channel, message)
    return undefined
  }

  return [
    act('press', ACTIONS.askForChanges, checks.onLink, async (press, link) => {
      const address = addressOn(press, link)
      if (address === undefined) return {answer: {text: texts.notHere}}
      const card = {mark: markOf(address), name: addressName(address), card: press.messageTs}
      const isOpen = await forms.open(press.triggerId, drawChangesForm(link, card))
      return isOpen === undefined ? {answer: {text: texts.tooLateToOpen}, again: true} : undefined
    }),
    act('form', REVIEW_FORMS.changes, onForm, async (form, {wanted}, handling) =>
      wanted === undefined ? {answer: {text: texts.notHere}} : await send(form, wanted, handling),
    ),
  ]
}

/** What is wrong with what was entered, as far as that can be told at once. */
export function checkChanges({values}: Form): Record<string, string> | undefined {
  const isEmpty = (values.get(CHANGES_INPUT) ?? '').trim() === ''
  return isEmpty ? {[CHANGES_INPUT]: texts.reviews.changes.empty} : undefined
}

const metadataSchema = z.object({
  channel: z.string(),
  link: z.string(),
  mark: z.string().optional(),
  message: z.string().optional(),
})
