import {Refusal} from '../edge/refusal.ts'
import {restrictionOf} from '../workspace/restriction.ts'
import type {Channel} from '../workspace/workspace.ts'
import type {Desk} from './method.ts'

/**
 * Whether plan, settings and admins let the app post there:
 * https://docs.slack.dev/reference/methods/chat.postMessage#errors
 */
export function requirePosting(
  {workspace, hasMessagesTab}: Desk,
  channel: Channel,
  threadTs?: string,
): void {
  if (workspace.rules().isMessageLimitReached === true) throw new Refusal('message_limit_exceeded')
  if (channel.kind === 'dm' && !hasMessagesTab) throw new Refusal('messages_tab_disabled')
  const restriction = restrictionOf(channel, threadTs)
  if (restriction !== undefined) throw new Refusal(restriction)
}

/** What an ephemeral message meets of the same: its page knows one word for all restrictions. */
export function requireWhisper(desk: Desk, channel: Channel, threadTs?: string): void {
  if (restrictionOf(channel, threadTs) !== undefined) throw new Refusal('restricted_action')
  requirePosting(desk, channel, threadTs)
}
