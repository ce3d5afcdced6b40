import {expect, test} from 'vitest'
import {clientOf, connectApp, openSlack} from './slack-fixture.ts'
import {eventually} from './eventually.ts'

const agent = {view: 'agent_view', stopEvent: 'subscribed'} as const

/** A workspace that has code channels, and Jane's message in a channel. */
async function openWorkspace(channel?: string) {
  const {slack, client} = await openSlack({rateScale: Infinity, agent})
  await slack.people.setRules({codeChannels: true})
  const place = channel ?? 'C0WEB'
  const {ts} = await slack.people.post({as: 'U0JANE', channel: place, text: 'Fix it'})
  const open = (more: object = {}) =>
    client.agents.conversations.create({
      ...{name: 'Fix the rounding of totals', session_id: 'ses_1'},
      ...{origin_channel_id: place, origin_message_ts: ts, ...more},
    })
  return {slack, client, ts, open}
}

test('a code channel is made once for a session, with its origin and who wrote there', async () => {
  const {slack, client, ts, open} = await openWorkspace()
  const {channel_id: channel = ''} = await open()
  expect((await open()).channel_id).toBe(channel)
  const info = await client.conversations.info({channel})
  expect(info.channel).toMatchObject({
    name: 'fix-the-rounding-of-totals',
    is_private: false,
    is_member: true,
    properties: {
      agent_session: {
        status: 'active',
        title: 'Fix the rounding of totals',
        encoded_agent_bot_user_ids: [slack.botUserId],
        origin_link: {channel_id: 'C0WEB', ts},
      },
      code_channel: {},
    },
  })
  const {members} = await client.conversations.members({channel})
  expect(members).toEqual([slack.botUserId, 'U0JANE'])
  const other = await open({session_id: 'ses_2'})
  expect(other.channel_id).not.toBe(channel)
})

test('it is private where its origin is, and the app hears what is said there without a mention', async () => {
  const {slack, client} = await openWorkspace()
  const memberIds = ['U0JANE', slack.botUserId]
  const inner = await slack.people.createChannel({name: 'inner', memberIds, isPrivate: true})
  const {ts} = await slack.people.post({as: 'U0JANE', channel: inner.id, text: 'Fix it'})
  const {heard} = await connectApp(slack)
  const {channel_id: channel = ''} = await client.agents.conversations.create({
    ...{name: 'Quiet work', origin_channel_id: inner.id, origin_message_ts: ts},
  })
  expect((await client.conversations.info({channel})).channel?.is_private).toBe(true)
  await slack.people.post({as: 'U0JANE', channel, text: 'And a test'})
  await eventually(
    () => heard.map(({event}) => event),
    (events) =>
      events.some(({text, channel_type: type}) => text === 'And a test' && type === 'group'),
  )
})

test('status and title are those of the channel, without a thread', async () => {
  const {slack, client, open} = await openWorkspace()
  const {channel_id = ''} = await open()
  const session = {channel_id}
  const set = await client.agents.sessions.setStatus({...session, status: 'processing'})
  expect(set).toMatchObject({status: 'processing', title: 'Fix the rounding of totals'})
  await client.agents.sessions.rename({...session, title: 'Totals'})
  const {channel} = await client.conversations.info({channel: channel_id})
  expect(channel).toMatchObject({
    name: 'totals',
    properties: {agent_session: {status: 'processing', title: 'Totals'}},
  })
  await client.agents.sessions.rename({...session, title: 'Totals'})
  expect((await client.conversations.info({channel: channel_id})).channel?.name).toBe('totals')
  expect(slack.ledger.calls.at(-1)?.status).toBe(200)
})

