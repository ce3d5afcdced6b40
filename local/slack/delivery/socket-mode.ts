import {randomBytes, randomInt, randomUUID} from 'node:crypto'
import type {IncomingMessage} from 'node:http'
import type {Duplex} from 'node:stream'
import {WebSocketServer, type RawData, type WebSocket} from 'ws'
import {isRecord, parseJson} from '../edge/arguments.ts'
import type {DisconnectReason} from '../edge/faults.ts'
import type {Handover, HandoverAnswer, Payload, Transport} from './transport.ts'

const maxConnections = 10
const pingEveryMs = 10_000
/** Between the frame that announces the end of a connection and that end. */
const refreshNoticeMs = 2_000
const warningNoticeMs = 10_000

/** Slack's end of Socket Mode: https://docs.slack.dev/apis/events-api/using-socket-mode */
interface SocketMode extends Transport {
  /** A path with a ticket that opens one connection, once. */
  newPath(): string
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Announces its end to every connection, and closes it a moment later. */
  disconnect(reason: DisconnectReason): void
  /** Cuts every connection without a word. */
  drop: () => void
  close(): void
}

interface SocketModeParts {
  appId: string
  ackTimeoutMs: number
  timeFactor: number
  /** The app gets its payloads by Socket Mode, not by HTTP. */
  isEnabled: () => boolean
  onReady: () => void
}

interface Pending {
  socket: WebSocket
  settle: (answer: HandoverAnswer) => void
}

export function createSocketMode(parts: SocketModeParts): SocketMode {
  const server = new WebSocketServer({noServer: true})
  const tickets = new Set<string>()
  const open = new Set<WebSocket>()
  const pending = new Map<string, Pending>()
  const dismiss = (socket: WebSocket, reason: string): void => {
    open.delete(socket)
    const frame = {type: 'disconnect', reason, debug_info: {host: 'local-slack'}}
    socket.send(JSON.stringify(frame))
    const noticeMs = reason === 'warning' ? warningNoticeMs : refreshNoticeMs
    setTimeout(() => socket.close(1000), noticeMs * parts.timeFactor).unref()
  }
  const greet = (socket: WebSocket): void => {
    listen(socket, pending, () => open.delete(socket))
    const refusal = refusalOf(parts, open.size)
    if (refusal !== undefined) {
      dismiss(socket, refusal)
      return
    }
    open.add(socket)
    socket.send(JSON.stringify(hello(parts.appId, open.size)))
    parts.onReady()
  }
  const terminate = (): void => {
    for (const socket of server.clients) socket.terminate()
  }
  return {
    ...createHanding(parts, open, pending),
    ...createEntrance(parts, tickets, (request, socket, head) =>
      server.handleUpgrade(request, socket, head, greet),
    ),
    disconnect: (reason) => {
      for (const socket of [...open]) dismiss(socket, reason)
    },
    drop: terminate,
    close: () => {
      terminate()
      for (const {settle} of [...pending.values()]) settle({outcome: 'failed'})
      server.close()
    },
  }
}

function createHanding(
  {ackTimeoutMs}: SocketModeParts,
  open: Set<WebSocket>,
  pending: Map<string, Pending>,
): Transport {
  const tried = new WeakMap<Payload, WebSocket>()
  return {
    isReady: () => open.size > 0,
    hand: async (handover) => {
      const {payload} = handover
      // A random one, but a retry goes elsewhere when it can: the last one may be dead.
      const others = [...open].filter((one) => one !== tried.get(payload))
      const choice = others.length > 0 ? others : [...open]
      const socket = choice[randomInt(Math.max(1, choice.length))]
      if (socket === undefined) return {outcome: 'failed', reason: 'connection_failed'}
      tried.set(payload, socket)
      const envelopeId = randomUUID()
      socket.send(JSON.stringify(toEnvelope(envelopeId, handover)))
      return awaitAck(pending, {envelopeId, socket, ackTimeoutMs})
    },
  }
}

function createEntrance(
  {appId}: SocketModeParts,
  tickets: Set<string>,
  enter: SocketMode['upgrade'],
): Pick<SocketMode, 'newPath' | 'upgrade'> {
  return {
    newPath: () => {
      const ticket = randomBytes(16).toString('hex')
      tickets.add(ticket)
      return `/link/?ticket=${ticket}&app_id=${appId}`
    },
    upgrade: (request, socket, head) => {
      const {searchParams} = new URL(request.url ?? '/', 'http://local')
      if (tickets.delete(searchParams.get('ticket') ?? '')) enter(request, socket, head)
      else socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n')
    },
  }
}

function refusalOf({isEnabled}: SocketModeParts, connections: number): string | undefined {
  if (!isEnabled()) return 'link_disabled'
  return connections >= maxConnections ? 'too_many_websockets' : undefined
}

function hello(appId: string, connections: number) {
  return {
    type: 'hello',
    num_connections: connections,
    debug_info: {host: 'local-slack', build_number: 1, approximate_connection_time: 18_060},
    connection_info: {app_id: appId},
  }
}

function toEnvelope(envelopeId: string, {payload, attempt, reason}: Handover) {
  return {
    envelope_id: envelopeId,
    type: payload.kind,
    payload: payload.body,
    accepts_response_payload: payload.kind === 'slash_commands' || isAnswerable(payload.body),
    ...(payload.kind === 'events_api' || attempt > 0
      ? {retry_attempt: attempt, retry_reason: reason ?? ''}
      : {}),
  }
}

/** The interactions whose acknowledgement may say something. */
function isAnswerable({type}: Record<string, unknown>): boolean {
  return type === 'view_submission' || type === 'block_suggestion'
}

function awaitAck(
  pending: Map<string, Pending>,
  {envelopeId, socket, ackTimeoutMs}: {envelopeId: string; socket: WebSocket; ackTimeoutMs: number},
): Promise<HandoverAnswer> {
  return new Promise((resolve) => {
    const settle = (answer: HandoverAnswer): void => {
      clearTimeout(timer)
      pending.delete(envelopeId)
      resolve(answer)
    }
    const timer = setTimeout(() => settle({outcome: 'timeout', reason: 'timeout'}), ackTimeoutMs)
    pending.set(envelopeId, {socket, settle})
  })
}

function listen(socket: WebSocket, pending: Map<string, Pending>, onClose: () => void): void {
  // Who has not answered by the next one is gone without a word: nothing is handed to a dead connection for long.
  let isAnswered = true
  const ping = (): void => {
    if (!isAnswered) {
      socket.terminate()
      return
    }
    isAnswered = false
    socket.ping()
  }
  const pinger = setInterval(ping, pingEveryMs)
  socket.on('pong', () => (isAnswered = true))
  ping()
  socket.on('message', (data) => {
    const ack = parseAck(data)
    if (ack === undefined) return
    pending.get(ack.envelopeId)?.settle({outcome: 'acked', response: ack.response})
  })
  // A broken connection also closes: what it still owed is settled there.
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    clearInterval(pinger)
    onClose()
    for (const entry of [...pending.values()]) {
      if (entry.socket === socket) entry.settle({outcome: 'failed', reason: 'connection_failed'})
    }
  })
}

function parseAck(data: RawData): {envelopeId: string; response: unknown} | undefined {
  const frame: unknown = parseJson(Buffer.isBuffer(data) ? data.toString() : '')
  if (!isRecord(frame) || typeof frame['envelope_id'] !== 'string') return undefined
  return {envelopeId: frame['envelope_id'], response: frame['payload']}
}
