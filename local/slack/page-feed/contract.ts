/**
 * What the local Slack shows its page. All of it lives under `/local/`; the bot never sees these
 * routes, it meets the local Slack through `/api/` alone. Every route takes `team=T1`; without it
 * the first workspace is meant.
 *
 *   GET /local/workspace                       → WorkspaceView
 *   GET /local/messages?as=U1&channel=C1       → MessageView[]   (replies included, oldest first)
 *   GET /local/views?as=U1                     → ShownViews      (modals and App Homes)
 *   GET /local/agent-threads?as=U1             → AgentThreadView[]
 *   GET /local/events?as=U1                    → text/event-stream of PageEvent, one JSON per `data:`
 *   GET /local/traffic                         → text/event-stream of TrafficEntry, the newest 200 first of all
 *   GET /local/files/F1                        → the bytes of a file
 *
 * What a person does goes through the door that tests use as well: `POST /control/people/<act>` with
 * the fields of that act; `{ok: true, result}` or `{ok: false, error}`.
 */
import type {AgentThread} from '../agents/agent-threads.ts'
import type {SlackBlock} from '../blocks/block.ts'
import type {CallRecord, DeliveryRecord} from '../edge/ledger.ts'
import type {SystemNote} from '../messages/messages.ts'
import type {Persona} from '../messages/persona.ts'
import type {AppCommand, AppShortcut, AppStep} from '../options.ts'
import type {ShownView} from '../views/views.ts'
import type {CodeChannel} from '../workspace/code-channel.ts'

export interface WorkspaceView {
  teamId: string
  teamName: string
  /** All workspaces of this local Slack, this one included. */
  teams: {id: string; name: string}[]
  /** The user of the first app: the one who is mentioned to start work. */
  botUserId: string
  apps: AppView[]
  members: MemberView[]
  channels: ChannelView[]
  usergroups: {id: string; handle: string; name: string}[]
}

/** An installed app, and what people find of it in Slack's own menus. */
interface AppView {
  id: string
  name: string
  userId: string
  botId: string
  hasHome: boolean
  /** Declared as an agent: threads with it have a stop button, prompts and a title. */
  isAgent: boolean
  commands: AppCommand[]
  shortcuts: AppShortcut[]
  /** For workflows. */
  steps: AppStep[]
}

export interface MemberView {
  id: string
  /** The handle, without `@`. */
  name: string
  realName: string
  isBot: boolean
  /** An app that is served here, and not one that only writes here. */
  isServed?: true
  isAdmin?: true
  isGuest?: true
  isDeactivated?: true
  /** Of another company. */
  isExternal?: true
  /** A zone of the IANA database. */
  tz?: string
}

export interface ChannelView {
  id: string
  kind: 'channel' | 'group_dm' | 'dm'
  /** Without `#`; of a direct message the handle of the app. */
  name: string
  memberIds: string[]
  isPrivate?: true
  isArchived?: true
  /** With another company. */
  isShared?: true
  /** It is one agent's, for one task. */
  code?: CodeChannelView
}

/** What an agent shows around a code channel. */
export interface CodeChannelView extends Pick<
  CodeChannel,
  'title' | 'contextBar' | 'views' | 'commands'
> {
  status: CodeChannel['status']
}

export interface MessageView {
  channel: string
  ts: string
  /** The parent's `ts`; absent on messages that stand in the channel itself. */
  threadTs?: string
  /** A reply that stands in the channel as well. */
  isBroadcast?: true
  userId: string
  /** Slack mrkdwn with Slack's escapes; what shows when there are no blocks. */
  text: string
  blocks?: SlackBlock[]
  /** The older kind of formatted content, as the app sent it. */
  attachments?: unknown[]
  /** An `(edited)` label is due: Slack draws none when an edit carried blocks. */
  edited: boolean
  reactions: {name: string; userIds: string[]}[]
  /** Only this member sees it. */
  ephemeralTo?: string
  /** Slack wrote it: what `userId` did to the channel. */
  subtype?: SystemNote['subtype']
  /** Under another name and picture than the app's own. */
  persona?: Persona
  files?: FileView[]
  /** Of streamed messages; `errored`: the app never stopped the stream. */
  streaming?: 'in_progress' | 'completed' | 'errored'
}

export interface FileView {
  id: string
  name: string
  title: string
  mimetype: string
  /** Bytes. */
  size: number
  isDeleted: boolean
}

/** What Slack shows around a thread that an agent works in. */
export interface AgentThreadView extends AgentThread {
  channel: string
  threadTs: string
  /** After this long the status ends by itself; 0 without one. */
  statusLeftMs: number
  /** Slack's own stop button is shown. */
  canStop: boolean
}

/** What stands in front of a member: modals, the topmost last, and the Home of each app that has one. */
export interface ShownViews {
  modals: ShownView[]
  homes: ShownView[]
}

export type PageEvent =
  | {type: 'message'; message: MessageView}
  | {type: 'message_deleted'; channel: string; ts: string}
  /** Something about channels, members or apps: the whole anew. */
  | {type: 'workspace'; workspace: WorkspaceView}
  | {type: 'views'; views: ShownViews}
  | {type: 'agent_thread'; thread: AgentThreadView}

/** One call or one try of a delivery; a delivery comes again, with the same `seq`, when it is settled. */
export type TrafficEntry =
  {type: 'call'; call: CallRecord} | {type: 'delivery'; delivery: DeliveryRecord}
