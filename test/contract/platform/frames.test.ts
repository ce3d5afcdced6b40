import {expect, test} from 'vitest'
import {PlatformUnauthorized} from '../../../src/platform/errors.ts'
import {entryIds, itemsOf} from '../../local/platform/client.ts'
import {createManualClock} from '../../local/platform/manual-clock.ts'
import {sharedContract, startContract} from './contract.ts'
import {only} from './following.ts'
import {framesOfRun, isAtRest, restingThread} from './run.ts'

const contract = await sharedContract()

/** All bytes of the stream of a resting thread, until it has answered this message. */
const bytesOfRun = async (text: string): Promise<string> => {
  const id = await restingThread(contract)
  await using stream = await contract.raw().stream(id)
  await stream.until('the replay', (frames) => entryIds(frames).length === 2)
  const from = stream.frames.length
  await contract.say(id, text)
  await stream.until('a rest', (frames) => {
    return frames.length > from && frames.at(-1)?.data['status'] === 'idle'
  })
  return stream.text()
}

const REPLY = {kind: 'say' as const, fragments: ['The ', 'end.']}

test('6.1.r1 each frame has an event line and one data line of JSON; transcript frames have an id', async () => {
  const bytes = await bytesOfRun('some work')
  const blocks = bytes.replace(/^retry: .*\n/gm, '').split(/\n{2,}/)
  expect(blocks.pop()).toBe('')
  expect(blocks.length).toBeGreaterThan(30)
  for (const block of blocks) {
    const fields = block.split('\n').map((line) => line.replace(/: .*$/, ''))
    const isEntry = block.includes('event: transcript')
    expect(fields.sort()).toEqual(isEntry ? ['data', 'event', 'id'] : ['data', 'event'])
    expect(JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '')).toBeTypeOf('object')
  }
})

test('6.1.r2 retry: 2000 follows the first frame, and comes once', async () => {
  const fields = (await bytesOfRun('quick')).split('\n').filter(Boolean)
  const words = fields.map((line) =>
    line.replace(/^(event|retry): /, '').replace(/^(data|id): .*/, ''),
  )
  expect(words.filter(Boolean).slice(0, 3)).toEqual(['status', '2000', 'transcript'])
  expect(fields.filter((line) => line.startsWith('retry'))).toEqual(['retry: 2000'])
})

test('6.1.r3 a client ignores event names that it does not know', async () => {
  contract.platform.control.planScript({
    when: {text: 'novelty'},
    steps: [
      {kind: 'frame', event: 'novelty', data: '{"callId":"c","text":"new"}'},
      {kind: 'frame', event: 'novelty', data: 'no JSON', id: 'no-cursor'},
      REPLY,
    ],
  })
  const id = await restingThread(contract)
  await using raw = await contract.raw().stream(id)
  await using stream = contract.follow({threadId: id})
  await stream.until('the replay', (frames) => only('transcript', frames).length === 2)
  await contract.say(id, 'novelty')
  await stream.until('a rest', (frames) => frames.length > 6 && isAtRest(frames.at(-1)))
  await expect.poll(() => raw.text()).toContain('event: novelty\nid: no-cursor\ndata: no JSON\n\n')
  const entries = only('transcript', stream.frames).map(({entry}) => entry)
  expect(entries).toEqual(await contract.transcript(id))
  expect(JSON.stringify(stream.frames)).not.toContain('no-cursor')
})

test('6.2.r1 status is the first frame of every connection and follows every change', async () => {
  const id = await restingThread(contract)
  await using stream = contract.follow({threadId: id})
  const statuses = (): string[] => only('status', stream.frames).map(({status}) => status)
  await stream.until('a rest', () => statuses().at(-1) === 'idle')
  await contract.say(id, 'one question')
  await stream.until('a question', () => statuses().at(-1) === 'pending_user')
  await contract.client().archive(id, contract.signal)
  await stream.ended()
  expect(stream.frames.map(({type}) => type).slice(0, 2)).toEqual(['connected', 'status'])
  expect(statuses()).toEqual(['idle', 'active', 'pending_user', 'archived'])
})

test('6.2.r1 the first status says whose it is', async () => {
  const id = await restingThread(contract)
  await using stream = await contract.raw().stream(id, '?until=run')
  await stream.ended()
  expect(stream.frames[0]).toMatchObject({event: 'status', data: {threadId: id, status: 'idle'}})
})

test('6.2.r2 transcript frames are identical to the items of the pages', async () => {
  const {id} = await contract.begin('some work')
  await using stream = await contract.raw().stream(id, '?until=run')
  await stream.ended()
  const entries = stream.frames.filter(({event}) => event === 'transcript').map(({data}) => data)
  expect(entries).toEqual(itemsOf(await contract.raw().get(`/threads/${id}/messages`)))
})

