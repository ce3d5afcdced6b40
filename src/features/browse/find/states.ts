import type {Thread} from '../../../platform/model.ts'
import {shownStatus} from '../../../platform/shown-status.ts'
import {stateText, texts, workText} from '../../../slack/texts.ts'
import type {Link} from '../../../store/tables/work/link.ts'

/** What people can ask for: each is what a row of a list says, in a word. */
export const STATES = [
  ...(['needs-you', 'working', 'waiting', 'ready'] as const),
  ...(['failed', 'stopped', 'done', 'archived'] as const),
]
export type FindState = (typeof STATES)[number]

/** The platform's statuses that are shown so, of both vocabularies (section 3.1). That somebody stopped it, we alone know. */
const STATUSES: Readonly<Record<FindState, readonly string[]>> = {
  'needs-you': ['pending_user'],
  working: ['working', 'active'],
  waiting: ['waiting'],
  ready: ['ready_for_review'],
  failed: ['failed', 'error'],
  stopped: [],
  done: ['idle', 'done'],
  archived: ['archived'],
}

/** Other words for them. */
const ALSO: ReadonlyMap<string, FindState> = new Map<string, FindState>([
  ['running', 'working'],
  ['review', 'ready'],
  ...STATES.flatMap((state) =>
    STATUSES[state].map((status): [string, FindState] => [plain(status), state]),
  ),
])

/** By what a row says. */
const BY_TEXT: ReadonlyMap<string, FindState> = new Map<string, FindState>([
  ...STATES.flatMap((state) =>
    STATUSES[state].map((status): [string, FindState] => [stateText(status), state]),
  ),
  [texts.card.starting, 'working'],
  [texts.card.stopping, 'working'],
  [texts.card.stopped, 'stopped'],
])

/** In any case, and with blanks as they are read; `undefined` for what is none. */
export function readState(word: string): FindState | undefined {
  const said = plain(word)
  return STATES.find((state) => state === said) ?? ALSO.get(said)
}

function plain(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '-')
}

/** `undefined`: it says something else, such as that it is gone. */
export function stateOfLink(link: Link): FindState | undefined {
  return BY_TEXT.get(workText(link))
}

export function stateOfThread(thread: Thread): FindState | undefined {
  return BY_TEXT.get(stateText(shownStatus(thread)))
}

/** How it reads in a list. */
export function stateWords(state: FindState): string {
  const [status] = STATUSES[state]
  return status === undefined ? texts.card.stopped : stateText(status)
}

/**
 * The statuses under which the platform's own list has all that is shown so; empty: all have to be looked at.
 * `needsYou` beside another status needs somebody, too, and so no status alone tells who does.
 */
export function statusesOf(state: FindState | undefined): readonly string[] {
  if (state === undefined || state === 'needs-you') return []
  // The other word is a task's.
  return state === 'done' ? ['idle'] : STATUSES[state]
}
