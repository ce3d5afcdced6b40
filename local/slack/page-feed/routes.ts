import {Hono, type Context} from 'hono'
import {streamSSE} from 'hono/streaming'
import type {CallRecord, DeliveryRecord, Ledger} from '../edge/ledger.ts'
import type {StoredMessage} from '../messages/messages.ts'
import type {Change} from '../workspace/changes.ts'
import type {PageEvent, TrafficEntry} from './contract.ts'
import {toMessageView} from './shapes.ts'
import type {PageSight} from './sight.ts'

interface PageFeedParts {
  /** Of the workspace with this id; the first one's without. */
  sightOf: (teamId: string | undefined) => PageSight
  closing: AbortSignal
}

/** What the page asks for: the contract stands in `contract.ts`. */
export function pageFeed(parts: PageFeedParts): Hono {
  const routes = new Hono()
  routes.onError((error, context) => context.json({ok: false, error: error.message}, 400))
  addReads(routes, parts)
  addEvents(routes, parts)
  return routes
}

function addReads(routes: Hono, {sightOf}: PageFeedParts): void {
  const sight = (context: Context): PageSight => sightOf(context.req.query('team'))
  routes.get('/local/workspace', (context) => context.json(sight(context).workspaceView()))
  routes.get('/local/messages', (context) => {
    const {roster, messages, files} = sight(context)
    const {as = '', channel = ''} = context.req.query()
    if (!roster.hasMember(channel, as)) return context.json([])
    const seen = [...messages.inChannel(channel), ...messages.ephemerals(channel, as)]
    return context.json(seen.sort(byTs).map((message) => toMessageView(files, message)))
  })
  routes.get('/local/views', (context) =>
    context.json(sight(context).views(context.req.query('as') ?? '')),
  )
  routes.get('/local/agent-threads', (context) => {
    const {roster, agentThreads} = sight(context)
    const as = context.req.query('as') ?? ''
    return context.json(agentThreads().filter(({channel}) => roster.hasMember(channel, as)))
  })
  routes.get('/local/files/:id', (context) => {
    const {files} = sight(context)
    const file = files.find(context.req.param('id'))
    const bytes = file?.state === 'complete' ? files.bytes(file.id) : undefined
    if (file === undefined || bytes === undefined) return context.notFound()
    // Whatever a file claims to be, it never runs as a part of the page.
    const headers = {'content-type': file.mimetype, 'content-security-policy': 'sandbox'}
    return new Response(bytes, {headers: {...headers, 'x-content-type-options': 'nosniff'}})
  })
}

function addEvents(routes: Hono, {sightOf, closing}: PageFeedParts): void {
  routes.get('/local/events', (context) => {
    const {as = '', team} = context.req.query()
    const sight = sightOf(team)
    return feed(context, closing, (write) =>
      sight.changes.subscribe((change) => {
        for (const event of toPageEvents(sight, as, change)) write(event)
      }),
    )
  })
  routes.get('/local/traffic', (context) => {
    const {ledger} = sightOf(context.req.query('team'))
    return feed(context, closing, (write) => {
      for (const entry of latest(ledger)) write(entry)
      return ledger.watch((entry) => write(toTraffic(entry)))
    })
  })
}

/** A stream of JSON that ends when its reader leaves or the local Slack closes. */
function feed(
  context: Context,
  closing: AbortSignal,
  subscribe: (write: (event: PageEvent | TrafficEntry) => void) => () => void,
): Response {
  return streamSSE(context, async (stream) => {
    const ended = Promise.withResolvers<undefined>()
    const end = (): void => ended.resolve(undefined)
    let written: Promise<unknown> = stream.write(': connected\n\n')
    const unsubscribe = subscribe((event) => {
      // As it is now: what is written later may have changed by then.
      const data = JSON.stringify(event)
      written = written.then(() => stream.writeSSE({data}))
    })
    stream.onAbort(end)
    closing.addEventListener('abort', end)
    await ended.promise
    closing.removeEventListener('abort', end)
    unsubscribe()
    await written
  })
}

const maxTraffic = 200

function latest({calls, deliveries}: Ledger): TrafficEntry[] {
  return [...calls.slice(-maxTraffic), ...deliveries.slice(-maxTraffic)]
    .sort((a, b) => a.atMs - b.atMs)
    .slice(-maxTraffic)
    .map(toTraffic)
}

function toTraffic(entry: CallRecord | DeliveryRecord): TrafficEntry {
  return 'method' in entry ? {type: 'call', call: entry} : {type: 'delivery', delivery: entry}
}

const byTs = (a: StoredMessage, b: StoredMessage): number => (a.ts < b.ts ? -1 : 1)

function toPageEvents(sight: PageSight, as: string, change: Change): PageEvent[] {
  if (change.type !== 'file_deleted') return [toPageEvent(sight, as, change) ?? []].flat()
  // Every message that carries the file shows that it is gone.
  const {roster, messages, files} = sight
  return change.file.shares
    .filter(({channel}) => roster.hasMember(channel, as))
    .flatMap(({channel, ts}) => messages.find(channel, ts) ?? [])
    .map((message) => ({type: 'message', message: toMessageView(files, message)}))
}

function toPageEvent(sight: PageSight, as: string, change: Change): PageEvent | undefined {
  const {roster, files} = sight
  if ('message' in change) {
    const {message} = change
    const isSeen = roster.hasMember(message.channel, as) && (message.ephemeralTo ?? as) === as
    if (!isSeen) return undefined
    return change.type === 'removed'
      ? {type: 'message_deleted', channel: message.channel, ts: message.ts}
      : {type: 'message', message: toMessageView(files, message)}
  }
  switch (change.type) {
    case 'file_shared': // its message tells
      return undefined
    case 'view_shown':
      return change.userId === as ? {type: 'views', views: sight.views(as)} : undefined
    case 'agent_thread_changed': {
      const thread = roster.hasMember(change.channel, as) ? sight.agentThread(change) : undefined
      return thread && {type: 'agent_thread', thread}
    }
    default:
      return {type: 'workspace', workspace: sight.workspaceView()}
  }
}
