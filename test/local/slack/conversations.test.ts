import {expect, test} from 'vitest'
import {openSlack, refusalOf} from './slack-fixture.ts'

test('replies come parent first, page by page, with metadata only on request', async () => {
  const {slack, client} = await openSlack({rateScale: Infinity})
  const {ts} = await slack.people.post({as: 'U0JANE', channel: 'C0WEB', text: 'Parent'})
  for (const text of ['one', 'two', 'three']) {
    await client.chat.postMessage({
      channel: 'C0WEB',
      thread_ts: ts,
      text,
      metadata: {event_type: 'bosun_post', event_payload: {text}},
    })
  }
  const place = {channel: 'C0WEB', ts}
  const first = await client.conversations.replies({...place, limit: 2})
  expect(first.messages?.map(({text}) => text)).toEqual(['Parent', 'one'])
  expect(first.messages?.[1]).not.toHaveProperty('metadata')
  expect(first.has_more).toBe(true)
  const second = await client.conversations.replies({
    ...place,
    limit: 2,
    include_all_metadata: true,
    cursor: first.response_metadata?.next_cursor ?? '',
  })
  expect(second.messages?.map(({text}) => text)).toEqual(['two', 'three'])
  expect(second.messages?.[0]).toMatchObject({metadata: {event_payload: {text: 'two'}}})
  expect(second.has_more).toBe(false)
  const oldest = second.messages?.[0]?.ts ?? ''
  const later = await client.conversations.replies({...place, oldest})
  expect(later.messages?.map(({text}) => text)).toEqual(['Parent', 'three'])
})

test('metadata is read by the types that are asked for', async () => {
  const {client} = await openSlack()
  for (const event_type of ['wanted', 'other']) {
    const metadata = {event_type, event_payload: {}}
    await client.chat.postMessage({channel: 'C0WEB', text: event_type, metadata})
  }
  const read = (keys: string) => {
    const options = {channel: 'C0WEB', metadata_keys_to_include: keys}
    return client.conversations.history(options)
  }
  const answer = await read('["wanted"]')
  expect(answer.messages?.map((message) => ({metadata: undefined, ...message}).metadata)).toEqual([
    undefined,
    {event_type: 'wanted', event_payload: {}},
  ])
  for (const keys of ['wanted', '{}', '[1]']) {
    expect(await refusalOf(read(keys))).toBe('invalid_metadata_filter_keys')
  }
})

test('history is newest first and leaves replies out', async () => {
  const {slack, client} = await openSlack()
  const parent = await slack.people.post({as: 'U0JANE', channel: 'C0WEB', text: 'Old'})
  await slack.people.post({as: 'U0KIM', channel: 'C0WEB', text: 'Reply', threadTs: parent.ts})
  await slack.people.post({as: 'U0SAM', channel: 'C0WEB', text: 'New'})
  const {messages} = await client.conversations.history({channel: 'C0WEB'})
  expect(messages?.map(({text}) => text)).toEqual(['New', 'Old'])
  const exact = await client.conversations.history({
    channel: 'C0WEB',
    oldest: parent.ts,
    latest: parent.ts,
    inclusive: true,
  })
  expect(exact.messages?.map(({text}) => text)).toEqual(['Old'])
})

test('reading refuses in the words of Slack', async () => {
  const {client} = await openSlack()
  const ts = '1700000001.123456'
  const read = client.conversations
  expect(await refusalOf(read.replies({channel: 'C0WEB', ts}))).toBe('thread_not_found')
  expect(await refusalOf(read.replies({channel: 'C0WEB', ts: 'x'}))).toBe('thread_not_found')
  expect(await refusalOf(read.replies({channel: 'C0RANDOM', ts}))).toBe('not_in_channel')
  expect(await refusalOf(read.history({channel: 'C0X'}))).toBe('channel_not_found')
  expect(await refusalOf(read.history({channel: 'C0WEB', oldest: 'x'}))).toBe('invalid_ts_oldest')
  expect(await refusalOf(read.history({channel: 'C0WEB', cursor: 'x'}))).toBe('invalid_cursor')
  expect(await refusalOf(read.history({channel: 'C0WEB', limit: 0}))).toBe('invalid_limit')
})

test('channels, direct messages, members and people are there from the start', async () => {
  const {slack, client} = await openSlack()
  const info = await client.conversations.info({channel: 'C0RANDOM', include_num_members: true})
  expect(info.channel).toMatchObject({name: 'random', is_member: false, num_members: 3})
  const dm = await client.conversations.open({users: 'U0JANE'})
  expect(dm.channel?.id).toBe('D0JANE')
  await client.chat.postMessage({channel: 'U0JANE', text: 'Hello Jane'})
  expect(slack.messages('D0JANE')).toMatchObject([{text: 'Hello Jane'}])
  expect(await refusalOf(client.conversations.open({users: 'U0X'}))).toBe('user_not_found')
  const {members} = await client.conversations.members({channel: 'C0WEB'})
  expect(members).toEqual(['U0JANE', 'U0KIM', 'U0SAM', 'U0BOSUN'])
  const {user} = await client.users.info({user: 'U0KIM'})
  expect(user).toMatchObject({
    name: 'kim',
    real_name: 'Kim Lee',
    tz: 'Asia/Seoul',
    profile: {email: 'kim@acme.test', display_name: 'Kim'},
  })
  expect(await refusalOf(client.users.info({user: 'U0X'}))).toBe('user_not_found')
})

test('a permalink names the channel and the thread', async () => {
  const {slack, client} = await openSlack()
  const {ts} = await slack.people.post({as: 'U0JANE', channel: 'C0WEB', text: 'Hi'})
  const link = await client.chat.getPermalink({channel: 'C0WEB', message_ts: ts})
  expect(link.permalink).toBe(`${slack.origin}/archives/C0WEB/p${ts.replace('.', '')}`)
  const missing = client.chat.getPermalink({channel: 'C0WEB', message_ts: '1.1'})
  expect(await refusalOf(missing)).toBe('message_not_found')
})

test('a reaction stands once for each member', async () => {
  const {slack, client} = await openSlack()
  const {ts} = await slack.people.post({as: 'U0JANE', channel: 'C0WEB', text: 'Hi'})
  const item = {channel: 'C0WEB', timestamp: ts, name: 'eyes'}
  await client.reactions.add(item)
  await slack.people.react({as: 'U0KIM', channel: 'C0WEB', ts, name: 'eyes'})
  expect(slack.messages('C0WEB')[0]?.reactions).toEqual([
    {name: 'eyes', userIds: ['U0BOSUN', 'U0KIM']},
  ])
  expect(await refusalOf(client.reactions.add(item))).toBe('already_reacted')
  await client.reactions.remove(item)
  expect(await refusalOf(client.reactions.remove(item))).toBe('no_reaction')
  expect(await refusalOf(client.reactions.add({...item, timestamp: 'x'}))).toBe('bad_timestamp')
  expect(await refusalOf(client.reactions.add({...item, name: '!'}))).toBe('invalid_name')
})
