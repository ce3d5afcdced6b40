// A platform of streams and a Slack that says yes, both cheap enough to leave a core to the bot: run by
// `startStreamStandIns`. Told and asked over the process's channel.
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import type {AddressInfo, Socket} from 'node:net'
import {z} from 'zod'

const orderSchema = z.discriminatedUnion('order', [
  /** From now on so many frames a second go out over all streams. */
  z.object({order: z.literal('play'), framesPerSecond: z.number()}),
  /** All connections break, and nothing is accepted until `up`. */
  z.object({order: z.literal('down')}),
  z.object({order: z.literal('up')}),
  z.object({order: z.literal('count')}),
])

/** The frames of one turn, over and over: a hundred, of which a run ends with a reply. */
const CYCLE = 100
const TICK_MS = 20
const HEARTBEAT_MS = 15_000
/** What a reader that takes nothing may leave here. */
const MAX_PENDING_BYTES = 256 * 1024

interface Thread {
  /** Frames of all turns so far. Each thread is somewhere else in its turn. */
  at: number
  stream: ServerResponse | undefined
}

const threads = new Map<string, Thread>()
const open: Thread[] = []
const counts = {frames: 0, slackCalls: 0, connectsBySecond: new Map<number, number>()}
let framesPerSecond = 0
let owed = 0
let next = 0
let lastTs = 0
let wasAtMs = performance.now()

const word = (n: number): string => `Fragment ${n} says a few more words about the prices. `

function entryOf(id: string, row: number): string {
  const [source, more] =
    row % 2 === 0
      ? ['assistant', `"callId":"${id}-call-${row}","model":"small"`]
      : ['tool', '"tool":"bash"']
  const text = row % 2 === 0 ? Array.from({length: 40}, (_, n) => word(n)).join('') : 'ran a test'
  return `event: transcript\nid: c${row}\ndata: {"id":"${id}-${row}","source":"${source}","text":"${text}","createdAt":"2026-01-01T00:00:00.000Z",${more}}\n\n`
}

/** A turn: a tool, a reply that is written, and its entry. Rows count from 1; two in each turn. */
function frameAt(id: string, at: number): string {
  const turn = Math.floor(at / CYCLE)
  const step = at % CYCLE
  const rows = turn * 2
  switch (step) {
    case 0:
      return 'event: run\ndata: {"phase":"start"}\n\n'
    case 1:
      return 'event: turn\ndata: {"phase":"start"}\n\n'
    case 5:
      return `event: tool_call\ndata: {"callId":"${id}-${rows + 1}","name":"bash","text":"ran a test"}\n\n`
    case 6:
      return entryOf(id, rows + 1)
    case CYCLE - 3:
      return entryOf(id, rows + 2)
    case CYCLE - 2:
      return 'event: turn\ndata: {"phase":"end","outcome":"settled"}\n\n'
    case CYCLE - 1:
      return 'event: run\ndata: {"phase":"end"}\n\n'
    default:
      return `event: assistant\ndata: {"callId":"${id}-call-${rows + 2}","text":"${word(step)}"}\n\n`
  }
}

function rowsBefore(at: number): number {
  const step = at % CYCLE
  return Math.floor(at / CYCLE) * 2 + (step > CYCLE - 3 ? 2 : step > 6 ? 1 : 0)
}

/** Status, the rows behind the cursor, and the turn in progress. */
function opening(id: string, {at}: Thread, cursor: string | undefined): string {
  const status = `event: status\ndata: {"threadId":"${id}","status":"active"}\nretry: 2000\n\n`
  const last = rowsBefore(at)
  const from = cursor === undefined ? last : Number(cursor.slice(1))
  const rows = Array.from({length: Math.max(0, last - from)}, (_, n) => entryOf(id, from + n + 1))
  const turn = at - (at % CYCLE)
  const live = Array.from({length: at % CYCLE}, (_, n) => frameAt(id, turn + n))
  return [status, ...rows, ...live.filter((it) => !it.startsWith('event: transcript'))].join('')
}