test('6.2.r3 run and turn frames come in pairs around the work', async () => {
  const {frames} = await framesOfRun(contract, 'some work')
  const marks = frames.flatMap((frame) =>
    frame.type === 'run' || frame.type === 'turn' ? [`${frame.type} ${frame.phase}`] : [],
  )
  const turns = marks.slice(1, -1)
  expect([marks[0], marks.at(-1)]).toEqual(['run start', 'run end'])
  expect(turns.length).toBeGreaterThan(2)
  expect(turns).toEqual(turns.map((_, index) => (index % 2 === 0 ? 'turn start' : 'turn end')))
  const types = frames.map(({type}) => (type === 'assistant' ? 'tool_call' : type))
  expect(types.indexOf('tool_call')).toBeGreaterThan(types.indexOf('turn'))
  expect(types.lastIndexOf('tool_call')).toBeLessThan(types.lastIndexOf('turn'))
})

test('6.2.r4 a heartbeat comes whenever nothing else was sent for the interval', async () => {
  const clock = createManualClock()
  await using still = await startContract({clock})
  const {id} = await still.begin('quick')
  await still.finish(id)
  await using stream = still.follow({threadId: id})
  await stream.until('the replay', (frames) => only('transcript', frames).length === 2)
  const beats = (): number => only('heartbeat', stream.frames).length
  for (let count = 1; count <= 4; count += 1) {
    clock.advance(15_000)
    await stream.until(`heartbeat ${count}`, () => beats() >= count)
  }
  await still.say(id, 'quick')
  await stream.until('an answer', (frames) => only('transcript', frames).length === 4)
  await stream.until('a rest', (frames) => isAtRest(frames.at(-1)))
  const before = beats()
  clock.advance(10_000)
  await still.client().archive(id, still.signal)
  await stream.ended()
  expect(beats()).toBe(before)
})

test('6.2.r6 after done the server closes the stream', async () => {
  const {id} = await contract.begin('quick')
  await using stream = await contract.raw().stream(id)
  await stream.until('a rest', (frames) => frames.at(-1)?.data['status'] === 'idle')
  await contract.client().archive(id, contract.signal)
  await stream.ended()
  expect(stream.frames.at(-1)).toEqual({event: 'done', id: undefined, data: {}})
})

test('6.2.r6 after error the server closes the stream', async () => {
  const clock = createManualClock()
  await using guarded = await startContract({clock})
  const {id} = await guarded.begin('quick')
  await using stream = await guarded.raw().stream(id)
  await stream.until('a rest', (frames) => frames.some(({data}) => data['status'] === 'idle'))
  guarded.platform.revokeKey(guarded.platform.keys.human)
  clock.advance(15_000)
  await stream.ended()
  const message = expect.any(String) as string
  expect(stream.frames.at(-1)).toMatchObject({
    event: 'error',
    data: {code: 'unauthorized', message},
  })
})

test('6.2.r7 the fragments of a reply come in order within their callId', async () => {
  const {frames} = await framesOfRun(contract, 'a long run')
  const replies = only('transcript', frames).filter(({entry}) => entry.source === 'assistant')
  expect(replies).toHaveLength(3)
  for (const {entry} of replies) {
    const fragments = only('assistant', frames).filter(({callId}) => callId === entry.callId)
    expect(fragments.length).toBeGreaterThan(1)
    expect(fragments.map(({text}) => text).join('')).toBe(entry.text)
  }
})

test('6.2.r8 a tool_call carries the one-line summary of its entry', async () => {
  const {frames} = await framesOfRun(contract, 'some work')
  const calls = only('tool_call', frames)
  expect(calls.length).toBeGreaterThan(0)
  for (const {callId, name, text} of calls) {
    const entry = only('transcript', frames).find((frame) => frame.entry.id === callId)?.entry
    expect(entry).toMatchObject({source: 'tool', tool: name, text})
    expect(text).not.toContain('\n')
  }
})

test.each(['stream_unavailable', 'internal'] as const)(
  '6.2.r9 an error frame of code %s is worth another connection',
  async (code) => {
    const {platform} = contract
    platform.control.planScript({when: {text: code}, steps: [{kind: 'error', code}, REPLY]})
    const id = await restingThread(contract)
    await using stream = contract.follow({threadId: id}, {wait: async () => undefined})
    await stream.until('the replay', (frames) => only('transcript', frames).length === 2)
    await contract.say(id, code)
    await stream.until('the reply', (frames) => only('transcript', frames).length === 4)
    expect(only('connected', stream.frames)).toHaveLength(2)
    expect(only('error', stream.frames)).toEqual([])
  },
)

test('6.2.r9 an error frame of code unauthorized ends the client', async () => {
  const code = 'unauthorized'
  contract.platform.control.planScript({when: {text: code}, steps: [{kind: 'error', code}, REPLY]})
  const id = await restingThread(contract)
  await using stream = contract.follow({threadId: id})
  await stream.until('the replay', (frames) => only('transcript', frames).length === 2)
  await contract.say(id, code)
  await expect(stream.ended()).rejects.toBeInstanceOf(PlatformUnauthorized)
})

test.each([
  ['some work', 'settled'],
  ['please fail', 'aborted'],
])('6.2.r10 turn end tells settled from aborted: %s', async (task, outcome) => {
  const {frames} = await framesOfRun(contract, task)
  expect(only('turn', frames).at(-1)).toEqual({type: 'turn', phase: 'end', outcome})
})
