import type {ServerResponse} from 'node:http'
import type {PlatformError} from '../../src/platform/errors.ts'
import type {Frame} from '../../src/platform/stream/frame.ts'
import {follow} from '../../src/platform/stream/reconnecting.ts'
import {answerJson, apiKey, clientTo, serve, transportTo, type SeenRequest} from './http-server.ts'

export const entry = (id: string, text = `text of ${id}`) => ({
  id,
  source: 'assistant',
  text,
  callId: id,
})
export const sse = (event: string, data: unknown, id?: string) =>
  `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`
export const row = (id: string, text?: string) => sse('transcript', entry(id, text), `c-${id}`)
export const status = (word: string) => sse('status', {threadId: 't', status: word})
export const done = sse('done', {})

interface Watched {
  frames: Frame[]
  waits: number[]
  troubles: PlatformError[]
  requests: SeenRequest[]
  error: unknown
}

interface WatchOptions extends Partial<Omit<Parameters<typeof follow>[0], 'threadId' | 'taskId'>> {
  follows?: {threadId: string} | {taskId: string}
  /** What a page of the transcript is answered with. */
  items?: (request: SeenRequest) => unknown
  /** What the thread itself is answered with. */
  thread?: (request: SeenRequest) => unknown
}

/** Follows a thread, or what the test says, whose connections answer one after the other as listed; the last one ends it with `done`. */
export async function watch(
  connections: readonly (string | ((response: ServerResponse) => void))[],
  options: WatchOptions = {},
): Promise<Watched> {
  let next = 0
  const {origin, requests} = await serve((response, request) => {
    if (options.items !== undefined && request.url.includes('/messages')) {
      answerJson(response, 200, options.items(request))
      return
    }
    if (options.thread !== undefined && !request.url.includes('/stream')) {
      answerJson(response, 200, options.thread(request))
      return
    }
    const connection = connections[next] ?? done
    next += 1
    if (typeof connection === 'function') connection(response)
    else response.writeHead(200, {'content-type': 'text/event-stream'}).end(connection)
  })
  const frames: Frame[] = []
  const waits: number[] = []
  const troubles: PlatformError[] = []
  const following = follow({
    transport: transportTo(origin),
    client: clientTo(origin, {retries: 0}),
    apiKey,
    ...(options.follows ?? {threadId: 't/1'}),
    after: undefined,
    signal: new AbortController().signal,
    wait: async (ms) => void waits.push(ms),
    random: () => 0.5,
    onTrouble: (error) => void troubles.push(error),
    ...options,
  })
  let error: unknown
  try {
    for await (const frame of following) frames.push(frame)
  } catch (reason) {
    error = reason
  }
  return {frames, waits, troubles, requests, error}
}

/** That a connection has broken off goes without saying where another one stands. */
export const outline = (frames: readonly Frame[]): string[] =>
  frames
    .filter(({type}) => type !== 'broken')
    .map((frame) =>
      frame.type === 'transcript'
        ? frame.entry.id
        : frame.type === 'status'
          ? frame.status
          : frame.type,
    )
export const cursors = (requests: readonly SeenRequest[]) =>
  requests.map(({headers}) => headers['last-event-id'])
