import {expect, test} from 'vitest'
import {eventually} from './eventually.ts'
import {connectApp, openSlack, refusalOf} from './slack-fixture.ts'

const channel = 'C0WEB'
const jane = {as: 'U0JANE', channel}

test('a reply that is also sent to the channel stands in both', async () => {
  const {slack, client} = await openSlack()
  const {heard} = await connectApp(slack)
  const {ts: thread_ts} = await slack.people.post({...jane, text: 'Parent'})
  await client.chat.postMessage({channel, thread_ts, text: 'Said here alone'})
  const sent = {channel, thread_ts, text: 'Done', reply_broadcast: true} as const
  const {ts, message} = await client.chat.postMessage(sent)
  const shown = {subtype: 'thread_broadcast', ts, thread_ts, root: {text: 'Parent', ts: thread_ts}}
  expect(message).toMatchObject(shown)
  const history = await client.conversations.history({channel})
  expect(history.messages).toMatchObject([shown, {text: 'Parent', reply_count: 2}])
  const replies = await client.conversations.replies({channel, ts: thread_ts})
  expect(replies.messages?.map(({text}) => text)).toEqual(['Parent', 'Said here alone', 'Done'])
  const event = await eventually(
    () => heard.map((one) => one.event).find(({text}) => text === 'Done'),
    (found) => found !== undefined,
  )
  expect(event).toMatchObject({type: 'message', channel_type: 'channel', ...shown})
})

test('outside of a thread there is nothing to send twice', async () => {
  const {slack, client} = await openSlack()
  const post = {channel, text: 'Hi', reply_broadcast: true}
  expect(await client.apiCall('chat.postMessage', post)).not.toHaveProperty('message.subtype')
  await expect(slack.people.post({...jane, text: 'Hi', broadcast: true})).rejects.toThrow('thread')
})

test('people send replies to the channel too, and the app hears of it', async () => {
  const {slack} = await openSlack()
  const {heard} = await connectApp(slack)
  const {ts: threadTs} = await slack.people.post({...jane, text: 'Parent'})
  await slack.people.post({...jane, threadTs, text: 'Look here', broadcast: true})
  await eventually(
    () => heard.map(({event}) => event['subtype']),
    (subtypes) => subtypes.includes('thread_broadcast'),
  )
})

test('an edit sends a reply to the channel, but not with new words', async () => {
  const {slack, client} = await openSlack()
  const {ts: thread_ts} = await slack.people.post({...jane, text: 'Parent'})
  const {ts = ''} = await client.chat.postMessage({channel, thread_ts, text: 'Done'})
  const edit = (args: object) =>
    client.apiCall('chat.update', {channel, ts, reply_broadcast: true, ...args})
  expect(await refusalOf(edit({text: 'New'}))).toBe('no_dual_broadcast_content_update')
  expect(await edit({})).toMatchObject({message: {subtype: 'thread_broadcast', text: 'Done'}})
  expect(await edit({text: 'New'})).toMatchObject({
    message: {subtype: 'thread_broadcast', text: 'New'},
  })
  const {messages} = await client.conversations.history({channel})
  expect(messages?.map(({text}) => text)).toEqual(['New', 'Parent'])
})

test('a broadcast reply outlives its parent', async () => {
  const {slack, client} = await openSlack()
  const {ts: threadTs} = await slack.people.post({...jane, text: 'Parent'})
  await slack.people.post({...jane, threadTs, text: 'Look here', broadcast: true})
  await slack.people.remove({...jane, ts: threadTs})
  const {messages} = await client.conversations.history({channel})
  expect(messages).toMatchObject([{text: 'Look here', subtype: 'thread_broadcast'}])
  expect(messages?.[0]).not.toHaveProperty('root')
})
