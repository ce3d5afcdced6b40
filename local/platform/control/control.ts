import type {Holds} from '../agent/holds.ts'
import type {Scripted} from '../agent/scripted.ts'
import type {OpenStreams} from '../edge/open-streams.ts'
import type {RateLimit, Rates} from '../edge/rates.ts'
import type {Keys} from '../organization/keys.ts'
import type {Organization} from '../organization/organization.ts'
import type {PullRequestChange} from '../reviews/pull-requests.ts'
import type {Reviews} from '../reviews/reviews.ts'
import type {Sessions} from '../sessions/sessions.ts'
import type {LiveEvent} from '../streams/frames.ts'
import type {Live} from '../streams/live.ts'
import type {StreamLimit} from '../streams/routes.ts'
import type {Threads} from '../threads/threads.ts'
import type {SaidCredits, Usage} from '../usage/usage.ts'
import type {ThreadState} from '../threads/vocabulary.ts'
import type {Faults} from './faults.ts'

type ScriptPlan = Parameters<Scripted['plan']>[0]

/** What is not named stays. */
interface Limits {
  maxStreams?: number | undefined
  rateLimit?: RateLimit | null | undefined
}

/** What a test may do to the platform that no client could. */
export interface Control {
  readonly faults: Faults
  /** Goes down as a server does that is restarted, and comes back on the same port with the same data. */
  restart(downMs?: number): Promise<void>
  /** Closes the streams of one thread or task, or all, without a word. Answers how many. */
  closeStreams(id?: string): number
  /** Whether there was such a key. Section 5.6 says what becomes of its streams. */
  revokeKey(key: string): boolean
  /** A member leaves, or comes back. */
  setActive(userId: string, active: boolean): void
  setLimits(limits: Limits): void
  /** What happens at the code-hosting provider, such as a push. */
  setPullRequest(change: PullRequestChange): void
  /** What the agent does in the next runs that match, instead of what it would do. */
  planScript(plan: ScriptPlan): void
  /**
   * Makes agents wait, of one thread or all, until it is disposed of: so readers come in time, and work is still in
   * progress, on any machine.
   */
  hold(threadId?: string): Disposable
  /** The same for one thread, from the moment that something happens in it. */
  holdAt(threadId: string, isIt: (event: LiveEvent) => boolean): Disposable
  /**
   * Puts a thread into a state, as if its agent had come to it. `needsYou`: what it says beside it, where the state alone
   * would say something else. Whether there is such a thread.
   */
  setState(threadId: string, state: ThreadState, needsYou?: boolean): boolean
  /** Makes a thread say that it has cost so much, whatever was billed. Whether there is such a thread. */
  setUsage(threadId: string, credits: SaidCredits): boolean
  /** Makes a thread, or a captain, one member's own; `null`: its author is unknown. Whether there is such a thread. */
  setPersonal(threadId: string, authorId: string | null): boolean
  /** The session token on a fresh machine of this task; `undefined` for none. */
  taskToken(taskId: string): string | undefined
}

interface ControlOptions {
  faults: Faults
  holds: Holds
  openStreams: OpenStreams
  streamLimit: StreamLimit
  rates: Rates
  /** Those of the server that runs now. */
  parts: () => Parts
  restart: (downMs: number) => Promise<void>
}

interface Parts {
  keys: Keys
  organization: Organization
  threads: Threads
  live: Live
  reviews: Reviews
  scripted: Scripted
  sessions: Sessions
  usage: Usage
}

export function createControl(options: ControlOptions): Control {
  const {faults, holds, openStreams, streamLimit, rates, parts, restart} = options
  return {
    faults,
    restart: (downMs = 0) => restart(downMs),
    closeStreams: (id) => openStreams.close(id),
    revokeKey: (key) => {
      const {keys} = parts()
      const isKnown = keys.principal(key) !== undefined
      keys.revoke(key)
      return isKnown
    },
    setActive: (userId, active) => parts().organization.setActive(userId, active),
    setLimits: ({maxStreams, rateLimit}) => {
      if (maxStreams !== undefined) streamLimit.max = maxStreams
      if (rateLimit !== undefined) rates.setLimit(rateLimit)
    },
    setPullRequest: (change) => parts().reviews.setPullRequest(change),
    planScript: (plan) => parts().scripted.plan(plan),
    hold: (threadId) => holds.take(threadId),
    holdAt: (threadId, isIt) => holdAt({...parts(), holds}, threadId, isIt),
    setState: (threadId, state, needsYou) => setState(parts(), {threadId, state, needsYou}),
    setUsage: (threadId, credits) => {
      const {threads, usage} = parts()
      const isThere = threads.find(threadId) !== undefined
      if (isThere) usage.say(threadId, credits)
      return isThere
    },
    setPersonal: (threadId, authorId) => {
      const {threads} = parts()
      const isThere = threads.find(threadId) !== undefined
      if (isThere) threads.setPersonal(threadId, authorId)
      return isThere
    },
    taskToken: (taskId) => parts().sessions.taskToken(taskId)?.token,
  }
}

function setState(
  {threads, live}: Parts,
  {
    threadId,
    state,
    needsYou,
  }: {threadId: string; state: ThreadState; needsYou?: boolean | undefined},
): boolean {
  if (threads.find(threadId) === undefined) return false
  threads.setState(threadId, state, needsYou)
  live.publish(threadId, {kind: 'status', status: threads.status(threadId)})
  return true
}

function holdAt(
  {live, holds}: Pick<Parts, 'live'> & {holds: Holds},
  threadId: string,
  isIt: (event: LiveEvent) => boolean,
): Disposable {
  const taken = new DisposableStack()
  const leave = live.join(threadId, (event) => {
    if (!isIt(event)) return
    leave()
    taken.use(holds.take(threadId))
  })
  taken.defer(leave)
  return taken
}
