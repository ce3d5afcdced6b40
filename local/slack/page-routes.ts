import {Hono} from 'hono'
import {streamSSE} from 'hono/streaming'
import {z} from 'zod'
import type {Change, Changes} from './workspace/changes.ts'
import type {Messages, StoredMessage} from './messages/messages.ts'
import type {People} from './people/people.ts'
import type {MessageView, PageEvent, PostMessage, PressElement, WorkspaceView} from './view.ts'
import type {Workspace} from './workspace/workspace.ts'

const postSchema = z.object({
  as: z.string(),
  channel: z.string(),
  threadTs: z.string().optional(),
  text: z.string().min(1),
})

const pressSchema = z.object({
  as: z.string(),
  channel: z.string(),
  ts: z.string(),
  blockId: z.string(),
  actionId: z.string(),
  selectedValue: z.string().optional(),
})

interface PageRoutesParts {
  workspace: Workspace
  messages: Messages
  changes: Changes
  people: People
  closing: AbortSignal
}

/** What the page asks for: the contract stands in `view.ts`. */
export function pageRoutes(parts: PageRoutesParts): Hono {
  const routes = new Hono()
  routes.onError((error, context) => context.json({ok: false, error: error.message}, 400))
  addReads(routes, parts)
  addEvents(routes, parts)
  addWrites(routes, parts)
  return routes
}

function addReads(routes: Hono, {workspace, messages}: PageRoutesParts): void {
  routes.get('/local/workspace', (context) => context.json(toWorkspaceView(workspace)))
  routes.get('/local/messages', (context) => {
    const {as = '', channel = ''} = context.req.query()
    if (!workspace.hasMember(channel, as)) return context.json([])
    const seen = [...messages.inChannel(channel), ...messages.ephemerals(channel, as)]
    return context.json(seen.sort(byTs).map(toMessageView))
  })
}

function addEvents(routes: Hono, {workspace, changes, closing}: PageRoutesParts): void {
  routes.get('/local/events', (context) => {
    const as = context.req.query('as') ?? ''
    return streamSSE(context, async (stream) => {
      const ended = Promise.withResolvers<undefined>()
      const end = (): void => ended.resolve(undefined)
      let written: Promise<unknown> = stream.write(': connected\n\n')
      const unsubscribe = changes.subscribe((change) => {
        const event = toPageEvent(workspace, as, change)
        if (event === undefined) return
        written = written.then(() => stream.writeSSE({data: JSON.stringify(event)}))
      })
      stream.onAbort(end)
      closing.addEventListener('abort', end)
      await ended.promise
      closing.removeEventListener('abort', end)
      unsubscribe()
      await written
    })
  })
}

function addWrites(routes: Hono, {people}: PageRoutesParts): void {
  routes.post('/local/messages', async (context) => {
    const body = postSchema.parse(await context.req.json()) satisfies PostMessageBody
    const {threadTs, ...post} = body
    const message = await people.post({...post, ...(threadTs === undefined ? {} : {threadTs})})
    return context.json(toMessageView(message))
  })
  routes.post('/local/actions', async (context) => {
    const body = pressSchema.parse(await context.req.json()) satisfies PressElementBody
    const {selectedValue, ...press} = body
    const chosen = selectedValue === undefined ? {} : {selectedValue}
    const outcome = await people.press({...press, ...chosen})
    if (outcome === 'acked') return context.json({ok: true})
    return context.json({ok: false, error: 'The app did not respond. Press again.'}, 502)
  })
}

/** What a body may hold: an absent field may also stand there as `undefined`. */
type Loose<Body> = {[Field in keyof Body]: Body[Field] | undefined}
type PostMessageBody = Loose<PostMessage>
type PressElementBody = Loose<PressElement>

const byTs = (a: StoredMessage, b: StoredMessage): number => (a.ts < b.ts ? -1 : 1)

function toWorkspaceView(workspace: Workspace): WorkspaceView {
  return {
    teamId: workspace.team.id,
    teamName: workspace.team.name,
    botUserId: workspace.app.userId,
    members: workspace
      .members()
      .map(({id, name, realName, isBot}) => ({id, name, realName, isBot})),
    channels: workspace.channels().map(({id, kind, name, memberIds}) => ({
      id,
      kind: kind === 'dm' ? 'dm' : 'channel',
      name,
      memberIds,
    })),
  }
}

function toMessageView(message: StoredMessage): MessageView {
  const {channel, ts, threadTs, userId, text, blocks, edited, reactions, ephemeralTo} = message
  return {
    channel,
    ts,
    userId,
    text,
    edited: edited !== undefined,
    reactions,
    ...(threadTs === undefined ? {} : {threadTs}),
    ...(blocks === undefined ? {} : {blocks}),
    ...(ephemeralTo === undefined ? {} : {ephemeralTo}),
  }
}

function toPageEvent(workspace: Workspace, as: string, change: Change): PageEvent | undefined {
  if (!('message' in change)) return undefined
  const {message} = change
  const isSeen = workspace.hasMember(message.channel, as) && (message.ephemeralTo ?? as) === as
  if (!isSeen) return undefined
  return change.type === 'removed'
    ? {type: 'message_deleted', channel: message.channel, ts: message.ts}
    : {type: 'message', message: toMessageView(message)}
}
