import type {Handling} from '../../inbox/worker.ts'
import type {BudgetNote, BudgetNoteStore} from '../../store/tables/budgets/notes.ts'
import {declined} from '../lifecycle.ts'
import {type StopDeps, stopWork} from '../stopping.ts'
import {BUDGET, type Standing, isUsed} from './budgets.ts'

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
  const isStill = standings.some((standing) => isOf(note, standing) && isUsed(standing))
  const {outcome} =
    isStill && link !== undefined
      ? await stopWork(deps, link, BUDGET, handling)
      : declined('at-rest')
  await budgetNotes.settle(note.id, outcome === 'done' ? 'told' : 'past', nowMs())
  await show(note.linkId)
}

function isOf(note: BudgetNote, {budget, period}: Standing): boolean {
  return note.budget === budget && note.period === period
}
