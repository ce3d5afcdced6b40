import {describe, expect, test} from 'vitest'
import {clientOf, openSlack, refusalDataOf, refusalOf} from './slack-fixture.ts'

const section = (text: string) => ({type: 'section', text: {type: 'mrkdwn', text}})

describe('chat.postMessage', () => {
  test('answers with the message as Slack shapes it', async () => {
    const {slack, client} = await openSlack()
    const answer = await client.chat.postMessage({
      channel: 'C0WEB',
      text: 'Hello',
      blocks: [section('*Hello*')],
      metadata: {event_type: 'bosun_post', event_payload: {key: 'card'}},
    })
    expect(answer.ts).toMatch(/^\d{10}\.\d{6}$/)
    expect(answer).toMatchObject({
      ok: true,
      channel: 'C0WEB',
      message: {
        type: 'message',
        user: slack.botUserId,
        bot_id: 'B0BOSUN',
        app_id: 'A0BOSUN',
        team: slack.teamId,
        text: 'Hello',
        ts: answer.ts,
        metadata: {event_type: 'bosun_post', event_payload: {key: 'card'}},
      },
    })
    const [block] = answer.message?.blocks ?? []
    expect(block?.block_id).toMatch(/^.{5}$/)
    expect(slack.messages('C0WEB')).toMatchObject([{text: 'Hello', botId: 'B0BOSUN'}])
  })

  test('gives every message another ts, rising', async () => {
    const {slack, client} = await openSlack({rateScale: Infinity})
    const posts = Array.from({length: 50}, (_, index) =>
      client.chat.postMessage({channel: 'C0WEB', text: String(index)}),
    )
    await Promise.all(posts)
    const stamps = slack.messages('C0WEB').map(({ts}) => ts)
    expect(new Set(stamps).size).toBe(50)
    expect([...stamps].sort()).toEqual(stamps)
  })

  test('a thread parent carries what Slack counts of its replies', async () => {
    const {slack, client} = await openSlack()
    const parent = await slack.people.post({as: 'U0JANE', channel: 'C0WEB', text: 'Hi @Bosun'})
    const reply = await client.chat.postMessage({
      channel: 'C0WEB',
      text: 'On it',
      thread_ts: parent.ts,
    })
    const {messages} = await client.conversations.replies({channel: 'C0WEB', ts: parent.ts})
    expect(messages).toMatchObject([
      {
        text: 'Hi <@U0BOSUN>',
        thread_ts: parent.ts,
        reply_count: 1,
        reply_users: ['U0BOSUN'],
        latest_reply: reply.ts,
      },
      {text: 'On it', thread_ts: parent.ts, parent_user_id: 'U0JANE'},
    ])
    expect(slack.messages('C0WEB', parent.ts)).toHaveLength(2)
  })

  test('cuts a text over 40,000 characters and says so', async () => {
    const {slack, client} = await openSlack()
    const answer = await client.chat.postMessage({channel: 'C0WEB', text: 'x'.repeat(40_001)})
    expect(slack.messages('C0WEB')[0]?.text).toHaveLength(40_000)
    expect(answer.response_metadata?.warnings).toEqual(['message_truncated'])
  })

  test('never cuts a character in two', async () => {
    const {slack, client} = await openSlack()
    const kept = 'x'.repeat(39_999)
    await client.chat.postMessage({channel: 'C0WEB', text: `${kept}😀`})
    expect(slack.messages('C0WEB')[0]?.text).toBe(kept)
  })

  test('keeps no block_id of a markdown block', async () => {
    const {client} = await openSlack()
    const blocks = ['markdown', 'divider'].map((type) => ({type, text: 'x', block_id: `a ${type}`}))
    const answer = await client.apiCall('chat.postMessage', {channel: 'C0WEB', blocks})
    expect(answer).toMatchObject({
      message: {
        blocks: [{block_id: expect.stringMatching(/^.{5}$/) as unknown}, {block_id: 'a divider'}],
      },
    })
  })

  test('takes JSON bodies and a token in the body', async () => {
    const {slack} = await openSlack()
    const response = await fetch(`${slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: {'content-type': 'application/json', authorization: `Bearer ${slack.botToken}`},
      body: JSON.stringify({channel: 'C0WEB', blocks: [section('From JSON')]}),
    })
    expect(await response.json()).toMatchObject({ok: true, message: {text: 'From JSON'}})
    const form = new FormData()
    form.set('token', slack.botToken)
    form.set('channel', 'C0WEB')
    form.set('text', 'From a form')
    const second = await fetch(`${slack.apiUrl}chat.postMessage`, {method: 'POST', body: form})
    expect(await second.json()).toMatchObject({ok: true, message: {text: 'From a form'}})
    expect(JSON.stringify(slack.ledger.calls)).not.toContain(slack.botToken)
  })

  test('refuses what Slack refuses, in its words', async () => {
    const {slack, client} = await openSlack({rateScale: Infinity})
    const post = (args: Record<string, unknown>): Promise<string> =>
      refusalOf(client.apiCall('chat.postMessage', {channel: 'C0WEB', ...args}))
    const parent = await slack.people.post({as: 'U0KIM', channel: 'C0WEB', text: 'Parent'})
    const reply = await slack.people.post({
      as: 'U0KIM',
      channel: 'C0WEB',
      text: 'Reply',
      threadTs: parent.ts,
    })
    const markdown = (length: number) => ({type: 'markdown', text: 'x'.repeat(length)})
    const attachments = Array.from({length: 101}, () => ({text: 'a'}))
    expect(await post({channel: 'C0NOWHERE', text: 'x'})).toBe('channel_not_found')
    expect(await post({channel: '', text: 'x'})).toBe('invalid_arguments')
    expect(await post({channel: 'C0RANDOM', text: 'x'})).toBe('not_in_channel')
    expect(await post({})).toBe('no_text')
    expect(await post({text: ' '})).toBe('no_text')
    expect(await post({text: 'x', thread_ts: '17000'})).toBe('invalid_thread_ts')
    expect(await post({text: 'x', thread_ts: '1700000001.123456'})).toBe('thread_not_found')
    expect(await post({text: 'x', thread_ts: reply.ts})).toBe('cannot_reply_to_message')
    expect(await post({text: 'x', markdown_text: 'y'})).toBe('markdown_text_conflict')
    expect(await post({markdown_text: 'y'.repeat(12_001)})).toBe('msg_too_long')
    expect(await post({blocks: [markdown(6_001), markdown(6_000)]})).toBe('msg_blocks_too_long')
    expect(await post({blocks: 'no JSON'})).toBe('invalid_blocks_format')
    expect(await post({text: 'x', attachments})).toBe('too_many_attachments')
    expect(await post({text: 'x', metadata: 'no JSON'})).toBe('invalid_metadata_format')
    expect(await post({text: 'x', metadata: {event_type: 'a'}})).toBe('invalid_metadata_schema')
    await slack.people.archive('C0WEB')
    expect(await post({text: 'x'})).toBe('is_archived')
  })

  test('points at each mistake in the blocks', async () => {
    const {client} = await openSlack()
    const button = {
      type: 'button',
      text: {type: 'plain_text', text: 'x'.repeat(76)},
      action_id: 'a'.repeat(256),
      value: 'v'.repeat(2_001),
    }
    const call = client.apiCall('chat.postMessage', {
      channel: 'C0WEB',
      blocks: [section('x'.repeat(3_001)), {type: 'actions', elements: [button]}, {type: 'nope'}],
    })
    const data = await refusalDataOf(call)
    expect(data.error).toBe('invalid_blocks')
    expect(data.response_metadata?.messages).toEqual([
      '[ERROR] must be less than 3001 characters [json-pointer:/blocks/0/text/text]',
      '[ERROR] must be less than 256 characters [json-pointer:/blocks/1/elements/0/action_id]',
      '[ERROR] must be less than 76 characters [json-pointer:/blocks/1/elements/0/text/text]',
      '[ERROR] must be less than 2001 characters [json-pointer:/blocks/1/elements/0/value]',
      '[ERROR] unsupported type: nope [json-pointer:/blocks/2/type]',
    ])
  })
})

describe('chat.update', () => {
  const posted = async () => {
    const {slack, client} = await openSlack()
    const {ts = ''} = await client.chat.postMessage({
      channel: 'C0WEB',
      text: 'First',
      blocks: [section('First')],
      metadata: {event_type: 'bosun_post', event_payload: {key: 'card'}},
    })
    const update = (args: Record<string, unknown>) =>
      client.apiCall('chat.update', {channel: 'C0WEB', ts, ...args})
    return {slack, client, ts, update}
  }

  test('text alone removes the blocks and draws the edited label, metadata stays', async () => {
    const {slack, update, ts} = await posted()
    expect(await update({text: 'Second'})).toMatchObject({ok: true, channel: 'C0WEB', ts})
    const [message] = slack.messages('C0WEB')
    expect(message).toMatchObject({text: 'Second', metadata: {event_type: 'bosun_post'}})
    expect(message).toHaveProperty('edited')
    expect(message).not.toHaveProperty('blocks')
  })

  test('blocks draw no label, and empty metadata removes it', async () => {
    const {slack, update} = await posted()
    await update({text: 'Second'})
    await update({blocks: [section('Third')], metadata: {}})
    const [message] = slack.messages('C0WEB')
    expect(message).toMatchObject({text: 'Third', blocks: [{type: 'section'}]})
    expect(message).not.toHaveProperty('edited')
    expect(message).not.toHaveProperty('metadata')
  })

  test('metadata alone keeps text and blocks, an empty list clears the blocks', async () => {
    const {slack, update} = await posted()
    await update({metadata: {event_type: 'other', event_payload: {}}})
    expect(slack.messages('C0WEB')).toMatchObject([{text: 'First', blocks: [{type: 'section'}]}])
    await update({blocks: []})
    expect(slack.messages('C0WEB')[0]).not.toHaveProperty('blocks')
  })

  test('attachments alone keep text and blocks', async () => {
    const {slack, update} = await posted()
    await update({attachments: [{text: 'Beside'}]})
    const kept = {text: 'First', blocks: [{type: 'section'}], attachments: [{text: 'Beside'}]}
    expect(slack.messages('C0WEB')).toMatchObject([kept])
  })

  test('every version is kept with its time', async () => {
    const {slack, client, update, ts} = await posted()
    await update({text: 'Second'})
    await client.chat.delete({channel: 'C0WEB', ts})
    const versions = slack.ledger.versions('C0WEB', ts)
    expect(versions.map(({kind, message}) => [kind, message.text])).toEqual([
      ['posted', 'First'],
      ['edited', 'Second'],
      ['deleted', 'Second'],
    ])
    expect(slack.messages('C0WEB')).toEqual([])
  })

  test('refuses what Slack refuses, in its words', async () => {
    const {slack, update} = await posted()
    const theirs = await slack.people.post({as: 'U0JANE', channel: 'C0WEB', text: 'Mine'})
    expect(await refusalOf(update({text: 'x'.repeat(4_001)}))).toBe('msg_too_long')
    expect(await refusalOf(update({}))).toBe('no_text')
    expect(await refusalOf(update({text: 'x', ts: '1.1'}))).toBe('message_not_found')
    expect(await refusalOf(update({text: 'x', ts: theirs.ts}))).toBe('cant_update_message')
    expect(await refusalOf(update({text: 'x', channel: 'C0X'}))).toBe('channel_not_found')
    await slack.people.kickBot('C0WEB')
    expect(await refusalOf(update({text: 'x'}))).toBe('not_in_channel')
    await slack.people.inviteBot('C0WEB')
    await slack.people.archive('C0WEB')
    expect(await refusalOf(update({text: 'x'}))).toBe('is_inactive')
  })
})

test('chat.delete takes own messages only, and a parent with replies leaves a tombstone', async () => {
  const {slack, client} = await openSlack()
  const theirs = await slack.people.post({as: 'U0JANE', channel: 'C0WEB', text: 'Mine'})
  const remove = (ts: string) => client.chat.delete({channel: 'C0WEB', ts})
  expect(await refusalOf(remove(theirs.ts))).toBe('cant_delete_message')
  expect(await refusalOf(remove('1700000001.123456'))).toBe('message_not_found')
  const {ts: parent = ''} = await client.chat.postMessage({channel: 'C0WEB', text: 'Parent'})
  await slack.people.post({as: 'U0JANE', channel: 'C0WEB', text: 'Reply', threadTs: parent})
  await remove(parent)
  expect(await refusalOf(remove(parent))).toBe('message_not_found')
  const {messages} = await client.conversations.replies({channel: 'C0WEB', ts: parent})
  expect(messages).toMatchObject([{subtype: 'tombstone', ts: parent}, {text: 'Reply'}])
})

test('an ephemeral message is seen by its member alone and is nowhere in the record', async () => {
  const {slack, client} = await openSlack()
  const whisper = {channel: 'C0WEB', text: 'Psst'}
  const {message_ts: ts = ''} = await client.chat.postEphemeral({...whisper, user: 'U0JANE'})
  expect(slack.ephemerals('C0WEB', 'U0JANE')).toMatchObject([{text: 'Psst', ts}])
  expect(slack.ephemerals('C0WEB', 'U0KIM')).toEqual([])
  expect(slack.messages('C0WEB')).toEqual([])
  const edit = client.chat.update({channel: 'C0WEB', ts, text: 'x'})
  expect(await refusalOf(edit)).toBe('message_not_found')
  const stranger = client.chat.postEphemeral({...whisper, user: 'U0NOBODY'})
  expect(await refusalOf(stranger)).toBe('user_not_in_channel')
  const long = client.chat.postEphemeral({
    channel: 'C0WEB',
    user: 'U0JANE',
    text: 'x'.repeat(4_001),
  })
  expect(await refusalOf(long)).toBe('msg_too_long')
})

test('tokens are checked as Slack checks them', async () => {
  const {slack, client} = await openSlack()
  const post = {channel: 'C0WEB', text: 'x'}
  expect(await refusalOf(clientOf(slack, '').chat.postMessage(post))).toBe('not_authed')
  expect(await refusalOf(clientOf(slack, 'xoxb-no').chat.postMessage(post))).toBe('invalid_auth')
  expect(await refusalOf(client.apps.connections.open({}))).toBe('not_allowed_token_type')
  expect(await refusalOf(client.apiCall('chat.meMessage', post))).toBe('unknown_method')
  expect(await client.auth.test()).toMatchObject({
    team: 'Acme',
    team_id: 'T0LOCAL',
    user: 'bosun',
    user_id: 'U0BOSUN',
    bot_id: 'B0BOSUN',
  })
  expect(await client.apiCall('api.test', {foo: 'bar'})).toMatchObject({
    ok: true,
    args: {foo: 'bar'},
  })
  slack.faults.revokeToken()
  expect(await refusalOf(client.chat.postMessage(post))).toBe('token_revoked')
})
