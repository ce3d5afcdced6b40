import {expect, test} from 'vitest'
import type {Frame} from '../../../src/platform/stream/frame.ts'
import {createManualClock} from '../../local/platform/manual-clock.ts'
import {eventually, sharedContract, startContract} from './contract.ts'
import {only} from './following.ts'
import {framesOfRun, isAtRest, restingThread} from './run.ts'

const contract = await sharedContract()

const DAY_MS = 24 * 3_600_000
const REPLY = {kind: 'say' as const, fragments: ['The ', 'end.']}
const LARGE = 'x'.repeat(50_000)

test('6.3.r1 transcript frames come in the order of the pages', async () => {
  const {id} = await contract.begin('some work')
  await using stream = contract.follow({threadId: id})
  const texts = Array.from({length: 8}, (_, index) => `quick ${index}`)
  await Promise.all(texts.map((text) => contract.say(id, text)))
  const replies = (frames: readonly Frame[]): number =>
    only('transcript', frames).filter(({entry}) => entry.source === 'assistant').length
  await stream.until('all replies', (frames) => replies(frames) === texts.length + 1)
  const entries = only('transcript', stream.frames).map(({entry}) => entry)
  expect(entries).toEqual(await contract.transcript(id))
})

test('6.3.r2 the entry of a reply carries the callId of its fragments, and its text replaces them', async () => {
  const {id, frames} = await framesOfRun(contract, 'some work')
  const reply = only('transcript', frames).find(({entry}) => entry.source === 'assistant')
  const fragments = only('assistant', frames)
  expect(new Set(fragments.map(({callId}) => callId))).toEqual(new Set([reply?.entry.callId]))
  const lastFragment = frames.findLastIndex(({type}) => type === 'assistant')
  const settled = frames.findIndex((frame) => frame === reply)
  expect(lastFragment).toBeLessThan(settled)
  expect((await contract.transcript(id)).at(-1)).toEqual(reply?.entry)
})

test('6.3.r3 the entry of a tool has the callId of its live frame as id', async () => {
  const {frames} = await framesOfRun(contract, 'some work')
  const tools = only('transcript', frames).filter(({entry}) => entry.source === 'tool')
  expect(tools.length).toBeGreaterThan(0)
  const calls = only('tool_call', frames).map(({callId}) => callId)
  expect(tools.map(({entry}) => entry.id)).toEqual(calls)
})

test('6.3.r4 fragments that never settle end with the run', async () => {
  const {id, frames} = await framesOfRun(contract, 'please fail')
  const abandoned = only('assistant', frames).at(-1)
  const callIds = (await contract.transcript(id)).map(({callId}) => callId)
  expect(abandoned?.callId).toEqual(expect.any(String))
  expect(callIds).not.toContain(abandoned?.callId)
  const lastFragment = frames.findLastIndex(({type}) => type === 'assistant')
  const rest = frames.slice(lastFragment + 1).map(({type}) => type)
  expect(rest).toEqual(['turn', 'run', 'status'])
  expect(only('assistant', await contract.finish(id))).toEqual([])
})

test('6.3.r5 a slow reader loses a turn (dropped), never an entry', async () => {
  const fragments = Array.from({length: 400}, () => LARGE)
  contract.platform.control.planScript({
    when: {text: 'flood'},
    steps: [{kind: 'draft', fragments}, REPLY],
  })
  const id = await restingThread(contract)
  const {baseUrl, keys} = contract.platform
  // Nobody reads the body until the run is over.
  const response = await fetch(`${baseUrl}/threads/${id}/stream`, {
    headers: {authorization: `Bearer ${keys.human}`},
  })
  await contract.say(id, 'flood')
  const transcript = await eventually(
    'the reply',
    () => contract.transcript(id),
    (entries) => entries.length === 4,
  )
  await contract.finish(id)
  await contract.client().archive(id, contract.signal)
  const bytes = await response.text()
  expect(bytes).toContain('event: turn\ndata: {"phase":"end","outcome":"dropped"}\n\n')
  expect(bytes.split(LARGE).length).toBeLessThan(fragments.length)
  const ids = [...bytes.matchAll(/^event: transcript\n.*\ndata: {"id":"([^"]+)"/gm)].map(
    ([, it]) => it,
  )
  expect(ids).toEqual(transcript.map((entry) => entry.id))
})

test('6.3.r5 a turn that is too large to replay is dropped for late readers', async () => {
  const fragments = Array.from({length: 30}, () => LARGE)
  contract.platform.control.planScript({
    when: {text: 'giant'},
    steps: [{kind: 'draft', fragments}, REPLY],
  })
  const id = await restingThread(contract)
  await using early = contract.follow({threadId: id})
  await early.until('the replay', (frames) => only('transcript', frames).length === 2)
  let written = 0
  using held = contract.platform.control.holdAt(
    id,
    ({kind}) => kind === 'assistant' && (written += 1) === fragments.length,
  )
  await contract.say(id, 'giant')
  await early.until('the draft', (frames) => only('assistant', frames).length === fragments.length)
  await using late = contract.follow({threadId: id}, {until: 'run'})
  await late.until('the drop', (frames) => only('turn', frames).length === 2)
  held[Symbol.dispose]()
  const frames = await late.ended()
  expect(only('turn', frames)).toEqual([
    {type: 'turn', phase: 'start', outcome: undefined},
    {type: 'turn', phase: 'end', outcome: 'dropped'},
  ])
  expect(only('assistant', frames)).toEqual([])
  const entries = only('transcript', frames).map(({entry}) => entry)
  expect(entries).toEqual(await contract.transcript(id))
})

test('6.3.r7 cursors never expire', async () => {
  const clock = createManualClock()
  await using old = await startContract({clock, heartbeatMs: DAY_MS})
  const {id} = await old.begin('some work')
  const [first] = only('transcript', await old.finish(id))
  clock.advance(400 * DAY_MS)
  await old.platform.control.restart()
  await using stream = old.follow({threadId: id}, {after: first?.cursor ?? '', until: 'run'})
  const entries = only('transcript', await stream.ended()).map(({entry}) => entry)
  expect(entries).toEqual((await old.transcript(id)).slice(1))
})

test('6.3.r8 with until=run the reply is the last entry of the assistant', async () => {
  const {id} = await contract.begin('a long run')
  const entries = only('transcript', await contract.finish(id)).map(({entry}) => entry)
  const reply = entries.findLast(({source}) => source === 'assistant')
  expect(reply?.text).toMatch(/^# Report/)
  expect(entries).toEqual(await contract.transcript(id))
})

test('6.3.r9 a close without done is a resume', async () => {
  await using restarted = await startContract({pace: 0.05})
  const {id} = await restarted.begin('some work')
  const waits: number[] = []
  const wait = async (ms: number): Promise<void> => void waits.push(ms)
  await using stream = restarted.follow({threadId: id}, {wait})
  await stream.until('a draft', (frames) => only('assistant', frames).length > 5)
  const cursor = only('transcript', stream.frames).at(-1)?.cursor
  await restarted.platform.control.restart()
  await stream.until('a rest', (frames) => isAtRest(frames.at(-1)))
  const entries = only('transcript', stream.frames).map(({entry}) => entry)
  expect(entries).toEqual(await restarted.transcript(id))
  expect(entries.at(-1)?.source).toBe('assistant')
  // What `retry` says, spread over as long again.
  expect(waits[0]).toBeGreaterThanOrEqual(2000)
  expect(restarted.platform.ledger.map(({lastEventId}) => lastEventId)).toContain(cursor)
})
