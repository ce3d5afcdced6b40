import {expect, test} from 'vitest'
import type {Frame} from '../../../src/platform/stream/frame.ts'
import {
  PlatformNotFound,
  PlatformThreadNotFound,
  PlatformUnauthorized,
} from '../../../src/platform/errors.ts'
import {entryIds} from '../../local/platform/client.ts'
import {sharedContract, startContract} from './contract.ts'
import {only} from './following.ts'

const quick = await sharedContract()
/** Work takes seconds here: time to meet it in progress. */
const patient = await sharedContract({pace: 0.3})

const idsIn = (frames: readonly Frame[]): string[] =>
  only('transcript', frames).map(({entry}) => entry.id)

const draftIn = (frames: readonly Frame[]): string =>
  only('assistant', frames)
    .map(({text}) => text)
    .join('')

/** A thread at rest, with the cursors of its entries. */
const restingThread = async () => {
  const {id} = await quick.begin('some work')
  const entries = only('transcript', await quick.finish(id))
  const cursors = entries.map(({cursor = ''}) => cursor)
  return {id, cursors, ids: entries.map(({entry}) => entry.id)}
}

test('4.3.r1 a stream is text/event-stream', async () => {
  const {id} = await quick.begin('quick')
  const {baseUrl, keys} = quick.platform
  const response = await fetch(`${baseUrl}/threads/${id}/stream?until=run`, {
    headers: {authorization: `Bearer ${keys.human}`, accept: 'text/event-stream'},
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream\b/)
  expect(await response.text()).toContain('event: done')
})

/** Two tools, then a reply that stops in its middle. */
const planPausingReply = (text: string): void => {
  const callId = 'call_pausing'
  const [first, second] = ['The first half, ', 'the second half.']
  patient.platform.control.planScript({
    when: {text},
    steps: [
      {kind: 'tool', name: 'search', text: 'Searched the cart'},
      {kind: 'tool', name: 'read_file', text: 'Read the cart'},
      {kind: 'assistant', callId, text: first},
      {kind: 'assistant', callId, text: second},
      {kind: 'entry', entry: {source: 'assistant', callId, text: first + second}},
    ],
  })
}

test('4.3.r2 Last-Event-ID resumes behind its entry, then sends the turn in progress, then live frames', async () => {
  planPausingReply('pausing')
  const {id} = await patient.begin('quick start')
  await patient.finish(id)
  using held = patient.platform.control.holdAt(id, ({kind}) => kind === 'assistant')
  await patient.say(id, 'pausing')
  await using whole = patient.follow({threadId: id})
  await whole.until('the draft', (frames) => draftIn(frames) === 'The first half, ')
  const known = only('transcript', whole.frames)
  expect(known).toHaveLength(5)

  const streams = known.map(({cursor = ''}) =>
    patient.follow({threadId: id}, {after: cursor, until: 'run'}),
  )
  for (const stream of streams) {
    await stream.until('the draft', (frames) => draftIn(frames) === 'The first half, ')
  }
  held[Symbol.dispose]()
  for (const [index, stream] of streams.entries()) {
    const frames = await stream.ended()
    const transcript = await patient.transcript(id)
    expect(idsIn(frames)).toEqual(transcript.slice(index + 1).map((entry) => entry.id))
    expect(frames.map(({type}) => type)).toEqual([
      'connected',
      'status',
      ...Array.from({length: known.length - index - 1}, () => 'transcript'),
      'run',
      'turn',
      'assistant',
      'assistant',
      'transcript',
      'turn',
      'run',
      'status',
      'done',
    ])
    expect(draftIn(frames)).toBe(transcript.at(-1)?.text)
  }
  const resumptions = patient.platform.ledger.flatMap(({lastEventId}) => lastEventId ?? [])
  expect(resumptions.sort()).toEqual(known.map(({cursor = ''}) => cursor).sort())
})

test('4.3.r3 after is the same cursor, exclusive', async () => {
  const {id, ids, cursors} = await restingThread()
  for (const [index, cursor] of cursors.entries()) {
    const query = `?until=run&after=${encodeURIComponent(cursor)}`
    await using stream = await quick.raw().stream(id, query)
    await stream.ended()
    expect(entryIds(stream.frames)).toEqual(ids.slice(index + 1))
  }
})

test('4.3.r4 Last-Event-ID wins over after', async () => {
  const {id, ids, cursors} = await restingThread()
  const [first = '', second = ''] = cursors
  for (const [header, query, rest] of [
    [first, second, ids.slice(1)],
    [second, first, ids.slice(2)],
  ] as const) {
    const path = `?until=run&after=${encodeURIComponent(query)}`
    await using stream = await quick.raw().stream(id, path, {'last-event-id': header})
    await stream.ended()
    expect(entryIds(stream.frames)).toEqual(rest)
  }
})

test('4.3.r5 until=run closes with done after the run in progress', async () => {
  const {
    begun: {id},
    frames,
  } = await patient.beginAndFinish('quick work')
  expect(frames.at(-1)).toEqual({type: 'done'})
  expect(only('run', frames).at(-1)).toEqual({type: 'run', phase: 'end'})
  expect(idsIn(frames)).toEqual((await patient.transcript(id)).map((entry) => entry.id))
})

test('4.3.r6 until=run closes at once when nothing works or is queued', async () => {
  const {id, ids} = await restingThread()
  const frames = await quick.finish(id)
  expect(frames.at(-1)).toEqual({type: 'done'})
  expect(idsIn(frames)).toEqual(ids)
  expect(only('run', frames)).toEqual([])
})

test('4.3.r7 a cursor that is not valid answers 400 before the stream starts', async () => {
  const {id} = await restingThread()
  const other = await restingThread()
  for (const cursor of ['nonsense', other.cursors[0] ?? '']) {
    const path = `/threads/${id}/stream`
    const header = {'last-event-id': cursor}
    const answers = [
      await quick.raw().request('GET', path, undefined, header),
      await quick.raw().get(`${path}?after=${encodeURIComponent(cursor)}`),
    ]
    for (const {status, body} of answers) {
      expect([status, body['_tag']]).toEqual([400, 'svc/InvalidRequest'])
    }
  }
})

test('4.3.r7 our client begins anew when its cursor is refused', async () => {
  const {id, ids} = await restingThread()
  const options = {after: 'nonsense', until: 'run', wait: async () => undefined} as const
  await using stream = quick.follow({threadId: id}, options)
  const frames = await stream.ended()
  expect(frames[0]).toEqual({type: 'rewound'})
  expect(idsIn(frames)).toEqual(ids)
})

test('4.3.r8 without a cursor the whole transcript is replayed', async () => {
  const {id} = await restingThread()
  await using stream = quick.follow({threadId: id}, {until: 'run'})
  const entries = only('transcript', await stream.ended()).map(({entry}) => entry)
  expect(entries).toEqual(await quick.transcript(id))
})

test('4.3.r9 errors before the first byte are ordinary JSON errors', async () => {
  await using absent = quick.follow({threadId: 'thread_nowhere'})
  await expect(absent.ended()).rejects.toBeInstanceOf(PlatformThreadNotFound)
  await using task = quick.follow({taskId: 'task_nowhere'})
  await expect(task.ended()).rejects.toBeInstanceOf(PlatformNotFound)

  const {id} = await restingThread()
  const {baseUrl} = quick.platform
  const stranger = await fetch(`${baseUrl}/threads/${id}/stream`)
  expect([stranger.status, await stranger.json()]).toEqual([401, {_tag: 'svc/Unauthorized'}])
  expect(stranger.headers.get('content-type')).toContain('application/json')
})

test('4.3.r10 until takes no other value than run', async () => {
  const {id} = await restingThread()
  const {status, body} = await quick.raw().get(`/threads/${id}/stream?until=turn`)
  expect([status, body['_tag']]).toEqual([400, 'svc/InvalidRequest'])
})

test('4.3.r11 a failure behind the first byte arrives as an error frame', async () => {
  await using contract = await startContract({heartbeatMs: 150})
  const {id} = await contract.begin('quick')
  await contract.finish(id)
  await using raw = await contract.raw().stream(id)
  await using followed = contract.follow({threadId: id})
  await followed.until('the replay', (frames) => idsIn(frames).length === 2)
  contract.platform.revokeKey(contract.platform.keys.human)
  await raw.ended()
  expect(raw.frames.at(-1)).toMatchObject({event: 'error', data: {code: 'unauthorized'}})
  await expect(followed.ended()).rejects.toBeInstanceOf(PlatformUnauthorized)
})
