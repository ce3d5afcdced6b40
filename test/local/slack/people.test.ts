import {expect, test} from 'vitest'
import {eventually} from './eventually.ts'
import {connectApp, openSlack} from './slack-fixture.ts'

const jane = {as: 'U0JANE', channel: 'C0WEB'}

test('an edit that brings the mention in is a mention, a second edit is none', async () => {
  const {slack} = await openSlack()
  const {heard} = await connectApp(slack)
  const {ts} = await slack.people.post({...jane, text: 'fix the build'})
  await slack.people.edit({...jane, ts, text: '@bosun fix the build'})
  await slack.people.edit({...jane, ts, text: '@bosun fix the build, please'})
  await eventually(
    () => heard.length,
    (count) => count === 4,
  )
  expect(heard.map(({event}) => event['subtype'] ?? event.type)).toEqual([
    'message',
    'message_changed',
    'app_mention',
    'message_changed',
  ])
  expect(heard[2]?.event).toMatchObject({ts, edited: {user: 'U0JANE'}})
  expect(slack.messages('C0WEB')[0]).toHaveProperty('edited')
})

test('people can do only what Slack lets them do', async () => {
  const {slack, client} = await openSlack()
  const {people} = slack
  const {ts} = await people.post({...jane, text: 'Mine'})
  const kim = {as: 'U0KIM', channel: 'C0WEB', ts}
  await expect(people.edit({...kim, text: 'Yours'})).rejects.toThrow('own messages only')
  await expect(people.remove(kim)).rejects.toThrow('own messages')
  await expect(people.unreact({...kim, name: 'eyes'})).rejects.toThrow('no_reaction')
  const peek = people.post({as: 'U0KIM', channel: 'D0JANE', text: 'Peek'})
  await expect(peek).rejects.toThrow('kim is not in D0JANE')
  await expect(people.post({...jane, channel: 'C0X', text: 'x'})).rejects.toThrow('no channel C0X')
  const {ts: botTs = ''} = await client.chat.postMessage({channel: 'C0WEB', text: 'From Bosun'})
  await people.remove({...kim, ts: botTs})
  await people.archive('C0WEB')
  await expect(people.post({...jane, text: 'Late'})).rejects.toThrow('archived')
  expect(slack.messages('C0WEB').map(({text}) => text)).toEqual([
    'Mine',
    '<@U0JANE> archived the channel',
  ])
})

test('inviting, removing and archiving reach the app as events', async () => {
  const {slack} = await openSlack()
  const {heard} = await connectApp(slack)
  await slack.people.inviteBot('C0RANDOM')
  await slack.people.inviteBot('C0RANDOM')
  await slack.people.kickBot('C0RANDOM')
  await slack.people.archive('C0WEB')
  await eventually(
    () => heard.length,
    (count) => count === 5,
  )
  expect(heard.map(({event}) => [event.type, event['subtype'], event['channel']])).toEqual([
    ['message', 'channel_join', 'C0RANDOM'],
    ['member_joined_channel', undefined, 'C0RANDOM'],
    ['channel_left', undefined, 'C0RANDOM'],
    ['message', 'channel_archive', 'C0WEB'],
    ['channel_archive', undefined, 'C0WEB'],
  ])
})

test('a slash command is answered in its acknowledgement, over a socket too', async () => {
  const {slack} = await openSlack()
  const {app} = await connectApp(slack)
  app.command('/bosun', async ({ack, command, respond}) => {
    await ack(`You said ${command.text}`)
    await respond({text: 'And later this', response_type: 'in_channel'})
  })
  const command = {...jane, command: '/bosun', text: 'doctor'}
  await expect(slack.people.command(command)).resolves.toBe('acked')
  expect(slack.ephemerals('C0WEB', 'U0JANE')).toMatchObject([{text: 'You said doctor'}])
  const [spoken] = await eventually(
    () => slack.messages('C0WEB'),
    (list) => list.length === 1,
  )
  expect(spoken).toMatchObject({text: 'And later this', botId: 'B0BOSUN'})
})
