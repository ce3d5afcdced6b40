/**
 * What the local Slack shows its page, and what the page may ask of it. All of it lives under
 * `/local/`; the bot never sees these routes, it meets the local Slack through `/api/` alone.
 *
 *   GET  /local/workspace                     → WorkspaceView
 *   GET  /local/messages?as=U1&channel=C1     → MessageView[]   (replies included, oldest first)
 *   GET  /local/events?as=U1                  → text/event-stream of PageEvent, one JSON per `data:`
 *   POST /local/messages                      ← PostMessage     → MessageView
 *   POST /local/actions                       ← PressElement    → {ok: true}
 */

export interface WorkspaceView {
  teamId: string
  teamName: string
  /** The app's own user: the one who is mentioned to start work. */
  botUserId: string
  members: MemberView[]
  channels: ChannelView[]
}

export interface MemberView {
  id: string
  /** The handle, without `@`. */
  name: string
  realName: string
  isBot: boolean
}

export interface ChannelView {
  id: string
  kind: 'channel' | 'dm'
  /** Without `#`; of a direct message the handle of the app. */
  name: string
  memberIds: string[]
}

export interface MessageView {
  channel: string
  ts: string
  /** The parent's `ts`; absent on messages that stand in the channel itself. */
  threadTs?: string
  userId: string
  /** Slack mrkdwn with Slack's escapes; what shows when there are no blocks. */
  text: string
  blocks?: SlackBlock[]
  /** An `(edited)` label is due: Slack draws none when an edit carried blocks. */
  edited: boolean
  reactions: {name: string; userIds: string[]}[]
  /** Only this member sees it. */
  ephemeralTo?: string
}

/** A Block Kit block as the app sent it, with the `block_id` that Slack gave it. */
export interface SlackBlock {
  type: string
  block_id?: string
  [field: string]: unknown
}

export type PageEvent =
  {type: 'message'; message: MessageView} | {type: 'message_deleted'; channel: string; ts: string}

/** A member writes. Mentions are already Slack's tokens (`<@U…>`). */
export interface PostMessage {
  as: string
  channel: string
  threadTs?: string
  text: string
}

/** A member presses a button, or chooses from a menu, of a message. */
export interface PressElement {
  as: string
  channel: string
  ts: string
  blockId: string
  actionId: string
  /** For menus: the value of the chosen option. */
  selectedValue?: string
}
