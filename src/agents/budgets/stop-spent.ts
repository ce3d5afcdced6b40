import type {Handling} from '../../inbox/worker.ts'
import type {BudgetNote, BudgetNoteStore} from '../../store/tables/budgets/notes.ts'
import type {AuditEntry} from '../../store/tables/audit.ts'
import type {Link} from '../../store/tables/work/link.ts'
import {type StopDeps, stopWork} from '../stopping.ts'
import {BUDGET, type Standing, isUsed} from './budgets.ts'
import {dollars} from './judging.ts'
import {BUDGETS} from './periods.ts'

type Deps = StopDeps & {budgetNotes: Pick<BudgetNoteStore, 'byId' | 'settle'>}

/**
 * Stops work whose budget is used up, as somebody's press would, and has its Slack thread told. What was raised meanwhile, or
 * has come to rest, is left alone. Safe to do again after a crash at any point.
 *
 * @throws {TryLater} while the platform cannot be reached.
 */
export async function stopSpent(deps: Deps, noteId: string, handling: Handling): Promise<void> {
  const {budgetNotes, budgets, links, show, nowMs} = deps
  const note = await budgetNotes.byId(noteId)
  if (note?.state !== 'due') return
  const link = await links.byId(note.linkId)
  const standings = link === undefined ? [] : await budgets.ofLink(link)
  const used = standings.find((standing) => isOf(note, standing) && isUsed(standing))
  const isStopped =
    link !== undefined &&
    used !== undefined &&
    (await stopWork(deps, link, BUDGET, handling)).outcome === 'done'
  const settled = isStopped
    ? {state: 'told' as const, entry: entryOf(link, used, nowMs())}
    : {state: 'past' as const}
  await budgetNotes.settle(note.id, settled, nowMs())
  await show(note.linkId)
}

/** For the audit: nobody in Slack did it. */
function entryOf(
  {id, place: {team, channel}, startedBy: user}: Link,
  {budget, spentMicros, limitMicros}: Standing,
  atMs: number,
): AuditEntry {
  const {of, per} = BUDGETS[budget]
  const act = of === per ? `budget ${of}` : `budget ${of} ${per}`
  const about = `${id} ${dollars(spentMicros)} of ${dollars(limitMicros)}`
  return {team, channel, user, act, about, outcome: 'done', atMs}
}

function isOf(note: BudgetNote, {budget, period}: Standing): boolean {
  return note.budget === budget && note.period === period
}
