/** What a thread does when it is not archived; `archived` covers it on the wire. Section 3.1. */
export type ThreadState =
  'active' | 'waiting' | 'pending_user' | 'ready_for_review' | 'idle' | 'error'

/** The two value sets of section 3.1: the integration guides', and the machine-readable schema's. */
export type Vocabulary = 'guides' | 'schema'

const WORDS = {
  guides: {
    active: 'active',
    waiting: 'waiting',
    pending_user: 'pending_user',
    ready_for_review: 'ready_for_review',
    idle: 'idle',
    error: 'error',
  },
  schema: {
    active: 'working',
    waiting: 'waiting',
    pending_user: 'idle',
    ready_for_review: 'idle',
    idle: 'idle',
    error: 'failed',
  },
} as const satisfies Record<Vocabulary, Record<ThreadState, string>>

export const THREAD_STATES = Object.keys(WORDS.guides) as ThreadState[]

/** Whether a word is a status of either vocabulary. */
export function isStatus(word: string): boolean {
  return word === 'archived' || statesOf('guides', word).length > 0
}

export function toStatus(
  vocabulary: Vocabulary,
  {state, archived}: {state: ThreadState; archived: 0 | 1},
): string {
  return archived === 1 ? 'archived' : WORDS[vocabulary][state]
}

/**
 * The states that a status filter means. A word of the served vocabulary means what threads show; one that
 * only the other vocabulary has means what it means there.
 */
export function statesOf(vocabulary: Vocabulary, status: string): ThreadState[] {
  const other = vocabulary === 'guides' ? 'schema' : 'guides'
  const meant = (words: Vocabulary): ThreadState[] =>
    THREAD_STATES.filter((state) => WORDS[words][state] === status)
  const own = meant(vocabulary)
  return own.length > 0 ? own : meant(other)
}
