import {z} from 'zod'
import {reachesThread} from '../organization/access.ts'
import type {Principal} from '../organization/keys.ts'
import type {ThreadRow, Threads} from '../threads/threads.ts'

const MAX_THREADS = 1000

/** The threads of one request. Section 4.6 sets no limit. */
export const threadIdsSchema = z.array(z.string()).max(MAX_THREADS)

/** What became of one thread; `not_found` covers all that is out of reach. Section 4.6. */
type Outcome = 'ok' | 'not_found' | 'not_allowed'

/** What became of each thread, in the order of the request. */
export type Outcomes = {threadId: string; outcome: Outcome}[]

/** Judges each thread on its own; `judge` sees those that the principal reaches. */
export function judgeEach(
  threads: Threads,
  principal: Principal,
  threadIds: readonly string[],
  judge: (thread: ThreadRow) => Outcome,
): Outcomes {
  return threadIds.map((threadId) => {
    const thread = threads.find(threadId)
    const isFound = thread !== undefined && reachesThread(principal, thread)
    return {threadId, outcome: isFound ? judge(thread) : 'not_found'}
  })
}
