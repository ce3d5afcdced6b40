import type {ModelChoice, RejectedModel} from './link.ts'

/**
 * `open → waiting | sent | refused | unsent | unsure | holding`, `unsent → open | kept | cancelled | held`,
 * `unsure → open | sent | kept`, `waiting → hurrying | cancelling | unsure | holding`,
 * `hurrying → sent | unsure | cancelled | waiting`, `cancelling → cancelled | sent | unsure | waiting`,
 * `kept → unsent | cancelled`, `holding → held | late | unsure | waiting`, `held → unsent | cancelled`, `late → sent`,
 * `sent → holding`.
 *
 * `open`: about to go out; whether the platform has it is known only by its receipt or by looking.
 * `unsent`: it surely did not arrive, and may go out again. `unsure`: looking did not decide, and the
 * person is asked. `waiting`: the platform has it, and the agent gets it when its current work ends.
 * `sent`: the agent has it, or gets it at once, since it was at rest when we last heard of it; its transcript entry, if it
 * comes, moves it here from wherever it stands.
 * `hurrying` and `cancelling`: the platform is being asked to send it now, or to cancel it; asked again
 * after a crash. `cancelled`: the agent will never get it. `kept`: the work is archived; it goes out when its
 * sender says that it shall. `holding`: the work is stopped, and the platform is being asked to give it back; asked
 * again after a crash. `held`: the platform has it no more, and it goes out when somebody says that it shall. `late`:
 * the work was stopped while it was on its way, and the agent has it all the same: what it began is to be interrupted.
 */
export type SendState =
  | 'open'
  | 'unsent'
  | 'waiting'
  | 'hurrying'
  | 'cancelling'
  | 'cancelled'
  | 'sent'
  | 'unsure'
  | 'refused'
  | 'kept'
  | 'holding'
  | 'held'
  | 'late'

/** The agent has it, or may well have, or gets it: whoever sent it has answered. */
export const WITH_THE_AGENT: readonly SendState[] = [
  ...(['open', 'waiting', 'hurrying', 'sent', 'unsure', 'late'] as const),
]

/** How a message's token stands in its first line. */
export function tokenMark(token: string): string {
  return `(slack:${token}):`
}

/** What the person wrote, without the line in front that says who. */
export function wordsOf({text}: Pick<Send, 'text'>): string {
  return text.slice(text.indexOf('\n') + 1)
}

/** A message on its way to a thread. */
export interface Send {
  id: string
  linkId: string
  inboxKey: string
  /** Stands in the message's first line, so that the transcript can be searched for it. */
  token: string
  /** The Slack message that it came from; empty when it came from none. */
  messageTs: string
  /** A Slack user. */
  sender: string
  /** As it goes out, its first line included. */
  text: string
  /** The link's cursor when it was opened: its transcript entry can only stand behind that. */
  cursor: string | undefined
  state: SendState
  /** What cancel and send-now name it by. */
  receiptId: string | undefined
  delivery: SendDelivery
  /** It was said where readers of the Slack thread don't see it: there it is quoted. */
  isQuoted: boolean
  /** The Slack user who stopped the work while it was on its way. */
  stoppedBy: string | undefined
  /** The inbox row of what let it go out last: that of the message, or of a press. */
  inboxId: number | undefined
  /** The model that it goes with; `undefined`: whichever the work has. */
  model: ModelChoice | undefined
  /** The platform did not let it go with its model. */
  rejected: RejectedModel | undefined
  createdAtMs: number
}

/** How it meets work in progress: section 4.1 of the platform's API. */
export type SendDelivery = 'queue' | 'steer' | 'interrupt'
