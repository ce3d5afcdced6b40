import type {SlackErrorKind} from '../../once/slack-error.ts'

/** One call of a workspace's client: its method, and its body as a form. */
export interface Call {
  method: string
  body: string
}

/** Hears what a workspace's client does. */
export interface CallWatch {
  sent(call: Call): void
  answered(call: Call, answer: string): void
}

/** `unanswered`: nobody knows what came of it. */
export type CallOutcome = 'ok' | 'unanswered' | SlackErrorKind

/** What came of a call. */
export interface CallResult extends Call {
  outcome: CallOutcome
  /** It was answered with 429. */
  isLimited: boolean
  tookMs: number
}
