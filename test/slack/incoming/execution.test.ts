import {expect, test} from 'vitest'
import {parseBody} from '../../../src/slack/incoming/parse-body.ts'

const executed = {
  ...{type: 'function_executed', function: {callback_id: 'start_work'}},
  ...{function_execution_id: 'Fx1', bot_access_token: 'xwfp-secret'},
}
const read = (change: object) => {
  const event = {...executed, ...change}
  const parsed = parseBody({type: 'event_callback', team_id: 'T1', event_id: 'Ev1', event})
  return parsed.kind === 'execution' ? parsed.execution : parsed.kind
}

test.each([undefined, null, {}])(
  'a step whose inputs are %j has none, and is answered',
  (inputs) => {
    expect(read({inputs})).toMatchObject({
      team: 'T1',
      id: 'Fx1',
      callbackId: 'start_work',
      inputs: {},
    })
  },
)

test('a step is kept without the token that comes with it, and is read again from there', () => {
  const inputs = {channel: 'C1'}
  const execution = read({inputs})
  if (typeof execution === 'string') throw new Error(execution)
  expect(execution.inputs).toEqual(inputs)
  expect(JSON.stringify(execution)).not.toContain('xwfp')
  expect(parseBody(execution.kept)).toEqual({kind: 'execution', execution})
})
