import type {IncomingMessage, ServerResponse} from 'node:http'
import type {AgentOptions} from './agents/agent-threads.ts'

/** Serves the page in the browser; whoever opened it closes it. */
export interface PageServer {
  handle(request: IncomingMessage, response: ServerResponse): void
  close(): Promise<void>
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

export interface LocalSlackOptions {
  /** 0 (the default): any free one. */
  port?: number
  /** Without a file everything is forgotten at the end. */
  dataFile?: string
  delivery?: {mode: 'socket'} | {mode: 'http'; eventsUrl: string}
  /** Multiplies Slack's rates and bursts; `Infinity`: no limits. */
  rateScale?: number
  /** Multiplies the 3 s for an acknowledgement, the retry delays and the lives of streams and statuses. */
  timeFactor?: number
  /** Delays each Web API answer. */
  latencyMs?: number
  /** The bot scopes that were granted; absent: all that the local Slack's methods ask for. */
  scopes?: readonly string[]
  /** Declares the app as an agent; absent: it is none, as its manifest says. */
  agent?: AgentOptions
  /** `false`: the app has no Home tab. */
  homeTab?: boolean
  /** What the composer offers; other commands can be typed all the same. */
  commands?: readonly AppCommand[]
  shortcuts?: readonly AppShortcut[]
  page?: PageServer
}
