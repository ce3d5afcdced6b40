import {expect, test} from 'vitest'
import {createKeptBack, withEvent} from '../../../src/slack/incoming/kept-back.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'

const HOUR_MS = 3_600_000
/** https://docs.slack.dev/reference/events/app_rate_limited, as Socket Mode wraps it. */
const limited = {
  envelope_id: 'e-1',
  type: 'events_api',
  payload: {type: 'app_rate_limited', team_id: 'T1', minute_rate_limited: 60, api_app_id: 'A1'},
}

test('a frame that says it is read by Slack’s client, with all that it says', () => {
  expect(JSON.parse(String(withEvent(JSON.stringify(limited))))).toEqual({
    ...limited,
    payload: {...limited.payload, event: {type: 'app_rate_limited'}},
  })
})

test.each([
  [
    'somebody’s words',
    {...limited, payload: {type: 'event_callback', event: {text: '"app_rate_limited"'}}},
  ],
  ['one that has an event', {...limited, payload: {...limited.payload, event: {type: 'x'}}}],
  ['a command', {...limited, type: 'slash_commands'}],
  ['a payload that is none', {...limited, payload: null}],
])('%s is left as it is', (_name, frame) => {
  const text = JSON.stringify(frame)
  expect(withEvent(text)).toBe(text)
})

test('what is no JSON, or no text, is left as it is', () => {
  for (const frame of ['{"app_rate_limited"', undefined, new ArrayBuffer(1)]) {
    expect(withEvent(frame)).toBe(frame)
  }
})

test('it is told once in an hour of each workspace, and for an hour behind the last time', () => {
  let nowMs = 0
  const told: unknown[] = []
  const log = {...SILENT_LOG, warn: (of: unknown) => void told.push(of)}
  const keptBack = createKeptBack({log, nowMs: () => nowMs})
  expect(keptBack.explain()).toBeUndefined()
  keptBack.heard('T1')
  nowMs = HOUR_MS - 1
  keptBack.heard('T1')
  keptBack.heard('T2')
  expect(told).toEqual([{team: 'T1'}, {team: 'T2'}])
  expect(keptBack.explain()).toBe(
    'Slack counts more than 30,000 events of T1, T2 in an hour, and keeps some back',
  )
  nowMs += HOUR_MS
  expect(keptBack.explain()).toBeUndefined()
  keptBack.heard('T1')
  expect(told).toHaveLength(3)
})
