import {once} from 'node:events'
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import {getRequestListener} from '@hono/node-server'
import type {AgentThread} from './agents/agent-threads.ts'
import type {AppsControl} from './apps/apps-control.ts'
import {isLoopbackHost} from '../loopback.ts'
import {assemble} from './assembly.ts'
import {openDatabase} from './database.ts'
import type {Faults} from './edge/faults.ts'
import type {Ledger} from './edge/ledger.ts'
import type {Lint} from './lints/lint.ts'
import type {Messages, StoredMessage} from './messages/messages.ts'
import type {LocalSlackOptions, PageServer} from './options.ts'
import type {People} from './people/people.ts'
import type {ViewsShown} from './views/views.ts'
import {firstTeam} from './workspace/seed.ts'
import type {Channel} from './workspace/workspace.ts'

export interface LocalSlack {
  origin: string
  /** Ends in `/api/`. What stands here of an app and a workspace is that of the first ones. */
  apiUrl: string
  botToken: string
  appToken: string
  signingSecret: string
  teamId: string
  botUserId: string
  people: People
  faults: Faults
  ledger: Ledger
  /** What a strict reviewer would object to in what the apps did so far. */
  lints: () => Lint[]
  /** Of the first workspace, direct messages among them. */
  channels: () => Channel[]
  /** What everybody sees: oldest first, deleted ones left out; with `threadTs` a parent and its replies. */
  messages(channel: string, threadTs?: string): StoredMessage[]
  /** The content of a file that somebody shared. */
  fileText: (id: string) => string | undefined
  fileBytes: (id: string) => Uint8Array<ArrayBuffer> | undefined
  /** What only this member sees. */
  ephemerals(channel: string, userId: string): StoredMessage[]
  /** What any one member alone saw, in every state that it had. */
  whispers: () => StoredMessage[]
  /** What the first app shows as an agent around a thread: its status, title, prompts and session. */
  agentThread(channel: string, threadTs: string): AgentThread
  /** The modals in front of a member, the topmost last, and the App Home of the first app. */
  views(userId: string): ViewsShown
  /** From now on the first app's payloads go there, as signed HTTP. */
  setEventsUrl(url: string): void
  /** All apps, their credentials, and their installations in all workspaces. */
  apps: AppsControl
  /** What people do in a further workspace. */
  peopleOf(teamId: string): People
  refreshSockets(): void
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Long enough that no idle connection ends at the moment in which its client uses it again. */
const KEEP_ALIVE_MS = 65_000

/** Starts a strict stand-in for Slack on 127.0.0.1: Web API, events, interactivity and Socket Mode. */
export async function startLocalSlack(options: LocalSlackOptions = {}): Promise<LocalSlack> {
  const server = createServer()
  server.keepAliveTimeout = KEEP_ALIVE_MS
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
  const {
    record,
    firstApp: app,
    apps,
    appSides,
    peopleOf,
    ...core
  } = assemble({options, database, origin, now: Date.now})
  const first = appSides.of(app.id, firstTeam.id)
  server.on('request', toListener(core.routes.fetch, options.page))
  server.on('upgrade', (request, socket, head) => {
    if (objectionTo(request) === undefined) core.upgrade(request, socket, head)
    else socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n')
  })
  const close = onlyOnce(async () => {
    const closed = once(server, 'close')
    server.close()
    await core.close()
    server.closeAllConnections()
    await closed
  })
  return {
    origin,
    apiUrl: `${origin}/api/`,
    botToken: first.installation().tokens.at(-1)?.value ?? '',
    appToken: app.appToken,
    signingSecret: app.signingSecret,
    teamId: firstTeam.id,
    botUserId: first.installation().userId,
    people: peopleOf(),
    peopleOf,
    apps,
    faults: core.faultBox.faults,
    ledger: record.ledgerWriter.ledger,
    lints: core.lints,
    channels: first.desk.workspace.channels,
    messages: (channel, threadTs) => listMessages(record.messages, channel, threadTs),
    fileText: (id) => {
      const bytes = record.files.bytes(id)
      return bytes === undefined ? undefined : new TextDecoder().decode(bytes)
    },
    fileBytes: (id) => record.files.bytes(id),
    ephemerals: record.messages.ephemerals,
    whispers: record.messages.whispers,
    agentThread: first.desk.agentThreads.of,
    views: first.views,
    setEventsUrl: (url) => apps.setEventsUrl(app.id, url),
    refreshSockets: () => core.faultBox.faults.disconnectSockets('refresh_requested'),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function originOf(server: Server): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return `http://127.0.0.1:${address.port}`
}

const ownPaths = /^\/(api|control|docs|files-pri|local|link|oauth|response|upload)\//

function toListener(
  fetchRoute: Parameters<typeof getRequestListener>[0],
  page: PageServer | undefined,
): (request: IncomingMessage, response: ServerResponse) => void {
  const own = getRequestListener(fetchRoute)
  return (request, response) => {
    const error = objectionTo(request)
    if (error !== undefined) {
      response.writeHead(403, {'content-type': 'application/json', connection: 'close'})
      response.end(JSON.stringify({ok: false, error}))
    } else if (ownPaths.test(request.url ?? '') || page === undefined) void own(request, response)
    else page.handle(request, response)
  }
}

/**
 * Only who calls this machine by its own name is heard, and no socket is opened by a page of elsewhere: browsers let any
 * page open one anywhere, and say in `Origin` whose it is.
 */
function objectionTo({headers}: IncomingMessage): string | undefined {
  const {host, origin, upgrade} = headers
  if (host === undefined || !isLoopbackHost(host)) {
    return `"${host ?? ''}" is not this machine: ask 127.0.0.1 or localhost.`
  }
  const isOwn =
    origin === undefined || (URL.canParse(origin) && new URL(origin).host === host.toLowerCase())
  if (upgrade === undefined || isOwn) return undefined
  return `A page of ${origin} may not connect here.`
}

function listMessages(messages: Messages, channel: string, threadTs?: string): StoredMessage[] {
  if (threadTs === undefined) return messages.inChannel(channel)
  const parent = messages.find(channel, threadTs)
  const replies = messages.replies(channel, threadTs)
  return parent === undefined || parent.ephemeralTo !== undefined ? replies : [parent, ...replies]
}

function onlyOnce(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => (running ??= run())
}
