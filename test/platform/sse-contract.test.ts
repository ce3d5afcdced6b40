import {once} from 'node:events'
import type {ServerResponse} from 'node:http'
import {describe, expect, test} from 'vitest'
import {type BodyEvent, createEventReader} from '../../src/platform/stream/events.ts'
import {follow} from '../../src/platform/stream/reconnecting.ts'
import {apiKey, clientTo, serve, transportTo} from './http-server.ts'
import {cursors, done, entry, outline, row, sse, watch} from './scripted-stream.ts'
import {type BodyCase, bodyCases} from './sse-cases.ts'
import {connectionCases, leftOut} from './sse-connection-cases.ts'

const LARGE_ENOUGH = 64 * 1024 * 1024

test.each(bodyCases)('body: $name', async ({sends, gives}) => {
  expect(await read(sends)).toEqual(gives)
})

test.each(bodyCases)('a stream that begins with it goes on: $name', async ({sends}) => {
  const bytes = Buffer.concat(sends.map((piece) => Buffer.from(piece)))
  const answer = (response: ServerResponse) => {
    // Two blank lines of each kind end whatever block was open.
    response.writeHead(200, {'content-type': 'text/event-stream'}).write(bytes)
    response.end(`\r\n\r\n${row('a')}${done}`)
  }
  const {frames, requests, error} = await watch([answer], {maxFrameChars: LARGE_ENOUGH})
  expect(error).toBeUndefined()
  expect(outline(frames)).toEqual(['connected', 'a', 'done'])
  expect(requests).toHaveLength(1)
})

test.each(connectionCases)('connections: $name', async (it) => {
  const {frames, requests, troubles, waits, error} = await watch(it.answers, {
    after: it.after,
    random: () => 0,
    ...(it.silenceMs !== undefined && {silenceMs: it.silenceMs}),
  })
  const seen = {
    frames: outline(frames),
    requests: requests.length,
    cursors: cursors(requests),
    urls: requests.map(({url}) => url),
    troubles: troubles.map(({name}) => name),
    error: error instanceof Error ? error.name : undefined,
    waitsMs: waits,
  }
  expect(seen).toMatchObject(it.sees)
})

describe('requests', () => {
  test('LD default method and headers; WPT request-accept, request-cache-control', async () => {
    const {requests} = await watch([row('a'), done])
    expect(requests).toHaveLength(2)
    for (const {method, headers, body} of requests) {
      expect(method).toBe('GET')
      expect(body).toBe('')
      expect(headers).toMatchObject({accept: 'text/event-stream', 'cache-control': 'no-cache'})
      expect(headers.authorization).toBe(`Bearer ${apiKey.reveal()}`)
    }
    expect(cursors(requests)).toEqual([undefined, 'c-a'])
  })

  test('LD large message, but over the cap of a frame: it is paged for instead', async () => {
    const large = sse('transcript', entry('large', 'x'.repeat(2 * 1024 * 1024)), 'c-large')
    const {frames, requests} = await watch([row('a') + large + row('b') + done], {
      items: () => ({items: [entry('large')], cursor: null}),
    })
    expect(outline(frames)).toEqual(['connected', 'a', 'large', 'b', 'done'])
    expect(requests.map(({url}) => url)[1]).toBe('/api/v1/threads/t%2F1/messages?after=c-a')
  })

  test('WPT eventsource-close, eventsource-request-cancellation: whoever stops hangs up, and asks no more', async () => {
    const hungUp = Promise.withResolvers<undefined>()
    const {origin, requests} = await serve((response) => {
      response.on('close', () => hungUp.resolve(undefined))
      response.writeHead(200, {'content-type': 'text/event-stream'}).write(row('a'))
    })
    const stop = new AbortController()
    const frames = follow({
      transport: transportTo(origin),
      client: clientTo(origin),
      apiKey,
      threadId: 't',
      after: undefined,
      signal: stop.signal,
    })
    const seen: string[] = []
    for await (const frame of frames) {
      seen.push(...outline([frame]))
      if (frame.type === 'transcript') stop.abort()
    }
    await hungUp.promise
    expect(seen).toEqual(['connected', 'a'])
    expect(requests).toHaveLength(1)
  })
})

test('each case stands once, and what is left out says why', () => {
  const names = [...bodyCases, ...connectionCases].map(({name}) => name)
  const all = [...names, ...Object.keys(leftOut)]
  expect(new Set(all).size).toBe(all.length)
  const reasons = [...Object.values(leftOut), ...connectionCases.flatMap((it) => it.differs ?? [])]
  expect(reasons.filter((why) => why.length < 10)).toEqual([])
})

/**
 * The events that our reader makes of a body that our transport brings from a server. The server waits with each write
 * until all before it has been read, so that they arrive as they were cut.
 */
async function read(sends: BodyCase['sends']): Promise<BodyEvent[]> {
  const arrived = new EventTarget()
  let bytesRead = 0
  const {origin} = await serve((response) => void send(response))
  const send = async (response: ServerResponse): Promise<void> => {
    response.writeHead(200, {'content-type': 'text/event-stream'})
    let bytesSent = 0
    for (const piece of sends) {
      const bytes = Buffer.from(piece)
      response.write(bytes)
      bytesSent += bytes.length
      while (bytesRead < bytesSent) await once(arrived, 'bytes')
    }
    response.end()
  }
  const body = await transportTo(origin).events({
    method: 'GET',
    path: '/threads/t/stream',
    apiKey,
    signal: new AbortController().signal,
    timeoutMs: 10_000,
  })
  const reader = createEventReader(LARGE_ENOUGH)
  const events: BodyEvent[] = []
  for await (const chunk of body) {
    events.push(...reader.read(chunk))
    bytesRead += chunk.length
    arrived.dispatchEvent(new Event('bytes'))
  }
  return events
}
