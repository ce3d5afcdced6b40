import type {MessageShortcut, BlockSuggestion} from '@slack/bolt'
import {expect, test} from 'vitest'
import {connectApp, deliveriesOf, listenOverHttp, openSlack} from './slack-fixture.ts'
import {jane, modal, newTrigger, option, plain} from './views-fixture.ts'

const place = {...jane, channel: 'C0WEB'}

const ways = [
  ['Socket Mode', connectApp],
  ['HTTP', listenOverHttp],
] as const

test.for(ways)('over %s shortcuts arrive with a trigger', async ([, connect]) => {
  const {slack, client} = await openSlack()
  const {app} = await connect(slack)
  app.shortcut({type: 'shortcut', callback_id: 'new_task'}, async ({ack}) => ack())
  const bodies: MessageShortcut[] = []
  app.shortcut({type: 'message_action', callback_id: 'send'}, async ({ack, shortcut, respond}) => {
    bodies.push(shortcut)
    await client.views.open({trigger_id: shortcut.trigger_id, view: modal('Send')})
    await ack()
    await respond('Sent')
  })
  const global = slack.people.shortcut({...jane, callbackId: 'new_task'})
  await expect(global).resolves.toBe('acked')
  expect(slack.ledger.deliveries.at(-1)?.payload).toMatchObject({
    type: 'shortcut',
    callback_id: 'new_task',
    user: {id: 'U0JANE', username: 'jane', team_id: 'T0LOCAL'},
    team: {id: 'T0LOCAL', domain: 'acme'},
  })
  const {ts} = await slack.people.post({...place, text: 'The build is red'})
  const shortcut = slack.people.messageShortcut({...place, ts, callbackId: 'send'})
  await expect(shortcut).resolves.toBe('acked')
  expect(bodies).toMatchObject([
    {
      type: 'message_action',
      callback_id: 'send',
      message_ts: ts,
      channel: {id: 'C0WEB', name: 'web'},
      message: {type: 'message', user: 'U0JANE', ts, text: 'The build is red'},
      user: {id: 'U0JANE', name: 'jane'},
    },
  ])
  await expect.poll(() => slack.ephemerals('C0WEB', 'U0JANE')).toMatchObject([{text: 'Sent'}])
  expect(slack.views('U0JANE').modals).toHaveLength(1)
})

test('a shortcut is for messages that everybody sees, and is handed over once', async () => {
  const {slack, client} = await openSlack({timeFactor: 0.01})
  await connectApp(slack)
  const {message_ts: ts = ''} = await client.chat.postEphemeral({
    channel: 'C0WEB',
    user: 'U0JANE',
    text: 'Only you',
  })
  const shortcut = slack.people.messageShortcut({...place, ts, callbackId: 'send'})
  await expect(shortcut).rejects.toThrow('Ephemeral messages have no shortcuts')
  await expect(slack.people.shortcut({...jane, callbackId: 'x'})).resolves.toBe('timeout')
  expect(slack.ledger.deliveries).toMatchObject([{kind: 'interactive', attempt: 0}])
})

test('opening the App Home brings the published view along', async () => {
  const {slack, client} = await openSlack()
  const {app} = await connectApp(slack)
  app.event('app_home_opened', async ({event}) => {
    if (event.tab !== 'home') return
    const blocks = [{type: 'section' as const, text: plain('Nothing runs')}]
    await client.views.publish({user_id: event.user, view: {type: 'home', blocks}})
  })
  await slack.people.openHome(jane)
  await expect.poll(() => slack.views('U0JANE').home).toBeDefined()
  await slack.people.openHome({...jane, tab: 'messages'})
  await slack.people.openHome(jane)
  const events = () => deliveriesOf(slack, 'app_home_opened').map(({payload}) => payload['event'])
  expect(events()).toMatchObject([
    {user: 'U0JANE', channel: 'D0JANE', tab: 'home'},
    {tab: 'messages'},
    {tab: 'home', view: {type: 'home', blocks: [{text: {text: 'Nothing runs'}}]}},
  ])
  expect(events()[0]).not.toHaveProperty('view')
  expect(events()[1]).not.toHaveProperty('view')
})

test('a button of the App Home is pressed like one of a modal', async () => {
  const {slack, client} = await openSlack({homeTab: true})
  const {app} = await connectApp(slack)
  app.action('new', async ({ack, body}) => {
    const trigger_id = 'trigger_id' in body ? body.trigger_id : ''
    await client.views.open({trigger_id, view: modal('New task')})
    await ack()
  })
  await expect(slack.people.useView({...jane, actionId: 'new'})).rejects.toThrow('neither')
  const button = {type: 'button' as const, action_id: 'new', text: plain('New task')}
  const view = {type: 'home' as const, blocks: [{type: 'actions' as const, elements: [button]}]}
  await client.views.publish({user_id: 'U0JANE', view})
  await expect(slack.people.useView({...jane, actionId: 'new'})).resolves.toBe('acked')
  expect(slack.views('U0JANE').modals).toMatchObject([{view: {title: {text: 'New task'}}}])
})

