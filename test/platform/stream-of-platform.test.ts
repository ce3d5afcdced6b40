import {describe, expect, test} from 'vitest'
import {startPlatform} from '../../local/platform/server.ts'
import {createPlatformClient} from '../../src/platform/client.ts'
import {PlatformNotFound, PlatformUnauthorized} from '../../src/platform/errors.ts'
import type {Frame} from '../../src/platform/stream/frame.ts'
import {follow} from '../../src/platform/stream/reconnecting.ts'
import {createTransport} from '../../src/platform/transport.ts'
import {Secret} from '../../src/security/secret.ts'
import {reasonOf} from './http-server.ts'

describe('against the platform', () => {
  test('a run is followed to its end, and its drafts make up its reply', async () => {
    await using platform = await startPlatform({pace: 0.02})
    await using transport = createTransport(platform.baseUrl)
    const key = new Secret(platform.keys.human)
    const client = createPlatformClient({transport, apiKey: key})
    const {signal} = new AbortController()
    const ask = {requestId: 'r', projectId: 'project_web', message: 'some work on the cart'}
    using held = platform.control.hold()
    const {id: threadId} = await client.createThread(ask, signal)
    const frames: Frame[] = []
    for await (const frame of follow({
      transport,
      apiKey: key,
      client,
      threadId,
      after: undefined,
      until: 'run',
      signal,
    })) {
      frames.push(frame)
      if (frame.type === 'status') held[Symbol.dispose]()
    }
    const entries = frames.flatMap((frame) => (frame.type === 'transcript' ? [frame.entry] : []))
    expect(entries).toEqual(platform.transcript(threadId))
    const drafts = frames.flatMap((frame) => (frame.type === 'assistant' ? [frame.text] : []))
    expect(drafts.join('')).toBe(entries.findLast(({source}) => source === 'assistant')?.text)
  })

  test('an absent thread and a wrong key are told, not retried', async () => {
    await using platform = await startPlatform({pace: 0.02})
    await using transport = createTransport(platform.baseUrl)
    const listen = async (key: Secret) => {
      const client = createPlatformClient({transport, apiKey: key})
      const {signal} = new AbortController()
      const options = {transport, apiKey: key, client, after: undefined, signal}
      for await (const frame of follow({...options, threadId: 'none'})) {
        throw new Error(`It went on with ${frame.type}`)
      }
    }
    expect(await reasonOf(listen(new Secret(platform.keys.human)))).toBeInstanceOf(PlatformNotFound)
    expect(await reasonOf(listen(new Secret('wrong')))).toBeInstanceOf(PlatformUnauthorized)
    expect(platform.ledger).toHaveLength(2)
  })
})
