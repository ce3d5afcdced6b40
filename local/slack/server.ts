import {once} from 'node:events'
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import {getRequestListener} from '@hono/node-server'
import type {AgentThread} from './agents/agent-threads.ts'
import {assemble} from './assembly.ts'
import {openDatabase} from './database.ts'
import type {Faults} from './edge/faults.ts'
import type {Ledger} from './edge/ledger.ts'
import type {Messages, StoredMessage} from './messages/messages.ts'
import type {LocalSlackOptions, PageServer} from './options.ts'
import type {People} from './people/people.ts'
import type {ViewPeople} from './views/people.ts'
import type {ViewsShown} from './views/views.ts'

export interface LocalSlack {
  origin: string
  /** Ends in `/api/`. */
  apiUrl: string
  botToken: string
  appToken: string
  signingSecret: string
  teamId: string
  botUserId: string
  people: People & ViewPeople
  faults: Faults
  ledger: Ledger
  /** What everybody sees: oldest first, deleted ones left out; with `threadTs` a parent and its replies. */
  messages(channel: string, threadTs?: string): StoredMessage[]
  /** What only this member sees. */
  ephemerals(channel: string, userId: string): StoredMessage[]
  /** What an agent shows around a thread: its status, title, prompts and session. */
  agentThread(channel: string, threadTs: string): AgentThread
  /** The modals in front of a member, the topmost last, and their App Home. */
  views(userId: string): ViewsShown
  /** From now on payloads go there, as signed HTTP. */
  setEventsUrl(url: string): void
  refreshSockets(): void
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a strict stand-in for Slack on 127.0.0.1: Web API, events, interactivity and Socket Mode. */
export async function startLocalSlack(options: LocalSlackOptions = {}): Promise<LocalSlack> {
  const server = createServer()
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return serve(server, options)
  } catch (error) {
    server.close()
    throw error
  }
}

function serve(server: Server, options: LocalSlackOptions): LocalSlack {
  const origin = originOf(server)
  const database = openDatabase(options.dataFile ?? ':memory:')
  const {people, faults, ledger, messages, workspace, agentThread, ...parts} = assemble({
    options,
    database,
    origin,
    now: Date.now,
  })
  server.on('request', toListener(parts.routes.fetch, options.page))
  server.on('upgrade', parts.socketMode.upgrade)
  const close = onlyOnce(async () => {
    const closed = once(server, 'close')
    server.close()
    await parts.close()
    server.closeAllConnections()
    await closed
  })
  return {
    origin,
    apiUrl: `${origin}/api/`,
    botToken: parts.tokens.bot,
    appToken: parts.tokens.app,
    signingSecret: parts.signingSecret,
    teamId: workspace.team.id,
    botUserId: workspace.app.userId,
    people,
    faults,
    ledger,
    messages: (channel, threadTs) => listMessages(messages, channel, threadTs),
    ephemerals: messages.ephemerals,
    agentThread,
    views: parts.shownViews,
    setEventsUrl: parts.setEventsUrl,
    refreshSockets: parts.socketMode.refresh,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function originOf(server: Server): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return `http://127.0.0.1:${address.port}`
}

const ownPaths = /^\/(api|control|files-pri|local|link|response|upload)\//

function toListener(
  fetchRoute: Parameters<typeof getRequestListener>[0],
  page: PageServer | undefined,
): (request: IncomingMessage, response: ServerResponse) => void {
  const own = getRequestListener(fetchRoute)
  return (request, response) => {
    if (ownPaths.test(request.url ?? '') || page === undefined) void own(request, response)
    else page.handle(request, response)
  }
}

function listMessages(messages: Messages, channel: string, threadTs?: string): StoredMessage[] {
  const all = messages.inChannel(channel)
  if (threadTs === undefined) return all
  return all.filter((message) => message.ts === threadTs || message.threadTs === threadTs)
}

function onlyOnce(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => (running ??= run())
}
