import {NOBODY} from '../../store/forget/blanking.ts'
import type {
  BudgetName,
  BudgetNote,
  BudgetNoteStore,
  BudgetPeriod,
} from '../../store/tables/budgets/notes.ts'
import type {SpendingStore, Subject} from '../../store/tables/budgets/spendings.ts'
import {BROUGHT, FOLLOWED, type Link} from '../../store/tables/work/link.ts'
import type {LinkStore} from '../../store/tables/work/links.ts'
import {BUDGET_NAMES, type Effective, type SettingsOf} from '../channel-settings.ts'
import {judge, microsOf, raiseBy} from './judging.ts'
import {BUDGETS, daysOf, endOf, periodOf, subjectOf} from './periods.ts'

/** How a budget stands now, in whole millionths of a dollar. */
export interface Standing extends BudgetPeriod {
  spentMicros: number
  /** With all that it was raised by. */
  limitMicros: number
  /** As it was set: what it can be raised by. */
  moreMicros: number
  /** How often it was raised in this period. */
  round: number
}

/** Who wants to begin something, and where. */
interface Beginning {
  team: string
  channel: string
  user: string
}

/** What may be spent, by work that is begun in this workspace: in its room, too, and where it is followed. What was begun elsewhere is nobody's here. */
export interface Budgets {
  /** Of each budget that holds here for somebody. */
  standings(of: Beginning, settings: Effective): Promise<Standing[]>
  /** The budget that nothing can begin in front of: of several the one that is used up for longest. */
  inTheWay(of: Beginning, settings: Effective): Promise<Standing | undefined>
  /** Of each budget that concerns this work. */
  ofLink(link: Link): Promise<Standing[]>
  /** What this work may cost; `undefined`: as much as it takes. */
  perWork(link: Link): Promise<number | undefined>
  /** The agent is not to be woken: what is told of that, and can be raised. */
  refusalOf(link: Link): Promise<BudgetNote | undefined>
  /** Somebody lets it go on: at most once for each budget and period that it was told of. */
  raise(note: BudgetNote, user: string): Promise<BudgetNote>
}

/** Who stopped what is over its budget: no Slack user. */
export const BUDGET = 'budget'

interface BudgetsOptions {
  links: Pick<LinkStore, 'beginningOf'>
  spendings: Pick<SpendingStore, 'spent'>
  budgetNotes: Pick<BudgetNoteStore, 'raised' | 'refuse' | 'raise'>
  settingsOf: SettingsOf
  nowMs: () => number
}

export function createBudgets({
  links,
  spendings,
  budgetNotes,
  settingsOf,
  nowMs,
}: BudgetsOptions): Budgets {
  const standing = async (of: BudgetPeriod, moreMicros: number): Promise<Standing> => {
    const [spentMicros, {micros, rounds}] = await Promise.all([
      // Work that has not begun has spent nothing.
      isNothing(of.subject)
        ? 0
        : spendings.spent({team: of.team, ...of.subject}, daysOf(of.period)),
      budgetNotes.raised(of),
    ])
    return {...of, spentMicros, limitMicros: moreMicros + micros, moreMicros, round: rounds}
  }

  const standingsOf = (
    {team, ...whose}: Subject & {team: string},
    {values, sources}: Effective,
  ): Promise<Standing[]> =>
    Promise.all(
      BUDGET_NAMES.flatMap((budget) => {
        const dollars = values[budget]
        if (typeof dollars !== 'number' || isNobodys(budget, whose)) return []
        const subject = subjectOf(budget, whose, sources[budget] === 'channel')
        const period = periodOf(budget, nowMs())
        return [standing({team, budget, subject, period}, microsOf(dollars))]
      }),
    )

  const standings: Budgets['standings'] = (of, settings) =>
    standingsOf({...of, threadId: ''}, settings)

  const beginningOf = async (link: Link): Promise<Link> => {
    const {place, taskId, threadId} = link
    if (isBegunHere(link) || taskId !== undefined || threadId === undefined) return link
    return (await links.beginningOf({team: place.team, threadId})) ?? link
  }

  const ofLink: Budgets['ofLink'] = async (link) => {
    const begun = await beginningOf(link)
    if (!isBegunHere(begun)) return []
    const {place, threadId = ''} = begun
    const {team, channel} = place
    return standingsOf(
      {team, channel, user: spenderOf(begun), threadId},
      await settingsOf(team, channel),
    )
  }

  return {
    standings,
    inTheWay: async (of, settings) =>
      (await standings(of, settings)).filter(isUsed).toSorted(lastToEndFirst)[0],
    ofLink,
    perWork: async (link) => {
      const begun = await beginningOf(link)
      const {team, channel} = begun.place
      const {budgetPerWork: dollars} = (await settingsOf(team, channel)).values
      if (!isBegunHere(begun) || typeof dollars !== 'number') return undefined
      const budget: BudgetName = 'budgetPerWork'
      const subject = {threadId: begun.threadId ?? '', user: '', channel: ''}
      const {micros} = await budgetNotes.raised({team, budget, subject, period: ''})
      return microsOf(dollars) + micros
    },
    refusalOf: async (link) => {
      const used = (await ofLink(link)).find(isUsed)
      if (used === undefined) return undefined
      return budgetNotes.refuse({...used, linkId: link.id, isLoud: false}, nowMs())
    },
    raise: async (note, user) => {
      const {limitMicros, spentMicros} = await standing(note, note.moreMicros)
      const micros = raiseBy(note.moreMicros, {limitMicros, spentMicros})
      return budgetNotes.raise(note.id, {user, micros, nowMs: nowMs()})
    },
  }
}

export function isUsed(of: Standing): boolean {
  return judge(of) === 'used'
}

/** Whose own budget it uses up: nobody's where a hook or a schedule began it, whoever wished to see that. */
export function spenderOf({requestId, startedBy}: Pick<Link, 'requestId' | 'startedBy'>): string {
  return requestId.startsWith(BROUGHT) ? NOBODY : startedBy
}

/** Only what was begun through this workspace costs anybody here anything. */
export function isBegunHere({requestId, taskId}: Pick<Link, 'requestId' | 'taskId'>): boolean {
  return taskId === undefined && !requestId.startsWith(FOLLOWED)
}

function lastToEndFirst(a: Standing, b: Standing): number {
  return (endOf(b.period) ?? Infinity) - (endOf(a.period) ?? Infinity) || 0
}

function isNothing({threadId, user, channel}: Subject): boolean {
  return threadId === '' && user === '' && channel === ''
}

/** Who was forgotten has no budget: all of them would share it. */
function isNobodys(budget: BudgetName, {user}: Subject): boolean {
  return BUDGETS[budget].of === 'person' && user === NOBODY
}
