import {GO_AHEAD} from '../../agents/sends/plan-words.ts'
import type {PlatformClient} from '../../platform/client.ts'
import {PlatformError} from '../../platform/errors.ts'
import type {Entry, Thread} from '../../platform/model.ts'
import {costLines} from '../../slack/draw/costs.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {RoomViewStore} from '../../store/tables/work/room-views.ts'
import type {Shown} from './around.ts'
import type {WorkFacts} from './work-tab.ts'

/** What the platform alone knows of the work of a room, and what it is from: asked again once that has changed. */
type WorkReading = (
  link: Link,
  shown: Pick<Shown, 'costs' | 'plan'>,
  signal: AbortSignal,
) => Promise<{facts: WorkFacts; marks: Pick<Shown, 'costs' | 'plan'>}>

interface WorkReadingOptions {
  clientOf: (of: Pick<Link, 'connectionId'>) => Pick<PlatformClient, 'getThread' | 'listMessages'>
  roomViews: Pick<RoomViewStore, 'of' | 'contentOf' | 'put'>
  nowMs: () => number
}

const PLAN = {kind: 'plan', name: ''} as const
/** As much as anybody reads in a tab. */
const MAX_PLAN = 20_000

export function createWorkReading({clientOf, roomViews, nowMs}: WorkReadingOptions): WorkReading {
  /** In kinds where the platform says them; else its total, and it is asked again. */
  const costsOf = async (link: Link, {costs: known}: Pick<Shown, 'costs'>, signal: AbortSignal) => {
    const of = String(link.credits)
    if (link.credits === undefined || known?.of === of) return known
    const thread = await unlessSilent(clientOf(link).getThread(link.threadId ?? '', signal))
    const lines = costLines(withoutNothing(thread?.usage), link.credits)
    return {of: thread === undefined ? '' : of, lines}
  }

  /** Read once for each plan that stands, and kept: later words are not it. */
  const markPlan = async (link: Link, known: string | undefined, signal: AbortSignal) => {
    const {plan} = link
    if (plan !== 'planned' && (plan !== 'approved' || known !== undefined)) return known
    const mark = `${plan} ${plan === 'planned' ? link.statusSinceMs : ''}`
    if (known === mark) return known
    const said = clientOf(link).listMessages(link.threadId ?? '', undefined, signal)
    const entries = await unlessSilent(Array.fromAsync(said))
    if (entries === undefined) return known
    const content = planIn(entries, plan)?.slice(0, MAX_PLAN)
    if (content !== undefined) await roomViews.put(link.id, {...PLAN, content}, nowMs())
    return mark
  }

  return async (link, shown, signal) => {
    const costs = await costsOf(link, shown, signal)
    const plan = await markPlan(link, shown.plan, signal)
    const content = plan === undefined ? undefined : await roomViews.contentOf(link.id, PLAN)
    return {
      facts: {plan: content, costs: costs?.lines ?? []},
      marks: {...(costs !== undefined && {costs}), ...(plan !== undefined && {plan})},
    }
  }
}

/** What nothing was spent on is not worth a line. */
function withoutNothing(usage: Thread['usage']): Thread['usage'] {
  if (usage === undefined) return undefined
  const {llmCredits, imageCredits, vmCredits} = usage
  const spent = {llmCredits, imageCredits, vmCredits}
  const nothing = Object.entries(spent).flatMap(([kind, credits]) => (credits === 0 ? [kind] : []))
  return {...usage, ...Object.fromEntries(nothing.map((kind) => [kind, undefined]))}
}

/** The last words of the agent; of a plan that goes ahead, those before somebody said so. */
function planIn(entries: readonly Entry[], plan: 'planned' | 'approved'): string | undefined {
  const told = entries.findLastIndex(
    ({source, text}) => source === 'user' && text.includes(GO_AHEAD),
  )
  const before = plan === 'planned' || told === -1 ? entries : entries.slice(0, told)
  return before.findLast(({source, text}) => source === 'assistant' && text.trim() !== '')?.text
}

async function unlessSilent<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof PlatformError) return undefined
    throw error
  }
}
