import {randomUUID} from 'node:crypto'
import {pause} from '../../async/pause.ts'
import {isWorking} from '../../platform/model.ts'
import {isRecord} from '../../security/foreign-json.ts'
import {type Answer, type Asking, type Method, type Request, pathOf} from './asking.ts'
import type {Litter} from './litter.ts'
import type {Shapes} from './shapes.ts'
import {type Stream, type StreamRequest, openStream} from './stream.ts'
import {Untried, expect, goodOf, tell} from './verdicts.ts'

export type Fields = Readonly<Record<string, unknown>>

/** What all rules try the platform with. */
export interface Probe {
  ask: (method: Method, path: string, request?: Request) => Promise<Answer>
  /** The object of a good answer; every other one breaks the rule. */
  get: (path: string, query?: Request['query']) => Promise<Fields>
  post: (path: string, body?: unknown) => Promise<Fields>
  stream: (path: string, request?: StreamRequest) => Promise<Stream>
  /** Asks again until it holds; `undefined` when it does not in time. */
  until: <Value>(
    ask: () => Promise<Value | undefined>,
    withinMs?: number,
  ) => Promise<Value | undefined>
  shapes: Shapes
  litter: Litter
  projectId: string
  /** Stands in each title and name that is made here. */
  mark: string
  /** How long an agent may take for a short answer. */
  patienceMs: number
  /** What only somebody who knows the organization can name. */
  pullRequest: {repo: string; prNumber: number} | undefined
  folderId: string | undefined
  /** Who may be named as an author, if somebody is known. */
  authorId: () => Promise<string | undefined>
  /** A thread that has answered once, and rests. */
  resting: () => Promise<string>
  /** A thread whose agent is at work right now. */
  busy: () => Promise<string>
  create: (fields?: Fields) => Promise<Fields>
  transcript: (id: string) => Promise<Fields[]>
  statusOf: (id: string) => Promise<string>
  /** Waits for it. @throws {Untried} when it does not come. */
  rest: (id: string) => Promise<void>
  newId: () => string
  /** How long a silent stream may be silent. */
  heartbeatWithinMs: number
}

export const QUICK =
  'This is a quick check of your API by a program: answer with the one word ready, and do nothing else.'
/** Whatever an agent makes of it, it takes a while; it is stopped anyhow. */
const LONG =
  'This is a check of your API by a program that will stop you. Do one long thing: count to 200, ten numbers at a time, run `sleep 5` between them, and write down the last number.'

interface ProbeOptions {
  asking: Asking
  signal: AbortSignal
  shapes: Shapes
  litter: Litter
  projectId: string
  mark: string
  patienceMs: number
  pullRequest: Probe['pullRequest']
  folderId: string | undefined
  heartbeatWithinMs: number
}

export function createProbe(options: ProbeOptions): Probe {
  const {asking, signal, shapes, litter, projectId, mark, patienceMs} = options
  const {ask} = asking
  const newId = (): string => `check-platform-${randomUUID()}`
  const get: Probe['get'] = async (path, query) => goodOf(await ask('GET', path, query && {query}))
  /** Threads of which something was wanted after their creation. */
  const touched = new Set<string>()
  const post: Probe['post'] = async (path, body) => {
    const [, , id] = path.split('/')
    if (id !== undefined) touched.add(decodeURIComponent(id))
    return goodOf(await ask('POST', path, body === undefined ? {} : {body}))
  }

  const until: Probe['until'] = async (look, withinMs = patienceMs) => {
    const endMs = Date.now() + withinMs
    for (let waitMs = 50; ; waitMs = Math.min(2000, waitMs * 1.5)) {
      const value = await look()
      if (value !== undefined || Date.now() > endMs) return value
      await pause(Math.min(waitMs, Math.max(1, endMs - Date.now())), signal)
      signal.throwIfAborted()
    }
  }

  const create: Probe['create'] = async (fields = {}) => {
    const thread = await post('/threads', {
      ...{requestId: newId(), projectId, message: QUICK, title: mark},
      ...fields,
    })
    const {id} = thread
    litter.thread(id)
    shapes.look('thread', thread)
    expect('a thread with an id', typeof id === 'string' && id !== '', thread)
    return thread
  }
  const statusOf: Probe['statusOf'] = async (id) => {
    const thread = await get(pathOf('threads', id))
    shapes.look('thread', thread)
    expect('a status', typeof thread['status'] === 'string', thread)
    return thread['status']
  }
  const rest: Probe['rest'] = async (id) => {
    const isAtRest = async (): Promise<true | undefined> =>
      isWorking(await orUntried('the thread could not be read', () => statusOf(id)))
        ? undefined
        : true
    if ((await until(isAtRest)) === undefined) {
      throw new Untried(`the agent did not come to rest in ${patienceMs / 1000} s (--patience)`)
    }
  }
  const transcript: Probe['transcript'] = async (id) => {
    const path = pathOf('threads', id, 'messages')
    const entries: Fields[] = []
    for (let after: string | undefined, pages = 0; pages < MOST_PAGES; pages += 1) {
      const {items, cursor} = await get(path, {after})
      for (const item of Array.isArray(items) ? items.filter(isRecord) : []) entries.push(item)
      if (typeof cursor !== 'string' || cursor === after) break
      after = cursor
    }
    for (const entry of entries) shapes.look('message', entry)
    return entries
  }

  const resting = once(async () => {
    const {id} = await create()
    await rest(String(id))
    return String(id)
  })
  const longWork = once(async () => String((await create({message: LONG}))['id']))
  const busy = async (): Promise<string> => {
    const id = await longWork()
    if (!touched.delete(id) && isWorking(await statusOf(id))) return id
    // Somebody has said something else there since, or it is through.
    await ask('POST', pathOf('threads', id, 'message'), {body: {text: LONG, delivery: 'interrupt'}})
    const isAtWork = await until(async () => (isWorking(await statusOf(id)) ? true : undefined))
    if (isAtWork === undefined) throw new Untried('the agent did not begin to work')
    return id
  }
  const authorId = once(async () => {
    const {items} = await get('/users')
    const [first] = Array.isArray(items) ? items.filter(isRecord) : []
    return typeof first?.['id'] === 'string' ? first['id'] : undefined
  })

  return {
    ...options,
    ...{ask, get, post, until, create, statusOf, rest, transcript, newId},
    stream: (path, request = {}) =>
      asking.patiently(
        () => openStream(asking, path, request, signal),
        ({refusal}) => refusal,
      ),
    resting: () => orUntried('no thread came to rest', resting),
    busy: () => orUntried('no thread could be set to work', busy),
    authorId: () => authorId().catch(() => undefined),
  }
}

const MOST_PAGES = 20

/** The same promise for all who ask. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => (made ??= make())
}

/** What a rule needs and is not about: where that fails, another rule says so. */
async function orUntried<Value>(why: string, make: () => Promise<Value>): Promise<Value> {
  try {
    return await make()
  } catch (error) {
    if (error instanceof Error && (error.name === 'Broken' || error.name === 'Untried')) {
      throw new Untried(`${why}: ${error.message}`)
    }
    throw error
  }
}

/** The stream of an answer that had to open. */
export function openedOf(stream: Stream): Stream {
  const {refusal} = stream
  expect('a stream of events', refusal === undefined, refusal && tell(refusal))
  return stream
}

/** The items of a list. */
export function itemsOf({items}: Fields): Fields[] {
  expect('a list of items', Array.isArray(items), items)
  return items.filter(isRecord)
}
