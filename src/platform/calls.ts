import {z} from 'zod'
import type {Secret} from '../security/secret.ts'
import {PlatformNotFound, PlatformRefused, PlatformUnreachable} from './errors.ts'
import {pageSchema} from './model.ts'
import {repeat} from './retry.ts'
import type {Transport} from './transport.ts'

/** The segments of a path below `/api/v1`; ids among them stand as they are (they are opaque). */
type Segments = readonly string[]

/** What of a query is set. */
type Query = Readonly<Record<string, string | number | undefined>>

export interface CallOptions {
  transport: Transport
  apiKey: Secret
  timeoutMs?: number
  /** How often a call that may be repeated is asked again. */
  retries?: number
  /** How many items a page of threads, entries or tasks holds; the platform decides without it. */
  pageSize?: number
}

/** The ways to ask the platform. Each throws a `PlatformError`, has a deadline, and ends when the signal does. */
export interface Calls {
  call: <Schema extends z.ZodType>(call: Call<Schema>) => Promise<z.output<Schema>>
  /** Changes nothing, and is repeated. */
  read: <Schema extends z.ZodType>(
    path: Segments,
    answer: Schema,
    signal: AbortSignal,
    query?: Query,
  ) => Promise<z.output<Schema>>
  /** Goes out exactly once. */
  act: <Schema extends z.ZodType>(
    path: Segments,
    answer: Schema,
    signal: AbortSignal,
    body?: unknown,
  ) => Promise<z.output<Schema>>
  /** Is repeated: its body bears the key under which the platform does it only once. */
  create: <Schema extends z.ZodType>(
    path: Segments,
    answer: Schema,
    signal: AbortSignal,
    body: {requestId: string},
  ) => Promise<z.output<Schema>>
  /** Every item of a list, page after page. */
  pages: <Item extends z.ZodType>(list: List<Item>, signal: AbortSignal) => Items<z.output<Item>>
  pageSize: number | undefined
}

type Items<Item> = AsyncGenerator<Item, void, undefined>

interface Call<Schema extends z.ZodType> {
  method: 'GET' | 'POST' | 'DELETE'
  path: Segments
  answer: Schema
  signal: AbortSignal
  query?: Query
  body?: unknown
  /** True where section 8 or common sense makes a second request harmless. */
  mayRepeat: boolean
}

interface List<Item extends z.ZodType> extends Paging {
  path: Segments
  item: Item
  /** The parameter that takes the cursor, which comes back unchanged (section 4.1 rule 4). */
  cursorName: 'after' | 'cursor'
  query?: Query
}

/** How far a list is read. */
export interface Paging {
  /** The cursor to start behind. */
  from?: string | undefined
  /** So many pages at most; all without it. */
  maxPages?: number | undefined
  onPage?: OnPage | undefined
}

/** Told of each page before its items come: what leads behind it, if there is more. */
type OnPage = (cursor: string | null) => void

/** A list may be filtered page by page; so many in a row without an item are its end. */
const MOST_EMPTY = 50
/** No list that anybody reads is longer: whoever gives ever more of it is not read for ever. */
const MOST_PAGES = 10_000

export function createCalls(options: CallOptions): Calls {
  const {retries = 2, pageSize} = options

  const call: Calls['call'] = (ask) =>
    repeat(() => askOnce(options, ask), ask.mayRepeat ? retries : 0, ask.signal)

  const read: Calls['read'] = (path, answer, signal, query = {}) =>
    call({method: 'GET', path, answer, signal, query, mayRepeat: true})

  /** The least that this platform takes for too many on a page: which that is, section 8 does not say. */
  let tooMany = Infinity

  /** A page that is refused for its size is asked for in the size that the platform likes. */
  const readPage = async <Page extends z.ZodType>(
    path: Segments,
    page: Page,
    signal: AbortSignal,
    query: Query,
  ): Promise<z.output<Page>> => {
    const limit = Number(query['limit'] ?? tooMany)
    const bare = {...query, limit: undefined}
    if (limit >= tooMany) return read(path, page, signal, bare)
    try {
      return await read(path, page, signal, query)
    } catch (error) {
      if (!(error instanceof PlatformRefused) || error.status !== 400) throw error
      // It may be the cursor, or a status of the other vocabulary.
      const found = await read(path, page, signal, bare)
      tooMany = limit
      return found
    }
  }

  async function* pages<Item extends z.ZodType>(
    {path, item, cursorName, from, query, maxPages = MOST_PAGES, onPage}: List<Item>,
    signal: AbortSignal,
  ): Items<z.output<Item>> {
    const seen = new Set([from])
    let empty = 0
    let cursor = from
    for (let count = 0; count < maxPages; count += 1) {
      const asked = {...query, [cursorName]: cursor}
      const page = await readPage(path, pageSchema(item), signal, asked)
      onPage?.(page.cursor)
      yield* page.items
      // An empty cursor leads back to the start, and one that was here before leads in a circle.
      if (page.cursor === null || page.cursor === '' || seen.has(page.cursor)) return
      // Some say from where to ask another time.
      empty = page.items.length === 0 ? empty + 1 : 0
      if (empty === MOST_EMPTY) return
      cursor = page.cursor
      seen.add(cursor)
    }
  }

  return {
    call,
    read,
    act: (path, answer, signal, body) =>
      call({method: 'POST', path, answer, signal, body, mayRepeat: false}),
    create: (path, answer, signal, body) =>
      call({method: 'POST', path, answer, signal, body, mayRepeat: true}),
    pages,
    pageSize,
  }
}

async function askOnce<Schema extends z.ZodType>(
  {transport, apiKey, timeoutMs = 15_000}: CallOptions,
  {method, path, query, body, answer, signal}: Call<Schema>,
): Promise<z.output<Schema>> {
  const value = await transport.json({
    method,
    path: toPath(path, query),
    apiKey,
    body,
    isAnswerFree: answer instanceof z.ZodUnknown,
    signal,
    timeoutMs,
  })
  const parsed = answer.safeParse(value)
  if (parsed.success) return parsed.data
  const where = parsed.error.issues[0]?.path.join('.') ?? ''
  throw new PlatformUnreachable(
    `${method} ${toPath(path)} was answered without a usable ${where || 'body'}`,
    true,
  )
}

/**
 * The path of a request, each segment encoded.
 *
 * @throws {PlatformNotFound} for an id that no path can hold: it would name another resource.
 */
export function toPath(segments: Segments, query: Query = {}): string {
  const path = segments.map((segment) => `/${encodeSegment(segment)}`).join('')
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`
}

function encodeSegment(segment: string): string {
  if (/^\.{0,2}$/.test(segment)) throw new PlatformNotFound(`"${segment}" can be no id`)
  return encodeURIComponent(segment.toWellFormed())
}
