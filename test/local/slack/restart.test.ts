import Database from 'better-sqlite3'
import {expect, onTestFinished, test} from 'vitest'
import {startLocalSlack} from '../../../local/slack/server.ts'
import {eventually} from './eventually.ts'
import {clientOf, connectApp, openSlack, refusalOf, temporaryDataFile} from './slack-fixture.ts'
import {modal, newTrigger} from './views-fixture.ts'

test('a data file of another version is refused, and left alone', async () => {
  const dataFile = temporaryDataFile()
  const other = new Database(dataFile)
  onTestFinished(() => void other.close())
  other.pragma('user_version = 1')
  await expect(startLocalSlack({dataFile})).rejects.toThrow(
    /holds schema 1, .* Delete the file to start afresh\./,
  )
  expect(other.pragma('user_version', {simple: true})).toBe(1)
  expect(other.pragma('journal_mode', {simple: true})).toBe('delete')
})

test('conversations, tokens and waiting events survive a restart on a file', async () => {
  const dataFile = temporaryDataFile()
  const before = await startLocalSlack({dataFile})
  const {ts} = await before.people.post({as: 'U0JANE', channel: 'C0WEB', text: '@Bosun hi'})
  await clientOf(before).chat.postMessage({channel: 'C0WEB', text: 'Hello', thread_ts: ts})
  await before.people.inviteBot('C0RANDOM')
  const kept = before.messages('C0WEB')
  await before.close()

  const {slack: after, client} = await openSlack({dataFile})
  expect(after.messages('C0WEB')).toEqual(kept)
  expect([after.botToken, after.appToken, after.signingSecret]).toEqual([
    before.botToken,
    before.appToken,
    before.signingSecret,
  ])
  const {ts: next = ''} = await client.chat.postMessage({channel: 'C0RANDOM', text: 'Here too'})
  expect(next > (kept.at(-1)?.ts ?? '')).toBe(true)
  const {heard} = await connectApp(after)
  await eventually(
    () => heard.length,
    (count) => count === 6,
  )
  expect(heard.map(({event}) => event.type)).toEqual([
    'message',
    'app_mention',
    'message',
    'message',
    'member_joined_channel',
    'message',
  ])
})

test('what an admin lets apps upload survives a restart', async () => {
  const dataFile = temporaryDataFile()
  const before = await startLocalSlack({dataFile})
  await before.people.setRules({uploads: 'none'})
  await before.close()
  const {client} = await openSlack({dataFile})
  const upload = client.files.getUploadURLExternal({filename: 'a.txt', length: 1})
  expect(await refusalOf(upload)).toBe('file_uploads_disabled')
})

test('acknowledged events do not come again after a restart', async () => {
  const dataFile = temporaryDataFile()
  const before = await startLocalSlack({dataFile})
  const first = await connectApp(before)
  await before.people.post({as: 'U0JANE', channel: 'C0WEB', text: 'Old'})
  await eventually(
    () => before.ledger.deliveries.map(({outcome}) => outcome),
    ([outcome]) => outcome === 'acked',
  )
  await first.app.stop()
  await before.close()
  const {slack: after} = await openSlack({dataFile})
  const {heard} = await connectApp(after)
  await after.people.post({as: 'U0JANE', channel: 'C0WEB', text: 'New'})
  await eventually(
    () => heard.length,
    (count) => count > 0,
  )
  expect(heard.map(({event}) => event['text'])).toEqual(['New'])
})

test('the App Home and open modals survive a restart on a file', async () => {
  const dataFile = temporaryDataFile()
  const before = await startLocalSlack({dataFile})
  const client = clientOf(before)
  await client.views.publish({user_id: 'U0JANE', view: {type: 'home', blocks: [{type: 'divider'}]}})
  const trigger_id = await newTrigger(before)
  await client.views.open({trigger_id, view: modal('New task')})
  const kept = before.views('U0JANE')
  expect(kept.modals).toHaveLength(1)
  await before.close()
  const {slack: after} = await openSlack({dataFile})
  expect(after.views('U0JANE')).toEqual(kept)
})

test('members, channels, user groups and files survive a restart on a file', async () => {
  const dataFile = temporaryDataFile()
  const before = await startLocalSlack({dataFile})
  const {people} = before
  const newcomer = await people.addMember({name: 'nia', realName: 'Nia', guest: 'multi_channel'})
  const memberIds = [newcomer.id, before.botUserId]
  const room = await people.createChannel({name: 'room', memberIds, isPrivate: true})
  const group = await people.saveUsergroup({handle: 'web', name: 'Web', memberIds})
  const files = [{name: 'a.txt', content: 'abc'}]
  const attached = {as: newcomer.id, channel: room.id, text: '', files}
  const {fileIds = []} = await people.post(attached)
  await people.rename('C0WEB', 'site')
  await before.close()

  const {slack: after, client} = await openSlack({dataFile})
  const {user} = await client.users.info({user: newcomer.id})
  expect(user).toMatchObject({name: 'nia', is_restricted: true})
  expect((await client.conversations.info({channel: 'C0WEB'})).channel?.name).toBe('site')
  expect((await client.conversations.members({channel: room.id})).members).toEqual(memberIds)
  const groups = await client.usergroups.users.list({usergroup: group.id})
  expect(groups.users).toEqual(memberIds)
  const {file} = await client.files.info({file: fileIds[0] ?? ''})
  const headers = {authorization: `Bearer ${after.botToken}`}
  const download = await fetch(file?.url_private ?? '', {headers})
  expect(await download.text()).toBe('abc')
})
