import {expect, test} from 'vitest'
import {parseFrame} from '../../src/platform/stream/frame.ts'

const LONG = 'a very long story '.repeat(60_000)

const sizeOf = (value: unknown): number => JSON.stringify(value).length

const short: [string, object][] = [
  ['status', {status: LONG, taskId: LONG, taskPath: LONG}],
  ['run', {phase: LONG}],
  ['turn', {phase: LONG, outcome: LONG}],
  ['tool_call', {callId: LONG, name: LONG, text: LONG}],
  ['task', {taskId: LONG, status: LONG, taskPath: LONG, other: LONG}],
  ['error', {code: LONG, message: LONG}],
  ['heartbeat', {at: LONG}],
]

test.for(short)('a %s frame stays short, whatever it says', ([event, data]) => {
  const frame = parseFrame({event, data: JSON.stringify(data)})
  expect(frame?.type).toBe(event)
  expect(sizeOf(frame)).toBeLessThan(3000)
})

test('of an entry nothing is kept that nobody reads, and all of its text', () => {
  const entry = {
    ...{id: LONG, source: 'assistant', callId: LONG, text: 'It is done.', tool: LONG, model: LONG},
    ...{authorName: LONG, later: LONG},
  }
  const frame = parseFrame({event: 'transcript', data: JSON.stringify(entry)})
  expect(frame).toMatchObject({entry: {text: 'It is done.'}})
  expect(sizeOf(frame)).toBeLessThan(3000)
  const long = {...entry, text: LONG}
  expect(parseFrame({event: 'transcript', data: JSON.stringify(long)})).toMatchObject({
    entry: {text: LONG},
  })
})

test('ids that are longer than anybody’s are still told from each other, and found again', () => {
  const callOf = (event: string, data: object): unknown => {
    const frame = parseFrame({event, data: JSON.stringify(data)})
    return frame?.type === 'transcript'
      ? frame.entry.callId
      : frame && 'callId' in frame && frame.callId
  }
  const said = callOf('transcript', {id: 'e', source: 'assistant', callId: `${LONG}1`, text: ''})
  expect(callOf('assistant', {callId: `${LONG}1`, text: ''})).toBe(said)
  expect(callOf('assistant', {callId: `${LONG}2`, text: ''})).not.toBe(said)
  expect(callOf('assistant', {callId: 'call', text: ''})).toBe('call')
})
