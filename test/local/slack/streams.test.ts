import {describe, expect, test} from 'vitest'
import {eventually} from './eventually.ts'
import {
  clientOf,
  connectApp,
  openSlack,
  refusalDataOf,
  refusalOf,
  temporaryDataFile,
  stopDate,
} from './slack-fixture.ts'
import {divider, openStreamThread} from './stream-fixture.ts'

describe('a stream', () => {
  test('grows in its thread, and every state is echoed, kept and read back', async () => {
    const {slack, client, threadTs, start, readBack} = await openStreamThread()
    const {heard} = await connectApp(slack)
    const stream = await start({markdown_text: '# Plan\n'})
    await client.chat.appendStream({
      ...stream,
      markdown_text: '- **read** the [log](http://a.test/)',
    })
    expect(await readBack()).toMatchObject({
      ts: stream.ts,
      thread_ts: threadTs,
      bot_id: 'B0BOSUN',
      streaming_state: 'in_progress',
      text: 'Plan\n• *read* the <http://a.test/|log>',
      blocks: [{type: 'markdown', text: '# Plan\n- **read** the [log](http://a.test/)'}],
    })
    const answer = await client.chat.stopStream({
      ...stream,
      markdown_text: '\nDone',
      blocks: [divider],
      metadata: {event_type: 'bosun_post', event_payload: {key: 'answer'}},
    })
    expect(answer).toMatchObject({ok: true, ...stream})
    expect(await readBack()).toMatchObject({
      streaming_state: 'completed',
      text: 'Plan\n• *read* the <http://a.test/|log>\nDone',
      blocks: [{type: 'markdown'}, {type: 'divider'}],
    })
    expect(await readBack()).not.toHaveProperty('edited')
    expect(slack.messages('C0WEB').at(-1)?.metadata).toMatchObject({event_type: 'bosun_post'})
    const versions = slack.ledger.versions('C0WEB', stream.ts)
    expect(versions.map(({kind, message}) => [kind, message.streaming])).toEqual([
      ['posted', 'in_progress'],
      ['edited', 'in_progress'],
      ['edited', 'completed'],
    ])
    await eventually(
      () => heard.filter(({event}) => event['subtype'] === 'message_changed').length,
      (count) => count === 2,
    )
  })

  test("runs under the official client's own helper", async () => {
    const {client, place, readBack} = await openStreamThread()
    const streamer = client.chatStream({...place, buffer_size: 4})
    await streamer.append({markdown_text: 'Looking '})
    await streamer.append({markdown_text: 'around'})
    await streamer.stop()
    expect(await readBack()).toMatchObject({text: 'Looking around', streaming_state: 'completed'})
  })

  test('keeps code as it is and turns all other Markdown into mrkdwn', async () => {
    const {client, start, readBack} = await openStreamThread()
    const stream = await start({markdown_text: '__b__ *i* ~~s~~ `**c**`\n```\n# x\n```\n'})
    await client.chat.stopStream(stream)
    expect(await readBack()).toMatchObject({text: '*b* _i_ ~s~ `**c**`\n```\n# x\n```'})
  })

  test('is not edited nor deleted while it lives, and both are possible afterwards', async () => {
    const {slack, client, start} = await openStreamThread()
    const stream = await start({markdown_text: 'Live'})
    expect(await refusalOf(client.chat.update({...stream, text: 'x'}))).toBe(
      'streaming_state_conflict',
    )
    expect(await refusalOf(client.chat.delete(stream))).toBe('cant_delete_message')
    await client.reactions.add({channel: 'C0WEB', timestamp: stream.ts, name: 'eyes'})
    await client.chat.stopStream(stream)
    await client.chat.update({...stream, text: 'Polished'})
    expect(slack.messages('C0WEB').at(-1)).toMatchObject({text: 'Polished'})
    await client.chat.delete(stream)
    expect(await refusalOf(client.chat.appendStream({...stream, markdown_text: 'x'}))).toBe(
      'message_not_found',
    )
  })

  test('ends by itself, appended to or not, and an edit mends what is left', async () => {
    const {slack, client, start, readBack} = await openStreamThread({timeFactor: 0.005})
    const stream = await start({markdown_text: 'Half'})
    await client.chat.appendStream({...stream, markdown_text: ' a word'})
    await eventually(
      () => slack.messages('C0WEB').at(-1)?.streaming,
      (streaming) => streaming === 'errored',
    )
    expect(await readBack()).toMatchObject({text: 'Half a word', streaming_state: 'errored'})
    const append = client.chat.appendStream({...stream, markdown_text: 'x'})
    expect(await refusalOf(append)).toBe('message_not_in_streaming_state')
    const stop = client.chat.stopStream({...stream, markdown_text: 'x'})
    expect(await refusalOf(stop)).toBe('message_not_in_streaming_state')
    await client.chat.update({...stream, text: 'Half a word, mended'})
    expect(await readBack()).toMatchObject({streaming_state: 'completed'})
  })
})

