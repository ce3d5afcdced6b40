import {once} from 'node:events'
import {type AddressInfo, type Server, type Socket, connect, createServer} from 'node:net'

/**
 * What the proxy does with connections. `pass`: forwards. `stalled`: forwards nothing any more, in
 * both directions. `down`: refuses. `html`: answers each request as a gateway does whose server is away.
 */
type ProxyMode = 'pass' | 'stalled' | 'down' | 'html'

interface ProxyCounts {
  connections: number
  /** Requests for an event stream. */
  streams: number
  /** Connections cut by plan. */
  cuts: number
  /** Answers that were swallowed. */
  swallowed: number
  /** Requests answered with a page. */
  pages: number
}

/** Of a request: it has not come through yet, it has been handled, or its answer has been sent on. */
export type Moment = 'before' | 'at' | 'after'

/** A TCP proxy on loopback in front of one server, which can break what passes through it. */
export interface FaultyProxy extends AsyncDisposable {
  readonly origin: string
  readonly counts: Readonly<ProxyCounts>
  /** Bytes of each stream's answer, headers included, in the order in which they were asked for. */
  readonly streamBytes: readonly number[]
  /** Connections that stand are cut, so that the new mode holds for everybody. */
  setMode(mode: ProxyMode): Promise<void>
  /** After how many bytes of its answer a stream is cut; `undefined`: not at all. */
  planCuts(plan: (stream: {path: string; ordinal: number}) => number | undefined): void
  /**
   * Calls back once at the next request with such a line: before it is passed on (it never is), when its answer
   * is here (it goes no further), or when that has gone out.
   */
  strikeAt(request: RegExp, moment: Moment, strike: () => void): () => void
  /** The next answers to such a request line are swallowed, and its connection is cut. */
  swallowAnswers(request: RegExp, times: number): void
  /** The next such request gets these bytes, and goes no further. */
  answerNext(request: RegExp, answer: string): void
}

const PAGE = '<html><body><h1>502 Bad Gateway</h1></body></html>'
const BAD_GATEWAY =
  'HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\nconnection: close\r\n' +
  `content-length: ${PAGE.length}\r\n\r\n${PAGE}`

interface State {
  target: () => {host: string; port: number}
  mode: ProxyMode
  counts: ProxyCounts
  streamBytes: number[]
  plan: Parameters<FaultyProxy['planCuts']>[0]
  swallows: {request: RegExp; times: number}[]
  strike: {request: RegExp; moment: Moment; act: () => void} | undefined
  answers: {request: RegExp; answer: string}[]
  ordinals: Map<string, number>
  open: Set<Socket>
}

export async function startFaultyProxy(targetOrigin: () => string): Promise<FaultyProxy> {
  const state: State = {
    target: () => {
      const {hostname: host, port} = new URL(targetOrigin())
      return {host, port: Number(port)}
    },
    mode: 'pass',
    counts: {connections: 0, streams: 0, cuts: 0, swallowed: 0, pages: 0},
    streamBytes: [],
    plan: () => undefined,
    swallows: [],
    strike: undefined,
    answers: [],
    ordinals: new Map(),
    open: new Set(),
  }
  let server = await listen(state, 0)
  const {port} = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    if (server.listening) {
      const closed = once(server, 'close')
      server.close()
      for (const socket of state.open) socket.destroy()
      await closed
    }
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    counts: state.counts,
    streamBytes: state.streamBytes,
    setMode: async (mode) => {
      state.mode = mode
      for (const socket of state.open) socket.destroy()
      if (mode === 'down') await close()
      else if (!server.listening) server = await listen(state, port)
    },
    planCuts: (plan) => {
      state.plan = plan
    },
    strikeAt: (request, moment, act) => {
      const strike = {request, moment, act}
      state.strike = strike
      return () => {
        if (state.strike === strike) state.strike = undefined
      }
    },
    swallowAnswers: (request, times) => void state.swallows.push({request, times}),
    answerNext: (request, answer) => void state.answers.push({request, answer}),
    [Symbol.asyncDispose]: close,
  }
}

