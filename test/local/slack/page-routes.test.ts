import {expect, test} from 'vitest'
import type {MessageView, PageEvent} from '../../../local/slack/view.ts'
import {eventually} from './eventually.ts'
import {connectApp, openSlack} from './slack-fixture.ts'

test('the page sees the workspace and what its member may see', async () => {
  const {slack, client} = await openSlack()
  const get = async (path: string): Promise<unknown> =>
    (await fetch(`${slack.origin}/local/${path}`)).json()
  expect(await get('workspace')).toMatchObject({
    teamName: 'Acme',
    botUserId: 'U0BOSUN',
    members: [{id: 'U0JANE', realName: 'Jane Doe', isBot: false}, {}, {}, {isBot: true}],
    channels: [
      {id: 'C0GENERAL', kind: 'channel', name: 'general'},
      {id: 'C0WEB'},
      {id: 'C0RANDOM'},
      {id: 'D0JANE', kind: 'dm', name: 'bosun', memberIds: ['U0JANE', 'U0BOSUN']},
      {},
      {},
    ],
  })
  const {ts} = await slack.people.post({as: 'U0JANE', channel: 'C0WEB', text: 'Hi'})
  await client.chat.postMessage({channel: 'C0WEB', text: 'Reply', thread_ts: ts})
  await client.chat.postEphemeral({channel: 'C0WEB', text: 'Psst', user: 'U0KIM'})
  const view = {channel: 'C0WEB', edited: false, reactions: []}
  expect(await get('messages?as=U0JANE&channel=C0WEB')).toMatchObject([
    {...view, ts, text: 'Hi', userId: 'U0JANE'},
    {...view, threadTs: ts, text: 'Reply', userId: 'U0BOSUN'},
  ])
  expect(await get('messages?as=U0KIM&channel=C0WEB')).toMatchObject([
    {},
    {},
    {text: 'Psst', ephemeralTo: 'U0KIM'},
  ])
  expect(await get('messages?as=U0KIM&channel=D0JANE')).toEqual([])
})

test('the stream tells each member what changes before their eyes', async () => {
  const {slack, client} = await openSlack()
  const jane = await readEvents(slack.origin, 'U0JANE')
  const kim = await readEvents(slack.origin, 'U0KIM')
  const {ts = ''} = await client.chat.postMessage({channel: 'C0WEB', text: 'One'})
  await client.chat.update({channel: 'C0WEB', ts, text: 'Two'})
  await client.chat.postEphemeral({channel: 'C0WEB', text: 'Psst', user: 'U0KIM'})
  await client.chat.postMessage({channel: 'D0JANE', text: 'Hi Jane'})
  await client.chat.delete({channel: 'C0WEB', ts})
  await eventually(
    () => [jane.length, kim.length],
    ([a, b]) => a === 4 && b === 4,
  )
  const told = (events: PageEvent[]) =>
    events.map((event) => (event.type === 'message' ? event.message.text : event.ts))
  expect(told(jane)).toEqual(['One', 'Two', 'Hi Jane', ts])
  expect(told(kim)).toEqual(['One', 'Two', 'Psst', ts])
})

test('the page writes and presses for its member', async () => {
  const {slack, client} = await openSlack()
  const {app, heard} = await connectApp(slack)
  app.action('stop', async ({ack}) => ack())
  const send = (path: string, body: unknown): Promise<Response> =>
    fetch(`${slack.origin}/local/${path}`, {method: 'POST', body: JSON.stringify(body)})
  const written = await send('messages', {as: 'U0SAM', channel: 'C0WEB', text: '<@U0BOSUN> hi'})
  expect((await written.json()) as MessageView).toMatchObject({userId: 'U0SAM'})
  await eventually(
    () => heard.length,
    (count) => count === 2,
  )
  const {ts = '', message} = await client.chat.postMessage({
    channel: 'C0WEB',
    blocks: [
      {
        type: 'actions',
        elements: [{type: 'button', action_id: 'stop', text: {type: 'plain_text', text: 'Stop'}}],
      },
    ],
  })
  const blockId = message?.blocks?.[0]?.block_id ?? ''
  const press = {as: 'U0SAM', channel: 'C0WEB', ts, blockId, actionId: 'stop'}
  expect(await (await send('actions', press)).json()).toEqual({ok: true})
  const wrong = await send('actions', {...press, actionId: 'nope'})
  expect(wrong.status).toBe(400)
  expect(await wrong.json()).toMatchObject({ok: false})
})

/** Reads the stream as it comes; it ends with the local Slack. */
async function readEvents(origin: string, as: string): Promise<PageEvent[]> {
  const response = await fetch(`${origin}/local/events?as=${as}`)
  const events: PageEvent[] = []
  const read = async (): Promise<void> => {
    let rest = ''
    const text = response.body?.pipeThrough(new TextDecoderStream())
    for await (const chunk of text ?? []) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line.startsWith('data: ')) events.push(JSON.parse(line.slice(6)) as PageEvent)
      }
    }
  }
  // The server cuts the stream when it closes: that is its end here.
  read().catch(() => undefined)
  return events
}
