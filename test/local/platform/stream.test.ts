import {request as httpRequest, type IncomingMessage} from 'node:http'
import {once} from 'node:events'
import {describe, expect, test} from 'vitest'
import {startPlatform, type Platform} from '../../../local/platform/server.ts'
import {clientOf, createHeard, entryIds, itemsOf, outline, runNew} from './client.ts'
import {sharedPlatform} from './open-platform.ts'

const platform = await sharedPlatform({pace: 0.03})
const client = clientOf(platform)

describe('the course of a run', () => {
  test('has every frame in order, and joins entries to their live frames', async () => {
    const {frames} = await runNew(platform, client, 'some work on the cart')
    const course = outline(frames)
    expect(course.slice(0, 4)).toEqual([
      'status active',
      'transcript user',
      'run start',
      'turn start',
    ])
    expect(course.slice(-6)).toEqual([
      'assistant',
      'transcript assistant',
      'turn end settled',
      'run end',
      'status idle',
      'done',
    ])
    for (const call of frames.filter(({event}) => event === 'tool_call')) {
      const entry = frames.find(({data}) => data['id'] === call.data['callId'])
      expect(entry?.data).toMatchObject({source: 'tool', text: call.data['text']})
    }
    const fragments = frames.filter(({event}) => event === 'assistant')
    const reply = frames.findLast(({data}) => data['source'] === 'assistant')
    expect(fragments.length).toBeGreaterThan(20)
    expect(fragments.map(({data}) => data['text']).join('')).toBe(reply?.data['text'])
    expect(new Set(fragments.map(({data}) => data['callId']))).toEqual(
      new Set([reply?.data['callId']]),
    )
  })

  test('adds to the usage', async () => {
    const threadId = await client.create('some work on the cart')
    await client.run(threadId)
    const {usage} = (await client.get(`/threads/${threadId}`)).body
    expect(usage).toMatchObject({imageCredits: 0, totalCredits: expect.any(Number) as number})
    expect(JSON.stringify(usage)).not.toContain('"llmCredits":0')
  })

  test('a failing run ends with an aborted turn, an unsettled draft and status error', async () => {
    const {frames} = await runNew(platform, client, 'please fail')
    expect(outline(frames).slice(-6)).toEqual([
      'turn start',
      'assistant',
      'turn end aborted',
      'run end',
      'status error',
      'done',
    ])
    expect(frames.some(({data}) => data['source'] === 'assistant')).toBe(false)
  })
})

describe('the format', () => {
  test('is one event line and one data line, an id line for entries, and retry after the first', async () => {
    const threadId = await client.create('quick')
    await client.run(threadId)
    await using stream = await client.stream(threadId, '?until=run')
    await stream.ended()
    const [user, reply] = itemsOf(await client.get(`/threads/${threadId}/messages`))
    const cursors = stream.frames.flatMap(({id}) => id ?? [])
    expect(stream.text()).toBe(
      [
        `event: status\ndata: {"threadId":"${threadId}","status":"idle"}\n\nretry: 2000\n\n`,
        `event: transcript\nid: ${cursors[0] ?? ''}\ndata: ${JSON.stringify(user)}\n\n`,
        `event: transcript\nid: ${cursors[1] ?? ''}\ndata: ${JSON.stringify(reply)}\n\n`,
        `event: done\ndata: {}\n\n`,
      ].join(''),
    )
  })
})

