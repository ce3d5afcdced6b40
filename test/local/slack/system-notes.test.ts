import {expect, test} from 'vitest'
import {deliveriesOf, openSlack, testOverBoth} from './slack-fixture.ts'

testOverBoth('what happens to a channel stands in it, in the words of Slack', async (connect) => {
  const {slack, client} = await openSlack()
  await connect(slack)
  const {people} = slack
  await people.inviteBot('C0RANDOM')
  await people.rename('C0RANDOM', 'water-cooler')
  await people.kick('C0RANDOM', 'U0SAM')
  await people.archive('C0RANDOM')
  await people.unarchive('C0RANDOM')
  const [note] = slack.messages('C0RANDOM')
  const edit = {as: 'U0BOSUN', channel: 'C0RANDOM', ts: note?.ts ?? '', text: 'x'}
  await expect(people.edit(edit)).rejects.toThrow('their own messages only')
  const {messages = []} = await client.conversations.history({channel: 'C0RANDOM'})
  expect(messages.map(({subtype, user, text}) => [subtype, user, text]).reverse()).toEqual([
    ['channel_join', 'U0BOSUN', '<@U0BOSUN> has joined the channel'],
    ['channel_name', 'U0JANE', 'has renamed the channel from "random" to "water-cooler"'],
    ['channel_leave', 'U0SAM', '<@U0SAM> has left the channel'],
    ['channel_archive', 'U0JANE', '<@U0JANE> archived the channel'],
    ['channel_unarchive', 'U0JANE', '<@U0JANE> unarchived the channel'],
  ])
  expect(messages.at(-1)).toMatchObject({inviter: 'U0JANE'})
  expect(messages.at(-2)).toMatchObject({old_name: 'random', name: 'water-cooler'})
  expect(deliveriesOf(slack, 'app_mention')).toEqual([])
  const page = await fetch(`${slack.origin}/local/messages?as=U0JANE&channel=C0RANDOM`)
  expect(await page.json()).toMatchObject([
    {subtype: 'channel_join', userId: 'U0BOSUN'},
    {},
    {},
    {},
    {},
  ])
})

test('the app leaves a channel once, and whoever leaves the company goes without a word', async () => {
  const {slack, client} = await openSlack()
  expect(await client.conversations.leave({channel: 'C0WEB'})).toMatchObject({ok: true})
  expect(await client.conversations.leave({channel: 'C0WEB'})).toMatchObject({not_in_channel: true})
  await slack.people.deactivate('U0SAM')
  const notes = slack.messages('C0WEB').map(({system, userId}) => [system?.subtype, userId])
  expect(notes).toEqual([['channel_leave', 'U0BOSUN']])
})
