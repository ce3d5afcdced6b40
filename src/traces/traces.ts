/** Something that people did, as far as its trace has to know it: none of their words, and no ids of theirs. */
export interface Step {
  /** The same wherever, and however often, it is handled: its trace is made of it. */
  key: string
  /** What is said in one Slack thread has the same. */
  lane: string
  receivedAtMs: number
  attempts: number
}

/** Where in Slack something happens. */
interface Spot {
  team: string
  channel: string
  slackThread: string
}

/**
 * From what somebody did to the message that shows what came of it, as one trace for each thing that is done. What does not
 * belong to one is left out.
 */
export interface Traces extends AsyncDisposable {
  /** What is done inside belongs to it. */
  handle: <Result>(step: Step, handle: () => Promise<Result>) => Promise<Result>
  /** A call of Slack is over. */
  slackCall(call: {method: string; body: string; outcome: string; tookMs: number}): void
  /** A request to the agent platform is over. */
  platformCall(call: {method: string; path: string; error: unknown; tookMs: number}): void
  /** The agent works for this place, or does not any more. */
  working(at: Spot, isWorking: boolean): void
  /** All that came of it stands in Slack. */
  settled(at: Spot): void
}

export const NO_TRACES: Traces = {
  handle: (_step, handle) => handle(),
  slackCall: () => undefined,
  platformCall: () => undefined,
  working: () => undefined,
  settled: () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
}

/** What in paths of the platform's API is no id. */
const WORDS = new Set([
  ...['archive', 'automations', 'cancel', 'captains', 'decline', 'disable', 'enable', 'folders'],
  ...['interrupt', 'message', 'messages', 'outcomes', 'projects', 'regenerate-title', 'reviews'],
  ...['review-billing-transfer', 'review-filters', 'review-rules', 'rules', 'send-now', 'sessions'],
  ...['stream', 'takeover', 'tasks', 'threads', 'unarchive', 'usage', 'users', 'verify'],
])

/** A path without ids and without its query: `/threads/:id/message`. */
export function toRoute(path: string): string {
  const [bare = ''] = path.split('?')
  return bare
    .split('/')
    .map((segment) => (segment === '' || WORDS.has(segment) ? segment : ':id'))
    .join('/')
}
