import {expect, test} from 'vitest'
import {activityOf} from '../../src/relay/activity.ts'
import {createTimeline, fold} from '../../src/relay/timeline/timeline.ts'
import {FRESH_LINK} from '../support/fresh-link.ts'

const LINK = {...FRESH_LINK, status: 'active'}
const FRESH = {status: 'active', statusSinceMs: 0, steps: 0, cursor: undefined, drafts: []}
const ARRIVAL = {nowMs: 1, isOurs: false}

test('what an agent does is known for as long as it is heard of', () => {
  const call = {type: 'tool_call', callId: 'c', name: 'read', text: 'Read a.ts'} as const
  const timeline = fold(createTimeline(FRESH), call, ARRIVAL)
  expect(activityOf(LINK, timeline)).toMatchObject({kind: 'tool', text: 'Read a.ts'})
  for (const code of ['unreachable', 'key-refused', 'refused', 'no-place'] as const) {
    expect(activityOf({...LINK, notice: {code}}, timeline)).toBeUndefined()
  }
})

test('an agent writes, or thinks, and whoever has stopped it sees that', () => {
  const start = createTimeline(FRESH)
  expect(activityOf(LINK, start)).toEqual({kind: 'thinking'})
  const writing = fold(start, {type: 'assistant', callId: 'c', text: 'So '}, ARRIVAL)
  expect(activityOf(LINK, writing)).toEqual({kind: 'writing'})
  expect(activityOf({...LINK, stoppedBy: 'U1'}, writing)).toEqual({kind: 'stopping'})
  for (const status of ['idle', 'waiting', 'pending_user']) {
    expect(activityOf(LINK, fold(writing, {type: 'status', status}, ARRIVAL))).toBeUndefined()
  }
})
