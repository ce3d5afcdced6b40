import {once} from 'node:events'
import {type IncomingMessage, type ServerResponse, createServer} from 'node:http'
import type {AddressInfo} from 'node:net'

/** What a client asks, as it came. */
export interface Asked {
  method: string
  /** Below the base address. */
  path: string
  query: URLSearchParams
  headers: Record<string, string>
  /** The JSON of the body, or its text where it is none. */
  body: unknown
}

/** What it is answered. */
export interface Told {
  status: number
  headers: Record<string, string>
  body: unknown
}

/** How one rule is broken: by what goes on to the platform and what comes back, or by the frames of streams. */
export interface Break {
  answer?: (asked: Asked, forward: (asked: Asked) => Promise<Told>) => Told | Promise<Told>
  /** The text of one frame, with the blank line behind it; what comes in its place. */
  frames?: (asked: Asked) => ((frame: string) => string) | undefined
  /** What of a stream's request goes on. */
  stream?: (asked: Asked) => void
}

const BASE = '/api/v1'

/** Between a client and a platform, and breaks what passes. */
export async function startBreaking(
  originUrl: string,
  {answer = (asked, forward) => forward(asked), frames, stream}: Break,
): Promise<AsyncDisposable & {baseUrl: string}> {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = await toAsked(request)
    if (asked.path.endsWith('/stream')) {
      stream?.(asked)
      await pipe(originUrl, asked, response, frames?.(asked))
      return
    }
    const told = await answer(asked, (one) => forward(originUrl, one))
    // The address of a webhook leads through here as well.
    const text = told.body === undefined ? '' : JSON.stringify(told.body)
    response.writeHead(told.status, told.headers).end(text.replaceAll(originUrl, ownUrl))
  }
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const ownUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    baseUrl: ownUrl + BASE,
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function toAsked(request: IncomingMessage): Promise<Asked> {
  const url = new URL(request.url ?? '', 'http://127.0.0.1')
  const text = (await request.toArray()).join('')
  const names = ['authorization', 'content-type', 'last-event-id', 'idempotency-key']
  const headers = names.flatMap((name) => {
    const value = request.headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return {
    method: request.method ?? '',
    path: url.pathname.replace(BASE, ''),
    query: url.searchParams,
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: text === '' ? undefined : parsed(text),
  }
}

function open(
  originUrl: string,
  {method, path, query, headers, body}: Asked,
  signal?: AbortSignal,
) {
  const base = path.startsWith('/webhooks/') ? '' : BASE
  const search = query.size === 0 ? '' : `?${query.toString()}`
  return fetch(`${originUrl}${base}${path}${search}`, {
    method,
    headers,
    ...(signal && {signal}),
    ...(body !== undefined && {body: typeof body === 'string' ? body : JSON.stringify(body)}),
  })
}

async function forward(originUrl: string, asked: Asked): Promise<Told> {
  const response = await open(originUrl, asked)
  const retryAfter = response.headers.get('retry-after')
  return {
    status: response.status,
    headers: {
      'content-type': response.headers.get('content-type') ?? '',
      ...(retryAfter !== null && {'retry-after': retryAfter}),
    },
    body: parsed(await response.text()),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

async function pipe(
  originUrl: string,
  asked: Asked,
  response: ServerResponse,
  change: (frame: string) => string = (frame) => frame,
): Promise<void> {
  const closing = new AbortController()
  response.once('close', () => closing.abort())
  const upstream = await open(originUrl, asked, closing.signal)
  response.writeHead(upstream.status, {'content-type': upstream.headers.get('content-type') ?? ''})
  if (upstream.status !== 200) {
    response.end(await upstream.text())
    return
  }
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of upstream.body ?? []) {
    const blocks = (rest + decoder.decode(chunk, {stream: true})).split(/(?<=\n\n)/)
    rest = blocks.at(-1)?.endsWith('\n\n') === true ? '' : (blocks.pop() ?? '')
    for (const block of blocks) response.write(change(block))
  }
  response.end()
}
