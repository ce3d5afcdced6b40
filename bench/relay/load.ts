import {setTimeout as delay} from 'node:timers/promises'
import {createPlatformClient} from '../../src/platform/client.ts'
import {follow} from '../../src/platform/stream/reconnecting.ts'
import {type Transport, createTransport} from '../../src/platform/transport.ts'
import {Secret} from '../../src/security/secret.ts'
import type {Place} from '../../test/support/verdict.ts'
import type {Fragment} from './texts.ts'
import type {Produced} from './waits.ts'
import type {Workspace} from './workspace.ts'

/** What an agent will say in a thread of its own, and when somebody asks for it. */
export interface Reply {
  /** Tells the mention apart. */
  mark: string
  channel: string
  atMs: number
  /** Files that it reads before it writes, one after the other; the name of each occurs nowhere else. */
  files: readonly string[]
  fragments: readonly Fragment[]
}

/** A thread as it went, seen beside the bot. */
export interface Observed {
  place: Place
  threadId: string
  /** As the platform's stream said it: fragments, or the entry where there were none. */
  produced: Produced[]
  /** When it began to read each file. */
  reads: {file: string; atMs: number}[]
}

/** Before the first word of a reply. */
const THINKING_MS = 1000
/** Fifty threads that begin a step every six seconds are what ten status lines a second are enough for. */
const READING_MS = 6000
const THREAD_WITHIN_MS = 60_000
/** Then a reply is not coming any more. */
const REPLY_WITHIN_MS = 180_000

/** An entry behind the last fragment settles the reply; without fragments it comes complete. */
export async function planReply(
  workspace: Workspace,
  {mark, files, fragments}: Reply,
): Promise<void> {
  const callId = `call-${mark}`
  const text = fragments.map((fragment) => fragment.text).join('')
  const live = fragments.length > 1 ? fragments : []
  await workspace.plan(mark, [
    {kind: 'think', delayMs: THINKING_MS},
    ...files.map((file) => ({
      kind: 'tool',
      name: 'read',
      text: `Read ${file}`,
      delayMs: READING_MS,
    })),
    ...live.map((fragment) => ({kind: 'assistant', callId, ...fragment})),
    {kind: 'entry', entry: {source: 'assistant', text, callId}},
  ])
}

/** Somebody asks for it, at its time. */
export async function askFor(workspace: Workspace, {mark, channel, atMs}: Reply): Promise<Place> {
  await delay(atMs)
  return workspace.say(channel, `@Bosun please write ${mark}`)
}

/** The same for all of these; resolves when everything was said. */
export async function runLoad(
  workspace: Workspace,
  replies: readonly Reply[],
): Promise<Observed[]> {
  await using transport = createTransport(workspace.platformUrl)
  const findThread = createThreadFinder(workspace)
  const run = async (reply: Reply): Promise<Observed> => {
    const place = await askFor(workspace, reply)
    const threadId = await findThread(`slack:${workspace.teamId}:${place.channel}:${place.ts}`)
    return {place, threadId, ...(await listen(workspace, transport, threadId, reply.files))}
  }
  return await Promise.all(replies.map(run))
}

/** One question for all who wait: the platform has other things to do. */
function createThreadFinder(workspace: Workspace): (requestId: string) => Promise<string> {
  let asking: Promise<ReadonlyMap<string | null, string>> | undefined
  const list = async (): Promise<ReadonlyMap<string | null, string>> => {
    const threads = await workspace.threads()
    asking = undefined
    return new Map(threads.map(({id, requestId}) => [requestId, id]))
  }
  return async (requestId) => {
    const endMs = Date.now() + THREAD_WITHIN_MS
    while (Date.now() < endMs) {
      const found = (await (asking ??= list())).get(requestId)
      if (found !== undefined) return found
      await delay(50)
    }
    throw new Error(`No thread was created for ${requestId} within ${THREAD_WITHIN_MS} ms.`)
  }
}

async function listen(
  {platformKey}: Workspace,
  transport: Transport,
  threadId: string,
  files: readonly string[],
): Promise<Pick<Observed, 'produced' | 'reads'>> {
  const apiKey = new Secret(platformKey)
  const client = createPlatformClient({transport, apiKey})
  const ending = new AbortController()
  const produced: Produced[] = []
  const reads: Observed['reads'] = []
  const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(REPLY_WITHIN_MS)])
  for await (const frame of follow({
    transport,
    apiKey,
    client,
    threadId,
    after: undefined,
    signal,
  })) {
    if (frame.type === 'tool_call') {
      const file = files.find((it) => frame.text.includes(it))
      if (file !== undefined) reads.push({file, atMs: Date.now()})
    }
    if (frame.type === 'assistant') produced.push({atMs: Date.now(), text: frame.text})
    if (frame.type !== 'transcript' || frame.entry.source !== 'assistant') continue
    if (produced.length === 0) produced.push({atMs: Date.now(), text: frame.entry.text})
    ending.abort()
    return {produced, reads}
  }
  throw new Error(`The reply in ${threadId} was not over within ${REPLY_WITHIN_MS} ms.`)
}
