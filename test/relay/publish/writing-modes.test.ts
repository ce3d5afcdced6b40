import {describe, expect, test} from 'vitest'
import {createWritingModes} from '../../../src/relay/publish/writing-modes.ts'
import {NOBODY} from '../../../src/store/forget/blanking.ts'
import {createManualClock} from '../manual-clock.ts'

const MINUTE_MS = 60_000
const at = (channel: string, more = {}, reader = 'U1') => ({
  place: {team: 'T', channel, slackThread: '1.0', ...more},
  reader,
})

test('replies begin as the operator chose, and in a room never as a stream', () => {
  const clock = createManualClock()
  const modes = (choice: 'auto' | 'edit' | 'stream', more = {}) =>
    createWritingModes({choice, clock}).at(at('C', more))
  expect(modes('auto')).toEqual(['create', 'open'])
  expect(modes('edit')).toEqual(['create'])
  expect(modes('stream')).toEqual(['open'])
  expect(modes('stream', {isRoom: true})).toEqual(['create'])
})

describe('where Slack streams nothing', () => {
  test('replies are edited for a while, longer each time, up to an hour', () => {
    const clock = createManualClock()
    const modes = createWritingModes({choice: 'stream', clock})
    for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
      modes.refuse(at('C'), 'channel_type_not_supported')
      clock.advance(minutes * MINUTE_MS - 1)
      expect(modes.at(at('C'))).toEqual(['create'])
      clock.advance(1)
      expect(modes.at(at('C'))).toEqual(['open'])
    }
    modes.pass(at('C'))
    modes.refuse(at('C'), 'channel_type_not_supported')
    clock.advance(MINUTE_MS)
    expect(modes.at(at('C'))).toEqual(['open'])
  })

  test('other channels have nothing to do with it', () => {
    const modes = createWritingModes({choice: 'stream', clock: createManualClock()})
    modes.refuse(at('C'), 'channel_type_not_supported')
    expect(modes.at(at('D'))).toEqual(['open'])
    expect(modes.at(at('C', {team: 'T2'}))).toEqual(['open'])
    expect(modes.at(at('C', {slackThread: '2.0'}))).toEqual(['create'])
  })

  test('to one reader, the others and their replies have nothing to do with it', () => {
    const modes = createWritingModes({choice: 'stream', clock: createManualClock()})
    modes.refuse(at('C', {}, 'U-away'), 'user_not_found')
    expect(modes.at(at('D', {}, 'U-away'))).toEqual(['create'])
    expect(modes.at(at('C'))).toEqual(['open'])
    modes.pass(at('D', {}, 'U-away'))
    expect(modes.at(at('C', {}, 'U-away'))).toEqual(['open'])
  })
})

test('what nobody asked for answers nobody, and is no stream', () => {
  const modes = createWritingModes({choice: 'stream', clock: createManualClock()})
  expect(modes.at(at('C', {}, NOBODY))).toEqual(['create'])
})
