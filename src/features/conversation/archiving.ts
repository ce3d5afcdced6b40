import {type StopDeps, stopWork} from '../../agents/stopping.ts'
import {type WorkOutcome as Done, archiveWork, unarchiveWork} from '../../agents/lifecycle.ts'
import type {Handling} from '../../inbox/worker.ts'
import {isWorking} from '../../platform/model.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {Press} from '../../slack/incoming/press.ts'
import {drawArchiving} from './views/manage.ts'
import {ACTIONS} from '../../slack/ids.ts'
import {texts} from '../../slack/texts.ts'
import type {Act, ActResult} from '../../slack/gate/act.ts'
import type {ManageModal} from './manage-modal.ts'
import {conversationTexts} from './texts.ts'
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
