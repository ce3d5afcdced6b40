import {z} from 'zod'
import type {FollowUpDeps} from '../../agents/lifecycle.ts'
import type {Handling} from '../../inbox/worker.ts'
import {markOf} from '../../relay/posts/pull-request.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {Form} from '../../slack/incoming/form.ts'
import {addressName} from '../../slack/draw/pull-request.ts'
import {CHANGES_INPUT, drawChangesForm} from './views/forms.ts'
import {ACTIONS, REVIEW_FORMS} from '../../slack/ids.ts'
import {parseJson} from '../../security/foreign-json.ts'
import {texts} from '../../slack/texts.ts'
import {type Act, type Check, type ActResult, Refusal} from '../../slack/gate/act.ts'
import {standingOfLink} from '../../slack/gate/checks.ts'
import {addressOn} from './reviews.ts'
import {reviewTexts} from './texts.ts'
import {sendWritten} from '../../slack/gate/written.ts'
import type {ActTools} from '../../slack/gate/tools.ts'

interface ChangesActsOptions extends ActTools<'forms' | 'names' | 'replies'> {
  deps: FollowUpDeps
}

interface Wanted {
  link: Link
  address: string
  /** The card that it was pressed on. */
  message: string
}

/** What people want changed about a pull request: the agent hears of it as of any other message. */
export function createChangesActs(options: ChangesActsOptions): Act[] {
  const {act, checks, deps, forms, replies} = options

  /** Looked up anew: a form may have stood open for long. */
  const onForm: Check<Form, {link: Link; wanted: Wanted | undefined}> = {
    name: 'on the work of the form',
    look: async (form) => {
      const {data} = metadataSchema.safeParse(parseJson(form.view.metadata))
      const link = data && (await deps.links.byId(data.link))
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
    handling: Handling,
  ): Promise<ActResult | undefined> => {
    const {channel} = link.place
    const text = (values.get(CHANGES_INPUT) ?? '').trim()
    const said = reviewTexts.changes.message(address, text)
    const written = {user, channel, messageTs: message, text, said}
    const sent = await sendWritten(options, link, written, handling)
    if ('answer' in sent) return sent
    if (sent.outcome === 'sent') replies.admitted(link, message)
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
  return isEmpty ? {[CHANGES_INPUT]: reviewTexts.changes.empty} : undefined
}

const metadataSchema = z.object({
  channel: z.string(),
  link: z.string(),
  mark: z.string().optional(),
  message: z.string().optional(),
})
