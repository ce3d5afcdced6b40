import {later, refuse} from '../../http/refusals.ts'
import {Secret} from '../../security/secret.ts'
import type {AgentPostOutcome} from './agent-posts.ts'
import type {FormAsk, FormPosts} from './form-posts.ts'
import {BrokenForm, type Part, readForm} from './multipart.ts'
import {readDeclared} from './post-body.ts'

/** What the head of a request says. */
export interface Head {
  token: string
  key: string | undefined
}

/** The field in front of the files. */
const POST = 'post'
const LIMITS = {maxFieldBytes: 100_000, maxParts: 25}
const POST_WITHIN_MS = 10_000
/** Of what comes behind it, some. */
const IDLE_MS = 30_000
/** Of the largest files, on the slowest way. */
const WITHIN_MS = 900_000
const BUSY_MS = 5000
/** Forms of which nobody knows yet whose they are. What comes late makes room: a form says soon whose it is. */
const MAX_UNKNOWN = 64

/** Takes posts whose files come behind them, and answers. */
type AnswerForm = (request: Request, head: Head) => Promise<Response>

interface FormEndpointOptions {
  accept: FormPosts
  /** Of one file. */
  maxBytes: number
  answer: (said: AgentPostOutcome) => Response
  /** How long nothing may come behind the first field. */
  idleMs?: number
}

/** What has to come next did not come in time. */
class TooSlow extends Error {
  override name = 'TooSlow' as const
}

/** Somebody else needs its room. */
class MadeRoom extends Error {
  override name = 'MadeRoom' as const
}

export function createFormEndpoint(options: FormEndpointOptions): AnswerForm {
  const {accept, maxBytes, answer, idleMs = IDLE_MS} = options
  /** Each ends one of those that are unknown; the oldest is first. */
  const unknown = new Set<() => void>()

  /** In words, what is wrong with it. */
  const read = async (parts: AsyncGenerator<Part>, head: Head): Promise<FormAsk | Response> => {
    const {promise: isFull, reject} = Promise.withResolvers<never>()
    const makeRoom = (): void => reject(new MadeRoom('There are too many forms'))
    const [oldest] = unknown
    if (oldest !== undefined && unknown.size >= MAX_UNKNOWN) {
      unknown.delete(oldest)
      oldest()
    }
    unknown.add(makeRoom)
    try {
      const first = await Promise.race([within(POST_WITHIN_MS, parts.next()), isFull])
      const ask = readFirst(first, head, maxBytes)
      return typeof ask === 'string' ? refuseForm(ask) : {...ask, bodies: bodiesOf(parts, idleMs)}
    } finally {
      unknown.delete(makeRoom)
    }
  }

  return async (request, head) => {
    const stop = new AbortController()
    const late = AbortSignal.timeout(WITHIN_MS)
    const signal = AbortSignal.any([request.signal, stop.signal, late])
    try {
      const ask = await read(readForm(request, LIMITS, signal), head)
      if (ask instanceof Response) return ask
      const said = await accept(ask, signal)
      return said.outcome === 'wrong' ? refuseForm(said.message) : answer(said)
    } catch (error) {
      if (error instanceof BrokenForm) return refuseForm(error.message)
      if (error instanceof TooSlow) return refuse(408, 'too_slow', error.message)
      if (error instanceof MadeRoom) return later(503, 'busy', BUSY_MS)
      throw error
    } finally {
      // Whatever is still on its way is not looked at.
      stop.abort()
    }
  }
}

function readFirst(
  {value, done}: IteratorResult<Part, void>,
  {token, key}: Head,
  maxBytes: number,
): Omit<FormAsk, 'bodies'> | string {
  if (done === true || value.kind !== 'field' || value.name !== POST) {
    return `The form begins with a field ${POST}: JSON that declares the files behind it.`
  }
  const declared = readDeclared(value.value)
  if (typeof declared === 'string') return declared
  const large = declared.files.find(({size}) => size > maxBytes)
  if (large !== undefined) return `${large.name} is over ${Math.floor(maxBytes / 1e6)} MB.`
  return {...declared, token: new Secret(token), key}
}

async function* bodiesOf(
  parts: AsyncGenerator<Part>,
  idleMs: number,
): AsyncGenerator<AsyncIterable<Uint8Array>> {
  for await (const part of unlessIdle(parts, idleMs)) {
    if (part.kind === 'field') throw new BrokenForm(`Behind ${POST} come files alone.`)
    yield unlessIdle(part.body as AsyncIterable<Uint8Array>, idleMs)
  }
}

/** @throws {TooSlow} while somebody waits for what comes next. */
async function* unlessIdle<Item>(
  source: AsyncIterable<Item>,
  idleMs: number,
): AsyncGenerator<Item> {
  const items = source[Symbol.asyncIterator]()
  for (;;) {
    const next = await within(idleMs, items.next())
    if (next.done === true) return
    yield next.value
  }
}

/** @throws {TooSlow} */
async function within<Value>(ms: number, value: Promise<Value>): Promise<Value> {
  const {promise: late, reject} = Promise.withResolvers<never>()
  const tooSlow = new TooSlow(`The next part of the form has to arrive within ${ms / 1000} s.`)
  const timer = setTimeout(() => reject(tooSlow), ms)
  value.catch(() => undefined) // nobody may wait for it any more
  try {
    return await Promise.race([value, late])
  } finally {
    clearTimeout(timer)
  }
}

function refuseForm(message: string): Response {
  return refuse(400, 'invalid_form', message)
}
