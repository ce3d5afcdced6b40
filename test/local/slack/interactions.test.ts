import type {BlockAction, RespondArguments} from '@slack/bolt'
import {expect, test} from 'vitest'
import type {LocalSlack} from '../../../local/slack/server.ts'
import {eventually} from './eventually.ts'
import {connectApp, openSlack, testOverBoth} from './slack-fixture.ts'

const jane = {as: 'U0JANE', channel: 'C0WEB'}

const button = (text: string, actionId: string, value: string) => ({
  type: 'button' as const,
  action_id: actionId,
  text: {type: 'plain_text' as const, text},
  value,
})

const option = (value: string) => ({text: {type: 'plain_text' as const, text: value}, value})

const blocks = [
  {
    type: 'actions' as const,
    block_id: 'controls',
    elements: [
      button('Stop', 'stop', 'p7'),
      {type: 'overflow' as const, action_id: 'more', options: [option('archive'), option('open')]},
    ],
  },
]

testOverBoth('a press arrives as block_actions, with all that an app looks at', async (connect) => {
  const {slack, client} = await openSlack()
  const {app} = await connect(slack)
  const bodies: BlockAction[] = []
  app.action<BlockAction>(/.*/, async ({ack, body}) => {
    bodies.push(body)
    await ack()
  })
  const {ts = ''} = await client.chat.postMessage({channel: 'C0WEB', text: 'Working', blocks})
  await expect(slack.people.press({...jane, ts, actionId: 'stop'})).resolves.toBe('acked')
  await slack.people.press({...jane, ts, actionId: 'more', value: 'archive'})
  expect(bodies[0]).toMatchObject({
    type: 'block_actions',
    user: {id: 'U0JANE', username: 'jane', name: 'jane', team_id: 'T0LOCAL'},
    api_app_id: 'A0BOSUN',
    team: {id: 'T0LOCAL', domain: 'acme'},
    enterprise: null,
    is_enterprise_install: false,
    channel: {id: 'C0WEB', name: 'web'},
    container: {type: 'message', message_ts: ts, channel_id: 'C0WEB', is_ephemeral: false},
    message: {ts, text: 'Working', bot_id: 'B0BOSUN'},
    state: {values: {}},
    actions: [{type: 'button', action_id: 'stop', block_id: 'controls', value: 'p7'}],
  })
  expect(bodies[1]?.actions[0]).toMatchObject({
    type: 'overflow',
    selected_option: {value: 'archive'},
  })
})

test('what is not there cannot be pressed', async () => {
  const {slack, client} = await openSlack()
  const {ts = ''} = await client.chat.postMessage({channel: 'C0WEB', text: 'Working', blocks})
  const press = (choice: {actionId: string; as?: string; value?: string}) =>
    slack.people.press({...jane, ts, ...choice})
  await expect(press({actionId: 'nope'})).rejects.toThrow('nothing to press')
  await expect(press({actionId: 'more', value: 'x'})).rejects.toThrow('archive, open')
  await expect(press({actionId: 'stop', as: 'U0X'})).rejects.toThrow('no member U0X')
})

testOverBoth('a press is not delivered again', async (connect) => {
  const {slack, client} = await openSlack({timeFactor: 0.01})
  await connect(slack)
  const {ts = ''} = await client.chat.postMessage({channel: 'C0WEB', text: 'Working', blocks})
  await expect(slack.people.press({...jane, ts, actionId: 'stop'})).resolves.toBe('timeout')
  const presses = slack.ledger.deliveries.filter(({kind}) => kind === 'interactive')
  expect(presses).toMatchObject([{attempt: 0, outcome: 'timeout'}])
})

test('a response may replace, delete, whisper and speak to all', async () => {
  const {slack, client} = await openSlack()
  const respond = await responder(slack)
  const {ts = ''} = await client.chat.postMessage({channel: 'C0WEB', text: 'Working', blocks})
  await slack.people.press({...jane, ts, actionId: 'stop'})
  await respond({text: 'Only you'})
  await respond({text: 'For all', response_type: 'in_channel'})
  await respond({text: 'Stopped', replace_original: true})
  expect(slack.ephemerals('C0WEB', 'U0JANE')).toMatchObject([{text: 'Only you'}])
  expect(slack.messages('C0WEB')).toMatchObject([{text: 'Stopped'}, {text: 'For all'}])
  await respond({delete_original: true})
  expect(slack.messages('C0WEB')).toMatchObject([{text: 'For all'}])
  await expect(respond({text: ''})).rejects.toMatchObject({statusCode: 400})
  await expect(respond({text: 'A sixth time'})).rejects.toMatchObject({statusCode: 404})
})

test('an ephemeral message can be pressed and replaced by the one who sees it', async () => {
  const {slack, client} = await openSlack()
  const respond = await responder(slack)
  const {message_ts: ts = ''} = await client.chat.postEphemeral({
    channel: 'C0WEB',
    user: 'U0JANE',
    text: 'Not sure this arrived',
    blocks,
  })
  const blind = slack.people.press({as: 'U0KIM', channel: 'C0WEB', ts, actionId: 'stop'})
  await expect(blind).rejects.toThrow('sees no message')
  await slack.people.press({...jane, ts, actionId: 'stop'})
  const press = slack.ledger.deliveries.find(({kind}) => kind === 'interactive')
  expect(press?.payload).toMatchObject({container: {is_ephemeral: true}})
  expect(press?.payload).not.toHaveProperty('message')
  await respond({text: 'Sent again', replace_original: true})
  expect(slack.ephemerals('C0WEB', 'U0JANE')).toMatchObject([{ts, text: 'Sent again'}])
})

/** Answers through Bolt's own `respond` of the latest press. */
async function responder(slack: LocalSlack) {
  const {app} = await connectApp(slack)
  const responds: ((message: RespondArguments) => Promise<unknown>)[] = []
  app.action(/.*/, async ({ack, respond}) => {
    responds.push(respond)
    await ack()
  })
  return async (message: RespondArguments): Promise<unknown> => {
    await eventually(
      () => responds.length,
      (count) => count > 0,
    )
    return responds.at(-1)?.(message)
  }
}
