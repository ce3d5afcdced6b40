import {later, refuse} from '../../http/refusals.ts'
import {Secret} from '../../security/secret.ts'
import type {AgentPostOutcome} from './agent-posts.ts'
import type {FormAsk, FormPosts} from './form-posts.ts'
import {BrokenForm, type Part, readForm} from './multipart.ts'
import {holdsDeclared, readDeclared} from './post-body.ts'

/** What the head of a request says. */
export interface Head {
  token: string
  key: string | undefined
}

/** The field in front of the files. */
const POST = 'post'
const LIMITS = {maxFieldBytes: 100_000, maxParts: 25}
const POST_WITHIN_MS = 10_000
const TOO_SLOW = 'What the form declares has to arrive within 10 s.'
/** Of the largest files, on the slowest way. */
const WITHIN_MS = 900_000
const BUSY_MS = 5000
/** A form that is refused before all of it was read ends its connection. */
const CLOSING = {connection: 'close'}
/** Forms of which nobody knows yet whose they are. */
const MAX_UNKNOWN = 64

/** Takes posts whose files come behind them, and answers. */
type AnswerForm = (request: Request, head: Head) => Promise<Response>

interface FormEndpointOptions {
  accept: FormPosts
  /** Of one file. */
  maxBytes: number
  answer: (said: AgentPostOutcome) => Response
}

export function createFormEndpoint({accept, maxBytes, answer}: FormEndpointOptions): AnswerForm {
  let unknown = 0

  /** In words, what is wrong with it. */
  const read = async (parts: AsyncGenerator<Part>, head: Head): Promise<FormAsk | Response> => {
    unknown += 1
    try {
      const first = await soon(parts.next())
      if (first === undefined) return refuse(408, 'too_slow', TOO_SLOW, CLOSING)
      const ask = readFirst(first, head, maxBytes)
      return typeof ask === 'string' ? refuseForm(ask) : {...ask, bodies: bodiesOf(parts)}
    } finally {
      unknown -= 1
    }
  }

  return async (request, head) => {
    if (unknown >= MAX_UNKNOWN) return later(503, 'busy', BUSY_MS)
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
      throw error
    } finally {
      // Whatever is still on its way is not read.
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
  if (holdsDeclared(declared, token))
    return 'The form holds the token: nobody may read that in Slack.'
  return {...declared, token: new Secret(token), key}
}

async function* bodiesOf(parts: AsyncGenerator<Part>): AsyncGenerator<AsyncIterable<Uint8Array>> {
  for await (const part of parts) {
    if (part.kind === 'field') throw new BrokenForm(`Behind ${POST} come files alone.`)
    yield part.body as AsyncIterable<Uint8Array>
  }
}

/** `undefined`: it did not come in time. */
async function soon<Value>(value: Promise<Value>): Promise<Value | undefined> {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), POST_WITHIN_MS)
  value.catch(() => undefined) // nobody may wait for it any more
  try {
    return await Promise.race([value, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

function refuseForm(message: string): Response {
  return refuse(400, 'invalid_form', message, CLOSING)
}
