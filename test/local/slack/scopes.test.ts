import {expect, test} from 'vitest'
import {methodScopes} from '../../../local/slack/edge/scopes.ts'
import {openSlack, refusalDataOf, refusalOf} from './slack-fixture.ts'

test('a call without its scope is refused with what is needed and what there is', async () => {
  const {client} = await openSlack({rateScale: Infinity, scopes: ['commands', 'im:write']})
  for (const [method, scopes] of Object.entries(methodScopes)) {
    if (scopes.length === 0 || scopes.includes('im:write')) continue
    expect(await refusalDataOf(client.apiCall(method))).toMatchObject({
      error: 'missing_scope',
      needed: scopes.join(','),
      provided: 'commands,im:write',
    })
  }
  const {response_metadata} = await client.auth.test()
  expect(response_metadata?.scopes).toEqual(['commands', 'im:write'])
})

test('each kind of conversation asks for the scope of its family', async () => {
  const scopes = ['channels:read', 'channels:history', 'channels:manage', 'im:write']
  const {slack, client} = await openSlack({rateScale: Infinity, scopes})
  const draft = {name: 'inner', memberIds: ['U0JANE', 'U0BOSUN'], isPrivate: true}
  const {id: channel} = await slack.people.createChannel(draft)
  const {conversations} = client
  const needed = async (call: Promise<unknown>) => {
    const data: Record<string, unknown> = {...(await refusalDataOf(call))}
    return data['needed']
  }
  await conversations.info({channel: 'C0WEB'})
  expect(await needed(conversations.info({channel}))).toBe('groups:read')
  expect(await needed(conversations.members({channel: 'D0JANE'}))).toBe('im:read')
  expect(await needed(conversations.history({channel}))).toBe('groups:history')
  expect(await needed(conversations.list({types: 'public_channel,im'}))).toBe('im:read')
  expect(await needed(conversations.open({users: 'U0JANE,U0KIM'}))).toBe('mpim:write')
  expect(await needed(conversations.invite({channel, users: 'U0KIM'}))).toBe('groups:write')
})

test('an e-mail address is shown to those only who may read it', async () => {
  const {client} = await openSlack({scopes: ['users:read']})
  const {user} = await client.users.info({user: 'U0KIM'})
  expect(user?.profile).not.toHaveProperty('email')
  expect(await refusalOf(client.users.lookupByEmail({email: 'kim@acme.test'}))).toBe(
    'missing_scope',
  )
})

test('chat:write.public opens every public channel, and no private one', async () => {
  const {slack, client} = await openSlack({scopes: ['chat:write', 'chat:write.public']})
  const {ts = ''} = await client.chat.postMessage({channel: 'C0RANDOM', text: 'Hello'})
  await client.chat.postMessage({channel: 'C0RANDOM', thread_ts: ts, text: 'In a thread'})
  await client.chat.update({channel: 'C0RANDOM', ts, text: 'Hello again'})
  expect(slack.messages('C0RANDOM').map(({text}) => text)).toEqual(['Hello again', 'In a thread'])
  const draft = {name: 'inner', memberIds: ['U0JANE'], isPrivate: true}
  const {id: channel} = await slack.people.createChannel(draft)
  expect(await refusalOf(client.chat.postMessage({channel, text: 'x'}))).toBe('channel_not_found')
  await slack.people.archive('C0RANDOM')
  const late = client.chat.postMessage({channel: 'C0RANDOM', text: 'x'})
  expect(await refusalOf(late)).toBe('is_archived')
})
