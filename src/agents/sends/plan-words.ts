import type {Link, PlanState} from '../../store/tables/work/link.ts'
import type {LinkStore} from '../../store/tables/work/links.ts'

/** What lets an agent begin that has made a plan: it was told to wait for these words. */
export const GO_AHEAD = 'Go ahead with the plan.'

interface PlanDeps {
  links: Pick<LinkStore, 'change' | 'inRoom'>
  show: (linkId: string) => Promise<void>
}

/**
 * What somebody writes while a plan waits for a word is that word: the go-ahead, or what is to be different. Noted before
 * it is sent, so that the run which it begins is known for what it is; `undo`: it was not sent.
 */
export async function notePlanWord(
  deps: PlanDeps,
  link: Link,
  words: string,
): Promise<{undo: () => Promise<void>}> {
  if (link.plan !== 'planned') return {undo: async () => undefined}
  const isGoAhead = bare(words) === bare(GO_AHEAD)
  await setPlan(deps, link, isGoAhead ? 'approved' : 'changed')
  return {undo: () => setPlan(deps, link, 'planned')}
}

/** Nobody types it letter by letter. */
function bare(words: string): string {
  return words.trim().toLowerCase().replace(/[.!]$/, '')
}

/** Also where the work has moved: what becomes of a plan is said in the one place, and followed in the other. */
export async function setPlan({links, show}: PlanDeps, link: Link, plan: PlanState): Promise<void> {
  const {room, place} = link
  const isElsewhere = room?.isMoved === true
  const moved = isElsewhere
    ? await links.inRoom({team: place.team, channel: room.channel})
    : undefined
  for (const {id} of moved === undefined ? [link] : [link, moved]) {
    await links.change(id, {plan})
    await show(id)
  }
}
