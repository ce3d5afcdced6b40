import {excerpt} from '../../platform/excerpt.ts'
import type {Entry} from '../../platform/model.ts'

/**
 * A reply that is being written: `live → earlier → live`, and `interrupted` or `replaced` from both.
 *
 * `live`: grows on this connection. `earlier`: of a connection that is gone; the server sends the
 * turn in progress again, and until that is longer the old text stays. `interrupted`: it will never
 * settle (rule 4), unless its entry comes all the same. `replaced`: its entry came without the
 * `callId`, and is posted under its own id.
 */
export interface Draft {
  delivery: string
  state: 'live' | 'earlier' | 'interrupted' | 'replaced'
  /** Fragments of this connection. */
  text: string
  /** What earlier connections had. */
  previous: string
}

/** A preview shows less than this; whatever else is streamed before the entry comes is not kept. */
const MAX_DRAFT_CHARS = 32_768

/** The longest text that any connection has brought of this draft. */
export function visibleText({text, previous}: Draft): string {
  return text.length >= previous.length ? text : previous
}

/** How long they are that people see; what comes again after a reconnection makes them no longer. */
export function visibleLength(drafts: readonly Draft[]): number {
  return drafts.reduce((sum, draft) => sum + visibleText(draft).length, 0)
}

export function createDraft(delivery: string, text: string): Draft {
  return {delivery, state: 'live', text: excerpt(text, MAX_DRAFT_CHARS), previous: ''}
}

/** What stands in Slack from before. */
export function leaveBehind(delivery: string, text: string): Draft {
  return {delivery, state: 'earlier', text: '', previous: text}
}

/** One more fragment; one that was given up begins anew. */
export function grow(draft: Draft, fragment: string): Draft {
  if (draft.state === 'replaced') return draft
  if (draft.state === 'interrupted') return createDraft(draft.delivery, fragment)
  const room = MAX_DRAFT_CHARS - draft.text.length
  if (draft.state === 'live' && room <= 0) return draft
  return {...draft, state: 'live', text: draft.text + excerpt(fragment, room)}
}

/**
 * The draft of a delivery is its entry now. An entry should bear the `callId` of its draft (rule 2); one
 * that bears none replaces the longest draft that it begins with.
 */
export function settleDrafts(
  drafts: readonly Draft[],
  {source, callId, text}: Entry,
  delivery: string | undefined,
): readonly Draft[] {
  if (source !== 'assistant') return drafts
  if (callId !== undefined) return drafts.filter((draft) => draft.delivery !== delivery)
  const begun = (draft: Draft): string => visibleText(draft).trim()
  const [replaced] = drafts
    .filter((draft) => draft.state !== 'replaced' && begun(draft) !== '')
    .filter((draft) => text.trim().startsWith(begun(draft)))
    .toSorted((a, b) => begun(b).length - begun(a).length)
  return drafts.map((draft) =>
    draft === replaced
      ? {delivery: draft.delivery, state: 'replaced', text: '', previous: ''}
      : draft,
  )
}

/** It will not grow any more, and nothing will settle it but an entry that comes late. */
export function isOver({state}: Draft): boolean {
  return state === 'interrupted' || state === 'replaced'
}

export function toEarlier(draft: Draft): Draft {
  if (isOver(draft)) return draft
  return leaveBehind(draft.delivery, visibleText(draft))
}

export function interrupt(draft: Draft): Draft {
  if (isOver(draft)) return draft
  return {delivery: draft.delivery, state: 'interrupted', text: visibleText(draft), previous: ''}
}
