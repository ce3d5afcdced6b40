import {expect, test} from 'vitest'
import {eventually} from './eventually.ts'
import {connectApp, openSlack} from './slack-fixture.ts'

const parrot = {username: 'Parrot', icon_emoji: ':parrot:'}
const stored = {username: 'Parrot', iconEmoji: ':parrot:'}

test('a message may stand under another name and picture, for people and apps alike', async () => {
  const {slack, client} = await openSlack()
  const {heard} = await connectApp(slack)
  const {ts: emoji = ''} = await client.chat.postMessage({channel: 'C0WEB', text: 'Hi', ...parrot})
  const icon_url = 'https://bosun.test/a.png'
  await client.chat.postMessage({channel: 'C0WEB', text: 'Ho', icon_url})
  await client.chat.update({channel: 'C0WEB', ts: emoji, text: 'Hi there'})
  expect(slack.messages('C0WEB')).toMatchObject([
    {text: 'Hi there', persona: stored},
    {text: 'Ho', persona: {iconUrl: icon_url}},
  ])
  const {messages} = await client.conversations.history({channel: 'C0WEB'})
  expect(messages).toMatchObject([
    {subtype: 'bot_message', bot_id: 'B0BOSUN', icons: {image_48: icon_url}},
    {subtype: 'bot_message', username: 'Parrot', icons: {emoji: ':parrot:'}},
  ])
  expect(messages?.[1]).not.toHaveProperty('user')
  await eventually(
    () => heard.length,
    (count) => count === 3,
  )
  expect(heard[0]?.event).toMatchObject({type: 'message', subtype: 'bot_message'})
  const page = await fetch(`${slack.origin}/local/messages?as=U0JANE&channel=C0WEB`)
  expect(await page.json()).toMatchObject([{persona: stored}, {}])
})

test('a stream, a status and a whisper take another name too', async () => {
  const {slack, client} = await openSlack()
  const {ts: thread_ts} = await slack.people.post({as: 'U0JANE', channel: 'D0JANE', text: 'Hi'})
  const thread = {channel: 'D0JANE', thread_ts}
  const status = {channel_id: 'D0JANE', thread_ts, status: 'flying'}
  await client.assistant.threads.setStatus({...status, ...parrot})
  expect(slack.agentThread('D0JANE', thread_ts)).toMatchObject({status: 'flying', persona: stored})
  await client.assistant.threads.setStatus(status)
  expect(slack.agentThread('D0JANE', thread_ts).persona).toBeUndefined()
  const {ts = ''} = await client.chat.startStream({...thread, markdown_text: 'A', ...parrot})
  await client.chat.stopStream({channel: 'D0JANE', ts, markdown_text: 'B'})
  expect(slack.messages('D0JANE').at(-1)).toMatchObject({persona: stored, streaming: 'completed'})
  await client.chat.postEphemeral({channel: 'C0WEB', user: 'U0JANE', text: 'Psst', ...parrot})
  expect(slack.ephemerals('C0WEB', 'U0JANE')).toMatchObject([{persona: stored}])
})
