import {describe, expect, test} from 'vitest'
import {clientOf, createHeard, itemsOf, outline, type Stream} from './client.ts'
import {sharedPlatform} from './open-platform.ts'

const platform = await sharedPlatform({pace: 0.03})
const client = clientOf(platform)

const send = async (threadId: string, text: string, delivery?: string): Promise<string> => {
  const {body} = await client.post(`/threads/${threadId}/message`, {text, delivery})
  expect(body).toEqual({id: expect.any(String) as string, deduped: false})
  return String(body['id'])
}

/** A thread whose agent stopped within its reply, and goes on when it is let go. */
const createAtDraft = async (): Promise<{threadId: string; stream: Stream; held: Disposable}> => {
  const {threadId, stream} = await createHeard(platform, client, 'some work on the cart')
  const held = platform.control.holdAt(threadId, ({kind}) => kind === 'assistant')
  await stream.until('draft', (frames) => frames.some(({event}) => event === 'assistant'))
  return {threadId, stream, held}
}

const texts = (threadId: string, source: string): string[] =>
  platform
    .transcript(threadId)
    .filter((entry) => entry.source === source)
    .map(({text}) => text)

describe('delivery', () => {
  test('interrupt is the default: the draft is discarded and a new run starts', async () => {
    const {threadId, held, ...opened} = await createAtDraft()
    await using stream = opened.stream
    const sentAt = stream.frames.length
    const eventId = await send(threadId, 'quick change of mind')
    held[Symbol.dispose]()
    await stream.until('idle', (frames) => frames.at(-1)?.data['status'] === 'idle')
    const course = outline(stream.frames.slice(sentAt)).filter((word) => word !== 'assistant')
    expect(course).toEqual([
      'turn end aborted',
      'run end',
      'transcript user',
      'run start',
      'turn start',
      'transcript assistant',
      'turn end settled',
      'run end',
      'status idle',
    ])
    expect(texts(threadId, 'assistant')).toHaveLength(1)
    expect(platform.transcript(threadId).some(({id}) => id === eventId)).toBe(true)
  })

  test('queue waits for the end of the run, one run for each message, in order', async () => {
    using held = platform.control.hold()
    const threadId = await client.create('some work on the cart')
    await using stream = await client.stream(threadId)
    await send(threadId, 'quick one', 'queue')
    await send(threadId, 'quick two', 'queue')
    expect(texts(threadId, 'user')).toHaveLength(1)
    held[Symbol.dispose]()
    await stream.until('rest', (frames) => frames.at(-1)?.data['status'] === 'idle')
    const course = outline(stream.frames)
    expect(course.filter((word) => word === 'run end')).toHaveLength(3)
    expect(course.filter((word) => word.startsWith('status'))).toEqual([
      'status active',
      'status idle',
    ])
    expect(texts(threadId, 'user')).toEqual(['some work on the cart', 'quick one', 'quick two'])
    expect(texts(threadId, 'assistant').map((text) => text.slice(0, 20))).toEqual([
      '## some work on the ',
      'Done with “quick one',
      'Done with “quick two',
    ])
  })

  test('steer enters at the next turn boundary, inside the run', async () => {
    using held = platform.control.hold()
    const threadId = await client.create('some work on the cart')
    await using stream = await client.stream(threadId)
    await stream.until('turn', (frames) => frames.some(({event}) => event === 'turn'))
    await send(threadId, 'quick turn to the left', 'steer')
    held[Symbol.dispose]()
    await stream.until('idle', (frames) => frames.at(-1)?.data['status'] === 'idle')
    const course = outline(stream.frames).filter(
      (word) => !/^(tool_call|transcript tool)/.test(word),
    )
    expect(course).toEqual([
      'status active',
      'transcript user',
      'run start',
      'turn start',
      'turn end settled',
      'transcript user',
      'turn start',
      'assistant',
      'transcript assistant',
      'turn end settled',
      'run end',
      'status idle',
    ])
  })

  test.each(['interrupt', 'queue', 'steer'])(
    '%s starts a run when none is on',
    async (delivery) => {
      const threadId = await client.create('quick')
      await client.run(threadId)
      await send(threadId, 'quick again', delivery)
      await client.run(threadId)
      expect(texts(threadId, 'assistant')).toHaveLength(2)
    },
  )

  test('the model of a message becomes the last model of the thread', async () => {
    const threadId = await client.create('quick')
    await client.post(`/threads/${threadId}/message`, {text: 'quick', model: {modelId: 'big'}})
    await client.run(threadId)
    expect((await client.get(`/threads/${threadId}`)).body['lastModelId']).toBe('big')
    expect(platform.transcript(threadId).at(-1)?.model).toBe('big')
  })

  test.each([
    ['no text', {}],
    ['a blank text', {text: ''}],
    ['an unknown delivery', {text: 'hi', delivery: 'later'}],
    ['a wrong model', {text: 'hi', model: 'big'}],
  ])('%s is an invalid request', async (_what, body) => {
    const threadId = await client.create('quick')
    const answer = await client.post(`/threads/${threadId}/message`, body)
    expect([answer.status, answer.body['_tag']]).toEqual([400, 'svc/InvalidRequest'])
  })
})

