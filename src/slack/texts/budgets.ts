import type {Standing} from '../../agents/budgets/budgets.ts'
import {BUDGETS, isHere} from '../../agents/budgets/periods.ts'
import type {BudgetNote} from '../../store/tables/budgets/notes.ts'

type Told = Pick<BudgetNote, 'budget' | 'subject' | 'limitMicros' | 'period'>

const MICROS_PER_DOLLAR = 1_000_000
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]
const ADMIN = 'An admin can change it: `/bosun connect`.'

/** What people read of what may be spent. Names and mentions are drawn already. */
export const budgetTexts = {
  /** Who stopped what is over its budget. */
  stopper: 'the budget',
  /** Where their name is not at hand. */
  starter: 'whoever started this',
  ofWork: (spent: string, limitMicros: number) => `${spent} of ${amount(limitMicros)}`,
  /** Where what was spent is no figure. */
  besideWork: (limitMicros: number) => `budget ${amount(limitMicros)}`,

  near: (note: Told, who: string): string => {
    const {of} = BUDGETS[note.budget]
    switch (of) {
      case 'work':
        return `⚠️ ${who}, this work has used over 80 % of its ${money(note.limitMicros)}. It is stopped when the rest is used up.`
      case 'person':
        return `⚠️ ${who}, over 80 % of your ${money(note.limitMicros)}${spanOf(note)} is used. Your work is stopped when the rest is used up.`
      case 'channel':
        return `⚠️ ${who}, over 80 % of this channel’s ${money(note.limitMicros)}${spanOf(note)} is used. Work here is stopped when the rest is used up.`
      default:
        throw new Error(`Unknown subject: ${String(of satisfies never)}`)
    }
  },
  stopped: (note: Told, starter: string) => `Stopped: ${usedBy(note, starter)}.`,
  renews: (time: string) => `It renews ${time}.`,
  goOn: (moreMicros: number) => `Go on with ${amount(moreMicros)} more`,
  /** `undefined`: somebody had raised it before. */
  raised: (name: string, raisedMicros: number | undefined) =>
    raisedMicros === undefined
      ? `✅ ${name} let it go on.`
      : `✅ ${name} let it go on with ${amount(raisedMicros)} more.`,
  goOnMessage: 'Go on.',
  already: (name: string) => `${name} has let it go on already.`,
  raisedSince: 'That is no longer stopped for its budget.',

  /** To whoever writes to work that may not go on. */
  refused: (note: Told, starter: string) =>
    `The agent did not get this: ${usedBy(note, starter)}.${note.limitMicros === 0 ? ` ${ADMIN}` : ''}`,

  /** To whoever wants to begin something. */
  inTheWay: (standing: Standing, renews: string | undefined): string => {
    const {budget, limitMicros, spentMicros} = standing
    const {of, per} = BUDGETS[budget]
    const when = per === 'day' ? ' today' : ' this month'
    const later = renews === undefined ? '' : ` Nothing is left until it renews ${renews}.`
    const spent = `${money(spentMicros)} of ${money(limitMicros)}`
    switch (of) {
      case 'work':
        return `Work here may cost ${money(limitMicros)}, so none may start. ${ADMIN}`
      case 'person':
        return `You have used ${spent}${when}${isHere(standing) ? ' in this channel' : ''}, so nothing was started.${later} ${ADMIN}`
      case 'channel':
        return `This channel has used ${spent}${when}, so nothing was started.${later} ${ADMIN}`
      default:
        throw new Error(`Unknown subject: ${String(of satisfies never)}`)
    }
  },

  /** In what applies in a channel, to its reader. */
  standing: (standing: Standing): string => {
    const {budget, limitMicros, spentMicros} = standing
    const {of, per} = BUDGETS[budget]
    const when = per === 'day' ? 'today' : 'this month'
    const spent = `${money(spentMicros)} of ${amount(limitMicros)} ${when}`
    switch (of) {
      case 'work':
        return limitMicros === 0
          ? 'no work may start ($0)'
          : `${amount(limitMicros)} for each piece of work`
      case 'person':
        return `you: ${spent}${isHere(standing) ? ' here' : ''}`
      case 'channel':
        return `this channel: ${spent}`
      default:
        throw new Error(`Unknown subject: ${String(of satisfies never)}`)
    }
  },
} as const

function usedBy(note: Told, starter: string): string {
  const used = money(note.limitMicros)
  const {of} = BUDGETS[note.budget]
  switch (of) {
    case 'work':
      return `this work has used its ${used}`
    case 'person':
      return `${starter} has used their ${used}${spanOf(note)}`
    case 'channel':
      return `this channel has used its ${used}${spanOf(note)}`
    default:
      throw new Error(`Unknown subject: ${String(of satisfies never)}`)
  }
}

/** What was said today is read tomorrow. */
function spanOf({period, budget, subject}: Told): string {
  const [year = '', month = '', day] = period.split('-')
  const name = MONTHS[Number(month) - 1] ?? month
  const when = day === undefined ? `${name} ${year}` : `${name} ${Number(day)}`
  const isNarrow = BUDGETS[budget].of === 'person' && isHere({subject})
  return ` for ${when} (UTC)${isNarrow ? ' in this channel' : ''}`
}

/** As a sum: $5.00. */
function money(micros: number): string {
  return `$${(micros / MICROS_PER_DOLLAR).toFixed(2)}`
}

/** As it is chosen: $5, or $2.50. */
function amount(micros: number): string {
  return Number.isInteger(micros / MICROS_PER_DOLLAR)
    ? `$${micros / MICROS_PER_DOLLAR}`
    : money(micros)
}
