import type {BudgetName, BudgetNote} from '../../store/tables/budgets/notes.ts'
import type {Days, Subject} from '../../store/tables/budgets/spendings.ts'

/** Whose money a budget is, and for how long. */
interface BudgetKind {
  of: 'work' | 'person' | 'channel'
  per: 'work' | 'day' | 'month'
}

export const BUDGETS: Readonly<Record<BudgetName, BudgetKind>> = {
  budgetPerWork: {of: 'work', per: 'work'},
  budgetPerPersonDay: {of: 'person', per: 'day'},
  budgetPerPersonMonth: {of: 'person', per: 'month'},
  budgetPerChannelDay: {of: 'channel', per: 'day'},
  budgetPerChannelMonth: {of: 'channel', per: 'month'},
}

/** The UTC day, as `2026-01-31`. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 'YYYY-MM-DD'.length)
}

/** The period of a budget in which this moment lies. */
export function periodOf(budget: BudgetName, ms: number): string {
  const {per} = BUDGETS[budget]
  switch (per) {
    case 'work':
      return ''
    case 'day':
      return dayOf(ms)
    case 'month':
      return dayOf(ms).slice(0, 'YYYY-MM'.length)
    default:
      throw new Error(`Unknown period: ${String(per satisfies never)}`)
  }
}

/** The days of a period; `undefined`: all that ever were. */
export function daysOf(period: string): Days | undefined {
  if (period === '') return undefined
  // No month has more days, and days are compared as they are written.
  return isDay(period)
    ? {first: period, last: period}
    : {first: `${period}-01`, last: `${period}-31`}
}

/** When the period is over; `undefined`: time does not end it. */
export function endOf(period: string): number | undefined {
  if (period === '') return undefined
  const [year = 0, month = 0, day] = period.split('-').map(Number)
  return day === undefined ? Date.UTC(year, month, 1) : Date.UTC(year, month - 1, day + 1)
}

function isDay(period: string): boolean {
  return period.length === 'YYYY-MM-DD'.length
}

/** Whose spending counts for a budget. `isHere`: the channel has set it, and a person's counts there alone. */
export function subjectOf(
  budget: BudgetName,
  {threadId, user, channel}: Subject,
  isHere: boolean,
): Subject {
  const {of} = BUDGETS[budget]
  switch (of) {
    case 'work':
      return {threadId, user: '', channel: ''}
    case 'person':
      return {threadId: '', user, channel: isHere ? channel : ''}
    case 'channel':
      return {threadId: '', user: '', channel}
    default:
      throw new Error(`Unknown subject: ${String(of satisfies never)}`)
  }
}

/** Whether a person's spending counts in one channel alone. */
export function isHere({subject}: Pick<BudgetNote, 'subject'>): boolean {
  return subject.channel !== ''
}
