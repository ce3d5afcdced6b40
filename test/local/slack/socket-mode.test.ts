import {expect, test, vi} from 'vitest'
import {WebSocket} from 'ws'
import type {LocalSlack} from '../../../local/slack/server.ts'
import {eventually} from './eventually.ts'
import {clientOf, connectApp, deliveriesOf, openSlack} from './slack-fixture.ts'

const jane = {as: 'U0JANE', channel: 'C0WEB'}

test('a mention reaches the app twice, as message and as app_mention', async () => {
  const {slack} = await openSlack()
  const {heard} = await connectApp(slack)
  const {ts} = await slack.people.post({...jane, text: '@Bosun fix the build'})
  await eventually(
    () => heard.length,
    (count) => count === 2,
  )
  expect(heard.map(({event}) => event)).toMatchObject([
    {
      type: 'message',
      user: 'U0JANE',
      text: '<@U0BOSUN> fix the build',
      ts,
      channel: 'C0WEB',
      channel_type: 'channel',
      team: 'T0LOCAL',
      event_ts: ts,
    },
    {type: 'app_mention', user: 'U0JANE', ts, channel: 'C0WEB'},
  ])
  const keys = slack.ledger.deliveries.map(({key}) => key)
  expect(new Set(keys).size).toBe(2)
  expect(slack.ledger.deliveries[0]?.payload).toMatchObject({
    type: 'event_callback',
    team_id: 'T0LOCAL',
    api_app_id: 'A0BOSUN',
    is_ext_shared_channel: false,
    authorizations: [{team_id: 'T0LOCAL', user_id: 'U0BOSUN', is_bot: true}],
  })
})

test('the app hears its own posts, edits and deletions, and reactions', async () => {
  const {slack, client} = await openSlack()
  const {heard} = await connectApp(slack)
  const {ts = ''} = await client.chat.postMessage({channel: 'C0WEB', text: 'One'})
  await client.chat.update({channel: 'C0WEB', ts, text: 'Two'})
  await slack.people.react({...jane, ts, name: 'octagonal_sign'})
  await slack.people.remove({...jane, ts})
  await eventually(
    () => heard.length,
    (count) => count === 4,
  )
  expect(heard.map(({event}) => event)).toMatchObject([
    {type: 'message', bot_id: 'B0BOSUN', user: 'U0BOSUN', text: 'One'},
    {
      subtype: 'message_changed',
      hidden: true,
      message: {text: 'Two', ts},
      previous_message: {text: 'One'},
    },
    {type: 'reaction_added', reaction: 'octagonal_sign', item: {ts}, item_user: 'U0BOSUN'},
    {subtype: 'message_deleted', hidden: true, deleted_ts: ts},
  ])
})

test('a direct message is a message.im, and channels without the app stay unheard', async () => {
  const {slack} = await openSlack()
  const {heard} = await connectApp(slack)
  await slack.people.post({as: 'U0JANE', channel: 'C0RANDOM', text: '@Bosun psst'})
  await slack.people.post({as: 'U0JANE', channel: 'D0JANE', text: '@Bosun hello'})
  await eventually(
    () => heard.length,
    (count) => count > 0,
  )
  expect(heard).toMatchObject([{event: {type: 'message', channel_type: 'im'}}])
  expect(slack.ledger.deliveries).toHaveLength(1)
})

test('each payload goes to exactly one of the open connections', async () => {
  const {slack} = await openSlack()
  const apps = [await connectApp(slack), await connectApp(slack)]
  for (let count = 0; count < 40; count += 1) await slack.people.post({...jane, text: 'x'})
  const counts = () => apps.map(({heard}) => heard.length)
  await eventually(counts, ([first = 0, second = 0]) => first + second === 40)
  expect(Math.min(...counts())).toBeGreaterThan(0)
})

test('what nobody acknowledges comes again, three times and no more', async () => {
  const {slack} = await openSlack({timeFactor: 0.001})
  const connection = await openConnection(slack)
  await slack.people.post({...jane, text: 'x'})
  const tries = () => deliveriesOf(slack, 'message')
  await eventually(tries, (list) => list.length === 4 && list[3]?.outcome === 'timeout')
  expect(tries().map(({attempt, outcome}) => [attempt, outcome])).toEqual(
    [0, 1, 2, 3].map((attempt) => [attempt, 'timeout']),
  )
  expect(new Set(tries().map(({key}) => key)).size).toBe(1)
  await eventually(
    () => connection.frames.length,
    (count) => count === 5,
  )
  expect(connection.frames).toMatchObject([
    {type: 'hello', num_connections: 1, connection_info: {app_id: 'A0BOSUN'}},
    {type: 'events_api', accepts_response_payload: false, retry_attempt: 0, retry_reason: ''},
    {type: 'events_api', retry_attempt: 1, retry_reason: 'timeout'},
    {type: 'events_api', retry_attempt: 2, retry_reason: 'timeout'},
    {type: 'events_api', retry_attempt: 3, retry_reason: 'timeout'},
  ])
})