test('context bar, views and commands are what the app has set last', async () => {
  const {client, open} = await openWorkspace()
  const {channel_id = ''} = await open()
  const {agents} = client
  const url = 'https://github.com/acme/web/pull/7'
  const context_bar_items = [
    {key: 'project', label: 'Web', icon: 'folder'},
    {key: 'pr', label: '#7', url, item_type: 'action'},
  ]
  const bar = await agents.conversations.setProperties({
    channel_id,
    code_channel: {context_bar_items},
  })
  expect(bar.warning).toBe('action_with_url_overridden_to_info')
  const info = await client.conversations.info({channel: channel_id})
  expect(info.channel?.properties?.code_channel?.context_bar_items).toMatchObject([
    {key: 'project', label: 'Web', icon: 'folder', item_type: 'info'},
    {key: 'pr', label: '#7', url, item_type: 'info'},
  ])
  const view = {channel_id, view_key: 'out/report.html', content: '<p>Fine</p>'}
  await agents.conversations.setView(view)
  const again = await agents.conversations.setView({...view, content: '<p>Better</p>'})
  expect(again).toMatchObject({content_version: 2, type: 'html'})
  await agents.conversations.setView({channel_id, type: 'diff', content: '+ x'})
  const {views} = await agents.conversations.listViews({channel_id})
  expect(views).toMatchObject([
    {view_key: 'out/report.html', label: 'report', content_version: 2},
    {label: 'Diff', content_version: 1},
  ])
  await agents.conversations.removeView({channel_id, view_key: 'out/report.html'})
  expect((await agents.conversations.listViews({channel_id})).views).toHaveLength(1)
  const commands = [{name: 'stop', description: 'Stops the agent'}]
  expect(await agents.conversations.setCommands({channel_id, commands})).toMatchObject({
    command_count: 1,
  })
})

test('it is archived with its last word, and nobody writes there any more', async () => {
  const {slack, client, open} = await openWorkspace()
  const {channel_id = ''} = await open()
  const {ts = ''} = await client.chat.postMessage({channel: channel_id, text: 'All done'})
  await client.agents.conversations.archive({channel_id, summary_message_ts: ts})
  const {channel} = await client.conversations.info({channel: channel_id})
  expect(channel).toMatchObject({
    is_archived: true,
    properties: {
      agent_session: {status: 'closed'},
      code_channel: {summary_message: {message_ts: ts}},
    },
  })
  await expect(
    slack.people.post({as: 'U0JANE', channel: channel_id, text: 'Late'}),
  ).rejects.toThrow('archived')
  await slack.people.unarchive(channel_id)
  expect((await open()).channel_id).toBe(channel_id)
})

test('a workspace that has none says so, and the scope is asked for', async () => {
  const {client} = await openSlack({rateScale: Infinity, agent})
  await expect(client.agents.conversations.create({name: 'x'})).rejects.toThrow('feature_disabled')
  const {slack} = await openSlack({rateScale: Infinity, agent, scopes: ['chat:write']})
  const call = clientOf(slack).agents.conversations.create({name: 'x'})
  await expect(call).rejects.toThrow('missing_scope')
})

test('what its agent has registered is typed there, and nowhere else, and its stop is told', async () => {
  const {slack, client, open} = await openWorkspace()
  const {channel_id = ''} = await open()
  const {app, heard} = await connectApp(slack)
  const typed: object[] = []
  app.command(/^\//, async ({ack, body}) => {
    typed.push(body)
    await ack()
  })
  const commands = [{name: 'run-tests', description: 'Runs them'}]
  await client.agents.conversations.setCommands({channel_id, commands})
  const jane = {as: 'U0JANE', channel: channel_id}
  const run = {...jane, command: '/run-tests', text: 'all'}
  expect(await slack.people.command(run)).toBe('acked')
  expect(typed).toMatchObject([
    {command: '/run-tests', text: 'all', channel_id, user_id: 'U0JANE', team_id: slack.teamId},
  ])
  await expect(slack.people.stop(jane)).rejects.toThrow('shows no stop button')
  await client.agents.sessions.setStatus({channel_id, status: 'processing'})
  await slack.people.stop(jane)
  const {event} = (await eventually(
    () => heard.find((one) => one.event.type === 'agent_session_stopped'),
    (found) => found !== undefined,
  )) as {event: object}
  expect(event).toMatchObject({channel: channel_id, user: 'U0JANE', streaming_message_ts: []})
  expect(event).not.toHaveProperty('thread_ts')
})
