import type {IncomingMessage, ServerResponse} from 'node:http'
import type {AgentOptions} from './agents/agent-threads.ts'
import type {Organization} from './workspace/workspace.ts'

/** Serves the page in the browser. */
export interface PageServer {
  handle(request: IncomingMessage, response: ServerResponse): void
}

/** A slash command as its app declares it: `/bosun`. */
export interface AppCommand {
  command: string
  description: string
  usageHint?: string
}

/** An entry of Slack's menus: of every message's, or of the composer's. */
export interface AppShortcut {
  type: 'message' | 'global'
  callbackId: string
  name: string
  description: string
}

export interface StepParameter {
  name: string
  /** `string`, `slack#/types/channel_id`, … */
  type: string
  title: string
  isRequired: boolean
}

/** A step that an app lends to Workflow Builder: a function, as its manifest calls it. */
export interface AppStep {
  callbackId: string
  title: string
  description: string
  inputs: readonly StepParameter[]
  outputs: readonly StepParameter[]
}

/** What an app declares of itself, as its manifest does; `readManifest` reads one. */
export interface AppOptions {
  /** The bot scopes that it asks for; absent: all that the local Slack's methods ask for. */
  scopes?: readonly string[]
  /** The events that it is subscribed to (`message.channels`, …); absent: every one. */
  events?: readonly string[]
  /** Declares it as an agent; absent: it is none. */
  agent?: AgentOptions
  /** `false`: it has no Home tab. */
  homeTab?: boolean
  /** `false`: it has no Messages tab either. */
  messagesTab?: boolean
  /** What the composer offers; other commands can be typed all the same. */
  commands?: readonly AppCommand[]
  shortcuts?: readonly AppShortcut[]
  /** `absent`: it says nowhere where commands of its code channels go, which alone Socket Mode does not need. */
  codeCommands?: 'declared' | 'absent'
  /** What people can put into their workflows; absent: whatever is asked for. */
  steps?: readonly AppStep[]
  /** Domains whose links it hears of, and may show a preview of; absent: none. */
  unfurlDomains?: readonly string[]
  /** Where an installation may lead back to; an address below one of these will do. */
  redirectUrls?: readonly string[]
  /** Tokens live for 12 hours and are refreshed. */
  tokenRotation?: boolean
  delivery?: {mode: 'socket'} | {mode: 'http'; eventsUrl: string}
}

/** A further app; it is installed nowhere until somebody appSides it. */
interface FurtherApp extends AppOptions {
  /** Begins with `A`. */
  id: string
  name: string
}

/** A further workspace: that of `T0BETA` has `U0BETAALEX` (who may install apps), `U0BETARITA` and `C0BETAGENERAL`. */
interface FurtherTeam {
  /** Begins with `T`. */
  id: string
  name: string
}

/** The options of the first app stand here among those of the local Slack itself. */
export interface LocalSlackOptions extends AppOptions {
  /** Of the first app; Bosun without. */
  name?: string
  /** 0 (the default): any free one. */
  port?: number
  /** Without a file everything is forgotten at the end. */
  dataFile?: string
  /** Multiplies Slack's rates and bursts, above 0; `Infinity`: no limits. */
  rateScale?: number
  /** How many edits, starts, appends and stops of streams go at once after a rest, each; Slack does not say. */
  liveBurst?: number
  /** Status lines have a limit of one a second in each channel besides; Slack does not say. */
  statusPerChannel?: boolean
  /** A call over its rate hears to wait at least so long; 1 by default. */
  leastRetryAfterSeconds?: number
  /**
   * Multiplies the 3 s for an acknowledgement, the retry delays, and the lives of streams, statuses, sessions,
   * triggers, tokens, OAuth codes, response URLs and upload addresses.
   */
  timeFactor?: number
  /** How long a trigger lives, in milliseconds: 3,000 by default, multiplied by `timeFactor`. */
  triggerMs?: number
  /** How long a rotated token lives, in seconds: 12 hours by default. `timeFactor` multiplies it, too. */
  tokenLifeS?: number
  /** Delays each Web API answer. */
  latencyMs?: number
  /** The same by anything up to so long, each call by another time. */
  jitterMs?: number
  /** How many events an app gets from one workspace in an hour; 30,000 by default, multiplied by `rateScale`. */
  eventsPerHour?: number
  apps?: readonly FurtherApp[]
  /** That all workspaces belong to (Enterprise Grid): an admin may let an app into all of them at once. */
  organization?: Organization
  teams?: readonly FurtherTeam[]
  page?: PageServer
}
