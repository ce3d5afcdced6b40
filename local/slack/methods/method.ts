import type {AgentThreads} from '../agent-threads.ts'
import type {Arguments} from '../arguments.ts'
import type {Channels} from '../channels.ts'
import type {Conversation} from '../conversation.ts'
import type {FileShape} from '../file-shape.ts'
import type {FileSharing} from '../file-sharing.ts'
import type {Files} from '../files.ts'
import type {MemberShape} from '../member-shape.ts'
import type {MessageShape} from '../message-shape.ts'
import type {Messages} from '../messages.ts'
import type {Modals} from '../modals.ts'
import type {Rate} from '../rates.ts'
import type {Grants} from '../scopes.ts'
import type {Streams} from '../streams.ts'
import type {Usergroups} from '../usergroups.ts'
import type {Views} from '../views.ts'
import type {Workspace} from '../workspace.ts'

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
  usergroups: Usergroups
  views: Views
  modals: Modals
  hasHomeTab: boolean
  origin: () => string
  newSocketUrl: () => string
}

/** One Web API method. It answers, or throws a refusal. */
export interface Method {
  token: 'bot' | 'app' | 'none'
  /** Per method and workspace; absent on methods whose limit is nowhere near. */
  rate?: Rate
  /** A further limit, per channel. */
  channelRate?: Rate
  handle(desk: Desk, args: Arguments): Answer
}

/** Tiers: https://docs.slack.dev/apis/web-api/rate-limits, with a burst for the tolerance it grants. */
export const tier2: Rate = {perMinute: 20, burst: 10}
export const tier3: Rate = {perMinute: 50, burst: 20}
export const tier4: Rate = {perMinute: 100, burst: 20}
/** Edits and reactions are what live relays strain: their tolerance is kept tight. */
export const tier3Tight: Rate = {perMinute: 50, burst: 10}
