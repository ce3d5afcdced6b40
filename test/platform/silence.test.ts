import {afterEach, describe, expect, test, vi} from 'vitest'
import {createPlatformClient} from '../../src/platform/client.ts'
import {follow} from '../../src/platform/stream/reconnecting.ts'
import type {Transport} from '../../src/platform/transport.ts'
import {apiKey} from './http-server.ts'

const status = (word: string) =>
  `event: status\ndata: ${JSON.stringify({threadId: 't', status: word})}\n\n`

describe('silence', () => {
  afterEach(() => void vi.useRealTimers())

  /** Chunks that the test hands over one by one; a connection that is aborted breaks off. */
  function wire() {
    const chunks = [] as {bytes: Uint8Array; taken: PromiseWithResolvers<undefined>}[]
    let wake = Promise.withResolvers<undefined>()
    let connections = 0
    async function* read(signal: AbortSignal): AsyncGenerator<Uint8Array> {
      for (;;) {
        signal.throwIfAborted()
        const chunk = chunks.shift()
        if (chunk !== undefined) {
          chunk.taken.resolve(undefined)
          yield chunk.bytes
          continue
        }
        const aborted = new Promise<never>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')), {once: true})
        })
        await Promise.race([wake.promise, aborted])
        wake = Promise.withResolvers()
      }
    }
    const transport: Transport = {
      json: async () => undefined,
      events: async ({signal}) => {
        connections += 1
        const cut = new AbortController()
        signal.addEventListener('abort', () => cut.abort())
        return Object.assign(read(cut.signal), {close: () => cut.abort()})
      },
      [Symbol.asyncDispose]: async () => undefined,
    }
    const push = (text: string): Promise<undefined> => {
      const taken = Promise.withResolvers<undefined>()
      chunks.push({bytes: Buffer.from(text), taken})
      wake.resolve(undefined)
      return taken.promise
    }
    return {transport, push, connections: () => connections}
  }

  function listen(transport: Transport, stop: AbortSignal) {
    return follow({
      transport,
      client: createPlatformClient({transport, apiKey}),
      apiKey,
      threadId: 't',
      after: undefined,
      signal: stop,
      silenceMs: 35_000,
      wait: async () => undefined,
    })
  }

  test('of 35 s is a dead connection, and any byte breaks it', async () => {
    vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']})
    const {transport, push, connections} = wire()
    const stop = new AbortController()
    const frames = listen(transport, stop.signal)
    await frames.next()
    const next = frames.next()
    for (const text of [':', 'x', '\n']) {
      await vi.advanceTimersByTimeAsync(34_000)
      await push(text)
    }
    await vi.advanceTimersByTimeAsync(34_000)
    expect(connections()).toBe(1)
    await vi.advanceTimersByTimeAsync(1001)
    expect((await next).value).toEqual({type: 'broken'})
    expect((await frames.next()).value).toEqual({type: 'connected'})
    expect(connections()).toBe(2)
    stop.abort()
    await frames.return()
  })

  test('does not count while the reader of the frames takes its time', async () => {
    vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']})
    const {transport, push, connections} = wire()
    const stop = new AbortController()
    const frames = listen(transport, stop.signal)
    await frames.next()
    void push(status('active'))
    expect((await frames.next()).value).toEqual({type: 'status', status: 'active'})
    await vi.advanceTimersByTimeAsync(120_000)
    void push(status('idle'))
    expect((await frames.next()).value).toEqual({type: 'status', status: 'idle'})
    expect(connections()).toBe(1)
    stop.abort()
    await frames.return()
  })
})
