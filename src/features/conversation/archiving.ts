import {type StopDesk, stopWork} from '../../agents/stopping.ts'
import {type Outcome as Done, archiveWork, unarchiveWork} from '../../agents/work.ts'
import type {Handling} from '../../inbox/worker.ts'
import {isWorking} from '../../platform/model.ts'
import type {Link} from '../../store/link.ts'
import type {Forms} from '../../slack/api/forms.ts'
import type {Press} from '../../slack/deeds/press.ts'
import {drawArchiving} from './views/archiving.ts'
import {ACTIONS} from '../../slack/ids.ts'
import {texts} from '../../slack/texts.ts'
import type {Act, MakeAct, Outcome} from '../../slack/gate/act.ts'
import type {Checks} from '../../slack/gate/checks.ts'
import type {Board} from './board.ts'

interface ArchiveActsOptions {
  act: MakeAct
  checks: Checks
  desk: StopDesk
  forms: Forms
  board: Board
}

/** Work is put away at once when it rests; while it works, whoever asks for it is asked. */
export function createArchiveActs({act, checks, desk, forms, board}: ArchiveActsOptions): Act[] {
  const {onLink} = checks
  const {done} = texts.talk.manage

  const archive = async (
    press: Press,
    link: Link,
    {signal}: {signal: AbortSignal},
  ): Promise<Outcome | undefined> => {
    if (!isAtWork(link)) {
      return board.tell(press, link, await archiveWork(desk, link, signal), done.archive)
    }
    const {question} = texts.talk.archiving
    // The modal that it was pressed in has the buttons that answer this.
    if (press.view !== undefined) return board.tell(press, link, {outcome: 'done'}, question)
    const waiting = (await desk.sends.waiting(link.id)).length
    const opened = await forms.open(press.triggerId, drawArchiving(link, waiting))
    return opened === undefined ? {answer: {text: texts.tooLateToOpen}, again: true} : undefined
  }

  const stopAndArchive = async (link: Link, user: string, handling: Handling): Promise<Done> => {
    const stopped = await stopWork(desk, link, user, handling)
    if (stopped.outcome === 'declined' && stopped.why !== 'at-rest') return stopped
    return archiveWork(desk, link, handling.signal)
  }

  return [
    act('press', ACTIONS.archive, onLink, archive),
    act('press', ACTIONS.askArchive, onLink, archive),
    act('press', ACTIONS.stopAndArchive, onLink, async (press, link, handling) =>
      board.tell(press, link, await stopAndArchive(link, press.user, handling), done.archive),
    ),
    act('press', ACTIONS.archiveOnly, onLink, async (press, link, {signal}) =>
      board.tell(press, link, await archiveWork(desk, link, signal), done.finishing),
    ),
    act('press', ACTIONS.unarchive, onLink, async (press, link, {signal}) =>
      board.tell(press, link, await unarchiveWork(desk, link, signal), done.unarchive),
    ),
  ]
}

function isAtWork({state, status}: Link): boolean {
  return state === 'open' && status !== undefined && isWorking(status)
}
