import type {BudgetNote} from '../../store/tables/budgets/notes.ts'
import type {Link} from '../../store/tables/work/link.ts'
import {type FollowUpDeps, declined} from '../lifecycle.ts'
import {followUp} from '../sends/sending.ts'

/** Who lets it go on, and in which words the agent is told. */
interface GoingOn {
  by: string
  /** The row of the press. */
  inboxId: number
  /** Where the person stood: a message of the Slack thread. */
  messageTs: string
  toText: (token: string) => string
}

/** `already`: somebody else did. */
type Outcome = Awaited<ReturnType<typeof followUp>> | {outcome: 'already'; by: string}

/**
 * Raises the budget that the note is about, and tells the agent to go on: each once for a note, however often it is asked
 * for. Where another budget is in the way, that is said.
 *
 * @throws {TryLater} while the platform cannot be reached.
 */
export async function goOnBeyond(
  deps: FollowUpDeps,
  {link, note}: {link: Link; note: BudgetNote},
  {by, inboxId, messageTs, toText}: GoingOn,
  signal: AbortSignal,
): Promise<Outcome> {
  // Nothing of it goes on, and so nothing is raised.
  if (link.state === 'ended') return declined('not-running')
  const raised = await deps.budgets.raise(note, by)
  await deps.show(link.id)
  if (raised.endedBy !== undefined && raised.endedBy !== by) {
    return {outcome: 'already', by: raised.endedBy}
  }
  const inboxKey = JSON.stringify(['budget raised', note.id])
  const message = {inboxKey, inboxId, messageTs, sender: by, toText}
  return followUp(deps, link, message, signal)
}
