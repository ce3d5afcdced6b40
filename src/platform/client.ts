import {setTimeout as delay} from 'node:timers/promises'
import {z} from 'zod'
import type {Secret} from '../security/secret.ts'
import {backoffMs} from './waiting.ts'
import {PlatformRateLimited, PlatformUnreachable} from './errors.ts'
import {
  type CancelOutcome,
  type Delivery,
  type Entry,
  type ModelSelection,
  type OrganizationUser,
  type Page,
  type Project,
  type Receipt,
  type SendNowOutcome,
  type Thread,
  cancelOutcomeSchema,
  entrySchema,
  organizationUserSchema,
  pageSchema,
  projectSchema,
  receiptSchema,
  sendNowOutcomeSchema,
  threadSchema,
} from './model.ts'
import type {Transport} from './transport.ts'

/** Section 4.1, `POST /threads`. */
interface NewThread {
  /** 1 to 191 characters; a repeated one returns the original thread. */
  requestId: string
  projectId: string
  message: string
  title?: string
  model?: ModelSelection
  machineSize?: string
  authorId?: string
}

interface NewMessage {
  text: string
  delivery: Delivery
  model?: ModelSelection
}

interface ThreadFilter {
  projectId?: string
  status?: string
  limit?: number
  cursor?: string
}

/**
 * The platform's API for one key. Every call throws a `PlatformError`, has a deadline, and ends when
 * the signal does. Reads, and creations with a `requestId`, are repeated when the platform cannot be
 * reached; nothing else ever is: a message sent twice is a message read twice (section 4.1).
 */
export interface PlatformClient {
  createThread(thread: NewThread, signal: AbortSignal): Promise<Thread>
  listThreads(filter: ThreadFilter, signal: AbortSignal): Promise<Page<Thread>>
  getThread(threadId: string, signal: AbortSignal): Promise<Thread>
  sendMessage(threadId: string, message: NewMessage, signal: AbortSignal): Promise<Receipt>
  /** Pages through the transcript behind `after` (everything without it), in order. */
  listMessages(
    threadId: string,
    after: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<Entry>
  cancelMessage(threadId: string, eventId: string, signal: AbortSignal): Promise<CancelOutcome>
  sendNow(threadId: string, eventId: string, signal: AbortSignal): Promise<SendNowOutcome>
  interrupt(threadId: string, signal: AbortSignal): Promise<void>
  archive(threadId: string, signal: AbortSignal): Promise<Thread>
  unarchive(threadId: string, signal: AbortSignal): Promise<Thread>
  listProjects(signal: AbortSignal): Promise<Project[]>
  getProject(projectId: string, signal: AbortSignal): Promise<Project>
  listUsers(signal: AbortSignal): Promise<OrganizationUser[]>
}

interface PlatformClientOptions {
  transport: Transport
  apiKey: Secret
  timeoutMs?: number
  /** How often a call that may be repeated is asked again. */
  retries?: number
}

interface Call<Schema extends z.ZodType> {
  method: 'GET' | 'POST'
  path: string
  answer: Schema
  signal: AbortSignal
  query?: Readonly<Record<string, string | number | undefined>>
  body?: unknown
  /** True where section 8 or common sense makes a second request harmless. */
  mayRepeat: boolean
}

export function createPlatformClient({
  transport,
  apiKey,
  timeoutMs = 15_000,
  retries = 2,
}: PlatformClientOptions): PlatformClient {
  const once = async <Schema extends z.ZodType>(call: Call<Schema>): Promise<z.output<Schema>> => {
    const {method, path, query, body, signal, answer} = call
    const value = await transport.json({
      method,
      path: path + toQuery(query),
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
      `${method} ${path} was answered without a usable "${where}"`,
      true,
    )
  }

  const call = async <Schema extends z.ZodType>(ask: Call<Schema>): Promise<z.output<Schema>> => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await once(ask)
      } catch (error) {
        const waitMs = ask.mayRepeat && attempt < retries ? retryDelayMs(error, attempt) : undefined
        if (waitMs === undefined) throw error
        await delay(waitMs, undefined, {signal: ask.signal})
      }
    }
  }

  const read = <Schema extends z.ZodType>(
    path: string,
    answer: Schema,
    signal: AbortSignal,
    query?: Call<Schema>['query'],
  ) => call({method: 'GET', path, answer, signal, mayRepeat: true, ...(query && {query})})

  const act = <Schema extends z.ZodType>(
    path: string,
    answer: Schema,
    signal: AbortSignal,
    body?: unknown,
    mayRepeat = false,
  ) => call({method: 'POST', path, answer, signal, body, mayRepeat})

  async function* listMessages(threadId: string, after: string | undefined, signal: AbortSignal) {
    let cursor = after ?? null
    do {
      const query = {after: cursor ?? undefined}
      const page = await read(
        `${thread(threadId)}/messages`,
        pageSchema(entrySchema),
        signal,
        query,
      )
      yield* page.items
      // A server that repeats the cursor would page for ever.
      cursor = page.cursor === cursor ? null : page.cursor
    } while (cursor !== null)
  }

  return {
    createThread: (body, signal) => act('/threads', threadSchema, signal, body, true),
    listThreads: (filter, signal) =>
      read('/threads', pageSchema(threadSchema), signal, {...filter}),
    getThread: (id, signal) => read(thread(id), threadSchema, signal),
    sendMessage: (id, body, signal) => act(`${thread(id)}/message`, receiptSchema, signal, body),
    listMessages,
    cancelMessage: (id, event, signal) =>
      act(`${message(id, event)}/cancel`, cancelOutcomeSchema, signal),
    sendNow: (id, event, signal) =>
      act(`${message(id, event)}/send-now`, sendNowOutcomeSchema, signal),
    // The answer's shape is not documented; it may be empty.
    interrupt: (id, signal) =>
      act(`${thread(id)}/interrupt`, anything, signal).then(() => undefined),
    archive: (id, signal) => act(`${thread(id)}/archive`, threadSchema, signal),
    unarchive: (id, signal) => act(`${thread(id)}/unarchive`, threadSchema, signal),
    listProjects: (signal) =>
      read('/projects', pageSchema(projectSchema), signal).then(({items}) => items),
    getProject: (id, signal) => read(`/projects/${encodeURIComponent(id)}`, projectSchema, signal),
    listUsers: (signal) =>
      read('/users', pageSchema(organizationUserSchema), signal).then(({items}) => items),
  }
}

/** How long to wait before asking again; `undefined`: let the error surface. */
function retryDelayMs(error: unknown, attempt: number): number | undefined {
  if (error instanceof PlatformRateLimited) {
    return error.retryAfterMs <= 10_000 ? error.retryAfterMs : undefined
  }
  if (error instanceof PlatformUnreachable) return backoffMs(attempt, {baseMs: 250, maxMs: 4000})
  return undefined
}

function thread(id: string): string {
  return `/threads/${encodeURIComponent(id)}`
}

function message(threadId: string, eventId: string): string {
  return `${thread(threadId)}/messages/${encodeURIComponent(eventId)}`
}

function toQuery(query: Call<z.ZodType>['query']): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`
}

const anything = z.unknown()
