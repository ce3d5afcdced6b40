import {z} from 'zod'
import type {Platform} from '../../../local/platform/server.ts'

/** The keys of the default seed. */
export type KeyName = keyof Platform['keys'] | 'admin' | 'kim'

/** A client without cleverness: it shows what the platform says, byte for byte. */
export interface Client {
  request(method: string, path: string, body?: unknown, headers?: HeadersInit): Promise<Answer>
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
  /** Creates a thread and answers its id. */
  create(message: string, requestId?: string): Promise<string>
  stream(threadId: string, query?: string, headers?: HeadersInit): Promise<Stream>
  streamTask(taskId: string, query?: string, headers?: HeadersInit): Promise<Stream>
  /** Follows the thread until it rests and answers its frames. */
  run(threadId: string): Promise<Frame[]>
}

interface Answer {
  status: number
  headers: Headers
  body: Record<string, unknown>
}

interface Frame {
  event: string
  id: string | undefined
  data: Record<string, unknown>
}

export interface Stream extends AsyncDisposable {
  readonly status: number
  readonly frames: Frame[]
  /** All bytes so far. */
  text(): string
  /** Waits until the frames so far satisfy the condition. */
  until(what: string, condition: (frames: Frame[]) => boolean): Promise<Frame[]>
  /** Waits for the server to close the stream. */
  ended(): Promise<void>
}

const recordSchema = z.record(z.string(), z.unknown())
const DEADLINE_MS = 30_000

export function createClient({baseUrl, key}: {baseUrl: string; key: string}): Client {
  let created = 0
  const auth = {authorization: `Bearer ${key}`}
  const request: Client['request'] = async (method, path, body, headers = {}) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...auth,
        ...(body === undefined ? {} : {'content-type': 'application/json'}),
        ...Object.fromEntries(new Headers(headers)),
      },
      ...(body === undefined ? {} : {body: typeof body === 'string' ? body : JSON.stringify(body)}),
    })
    const parsed = recordSchema.parse(await response.json())
    return {status: response.status, headers: response.headers, body: parsed}
  }
  const create: Client['create'] = async (message, requestId = `request-${++created}`) => {
    const {body} = await request('POST', '/threads', {requestId, projectId: 'project_web', message})
    return z.string().parse(body['id'])
  }
  const follow = async (path: string, headers: HeadersInit): Promise<Stream> => {
    const controller = new AbortController()
    const response = await fetch(baseUrl + path, {
      headers: {...auth, ...Object.fromEntries(new Headers(headers))},
      signal: controller.signal,
    })
    return followStream(response, controller)
  }
  const stream: Client['stream'] = (threadId, query = '', headers = {}) =>
    follow(`/threads/${threadId}/stream${query}`, headers)
  return {
    request,
    get: (path) => request('GET', path),
    post: (path, body) => request('POST', path, body),
    create,
    stream,
    streamTask: (taskId, query = '', headers = {}) =>
      follow(`/tasks/${taskId}/stream${query}`, headers),
    run: async (threadId) => {
      await using following = await stream(threadId, '?until=run')
      await following.ended()
      return following.frames
    },
  }
}

export function keyOf({keys}: Pick<Platform, 'keys'>, name: KeyName): string {
  return (keys as Readonly<Record<string, string>>)[name] ?? ''
}

export function clientOf(platform: Pick<Platform, 'baseUrl' | 'keys'>, name: KeyName = 'human') {
  return createClient({baseUrl: platform.baseUrl, key: keyOf(platform, name)})
}

function followStream(response: Response, controller: AbortController): Stream {
  const frames: Frame[] = []
  let text = ''
  let isEnded = false
  let wake = Promise.withResolvers<undefined>()
  const consume = async (): Promise<void> => {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      const part = decoder.decode(chunk, {stream: true})
      text += part
      const blocks = (rest + part).split('\n\n')
      rest = blocks.pop() ?? ''
      frames.push(...blocks.flatMap(parseBlock))
      wake.resolve(undefined)
      wake = Promise.withResolvers()
    }
  }
  // A cut connection ends the stream as a closed one does.
  const consumed = consume()
    .catch(() => undefined)
    .then(() => {
      isEnded = true
      wake.resolve(undefined)
    })
  const until: Stream['until'] = async (what, condition) => {
    const deadline = Date.now() + DEADLINE_MS
    while (!condition(frames)) {
      if (isEnded || Date.now() > deadline) throw new Error(`No ${what} came:\n${text}`)
      await Promise.race([wake.promise, expire(deadline)])
    }
    return frames
  }
  return {
    status: response.status,
    frames,
    text: () => text,
    until,
    ended: async () => {
      await Promise.race([consumed, expire(Date.now() + DEADLINE_MS)])
      if (!isEnded) throw new Error(`The stream did not end:\n${text}`)
    },
    [Symbol.asyncDispose]: async () => {
      controller.abort()
      await consumed
    },
  }
}

function expire(deadline: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), Math.max(0, deadline - Date.now()) + 1).unref()
  })
}

function parseBlock(block: string): Frame[] {
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const [name = '', ...value] = line.split(': ')
      return [name, value.join(': ')]
    }),
  )
  const event = fields.get('event')
  if (event === undefined) return []
  const data = recordSchema.parse(JSON.parse(fields.get('data') ?? ''))
  return [{event, id: fields.get('id'), data}]
}

/** A new thread with a reader that is there before its agent goes on. */
export async function createHeard(
  platform: Platform,
  client: Client,
  message: string,
  query = '',
): Promise<{threadId: string; stream: Stream}> {
  using held = platform.control.hold()
  const threadId = await client.create(message)
  const stream = await client.stream(threadId, query)
  held[Symbol.dispose]()
  return {threadId, stream}
}

/** All frames of the first run of a new thread. */
export async function runNew(
  platform: Platform,
  client: Client,
  message: string,
): Promise<{threadId: string; frames: Frame[]}> {
  const {threadId, stream} = await createHeard(platform, client, message, '?until=run')
  await using following = stream
  await following.ended()
  return {threadId, frames: following.frames}
}

/** The frames as short words, fragments of one call folded into one: for comparing courses of events. */
export function outline(frames: readonly Frame[]): string[] {
  const words = frames.map(({event, data}) =>
    [event, data['source'], data['phase'], data['outcome'], data['status'], data['code']]
      .filter((word) => typeof word === 'string')
      .join(' '),
  )
  return words.filter((word, index) => word !== 'assistant' || words[index - 1] !== 'assistant')
}

/** Ids of the transcript entries among the frames. */
export function entryIds(frames: readonly Frame[]): unknown[] {
  return frames.filter(({event}) => event === 'transcript').map(({data}) => data['id'])
}

/** The `items` of a list, as records. */
export function itemsOf({body}: Answer): Record<string, unknown>[] {
  return z.array(recordSchema).parse(body['items'])
}