describe('resuming', () => {
  test('from every cursor, with a run in progress, misses nothing and repeats nothing', async () => {
    const threadId = await client.create('some work on the cart')
    await client.run(threadId)
    using held = holdAtDraft(threadId)
    await client.post(`/threads/${threadId}/message`, {text: 'more work on the cart'})
    await using whole = await client.stream(threadId)
    await whole.until('draft', (frames) => frames.some(({event}) => event === 'assistant'))
    const known = whole.frames.filter(({event}) => event === 'transcript')
    const streams = await Promise.all(
      known.map(({id = ''}, index) =>
        index % 2 === 0
          ? client.stream(threadId, '', {'last-event-id': id})
          : client.stream(threadId, `?after=${encodeURIComponent(id)}`),
      ),
    )
    held[Symbol.dispose]()
    for (const [index, stream] of streams.entries()) {
      await stream.until('end', (frames) => frames.at(-1)?.data['status'] === 'idle')
      const all = platform.transcript(threadId).map(({id}) => id)
      expect(entryIds(stream.frames)).toEqual(all.slice(index + 1))
      const fragments = stream.frames.filter(({event}) => event === 'assistant')
      const reply = platform.transcript(threadId).at(-1)
      expect(fragments.map(({data}) => data['text']).join('')).toBe(reply?.text)
      expect(stream.frames[0]).toMatchObject({event: 'status', data: {status: 'active'}})
      await stream[Symbol.asyncDispose]()
    }
  })

  test('shows the turn in progress and its run, but no live frames of settled entries', async () => {
    const {threadId, stream} = await createHeard(platform, client, 'some work on the cart')
    await using early = stream
    using held = holdAtDraft(threadId)
    await early.until('draft', (frames) => frames.some(({event}) => event === 'assistant'))
    await using late = await client.stream(threadId)
    await late.until('draft', (frames) => frames.some(({event}) => event === 'assistant'))
    const course = outline(late.frames)
    expect(course.filter((word) => !word.startsWith('transcript'))).toEqual([
      'status active',
      'run start',
      'turn start',
      'assistant',
    ])
    held[Symbol.dispose]()
    await late.until('end', (frames) => frames.at(-1)?.data['status'] === 'idle')
  })

  test('Last-Event-ID wins over after', async () => {
    const threadId = await client.create('quick')
    const cursors = (await client.run(threadId)).flatMap(({id}) => id ?? [])
    const query = `?until=run&after=${encodeURIComponent(cursors[1] ?? '')}`
    await using stream = await client.stream(threadId, query, {'last-event-id': cursors[0] ?? ''})
    await stream.ended()
    expect(entryIds(stream.frames)).toHaveLength(1)
  })

  test('an invalid cursor is refused before the stream starts', async () => {
    const threadId = await client.create('quick')
    const byQuery = await client.get(`/threads/${threadId}/stream?after=nonsense`)
    expect([byQuery.status, byQuery.body['_tag']]).toEqual([400, 'svc/InvalidRequest'])
    const path = `/threads/${threadId}/stream`
    const byHeader = await client.request('GET', path, undefined, {'last-event-id': 'nonsense'})
    expect([byHeader.status, byHeader.body['_tag']]).toEqual([400, 'svc/InvalidRequest'])
  })
})

describe('until=run', () => {
  test('is done at once when nothing runs', async () => {
    const threadId = await client.create('quick')
    await client.run(threadId)
    expect(outline(await client.run(threadId)).at(-1)).toBe('done')
  })

  test('takes no other value', async () => {
    const threadId = await client.create('quick')
    const {status} = await client.get(`/threads/${threadId}/stream?until=turn`)
    expect(status).toBe(400)
  })

  test('is done after the run in progress, though more is queued', async () => {
    using held = platform.control.hold()
    const threadId = await client.create('some work on the cart')
    await client.post(`/threads/${threadId}/message`, {text: 'quick', delivery: 'queue'})
    await using stream = await client.stream(threadId, '?until=run')
    held[Symbol.dispose]()
    await stream.ended()
    const {frames} = stream
    expect(outline(frames).slice(-3)).toEqual(['turn end settled', 'run end', 'done'])
    expect(frames.filter(({data}) => data['source'] === 'user')).toHaveLength(1)
  })
})