async function listen(state: State, port: number): Promise<Server> {
  const server = createServer({noDelay: true}, (client) => serve(state, client))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function serve(state: State, client: Socket): void {
  state.counts.connections += 1
  track(state, client)
  switch (state.mode) {
    case 'html':
      client.once('data', () => {
        state.counts.pages += 1
        client.end(BAD_GATEWAY)
        client.resume()
      })
      return
    case 'stalled':
      client.resume()
      return
    case 'down':
      client.destroy()
      return
    case 'pass':
      forward(state, client)
      return
    default:
      throw new Error(`Unknown mode: ${String(state.mode satisfies never)}`)
  }
}

function forward(state: State, client: Socket): void {
  const server = connect(state.target())
  track(state, server)
  /** What becomes of the answer to the request that is on its way. */
  let answer: Answer = {kind: 'plain'}
  client.on('data', (chunk) => {
    answer = judge(state, chunk) ?? answer
    if (answer.kind === 'struck' && answer.moment === 'before') answer.act()
    else if (answer.kind === 'given') client.end(answer.answer)
    else server.write(chunk)
  })
  server.on('data', (chunk) => {
    if (answer.kind === 'swallowed') {
      client.destroy()
      return
    }
    if (answer.kind === 'struck') {
      const {moment, act} = answer
      answer = {kind: 'plain'}
      if (moment === 'after') client.write(chunk, act)
      else act()
      return
    }
    if (answer.kind === 'plain') {
      client.write(chunk)
      return
    }
    if (answer.kind === 'given') return
    const {index, cutAt} = answer
    const before = state.streamBytes[index] ?? 0
    const left = (cutAt ?? Infinity) - before
    state.streamBytes[index] = before + Math.min(chunk.length, left)
    if (chunk.length < left) {
      client.write(chunk)
      return
    }
    state.counts.cuts += 1
    server.destroy()
    // What was let through arrives; behind it nothing does.
    client.end(chunk.subarray(0, left))
  })
  client.on('close', () => server.destroy())
  server.on('close', () => client.destroySoon())
}

type Answer =
  | {kind: 'plain'}
  | {kind: 'struck'; moment: Moment; act: () => void}
  | {kind: 'swallowed'}
  | {kind: 'given'; answer: string}
  | {kind: 'stream'; index: number; cutAt: number | undefined}

/** How to treat the answer to the request that begins in this chunk, if one does. */
function judge(state: State, chunk: Buffer): Answer | undefined {
  const line = /^(?:GET|POST|DELETE|PUT) \S+/.exec(chunk.subarray(0, 500).toString('latin1'))?.[0]
  if (line === undefined) return undefined
  const {strike} = state
  if (strike?.request.test(line) === true) {
    state.strike = undefined
    return {kind: 'struck', ...strike}
  }
  const given = state.answers.find((it) => it.request.test(line))
  if (given !== undefined) {
    state.answers.splice(state.answers.indexOf(given), 1)
    return {kind: 'given', answer: given.answer}
  }
  const swallow = state.swallows.find(({request, times}) => times > 0 && request.test(line))
  if (swallow !== undefined) {
    swallow.times -= 1
    state.counts.swallowed += 1
    return {kind: 'swallowed'}
  }
  const path = line.slice(line.indexOf(' ') + 1)
  if (!/\/stream(\?|$)/.test(path)) return {kind: 'plain'}
  state.counts.streams += 1
  const ordinal = (state.ordinals.get(path) ?? 0) + 1
  state.ordinals.set(path, ordinal)
  return {kind: 'stream', index: state.streamBytes.push(0) - 1, cutAt: state.plan({path, ordinal})}
}

function track({open}: State, socket: Socket): void {
  open.add(socket)
  // A broken connection also closes.
  socket.on('error', () => socket.destroy())
  socket.on('close', () => open.delete(socket))
}
