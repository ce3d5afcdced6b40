import type {InOrder} from '../../async/keyed-queue.ts'
import type {InboxStore} from '../../store/tables/inbox.ts'
import type {BudgetNote, BudgetNoteStore} from '../../store/tables/budgets/notes.ts'
import type {SpendingStore} from '../../store/tables/budgets/spendings.ts'
import type {Noise} from '../../store/tables/choices.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {LinkStore} from '../../store/tables/work/links.ts'
import {type Budgets, type Standing, isBegunHere, isUsed, spenderOf} from './budgets.ts'
import {conversationOf} from './in-rooms.ts'
import {judge, toMicros} from './judging.ts'
import {dayOf} from './periods.ts'
import {stopRowOf} from './stop-rows.ts'

/** What was read of the thread of some work. */
export interface UsageReading {
  /** As the platform says it: section 2.3 of its API. */
  credits: number | undefined
  isAtWork: boolean
}

/** Counts what was read, tells whoever began the work how its budgets stand, and has it stopped where one is used up. */
export type CountReading = (link: Link, reading: UsageReading) => Promise<void>

interface CountingOptions {
  links: Pick<LinkStore, 'inRoom'>
  budgets: Pick<Budgets, 'ofLink'>
  spendings: Pick<SpendingStore, 'count'>
  budgetNotes: Pick<BudgetNoteStore, 'near' | 'stop'>
  inbox: Pick<InboxStore, 'add'>
  /** All work of a workspace that may be costing something. */
  costing: (team: string) => Promise<Link[]>
  noiseOf: (link: Link) => Promise<Noise>
  /** So much was spent, and so the budgets stand that it counts for. */
  onCounted?: ((addedMicros: number, standings: readonly Standing[]) => void) | undefined
  /** Shows what our tables now say of this link. */
  show: (linkId: string) => Promise<void>
  /** A row of this workspace waits in the inbox. */
  onRow: (team: string) => void
  inOrder: InOrder
  nowMs: () => number
}

/** So long a stop may take until the platform shows it. */
const GRACE_MS = 10_000

export function createCounting(options: CountingOptions): CountReading {
  const {links, budgets, spendings, budgetNotes, inbox, costing} = options
  const {noiseOf, show, onRow, nowMs} = options

  const tellNear = async (link: Link, standing: Standing): Promise<void> => {
    const isLoud = (await noiseOf(link)) !== 'quiet'
    const {id: linkId} = await conversationOf(links, link)
    const told = await budgetNotes.near({...standing, linkId, isLoud}, nowMs())
    if (told !== undefined) await show(linkId)
  }

  /** In a row of the inbox, as whatever somebody does: it is done once, also after a crash, and by who owns the workspace. */
  const stop = async (link: Link, standing: Standing): Promise<void> => {
    const {id: linkId} = await conversationOf(links, link)
    const note: BudgetNote | undefined = await budgetNotes.stop(
      {...standing, linkId, isLoud: true},
      nowMs(),
      GRACE_MS,
    )
    if (note === undefined) return
    await inbox.add(stopRowOf(note), nowMs())
    onRow(link.place.team)
  }

  /** Whose day or month is used up has other work, too. */
  const stopOthers = async (link: Link, used: readonly Standing[]): Promise<void> => {
    const isShared = used.some(({subject}) => subject.threadId === '')
    if (!isShared) return
    for (const other of await costing(link.place.team)) {
      const isConcerned = used.some(
        ({subject: {user, channel, threadId}}) =>
          threadId === '' &&
          (user === '' || user === spenderOf(other)) &&
          (channel === '' || channel === other.place.channel),
      )
      if (other.id === link.id || !isConcerned) continue
      const first = (await budgets.ofLink(other)).find(isUsed)
      if (first !== undefined) await stop(other, first)
    }
  }

  const count = async (link: Link, {credits, isAtWork}: UsageReading): Promise<void> => {
    const {place, threadId, state} = link
    const user = spenderOf(link)
    if (threadId === undefined || !isBegunHere(link)) return
    const {team, channel} = place
    const reading = {team, threadId, channel, user, day: dayOf(nowMs()), nowMs: nowMs()}
    const added = await spendings.count({...reading, micros: toMicros(credits)})
    const standings = await budgets.ofLink(link)
    options.onCounted?.(added, standings)
    const used = standings.filter(isUsed)
    const [first] = used
    // What is put away says nothing but that, also while it still works.
    if (first !== undefined && (isAtWork || (state === 'archived' && added > 0))) {
      await stop(link, first)
    }
    if (added > 0) await stopOthers(link, used)
    for (const standing of standings) if (judge(standing) === 'near') await tellNear(link, standing)
  }

  return (link, reading) => options.inOrder(link.place.team, () => count(link, reading))
}