describe('the life of a stream', () => {
  test('has a heartbeat whenever nothing else is sent', async () => {
    await using beating = await startPlatform({pace: 0.03, heartbeatMs: 300})
    const by = clientOf(beating)
    const threadId = await by.create('quick')
    await by.run(threadId)
    await using stream = await by.stream(threadId)
    await stream.until('two heartbeats', (frames) => {
      return frames.filter(({event}) => event === 'heartbeat').length >= 2
    })
    expect(stream.text()).toMatch(/event: heartbeat\ndata: {}\n\n$/)
  })

  test('ends with done when the thread is archived, and at once on an archived thread', async () => {
    const threadId = await client.create('quick')
    await client.run(threadId)
    await using stream = await client.stream(threadId)
    await stream.until('reply', (frames) => entryIds(frames).length === 2)
    await client.post(`/threads/${threadId}/archive`)
    await stream.ended()
    expect(outline(stream.frames).slice(-2)).toEqual(['status archived', 'done'])
    await using again = await client.stream(threadId)
    await again.ended()
    expect(outline(again.frames)).toEqual([
      'status archived',
      'transcript user',
      'transcript assistant',
      'done',
    ])
  })

  test('ends with an error when the key is revoked', async () => {
    await using other = await startPlatform({pace: 0.03, heartbeatMs: 300})
    const guest = clientOf(other)
    await using stream = await guest.stream(await guest.create('quick'))
    other.revokeKey(other.keys.human)
    await stream.ended()
    expect(stream.frames.at(-1)).toMatchObject({event: 'error', data: {code: 'unauthorized'}})
  })

  test('ends without a word when the server closes, which waits for nothing', async () => {
    await using other = await startPlatform()
    // Work that never ends by itself.
    using held = other.control.hold()
    const guest = clientOf(other)
    await using stream = await guest.stream(await guest.create('some work'))
    await stream.until('turn', (frames) => frames.some(({event}) => event === 'turn'))
    const startMs = performance.now()
    await other.close()
    // Less than any time-out of a server takes, and more than a machine sleeps.
    expect(performance.now() - startMs).toBeLessThan(3000)
    held[Symbol.dispose]()
    await stream.ended()
    expect(['done', 'error']).not.toContain(stream.frames.at(-1)?.event)
  })
})

describe('a slow reader', () => {
  test('gets every entry once and in order, however late it reads', async () => {
    const threadId = await client.create('quick')
    await client.run(threadId)
    const slow = await openSlowStream(platform, threadId)
    // Entries of 900 KB: the socket takes a few of them, then everything piles up in the server.
    const bulk = `quick ${'x'.repeat(900_000)}`
    for (let index = 0; index < 9; index++) {
      await client.post(`/threads/${threadId}/message`, {text: bulk, delivery: 'queue'})
      await client.run(threadId)
    }
    await client.post(`/threads/${threadId}/message`, {text: 'quick end', delivery: 'queue'})
    await client.run(threadId)
    const last = platform.transcript(threadId).at(-1)
    const text = await readUntil(slow, `"id":"${last?.id ?? ''}"`)
    slow.destroy()
    const seen = [...text.matchAll(/^data: {"id":"([^"]+)","source"/gm)].map(([, id]) => id)
    expect(seen).toEqual(platform.transcript(threadId).map(({id}) => id))
  })
})

/** The agent stops within its reply, so that it is met there. */
const holdAtDraft = (threadId: string): Disposable =>
  platform.control.holdAt(threadId, ({kind}) => kind === 'assistant')

/** A stream that nobody reads until `readUntil`. */
async function openSlowStream({baseUrl, keys}: Platform, id: string): Promise<IncomingMessage> {
  const request = httpRequest(`${baseUrl}/threads/${id}/stream`, {
    headers: {authorization: `Bearer ${keys.human}`},
  })
  request.end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.pause()
  return response
}

async function readUntil(response: IncomingMessage, mark: string): Promise<string> {
  let text = ''
  response.setEncoding('utf8')
  for await (const chunk of response) {
    text += String(chunk)
    if (text.includes(mark)) return text
  }
  throw new Error(`The stream ended without ${mark}.`)
}
