import {expect, test} from 'vitest'
import {createFirstSigns} from '../../../src/slack/api/first-signs.ts'
import {createManualClock} from '../../relay/manual-clock.ts'

const MESSAGE = {
  key: JSON.stringify(['message', 'T1', 'C1', '2.0']),
  lane: JSON.stringify(['T1', 'C1', '1.0']),
}
const call = (method: string, body: Record<string, string>, outcome: 'ok' | 'wait' = 'ok') => ({
  ...{method, outcome},
  body: new URLSearchParams(body).toString(),
})

function start() {
  const clock = createManualClock()
  const signs = createFirstSigns(() => clock.nowMs())
  signs.taken({...MESSAGE, receivedAtMs: clock.nowMs()})
  clock.advance(500)
  return {clock, signs}
}

test.each([
  ['a message in its Slack thread', 'chat.postMessage', {channel: 'C1', thread_ts: '1.0'}],
  ['a reaction on it', 'reactions.add', {channel: 'C1', timestamp: '2.0'}],
  ['a status line', 'assistant.threads.setStatus', {channel_id: 'C1', thread_ts: '1.0'}],
  ['a whisper', 'chat.postEphemeral', {channel: 'C1', thread_ts: '1.0'}],
])('%s is the first sign of a message, once', (_name, method, body) => {
  const {clock, signs} = start()
  expect(signs.called(call(method, body))).toBe(500)
  clock.advance(500)
  expect(signs.called(call(method, body))).toBeUndefined()
})

test.each([
  ['elsewhere', call('chat.postMessage', {channel: 'C1', thread_ts: '9.0'})],
  ['in another channel', call('chat.postMessage', {channel: 'C2', thread_ts: '1.0'})],
  ['that nobody sees', call('conversations.replies', {channel: 'C1', ts: '1.0'})],
  ['that was refused', call('chat.postMessage', {channel: 'C1', thread_ts: '1.0'}, 'wait')],
])('a call %s is none', (_name, made) => {
  expect(start().signs.called(made)).toBeUndefined()
})

test('what shows nothing for a minute asks for no sign, and only messages do', () => {
  const {clock, signs} = start()
  clock.advance(60_000)
  const posted = call('chat.postMessage', {channel: 'C1', thread_ts: '1.0'})
  expect(signs.called(posted)).toBeUndefined()
  const press = JSON.stringify(['press', 'T1', 'C1', '2.0', 'stop', '', 'U1'])
  signs.taken({key: press, lane: press, receivedAtMs: clock.nowMs()})
  signs.taken({...MESSAGE, key: MESSAGE.key.replace('C1', 'C2'), receivedAtMs: clock.nowMs()})
  expect(signs.called(posted)).toBeUndefined()
})