test('what one connection leaves unacknowledged comes again on another', async () => {
  // Time enough for the one that acknowledges, on any machine.
  const {slack} = await openSlack({timeFactor: 0.5})
  const silent = await openConnection(slack)
  const {heard} = await connectApp(slack)
  const texts = Array.from({length: 12}, (_, index) => `Message ${index}`)
  for (const text of texts) await slack.people.post({...jane, text})
  await eventually(
    () => heard.length,
    (count) => count === texts.length,
  )
  expect(heard.map(({event}) => event['text']).sort()).toEqual(texts.sort())
  const frames = silent.frames.filter((frame) => JSON.stringify(frame).includes('envelope_id'))
  expect(frames.length).toBeGreaterThan(0)
  expect(frames).toMatchObject(frames.map(() => ({retry_attempt: 0})))
  expect(heard.filter(({retryNum}) => retryNum === 1)).toHaveLength(frames.length)
})

test('an event waits for a connection, but a press does not', async () => {
  const {slack, client} = await openSlack()
  const {ts = ''} = await client.chat.postMessage({channel: 'C0WEB', blocks: [stopButton]})
  const press = slack.people.press({...jane, ts, actionId: 'stop'})
  await expect(press).resolves.toBe('failed')
  const {heard} = await connectApp(slack)
  await eventually(
    () => heard.length,
    (count) => count === 1,
  )
  expect(heard[0]?.event).toMatchObject({type: 'message', ts})
})

test('an event that waited too long is lost', async () => {
  const {slack} = await openSlack({timeFactor: 0.0001})
  await slack.people.post({...jane, text: 'x'})
  const [lost] = await eventually(
    () => deliveriesOf(slack, 'message'),
    (list) => list.length > 0,
  )
  expect(lost).toMatchObject({attempt: 0, outcome: 'failed'})
})

test('a refresh asks for a new connection, and nothing is lost over it', async () => {
  const {slack} = await openSlack({timeFactor: 0.1})
  const {heard} = await connectApp(slack, 300)
  slack.refreshSockets()
  await slack.people.post({...jane, text: 'during the gap'})
  await eventually(
    () => heard.length,
    (count) => count === 1,
  )
  expect(heard[0]?.event).toMatchObject({text: 'during the gap'})
})

test('a dropped connection gives its unacknowledged payloads back', async () => {
  const {slack} = await openSlack()
  const silent = await openConnection(slack)
  await slack.people.post({...jane, text: 'x'})
  await eventually(
    () => silent.frames.length,
    (count) => count === 2,
  )
  slack.faults.dropSockets()
  const {heard} = await connectApp(slack, 300)
  await eventually(
    () => heard.length,
    (count) => count === 1,
  )
  expect(heard[0]?.retryNum).toBe(1)
  await eventually(
    () => deliveriesOf(slack, 'message').map(({outcome}) => outcome),
    ([first, second]) => first === 'failed' && second === 'acked',
  )
})

test('Socket Mode is switched off while events go over HTTP', async () => {
  const {slack} = await openSlack({delivery: {mode: 'http', eventsUrl: 'http://127.0.0.1:9/'}})
  const {frames} = await openConnection(slack)
  expect(frames).toMatchObject([{type: 'disconnect', reason: 'link_disabled'}])
})

test('a ticket opens one connection, once, and the eleventh connection is turned away', async () => {
  const {slack} = await openSlack()
  const {url = ''} = await clientOf(slack, slack.appToken).apps.connections.open({})
  expect(url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/link\/\?ticket=/)
  await openUrl(url)
  await expect(openUrl(url)).rejects.toThrow('401')
  for (let count = 0; count < 9; count += 1) await openConnection(slack)
  const eleventh = await openConnection(slack)
  expect(eleventh.frames).toMatchObject([{type: 'disconnect', reason: 'too_many_websockets'}])
})

test('a connection on which no ping is answered is closed', async () => {
  vi.useFakeTimers({toFake: ['setInterval', 'clearInterval']})
  try {
    const {slack} = await openSlack()
    const {url = ''} = await clientOf(slack, slack.appToken).apps.connections.open({})
    const dead = await openUrl(url, {autoPong: false})
    const {heard} = await connectApp(slack)
    vi.advanceTimersByTime(10_000)
    await dead.closed
    for (let count = 0; count < 10; count += 1) await slack.people.post({...jane, text: 'x'})
    await eventually(
      () => heard.length,
      (count) => count === 10,
    )
  } finally {
    vi.useRealTimers()
  }
})

const stopButton = {
  type: 'actions' as const,
  elements: [
    {type: 'button' as const, action_id: 'stop', text: {type: 'plain_text' as const, text: 'Stop'}},
  ],
}

async function openConnection(slack: LocalSlack) {
  const {url = ''} = await clientOf(slack, slack.appToken).apps.connections.open({})
  return openUrl(url)
}

/** A connection that listens and never acknowledges. It ends with the local Slack. */
async function openUrl(
  url: string,
  options: {autoPong?: boolean} = {},
): Promise<{frames: unknown[]; closed: Promise<void>}> {
  const socket = new WebSocket(url, options)
  const frames: unknown[] = []
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('message', (data: Buffer) => {
      frames.push(JSON.parse(data.toString()))
      resolve()
    })
  })
  return {frames, closed}
}
