import type {Standing} from '../../agents/budgets/budgets.ts'
import {periodOf} from '../../agents/budgets/periods.ts'

type BudgetKind = Standing['budget']

/** How a budget stood when work was last counted for it. */
interface Use {
  period: string
  ratio: number
  atMs: number
}

/** Of one kind. What was not counted for longest goes first. */
const MOST = 10_000
/** The budget of work has no period. While that costs anything it is counted more often. */
const WORK_FOR_MS = 600_000

/** The fullest budget of each kind, of those that work was counted for. */
export function createBudgetUse(nowMs: () => number) {
  const uses = new Map<BudgetKind, Map<string, Use>>()

  const isNow = (budget: BudgetKind, {period, atMs}: Use): boolean =>
    period === periodOf(budget, nowMs()) && (period !== '' || nowMs() - atMs <= WORK_FOR_MS)

  return {
    note: ({budget, period, team, subject, spentMicros, limitMicros}: Standing): void => {
      const known = uses.get(budget) ?? new Map<string, Use>()
      uses.set(budget, known)
      const holder = JSON.stringify([team, subject])
      known.delete(holder)
      const [oldest] = known.keys()
      if (known.size >= MOST && oldest !== undefined) known.delete(oldest)
      // Of a budget of nothing all is used from the start.
      const ratio = limitMicros === 0 ? 1 : spentMicros / limitMicros
      known.set(holder, {period, ratio, atMs: nowMs()})
    },
    fullest: (): [BudgetKind, number][] =>
      [...uses].flatMap(([budget, known]): [BudgetKind, number][] => {
        for (const [holder, use] of known) if (!isNow(budget, use)) known.delete(holder)
        const ratios = [...known.values()].map(({ratio}) => ratio)
        return ratios.length === 0 ? [] : [[budget, ratios.reduce((a, b) => Math.max(a, b))]]
      }),
  }
}