test('a live stream goes on after a restart on a file', async () => {
  const dataFile = temporaryDataFile()
  const {slack: before, start} = await openStreamThread({dataFile})
  const stream = await start({markdown_text: 'Before'})
  await before.close()
  const {slack: after, client} = await openSlack({dataFile})
  expect(await refusalOf(client.chat.update({...stream, text: 'x'}))).toBe(
    'streaming_state_conflict',
  )
  await client.chat.stopStream({...stream, markdown_text: ', after'})
  expect(after.messages('C0WEB').at(-1)).toMatchObject({
    text: 'Before, after',
    streaming: 'completed',
  })
})

describe('where a stream may start', () => {
  test('a channel needs a thread and the person who is answered', async () => {
    const {slack, client, place} = await openStreamThread()
    const start = (args: Record<string, unknown>) =>
      refusalOf(client.apiCall('chat.startStream', {...place, markdown_text: 'x', ...args}))
    expect(await start({recipient_user_id: undefined})).toBe('missing_recipient_user_id')
    expect(await start({recipient_team_id: undefined})).toBe('missing_recipient_team_id')
    expect(await start({recipient_user_id: 'U0NOBODY'})).toBe('user_not_found')
    expect(await start({recipient_team_id: 'T0OTHER'})).toBe('team_not_found')
    expect(await start({thread_ts: undefined})).toBe('invalid_arguments')
    expect(await start({thread_ts: '1700000000.000001'})).toBe('thread_not_found')
    expect(await start({channel: 'C0NOWHERE'})).toBe('channel_not_found')
    expect(await start({channel: 'C0RANDOM'})).toBe('not_in_channel')
    expect(await start({task_display_mode: 'grid'})).toBe('invalid_arguments')
    expect(await start({markdown_text: ''})).toBe('no_text')
    await slack.people.archive('C0WEB')
    expect(await start({})).toBe('is_archived')
    expect(slack.messages('C0WEB').filter(({system}) => system === undefined)).toHaveLength(1)
  })

  test('a direct message needs a thread only', async () => {
    const {slack, client} = await openSlack()
    const {ts} = await slack.people.post({as: 'U0JANE', channel: 'D0JANE', text: 'Hi'})
    await client.chat.startStream({channel: 'D0JANE', thread_ts: ts})
    expect(slack.messages('D0JANE', ts).at(-1)).toMatchObject({streaming: 'in_progress', text: ''})
  })

  test('the scope is asked for', async () => {
    const {slack, place} = await openStreamThread({scopes: ['channels:history']})
    expect(await refusalDataOf(clientOf(slack).chat.startStream(place))).toMatchObject({
      error: 'missing_scope',
      needed: 'chat:write',
    })
  })
})

test('starting, appending and stopping have limits of their own, shared by all streams', async () => {
  stopDate()
  const {client, start} = await openStreamThread({rateScale: 1})
  const streams: {channel: string; ts: string}[] = []
  for (let count = 0; count < 5; count += 1) streams.push(await start({markdown_text: 'x'}))
  await expect(start()).rejects.toMatchObject({retryAfter: 3})
  const [first = {channel: '', ts: ''}, second = first] = streams
  const append = (stream: typeof first) => client.chat.appendStream({...stream, markdown_text: 'x'})
  for (let count = 0; count < 20; count += 1) await append(count % 2 === 0 ? first : second)
  await expect(append(second)).rejects.toMatchObject({retryAfter: 1})
  for (const stream of streams) await client.chat.stopStream(stream)
  await expect(client.chat.stopStream(first)).rejects.toMatchObject({retryAfter: 3})
})
