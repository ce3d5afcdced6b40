import {expect, test} from 'vitest'
import {WebSocket} from 'ws'
import type {LocalSlack} from '../../../local/slack/server.ts'
import {eventually} from './eventually.ts'
import {clientOf, openSlack, refusalOf} from './slack-fixture.ts'

const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`

test.each(['constructor', 'toString', '__proto__'])('%s is an unknown method', async (method) => {
  const {slack, client} = await openSlack()
  expect(await refusalOf(client.apiCall(method))).toBe('unknown_method')
  expect(slack.lints()).toMatchObject([{method}])
})

test('what is nested beyond all bounds is refused, wherever it stands', async () => {
  const {slack, client} = await openSlack()
  const post = (fields: Record<string, string>): Promise<string> =>
    refusalOf(client.apiCall('chat.postMessage', {channel: 'C0WEB', ...fields}))
  expect(await post({blocks: nested})).toBe('invalid_blocks_format')
  expect(await post({text: 'x', attachments: nested})).toBe('invalid_attachments')
  expect(await post({text: 'x', metadata: nested})).toBe('invalid_metadata_format')
  const response = await fetch(`${slack.apiUrl}chat.postMessage`, {
    method: 'POST',
    headers: {'content-type': 'application/json', authorization: `Bearer ${slack.botToken}`},
    body: `{"channel":"C0WEB","text":"x","unknown":${nested}}`,
  })
  expect(await response.json()).toMatchObject({ok: false, error: 'invalid_json'})
  expect(slack.messages('C0WEB')).toEqual([])
})

test('an acknowledgement that is nested beyond all bounds is none', async () => {
  const {slack} = await openSlack({timeFactor: 0.05})
  const socket = await connect(slack)
  socket.on('message', (data: Buffer) => {
    const id = /"envelope_id":"([^"]+)"/.exec(data.toString())?.[1]
    if (id !== undefined) socket.send(`{"envelope_id":"${id}","payload":{"blocks":${nested}}}`)
  })
  const typed = {as: 'U0JANE', channel: 'C0WEB', command: '/bosun', text: ''}
  expect(await slack.people.command(typed)).toBe('timeout')
})

test('a response address that gets no JSON refuses it', async () => {
  const {slack} = await openSlack({timeFactor: 0.05})
  await connect(slack)
  await slack.people.command({as: 'U0JANE', channel: 'C0WEB', command: '/bosun', text: ''})
  const url = String(slack.ledger.deliveries[0]?.payload['response_url'])
  for (const body of ['{"te', '', nested]) {
    const response = await fetch(url, {method: 'POST', body})
    expect([response.status, await response.json()]).toEqual([400, {ok: false, error: 'no_text'}])
  }
})

test('a response address ends after 30 minutes, as the time factor has it', async () => {
  const {slack} = await openSlack({timeFactor: 1e-5})
  await connect(slack)
  await slack.people.command({as: 'U0JANE', channel: 'C0WEB', command: '/bosun', text: ''})
  const url = String(slack.ledger.deliveries[0]?.payload['response_url'])
  const createdMs = Date.now()
  await eventually(Date.now, (nowMs) => nowMs > createdMs + 18)
  const response = await fetch(url, {method: 'POST', body: '{"text": "Late"}'})
  expect([response.status, await response.text()]).toEqual([404, 'expired_url'])
})

test.each(['https://evil.example', 'null', 'http://127.0.0.1:1'])(
  'a page of %s neither acts nor looks',
  async (origin) => {
    const {slack} = await openSlack()
    const post = {as: 'U0JANE', channel: 'C0WEB', text: 'x'}
    const body = JSON.stringify(post)
    const act = (from: string) =>
      fetch(`${slack.origin}/control/people/post`, {method: 'POST', headers: {origin: from}, body})
    const refused = await act(origin)
    expect([refused.status, await refused.json()]).toEqual([
      403,
      {ok: false, error: expect.stringContaining(origin) as unknown},
    ])
    for (const path of ['/local/messages?as=U0JANE&channel=C0WEB', '/control/ledger']) {
      const looked = await fetch(`${slack.origin}${path}`, {headers: {origin}})
      expect([path, looked.status]).toEqual([path, 403])
    }
    expect(slack.messages('C0WEB')).toEqual([])
    expect((await act(slack.origin)).status).toBe(200)
  },
)

async function connect(slack: LocalSlack): Promise<WebSocket> {
  const {url = ''} = await clientOf(slack, slack.appToken).apps.connections.open()
  const socket = new WebSocket(url)
  await eventually(
    () => socket.readyState,
    (state) => state === WebSocket.OPEN,
  )
  return socket
}
