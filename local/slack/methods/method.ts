import type {AgentThreads} from '../agents/agent-threads.ts'
import type {Office} from '../apps/oauth.ts'
import type {AppStep} from '../options.ts'
import type {StepExecutions} from '../workflows/executions.ts'
import type {Arguments} from '../edge/arguments.ts'
import type {Channels} from '../workspace/channels.ts'
import type {Conversation} from '../messages/conversation.ts'
import type {FileShape} from '../files/shape.ts'
import type {FileSharing} from '../files/sharing.ts'
import type {Files} from '../files/files.ts'
import type {MemberShape} from '../workspace/member-shape.ts'
import type {MessageShape} from '../messages/shape.ts'
import type {Messages} from '../messages/messages.ts'
import type {Modals} from '../views/modals.ts'
import type {Rate} from '../edge/rates.ts'
import type {Grants} from '../edge/scopes.ts'
import type {Streams} from '../streams/streams.ts'
import type {DetailTriggers} from '../unfurls/details.ts'
import type {Drafts} from '../unfurls/drafts.ts'
import type {Usergroups} from '../workspace/usergroups.ts'
import type {Views} from '../views/views.ts'
import type {Team, Workspace} from '../workspace/workspace.ts'

export type Answer = Record<string, unknown>

/** What the methods work on. */
export interface Desk {
  workspace: Workspace
  messages: Messages
  conversation: Conversation
  shape: MessageShape
  streams: Streams
  agentThreads: AgentThreads
  grants: Grants
  channels: Channels
  files: Files
  fileShape: FileShape
  memberShape: MemberShape
  sharing: FileSharing
  stepExecutions: StepExecutions
  /** That the app lends to Workflow Builder. */
  steps: readonly AppStep[] | undefined
  usergroups: Usergroups
  views: Views
  modals: Modals
  hasHomeTab: boolean
  /** What people type in its code channels reaches it. */
  hasCommandsUrl: boolean
  /** Without it nobody can be written to in a direct message. */
  hasMessagesTab: boolean
  /** Those whose links the app hears of. */
  unfurlDomains: readonly string[]
  drafts: Drafts
  detailTriggers: DetailTriggers
  origin: string
  now: () => number
  /** The workspaces that the install is good in: of an organization's those that have let the app in. */
  grantedTeams: () => Team[]
  /** Ends the token that a call came with. */
  revoke(token: string): void
  /** Takes the app out of the workspace. */
  uninstall(): void
  /** Whether these are the credentials of the app itself. */
  isClient(id: string, secret: string): boolean
}

interface Limits {
  /** Per method, app and workspace; absent on methods whose limit is nowhere near. */
  rate?: Rate
  /** A further limit, per channel. */
  channelRate?: Rate
}

/** One Web API method: whose token it takes, and what it works on. It answers, or throws a refusal. */
export type Method = Limits &
  (
    | {token: 'bot'; handle(desk: Desk, args: Arguments): Answer}
    | {token: 'app'; handle(line: {newSocketUrl: () => string}, args: Arguments): Answer}
    | {token: 'none'; handle(office: Office, args: Arguments): Answer}
  )

/** Tiers: https://docs.slack.dev/apis/web-api/rate-limits, with a burst for the tolerance it grants. */
export const tier1: Rate = {perMinute: 1, burst: 3}
export const tier2: Rate = {perMinute: 20, burst: 10}
export const tier3: Rate = {perMinute: 50, burst: 20}
export const tier4: Rate = {perMinute: 100, burst: 20}
/** Edits and reactions are what live relays strain: their tolerance is kept tight. */
export const tier3Tight: Rate = {perMinute: 50, burst: 10}
/** The same of streams: each reply takes one start and one stop. */
export const tier2Tight: Rate = {perMinute: 20, burst: 5}
/** What an app may post or say in one channel: one a second, and a short burst. */
export const perChannel: Rate = {perMinute: 60, burst: 5}
