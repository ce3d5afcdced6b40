import {describe, expect, test} from 'vitest'
import type {Frame} from '../../../src/platform/stream/frame.ts'
import {type Follower, createFollower} from '../../../src/relay/streams/stream-reader.ts'

const LIMITS = {maxFrames: 4, maxChars: 10_000}

const entry = (id: string): Frame => ({
  ...{type: 'transcript', cursor: `c-${id}`},
  entry: {
    ...{id, source: 'assistant', text: id, callId: undefined, tool: undefined, model: undefined},
    ...{authorName: undefined, attachments: undefined},
  },
})
const piece = (callId: string): Frame => ({type: 'assistant', callId, text: 'word '})
const turn = (phase: string): Frame => ({type: 'turn', phase, outcome: undefined})

/** Everything that it has to read, in short. */
function readAll(follower: Follower): string[] {
  const seen: string[] = []
  for (let frame = follower.shift(); frame !== undefined; frame = follower.shift()) {
    follower.passed(frame)
    const {type} = frame
    if (type === 'transcript') seen.push(frame.entry.id)
    else if (type === 'assistant') seen.push(frame.callId)
    else if (type === 'turn') seen.push(`turn ${frame.outcome ?? frame.phase}`)
    else seen.push(type === 'status' ? frame.status : type)
  }
  return seen
}

describe('one that joins a stream of another cursor', () => {
  test('reads nothing of the stream that stands in no page: it is in front of its cursor', () => {
    const follower = createFollower('c-5', LIMITS)
    follower.take({type: 'connected'})
    follower.take(entry('4'))
    expect(follower.mustCatchUp()).toBe(true)
    const before = follower.startPaging()
    // What comes while it pages may be behind what was paged: it is asked about again.
    follower.take(entry('7'))
    follower.settle(new Set(['6']), before)
    expect(follower.mustCatchUp()).toBe(true)
    expect(readAll(follower)).toEqual(['connected', '7'])
  })

  test('is in step where a page and the stream meet, from the first frame on', () => {
    const follower = createFollower('c-5', LIMITS)
    follower.take(entry('6'))
    follower.take(entry('7'))
    follower.settle(new Set(['6']), follower.startPaging())
    // What the stream brings from here on is its own.
    follower.take(entry('8'))
    expect(follower.mustCatchUp()).toBe(false)
    expect(readAll(follower)).toEqual(['6', '7', '8'])
    expect(follower.cursor()).toBe('c-8')
  })

  test('is in step behind the entry of its own cursor, which it has', () => {
    const follower = createFollower('c-5', LIMITS)
    for (const id of ['4', '5', '6']) follower.take(entry(id))
    follower.settle(new Set(), follower.startPaging())
    expect(follower.mustCatchUp()).toBe(false)
    expect(readAll(follower)).toEqual(['6'])
  })
})

describe('a turn in progress', () => {
  test('is read from its beginning or not at all', () => {
    const follower = createFollower(undefined, LIMITS)
    follower.keepStep()
    follower.take(piece('A'))
    follower.take(turn('end'))
    follower.take(turn('start'))
    follower.take(piece('B'))
    expect(readAll(follower)).toEqual(['turn start', 'B'])
  })

  test('is sent from its beginning on a new connection', () => {
    const follower = createFollower(undefined, LIMITS)
    follower.keepStep()
    follower.take({type: 'connected'})
    follower.take(piece('A'))
    expect(readAll(follower)).toEqual(['connected', 'A'])
  })
})

test('one that is full loses what it has not read, but for the newest status, and is told so', () => {
  const follower = createFollower(undefined, LIMITS)
  follower.keepStep()
  follower.take({type: 'connected'})
  follower.take({type: 'status', status: 'active'})
  follower.take(entry('1'))
  expect(follower.hasRoom()).toBe(true)
  follower.take(entry('2'))
  expect(follower.hasRoom()).toBe(false)
  follower.take({type: 'status', status: 'idle'})
  follower.take(piece('A'))
  expect(follower.shift()).toBeUndefined()
  // No page says that it is over.
  follower.take({type: 'done'})
  expect(follower.mustCatchUp()).toBe(true)
  expect(follower.shift()).toEqual({type: 'turn', phase: 'end', outcome: 'dropped'})
  expect(readAll(follower)).toEqual(['idle', 'done'])
})
