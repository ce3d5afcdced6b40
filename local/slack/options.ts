import type {IncomingMessage, ServerResponse} from 'node:http'

/** Serves the page in the browser; whoever opened it closes it. */
export interface PageServer {
  handle(request: IncomingMessage, response: ServerResponse): void
  close(): Promise<void>
}

export interface LocalSlackOptions {
  /** 0 (the default): any free one. */
  port?: number
  /** Without a file everything is forgotten at the end. */
  dataFile?: string
  delivery?: {mode: 'socket'} | {mode: 'http'; eventsUrl: string}
  /** Multiplies Slack's rates and bursts; `Infinity`: no limits. */
  rateScale?: number
  /** Multiplies the 3 s for an acknowledgement and the retry delays. */
  timeFactor?: number
  /** Delays each Web API answer. */
  latencyMs?: number
  page?: PageServer
}
