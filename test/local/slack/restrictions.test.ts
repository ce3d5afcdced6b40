import {expect, test} from 'vitest'
import {createTriggers} from '../../../local/slack/views/triggers.ts'
import {askControl} from './control-fixture.ts'
import {deliveriesOf, openSlack, refusalOf, testOverBoth} from './slack-fixture.ts'
import {eventually} from './eventually.ts'

const web = {channel: 'C0WEB'}

test('what an admin closes is closed to people as well, and can be opened again', async () => {
  const {slack, client} = await openSlack({rateScale: Infinity})
  const act = async (name: string, body: object) => {
    const answer = await askControl(slack, 'POST', `/people/${name}`, body)
    expect(answer.body).toMatchObject({ok: true})
  }
  const kim = {as: 'U0KIM', ...web, text: 'Hi'}
  const {ts: threadTs} = await slack.people.post(kim)
  await act('restrictChannel', {...web, posting: 'threads_only'})
  await expect(slack.people.post(kim)).rejects.toThrow('restricted')
  await slack.people.post({...kim, as: 'U0JANE'})
  await slack.people.post({...kim, threadTs})
  await act('lockThread', {...web, threadTs})
  await expect(slack.people.post({...kim, threadTs})).rejects.toThrow('restricted')
  const {messages} = await client.conversations.replies({...web, ts: threadTs})
  expect(messages?.[0]).toMatchObject({is_locked: true})
  await act('unlockThread', {...web, threadTs})
  await act('restrictChannel', {...web, posting: 'everyone'})
  await slack.people.post(kim)
  await client.chat.postMessage({...web, text: 'Hi', thread_ts: threadTs})
  await act('setRules', {isMessageLimitReached: true})
  expect(await refusalOf(client.chat.postMessage({...web, text: 'x'}))).toBe(
    'message_limit_exceeded',
  )
  await act('setRules', {})
  await client.chat.postMessage({...web, text: 'Hi'})
})

test('an app without the scope has neither commands nor shortcuts', async () => {
  const command = {command: '/bosun', description: 'Starts work'}
  const {slack} = await openSlack({scopes: ['chat:write'], commands: [command]})
  const typed = {as: 'U0JANE', ...web, command: '/bosun', text: ''}
  await expect(slack.people.command(typed)).rejects.toThrow('/bosun is not a valid command')
  const chosen = slack.people.shortcut({as: 'U0JANE', callbackId: 'open_form'})
  await expect(chosen).rejects.toThrow('no shortcut open_form')
  const workspace = await fetch(`${slack.origin}/local/workspace`)
  expect(await workspace.json()).toMatchObject({apps: [{commands: [], shortcuts: []}]})
})

testOverBoth('an agent hears what a person looks at beside it', async (connect) => {
  const {slack} = await openSlack({agent: {view: 'agent_view', stopEvent: 'subscribed'}})
  await connect(slack)
  await slack.people.changeContext({as: 'U0JANE', to: 'C0WEB'})
  const [told] = await eventually(
    () => deliveriesOf(slack, 'app_context_changed'),
    (deliveries) => deliveries.length > 0,
  )
  expect(told?.payload['event']).toMatchObject({
    channel: 'D0JANE',
    user: 'U0JANE',
    context: {entities: [{type: 'slack#/types/channel_id', value: 'C0WEB', team_id: 'T0LOCAL'}]},
  })
})

test('the facts of bots, the workspace and the reactions of a message are read', async () => {
  const {slack, client} = await openSlack()
  expect(await client.bots.info({bot: 'B0BOSUN'})).toMatchObject({
    bot: {id: 'B0BOSUN', app_id: 'A0BOSUN', user_id: 'U0BOSUN', name: 'Bosun'},
  })
  expect(await client.team.info()).toMatchObject({team: {id: 'T0LOCAL', name: 'Acme'}})
  const {ts} = await slack.people.post({as: 'U0JANE', ...web, text: 'Hi'})
  await slack.people.react({as: 'U0KIM', ...web, ts, name: 'eyes'})
  expect(await client.reactions.get({...web, timestamp: ts})).toMatchObject({
    type: 'message',
    channel: 'C0WEB',
    message: {text: 'Hi', reactions: [{name: 'eyes', users: ['U0KIM'], count: 1}]},
  })
})

testOverBoth(
  'a response replaces and deletes what the app wrote, nothing else',
  async (connect) => {
    const {slack} = await openSlack()
    await connect(slack)
    const {ts} = await slack.people.post({as: 'U0JANE', ...web, text: 'Mine'})
    await slack.people.messageShortcut({as: 'U0JANE', ...web, ts, callbackId: 'send'})
    const url = String(slack.ledger.deliveries.at(-1)?.payload['response_url'])
    for (const request of [{delete_original: true}, {replace_original: true, text: 'Yours'}]) {
      const response = await fetch(url, {method: 'POST', body: JSON.stringify(request)})
      expect(await response.json()).toMatchObject({ok: false, error: 'message_not_found'})
    }
    expect(slack.messages('C0WEB')).toMatchObject([{text: 'Mine'}])
  },
)

test('a trigger is expired at first, and later nobody remembers it', () => {
  let nowMs = 0
  const triggers = createTriggers({lifetimeMs: 3_000, now: () => nowMs})
  const old = triggers.create({userId: 'U0JANE'})
  nowMs = 5_000
  triggers.create({userId: 'U0JANE'})
  expect(() => triggers.exchange(old)).toThrow('expired_trigger_id')
  nowMs = 1_000_000
  triggers.create({userId: 'U0JANE'})
  expect(() => triggers.exchange(old)).toThrow('invalid_trigger_id')
})