function openStream(id: string, request: IncomingMessage, response: ServerResponse): void {
  const second = Math.floor(Date.now() / 1000)
  counts.connectsBySecond.set(second, (counts.connectsBySecond.get(second) ?? 0) + 1)
  const thread = threads.get(id) ?? {at: (threads.size * 37) % CYCLE, stream: undefined}
  threads.set(id, thread)
  const cursor = request.headers['last-event-id']
  response.writeHead(200, {'content-type': 'text/event-stream'})
  response.write(opening(id, thread, typeof cursor === 'string' ? cursor : undefined))
  if (thread.stream === undefined) open.push(thread)
  thread.stream = response
  Object.assign(thread, {id})
  response.on('close', () => {
    if (thread.stream !== response) return
    thread.stream = undefined
    open.splice(open.indexOf(thread), 1)
  })
}

function tick(): void {
  const nowMs = performance.now()
  owed = Math.min(owed + ((nowMs - wasAtMs) * framesPerSecond) / 1000, framesPerSecond)
  wasAtMs = nowMs
  for (; owed >= 1 && open.length > 0; owed -= 1) {
    next = (next + 1) % open.length
    const thread = open[next] as (Thread & {id: string}) | undefined
    const {stream} = thread ?? {}
    if (thread === undefined || stream === undefined) continue
    // The lost frames of a reader that is slow come by its next connection.
    if (stream.writableLength > MAX_PENDING_BYTES) stream.destroy()
    else stream.write(frameAt(thread.id, thread.at))
    thread.at += 1
    counts.frames += 1
  }
}

function beat(): void {
  if (framesPerSecond > 0) return
  for (const {stream} of open) stream?.write('event: heartbeat\ndata: {}\n\n')
}

function answer(response: ServerResponse, body: unknown): void {
  response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(body))
}

function onPlatform(request: IncomingMessage, response: ServerResponse): void {
  const [, , , , id = '', what = ''] = (request.url ?? '').split(/[/?]/)
  request.resume()
  if (what === 'stream') openStream(id, request, response)
  else if (what === 'messages') answer(response, {items: [], cursor: null})
  else answer(response, {id, status: 'active', title: 'A title', usage: null})
}

function onSlack(request: IncomingMessage, response: ServerResponse): void {
  request.resume().on('end', () => {
    counts.slackCalls += 1
    const ts = `1800000000.${String((lastTs += 1)).padStart(6, '0')}`
    const who = {team_id: 'T1', user_id: 'U1', bot_id: 'B1'}
    answer(response, {ok: true, ts, channel: 'C1', ...who, messages: []})
  })
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    // The queue of connections is as long as a burst may be: a full one would look like a polite bot.
    server.listen({port, host: '127.0.0.1', backlog: 4096}, () =>
      resolve((server.address() as AddressInfo).port),
    )
  })
}

const options = {keepAliveTimeout: 60_000, requestTimeout: 0}
const platform = createServer(options, onPlatform)
const sockets = new Set<Socket>()
platform.on('connection', (socket: Socket) => {
  sockets.add(socket)
  socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
})
const platformPort = await listen(platform, 0)
const slackPort = await listen(createServer(options, onSlack), 0)
setInterval(tick, TICK_MS)
setInterval(beat, HEARTBEAT_MS)

process.on('message', (message) => {
  const order = orderSchema.parse(message)
  if (order.order === 'play') framesPerSecond = order.framesPerSecond
  if (order.order === 'up') void listen(platform, platformPort)
  if (order.order === 'down') {
    platform.close()
    for (const socket of sockets) socket.resetAndDestroy()
  }
  const {frames, slackCalls, connectsBySecond} = counts
  process.send?.({streams: open.length, frames, slackCalls, connects: [...connectsBySecond]})
})
process.on('disconnect', () => process.exit())
process.send?.({platformPort, slackPort})