describe('a message that waits', () => {
  test('can be cancelled, and never arrives', async () => {
    using held = platform.control.hold()
    const threadId = await client.create('some work on the cart')
    const eventId = await send(threadId, 'quick regret', 'queue')
    const path = `/threads/${threadId}/messages/${eventId}`
    expect((await client.post(`${path}/cancel`)).body).toEqual({outcome: 'cancelled'})
    expect((await client.post(`${path}/send-now`)).body).toEqual({outcome: 'tooLate'})
    held[Symbol.dispose]()
    await client.run(threadId)
    expect(texts(threadId, 'user')).toEqual(['some work on the cart'])
  })

  test('can be sent now, under a new id', async () => {
    using held = platform.control.hold()
    const threadId = await client.create('some work on the cart')
    const eventId = await send(threadId, 'quick and urgent', 'queue')
    const path = `/threads/${threadId}/messages/${eventId}`
    const {body} = await client.post(`${path}/send-now`)
    expect(body).toEqual({outcome: 'sent', id: expect.any(String) as string})
    expect(body['id']).not.toBe(eventId)
    expect(platform.transcript(threadId).at(-1)).toMatchObject({
      id: body['id'],
      text: 'quick and urgent',
    })
    held[Symbol.dispose]()
    await client.run(threadId)
    expect(texts(threadId, 'user')).toEqual(['some work on the cart', 'quick and urgent'])
  })

  test('is too late to cancel or send once it is delivered', async () => {
    const threadId = await client.create('quick')
    const eventId = await send(threadId, 'quick and gone')
    for (const verb of ['cancel', 'send-now']) {
      const {body} = await client.post(`/threads/${threadId}/messages/${eventId}/${verb}`)
      expect(body).toEqual({outcome: 'tooLate'})
    }
  })

  test('belongs to its thread: an unknown event id is not found', async () => {
    const threadId = await client.create('quick')
    for (const verb of ['cancel', 'send-now']) {
      const {status, body} = await client.post(`/threads/${threadId}/messages/msg_x/${verb}`)
      expect(status).toBe(404)
      expect(body).toEqual({_tag: 'svc/MessageNotFound', eventId: 'msg_x'})
    }
  })
})

describe('interrupting', () => {
  test('aborts the turn and lets queued messages start a new run, without a rest in between', async () => {
    const {threadId, held, ...opened} = await createAtDraft()
    await using stream = opened.stream
    await send(threadId, 'quick after that', 'queue')
    const askedAt = stream.frames.length
    const {status, body} = await client.post(`/threads/${threadId}/interrupt`)
    expect([status, body]).toEqual([200, {interrupted: true}])
    held[Symbol.dispose]()
    await stream.until('answer', (frames) => frames.at(-1)?.data['status'] === 'idle')
    const course = outline(stream.frames.slice(askedAt)).filter((word) => word !== 'assistant')
    expect(course.slice(0, 4)).toEqual([
      'turn end aborted',
      'run end',
      'transcript user',
      'run start',
    ])
    expect(texts(threadId, 'assistant')).toHaveLength(1)
  })

  test('without work changes nothing', async () => {
    const threadId = await client.create('one question')
    await client.run(threadId)
    const {body} = await client.post(`/threads/${threadId}/interrupt`)
    expect(body).toEqual({interrupted: false})
    expect((await client.get(`/threads/${threadId}`)).body['status']).toBe('pending_user')
  })
})

describe('the transcript in pages', () => {
  test('is the same for every limit, and ends with null', async () => {
    const threadId = await client.create('some work on the cart')
    await client.run(threadId)
    const whole = itemsOf(await client.get(`/threads/${threadId}/messages`))
    for (const limit of [1, 2, 3]) {
      const items: Record<string, unknown>[] = []
      let after: unknown = ''
      do {
        const query = after === '' ? '' : `&after=${encodeURIComponent(String(after))}`
        const page = await client.get(`/threads/${threadId}/messages?limit=${limit}${query}`)
        items.push(...itemsOf(page))
        after = page.body['cursor']
      } while (after !== null)
      expect(items).toEqual(whole)
    }
  })

  test('does not take the cursor of another thread', async () => {
    const threadId = await client.create('quick')
    const other = await client.create('quick')
    const cursor = (await client.run(threadId)).find(({event}) => event === 'transcript')?.id ?? ''
    const query = `after=${encodeURIComponent(cursor)}`
    expect((await client.get(`/threads/${threadId}/messages?${query}`)).status).toBe(200)
    const {status, body} = await client.get(`/threads/${other}/messages?${query}`)
    expect([status, body['_tag']]).toEqual([400, 'svc/InvalidRequest'])
  })

  test('shows who wrote, and tool entries as one line', async () => {
    const threadId = await client.create('some work on the cart')
    await client.run(threadId)
    const items = itemsOf(await client.get(`/threads/${threadId}/messages`))
    expect(items[0]).toMatchObject({source: 'user', authorName: 'Jane Doe'})
    const tool = items.find(({source}) => source === 'tool')
    expect(tool).toMatchObject({
      tool: 'read_file',
      text: expect.not.stringContaining('\n') as string,
    })
    expect(items.at(-1)).toMatchObject({source: 'assistant', model: 'standard', attachments: []})
  })
})
