import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {startLocalSlack} from '../../../local/slack/server.ts'
import {eventually} from './eventually.ts'
import {clientOf, connectApp, openSlack} from './slack-fixture.ts'

test('conversations, tokens and waiting events survive a restart on a file', async () => {
  const dataFile = await temporaryFile()
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
    (count) => count === 5,
  )
  expect(heard.map(({event}) => event.type)).toEqual([
    'message',
    'app_mention',
    'message',
    'member_joined_channel',
    'message',
  ])
})

test('acknowledged events do not come again after a restart', async () => {
  const dataFile = await temporaryFile()
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

async function temporaryFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'local-slack-'))
  onTestFinished(() => rm(folder, {recursive: true}))
  return join(folder, 'slack.db')
}