test('nobody opens the Home tab of an app that has none', async () => {
  const {slack} = await openSlack({homeTab: false})
  await expect(slack.people.openHome(jane)).rejects.toThrow('no Home tab')
})

const select = {type: 'external_select' as const, action_id: 'project', min_query_length: 2}

test.for(ways)('over %s an external select offers what the app answers', async ([, connect]) => {
  const {slack, client} = await openSlack()
  const input = {type: 'input' as const, block_id: 'where', label: plain('Where'), element: select}
  await client.views.open({
    trigger_id: await newTrigger(slack),
    view: modal('Pick', {blocks: [input]}),
  })
  const {app} = await connect(slack)
  const asked: BlockSuggestion[] = []
  app.options('project', async ({ack, body}) => {
    asked.push(body)
    const {value} = body
    if (value === 'none') await ack({options: []})
    else if (value === 'groups') {
      await ack({option_groups: [{label: plain('Web'), options: [option('site')]}]})
    } else if (value === 'long') await ack({options: [option('x'.repeat(76))]})
    else await ack({options: [option('api'), option('app')]})
  })
  app.action('project', async ({ack}) => ack())
  const search = (query: string) =>
    slack.people.searchOptions({...jane, actionId: 'project', query})
  await expect(search('a')).resolves.toEqual({outcome: 'too_short', options: []})
  await expect(search('none')).resolves.toEqual({outcome: 'acked', options: []})
  await expect(search('long')).resolves.toEqual({outcome: 'refused', options: []})
  await expect(search('groups')).resolves.toMatchObject({options: [{value: 'site'}]})
  await expect(search('ap')).resolves.toMatchObject({options: [{value: 'api'}, {value: 'app'}]})
  expect(asked[0]).toMatchObject({
    type: 'block_suggestion',
    action_id: 'project',
    block_id: 'where',
    value: 'none',
    container: {type: 'view'},
    view: {title: {text: 'Pick'}},
    user: {id: 'U0JANE'},
  })
  const choose = (value: string) => slack.people.useView({...jane, actionId: 'project', value})
  await expect(choose('site')).rejects.toThrow('no option "site", only: api, app')
  await expect(choose('api')).resolves.toBe('kept')
  expect(slack.views('U0JANE').modals[0]?.view['state']).toMatchObject({
    values: {where: {project: {type: 'external_select', selected_option: {value: 'api'}}}},
  })
})

test('an external select of a message asks with its message, and what it offered can be chosen', async () => {
  const {slack, client} = await openSlack()
  const {app} = await connectApp(slack)
  app.options('project', async ({ack}) => ack({options: [option('api')]}))
  app.action('project', async ({ack}) => ack())
  const blocks = [{type: 'actions' as const, block_id: 'row', elements: [select]}]
  const {ts = ''} = await client.chat.postMessage({channel: 'C0WEB', text: 'Where?', blocks})
  const press = () => slack.people.press({...place, ts, actionId: 'project', value: 'api'})
  await expect(press()).rejects.toThrow('no option "api"')
  const message = {channel: 'C0WEB', ts}
  await slack.people.searchOptions({...jane, actionId: 'project', query: 'ap', message})
  expect(slack.ledger.deliveries.at(-1)?.payload).toMatchObject({
    type: 'block_suggestion',
    container: {type: 'message', message_ts: ts, channel_id: 'C0WEB', is_ephemeral: false},
    channel: {id: 'C0WEB', name: 'web'},
    message: {ts, text: 'Where?'},
    value: 'ap',
  })
  await expect(press()).resolves.toBe('acked')
  expect(slack.ledger.deliveries.at(-1)?.payload).toMatchObject({
    actions: [{type: 'external_select', selected_option: {value: 'api'}}],
  })
})

test('a silent app leaves an external select empty', async () => {
  const {slack, client} = await openSlack({timeFactor: 0.5})
  const input = {type: 'input' as const, label: plain('Where'), element: select}
  await client.views.open({
    trigger_id: await newTrigger(slack),
    view: modal('Pick', {blocks: [input]}),
  })
  await connectApp(slack)
  const search = slack.people.searchOptions({...jane, actionId: 'project', query: 'ap'})
  await expect(search).resolves.toEqual({outcome: 'timeout', options: []})
})
