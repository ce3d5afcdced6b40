import {setTimeout as delay} from 'node:timers/promises'
import {afterAll, onTestFinished} from 'vitest'
import type {PlatformOptions} from '../../../local/platform/options.ts'
import {startPlatform, type Platform} from '../../../local/platform/server.ts'
import {createPlatformClient, type PlatformClient} from '../../../src/platform/client.ts'
import type {Frame} from '../../../src/platform/stream/frame.ts'
import type {Delivery, Entry, Thread} from '../../../src/platform/model.ts'
import {createTransport, type Transport} from '../../../src/platform/transport.ts'
import {Secret} from '../../../src/security/secret.ts'
import {clientOf, keyOf, type Client, type KeyName} from '../../local/platform/client.ts'
import {startFollowing, type Followed, type Following, type FollowOptions} from './following.ts'

/** The embedded platform, met as the bot meets it: over HTTP, through the real client. */
export interface Contract extends AsyncDisposable {
  readonly platform: Platform
  readonly transport: Transport
  /** Ends with the contract. */
  readonly signal: AbortSignal
  /** The real client, with this key. */
  client(key?: KeyName, options?: {pageSize?: number}): PlatformClient
  /** For what the real client would never send. */
  raw(key?: KeyName): Client
  /** The key itself. */
  key(name: KeyName): string
  /** A new thread of the human key, which begins to work on this. */
  begin(message: string): Promise<Thread>
  /** Sends a message with the human key, to wait for current work unless said otherwise. */
  say(
    threadId: string,
    text: string,
    delivery?: Delivery,
  ): ReturnType<PlatformClient['sendMessage']>
  /** Reads a stream through the real client, with the human key. */
  follow(followed: Followed, options?: FollowOptions): Following
  /** Begins, and answers all frames from there to the end of the run: its agent waits for the reader. */
  beginAndFinish(message: string): Promise<{begun: Thread; frames: readonly Frame[]}>
  /** Follows the run in progress, if there is one, and answers all frames of that stream. */
  finish(threadId: string): Promise<readonly Frame[]>
  /** The transcript, as the real client pages through it. */
  transcript(threadId: string): Promise<Entry[]>
}

export async function startContract(settings: PlatformOptions = {}): Promise<Contract> {
  await using opened = new AsyncDisposableStack()
  const platform = opened.use(await startPlatform({pace: 0.01, ...settings}))
  const transport = opened.use(createTransport(platform.baseUrl))
  const controller = new AbortController()
  opened.defer(() => controller.abort())
  const resources = opened.move()
  const {signal} = controller
  const key: Contract['key'] = (name) => keyOf(platform, name)
  const client: Contract['client'] = (name = 'human', options = {}) =>
    createPlatformClient({transport, apiKey: new Secret(key(name)), ...options})
  const human = client()
  const apiKey = new Secret(platform.keys.human)
  const follow: Contract['follow'] = (followed, options) =>
    startFollowing({followed, transport, client: human, apiKey}, options)
  let begun = 0
  const begin: Contract['begin'] = (message) => {
    const requestId = `begun-${++begun}`
    return human.createThread({requestId, projectId: 'project_web', message}, signal)
  }
  return {
    platform,
    transport,
    signal,
    client,
    raw: (name) => clientOf(platform, name),
    key,
    begin,
    say: (threadId, text, delivery = 'queue') =>
      human.sendMessage(threadId, {text, delivery}, signal),
    follow,
    beginAndFinish: async (message) => {
      using held = platform.control.hold()
      const thread = await begin(message)
      await using run = follow({threadId: thread.id}, {until: 'run'})
      await run.until('the first frames', (frames) => frames.some(({type}) => type === 'status'))
      held[Symbol.dispose]()
      return {begun: thread, frames: await run.ended()}
    },
    finish: async (threadId) => {
      await using run = follow({threadId}, {until: 'run'})
      return await run.ended()
    },
    transcript: (threadId) => all(human.listMessages(threadId, undefined, signal)),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** One contract for all the tests of a file, which ends with them. */
export async function sharedContract(settings?: PlatformOptions): Promise<Contract> {
  const contract = await startContract(settings)
  afterAll(() => contract[Symbol.asyncDispose]())
  return contract
}

/** A contract that ends with the test. */
export async function openContract(settings?: PlatformOptions): Promise<Contract> {
  const contract = await startContract(settings)
  onTestFinished(() => contract[Symbol.asyncDispose]())
  return contract
}

/** What an asynchronous iteration yields, all of it. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  return Array.fromAsync(items)
}

/** Asks again until the answer satisfies; fails, with the last answer, at the deadline. */
export async function eventually<Answer>(
  what: string,
  ask: () => Promise<Answer>,
  isEnough: (answer: Answer) => boolean,
  withinMs = 30_000,
): Promise<Answer> {
  const endMs = Date.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (isEnough(answer)) return answer
    if (Date.now() > endMs) {
      throw new Error(`Not within ${withinMs} ms: ${what}\n${JSON.stringify(answer, null, 1)}`)
    }
    await delay(10)
  }
}
