import {expect, test} from 'vitest'
import type {MessageView, PageEvent, TrafficEntry} from '../../../local/slack/page-feed/contract.ts'
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
    events.map((event) => {
      if (event.type === 'message') return event.message.text
      return event.type === 'message_deleted' ? event.ts : event.type
    })
  expect(told(jane)).toEqual(['One', 'Two', 'Hi Jane', ts])
  expect(told(kim)).toEqual(['One', 'Two', 'Psst', ts])
})

test('the page hears of views, agent threads and channels, and reads them back', async () => {
  const {slack, client} = await openSlack({agent: {view: 'agent_view', stopEvent: 'subscribed'}})
  const jane = await readEvents(slack.origin, 'U0JANE')
  const kim = await readEvents(slack.origin, 'U0KIM')
  const text = {type: 'mrkdwn', text: 'Nothing runs.'} as const
  await client.views.publish({
    user_id: 'U0JANE',
    view: {type: 'home', blocks: [{type: 'section', text}]},
  })
  const {ts = ''} = await client.chat.postMessage({channel: 'D0JANE', text: 'Hi'})
  await client.apiCall('agents.sessions.setStatus', {
    channel_id: 'D0JANE',
    thread_ts: ts,
    status: 'processing',
  })
  const channel = await slack.people.createChannel({name: 'new', memberIds: ['U0KIM']})
  await eventually(
    () => [jane, kim].map((events) => events.map(({type}) => type)),
    ([a = [], b = []]) => a.length >= 4 && b.length >= 1,
  )
  expect(jane.map(({type}) => type)).toEqual(['views', 'message', 'agent_thread', 'workspace'])
  expect(kim.map(({type}) => type)).toEqual(['workspace'])
  expect(jane[2]).toMatchObject({thread: {channel: 'D0JANE', threadTs: ts, canStop: true}})
  const get = async (path: string): Promise<unknown> =>
    (await fetch(`${slack.origin}/local/${path}`)).json()
  expect(await get('views?as=U0JANE')).toMatchObject({homes: [{view: {type: 'home'}}], modals: []})
  expect(await get('agent-threads?as=U0JANE')).toMatchObject([{threadTs: ts}])
  expect(await get('agent-threads?as=U0KIM')).toEqual([])
  expect(await get('workspace')).toMatchObject({
    channels: expect.arrayContaining([
      expect.objectContaining({id: channel.id, memberIds: ['U0KIM']}),
    ]) as unknown,
  })
})

test('an app that is installed while a page is open appears on it', async () => {
  const {slack} = await openSlack({apps: [{id: 'A0OTHER', name: 'Other'}]})
  const jane = await readEvents(slack.origin, 'U0JANE')
  slack.apps.install({appId: 'A0OTHER', teamId: slack.teamId})
  const names = () =>
    jane.flatMap((event) =>
      event.type === 'workspace' ? [event.workspace.apps.map(({name}) => name).join()] : [],
    )
  await eventually(names, (seen) => seen.at(-1) === 'Bosun,Other')
})

test('the traffic shows every call and what became of every delivery, late readers included', async () => {
  const {slack, client} = await openSlack()
  await connectApp(slack)
  await client.chat.postMessage({channel: 'C0WEB', text: 'Early'})
  const traffic = await readFeed<TrafficEntry>(`${slack.origin}/local/traffic`)
  await slack.people.post({as: 'U0JANE', channel: 'C0WEB', text: 'Late'})
  const outcomes = () =>
    traffic.flatMap((entry) =>
      entry.type === 'delivery' && JSON.stringify(entry.delivery.payload).includes('Late')
        ? [entry.delivery.outcome]
        : [],
    )
  await eventually(outcomes, (seen) => seen.length === 2)
  expect(outcomes()).toEqual(['pending', 'acked'])
  const calls = traffic.flatMap((entry) => (entry.type === 'call' ? [entry.call.method] : []))
  expect(calls).toContain('chat.postMessage')
})

test('a shared file comes to the page, and never as a part of it', async () => {
  const {slack} = await openSlack()
  const {ts} = await slack.people.post({
    as: 'U0JANE',
    channel: 'C0WEB',
    text: 'See',
    files: [{name: 'page.html', content: '<script>alert(1)</script>'}],
  })
  const [message] = (await (
    await fetch(`${slack.origin}/local/messages?as=U0JANE&channel=C0WEB`)
  ).json()) as MessageView[]
  expect(message).toMatchObject({ts, files: [{name: 'page.html', size: 25, isDeleted: false}]})
  const response = await fetch(`${slack.origin}/local/files/${message?.files?.[0]?.id ?? ''}`)
  expect(await response.text()).toBe('<script>alert(1)</script>')
  expect(response.headers.get('content-security-policy')).toBe('sandbox')
  expect((await fetch(`${slack.origin}/local/files/F0NONE`)).status).toBe(404)
})

async function readEvents(origin: string, as: string): Promise<PageEvent[]> {
  return readFeed<PageEvent>(`${origin}/local/events?as=${as}`)
}

/** Reads the stream as it comes; it ends with the local Slack. */
async function readFeed<Event>(url: string): Promise<Event[]> {
  const response = await fetch(url)
  const events: Event[] = []
  const read = async (): Promise<void> => {
    let rest = ''
    const text = response.body?.pipeThrough(new TextDecoderStream())
    for await (const chunk of text ?? []) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line.startsWith('data: ')) events.push(JSON.parse(line.slice(6)) as Event)
      }
    }
  }
  // The server cuts the stream when it closes: that is its end here.
  read().catch(() => undefined)
  return events
}
