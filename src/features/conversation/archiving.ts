import {z} from 'zod'
import {type StopDeps, stopWork} from '../../agents/stopping.ts'
import {type WorkOutcome as Done, archiveWork, unarchiveWork} from '../../agents/lifecycle.ts'
import type {Handling} from '../../inbox/worker.ts'
import {isWorking} from '../../platform/model.ts'
import {parseJson} from '../../security/foreign-json.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {Form} from '../../slack/incoming/form.ts'
import type {Press} from '../../slack/incoming/press.ts'
import {ARCHIVE_INPUT, drawArchiving} from './views/manage.ts'
import {ACTIONS, FORMS} from '../../slack/ids.ts'
import {texts} from '../../slack/texts.ts'
import {type Act, type ActResult, type Check, Refusal} from '../../slack/gate/act.ts'
import {standingOfLink} from '../../slack/gate/checks.ts'
import type {ManageModal} from './manage-modal.ts'
import {conversationTexts} from './texts.ts'
import {toResult} from './unsure.ts'
import type {ActTools} from '../../slack/gate/tools.ts'

interface ArchiveActsOptions extends ActTools<'forms'> {
  deps: StopDeps
  manageModal: ManageModal
}

/** Work is put away at once when it rests; while it works, whoever asks for it is asked. */
export function createArchiveActs({
  act,
  checks,
  deps,
  forms,
  manageModal,
}: ArchiveActsOptions): Act[] {
  const {onLink} = checks
  const {done} = conversationTexts.manage

  /** Looked up anew: a form may have stood open for long. */
  const onForm: Check<Form, Link> = {
    name: 'on the work of the form',
    look: async (form) => {
      const {data} = metadataSchema.safeParse(parseJson(form.view.metadata))
      const link = data && (await deps.links.byId(data.link))
      const isHere = link?.place.team === form.team && link.place.channel === data?.channel
      return link !== undefined && isHere ? link : new Refusal({text: texts.notHere})
    },
    standing: standingOfLink,
  }

  const archive = async (
    press: Press,
    link: Link,
    {signal}: {signal: AbortSignal},
  ): Promise<ActResult | undefined> => {
    if (!isAtWork(link)) {
      return manageModal.tell(press, link, await archiveWork(deps, link, signal), done.archive)
    }
    const {question} = conversationTexts.archiving
    // The modal that it was pressed in has the buttons that answer this.
    if (press.view !== undefined) return manageModal.tell(press, link, {outcome: 'done'}, question)
    const waiting = (await deps.sends.waiting(link.id)).length
    const opened = await forms.open(press.triggerId, drawArchiving(link, waiting))
    return opened === undefined ? {answer: {text: texts.tooLateToOpen}, again: true} : undefined
  }

  const stopAndArchive = async (link: Link, user: string, handling: Handling): Promise<Done> => {
    const stopped = await stopWork(deps, link, user, handling)
    if (stopped.outcome === 'declined' && stopped.why !== 'at-rest') return stopped
    return archiveWork(deps, link, handling.signal)
  }

  return [
    act('form', FORMS.archive, onForm, async ({user, values}, link, handling) =>
      toResult(
        values.get(ARCHIVE_INPUT) === ACTIONS.stopAndArchive
          ? await stopAndArchive(link, user, handling)
          : await archiveWork(deps, link, handling.signal),
      ),
    ),
    act('press', ACTIONS.archive, onLink, archive),
    act('press', ACTIONS.askArchive, onLink, archive),
    act('press', ACTIONS.stopAndArchive, onLink, async (press, link, handling) =>
      manageModal.tell(press, link, await stopAndArchive(link, press.user, handling), done.archive),
    ),
    act('press', ACTIONS.archiveOnly, onLink, async (press, link, {signal}) =>
      manageModal.tell(press, link, await archiveWork(deps, link, signal), done.finishing),
    ),
    act('press', ACTIONS.unarchive, onLink, async (press, link, {signal}) =>
      manageModal.tell(press, link, await unarchiveWork(deps, link, signal), done.unarchive),
    ),
  ]
}

function isAtWork({state, status}: Link): boolean {
  return state === 'open' && isWorking(status)
}

const metadataSchema = z.object({channel: z.string(), link: z.string()})
