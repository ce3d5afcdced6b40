import {App, SocketModeReceiver} from '@slack/bolt'
import type {KnownBlock, View} from '@slack/types'
import type {WebClient} from '@slack/web-api'
import {expect, onTestFinished, test} from 'vitest'
import type {LocalSlackOptions} from '../../../local/slack/options.ts'
import type {LocalSlack} from '../../../local/slack/server.ts'
import {eventually} from './eventually.ts'
import {clientOf, openSlack, quiet, refusalOf, stopDate} from './slack-fixture.ts'

const jane = {as: 'U0JANE', channel: 'C0WEB'}
const buttons: KnownBlock[] = [
  {
    type: 'actions',
    elements: [
      {type: 'button', action_id: 'go', text: {type: 'plain_text', text: 'Go'}},
      {
        type: 'external_select',
        action_id: 'find',
        min_query_length: 0,
        placeholder: {type: 'plain_text', text: 'Find'},
      },
    ],
  },
]

type Heard = Record<string, unknown>

/** A real Bolt app on the line of one of the apps, that tells what it hears. */
async function connect(slack: LocalSlack, appId: string) {
  const found = slack.apps.all().find(({id}) => id === appId)
  const [installation] = found?.installations ?? []
  const token = installation?.botToken ?? ''
  const app = new App({
    receiver: new SocketModeReceiver({
      appToken: found?.appToken ?? '',
      logger: quiet,
      installerOptions: {clientOptions: {slackApiUrl: slack.apiUrl}},
    }),
    token,
    botId: installation?.botId ?? '',
    botUserId: installation?.botUserId ?? '',
    logger: quiet,
    clientOptions: {slackApiUrl: slack.apiUrl, retryConfig: {retries: 0}},
  })
  const heard: Heard[] = []
  app.event('message', async ({event}) => void heard.push({...event}))
  app.action('go', async ({ack, body}) => {
    heard.push({...body})
    await ack()
  })
  app.command(/.*/, async ({ack, command}) => {
    heard.push({...command, type: 'command'})
    await ack({text: `${appId} says hello`, response_type: 'in_channel'})
  })
  app.options('find', async ({ack}) => {
    await ack({options: [{text: {type: 'plain_text', text: appId}, value: appId}]})
  })
  await app.start()
  onTestFinished(() => app.stop().then(() => undefined))
  return {heard, client: clientOf(slack, token), botId: installation?.botId ?? '', token}
}

/** Bosun and Other, both in Acme and in #web. */
async function openApps(options: LocalSlackOptions = {}, other: object = {}) {
  const apps = [{id: 'A0OTHER', name: 'Other', ...other}]
  const {slack} = await openSlack({...options, apps})
  slack.apps.install({appId: 'A0OTHER', teamId: 'T0LOCAL'})
  await slack.people.inviteBot('C0WEB', 'A0OTHER')
  return {slack, bosun: await connect(slack, 'A0BOSUN'), other: await connect(slack, 'A0OTHER')}
}

async function post(client: WebClient, text: string): Promise<string> {
  const {ts = ''} = await client.chat.postMessage({channel: 'C0WEB', text, blocks: buttons})
  return ts
}

const textsOf = (heard: Heard[]): unknown[] =>
  heard.filter(({subtype}) => subtype === undefined).map(({text}) => text)

test('each app hears the other as a bot, with the profile of the right one', async () => {
  const {bosun, other} = await openApps()
  await post(other.client, 'I am Other')
  await post(bosun.client, 'I am Bosun')
  await eventually(
    () => [...textsOf(bosun.heard), ...textsOf(other.heard)],
    (texts) => texts.includes('I am Bosun') && texts.includes('I am Other'),
  )
  const heardOf = ({heard}: {heard: Heard[]}, text: string) =>
    heard.find((event) => event['text'] === text)
  expect(heardOf(bosun, 'I am Other')).toMatchObject({
    bot_id: other.botId,
    app_id: 'A0OTHER',
    bot_profile: {id: other.botId, app_id: 'A0OTHER', name: 'Other', team_id: 'T0LOCAL'},
  })
  expect(heardOf(other, 'I am Bosun')).toMatchObject({
    bot_id: 'B0BOSUN',
    bot_profile: {app_id: 'A0BOSUN', name: 'Bosun'},
  })
  // Bolt drops an app's own.
  expect(heardOf(bosun, 'I am Bosun')).toBeUndefined()
})

test('a press and a search go to the app that wrote the message', async () => {
  const {slack, bosun, other} = await openApps()
  const ts = await post(other.client, 'Press')
  expect(await slack.people.press({...jane, ts, actionId: 'go'})).toBe('acked')
  expect(bosun.heard.filter(({type}) => type === 'block_actions')).toEqual([])
  expect(other.heard.find(({type}) => type === 'block_actions')).toMatchObject({
    api_app_id: 'A0OTHER',
    message: {bot_id: other.botId},
  })
  const message = {channel: 'C0WEB', ts}
  const options = await slack.people.searchOptions({
    as: 'U0JANE',
    actionId: 'find',
    query: '',
    message,
  })
  expect(JSON.stringify(options)).toContain('A0OTHER')
  expect(JSON.stringify(options)).not.toContain('A0BOSUN')
})

test('a command goes to the app that declares it, and to no other', async () => {
  const command = (name: string) => ({commands: [{command: name, description: 'It'}]})
  const {slack, bosun, other} = await openApps(command('/bosun'), command('/other'))
  const type = (name: string) => slack.people.command({...jane, command: name, text: 'x'})
  expect(await type('/other')).toBe('acked')
  expect(other.heard.filter((one) => one['type'] === 'command')).toMatchObject([
    {command: '/other', api_app_id: 'A0OTHER'},
  ])
  expect(bosun.heard.filter((one) => one['type'] === 'command')).toEqual([])
  expect(slack.messages('C0WEB').at(-1)).toMatchObject({
    text: 'A0OTHER says hello',
    botId: other.botId,
  })
  await expect(type('/nobody')).rejects.toThrow('/nobody is not a valid command')
})

test("an app cannot change or delete another's message", async () => {
  const {bosun, other} = await openApps()
  const ts = await post(other.client, 'Mine')
  const {chat} = bosun.client
  const place = {channel: 'C0WEB', ts}
  expect(await refusalOf(chat.update({...place, text: 'Ours'}))).toBe('cant_update_message')
  expect(await refusalOf(chat.delete(place))).toBe('cant_delete_message')
  const started = await other.client.chat.startStream({
    ...{channel: 'C0WEB', thread_ts: ts, markdown_text: 'One'},
    ...{recipient_user_id: 'U0JANE', recipient_team_id: 'T0LOCAL'},
  })
  const stream = {channel: 'C0WEB', ts: started.ts ?? ''}
  const foreign = [
    () => chat.appendStream({...stream, markdown_text: 'Two'}),
    () => chat.stopStream(stream),
  ]
  for (const call of foreign) expect(await refusalOf(call())).toBe('message_not_owned_by_app')
  await other.client.chat.update({...place, text: 'Still mine'})
})

test('triggers and views are of one app', async () => {
  const {slack, bosun, other} = await openApps()
  const ts = await post(other.client, 'Press')
  await slack.people.press({...jane, ts, actionId: 'go'})
  const pressed = other.heard.find(({type}) => type === 'block_actions')
  const trigger_id = String(pressed?.['trigger_id'])
  const view: View = {
    type: 'modal',
    title: {type: 'plain_text', text: 'Form'},
    external_id: 'form',
    blocks: [{type: 'divider'}],
  }
  expect(await refusalOf(bosun.client.views.open({trigger_id, view}))).toBe('invalid_trigger_id')
  const opened = await other.client.views.open({trigger_id, view})
  const view_id = opened.view?.id ?? ''
  expect(await refusalOf(bosun.client.views.update({view_id, view}))).toBe('not_found')
  expect(await refusalOf(bosun.client.views.update({external_id: 'form', view}))).toBe('not_found')
  const home = {type: 'home' as const, blocks: [{type: 'divider' as const}]}
  await other.client.views.publish({user_id: 'U0JANE', view: home})
  expect(slack.views('U0JANE')).toEqual({modals: []})
})

test('limits count for each app', async () => {
  stopDate()
  const {bosun, other} = await openApps()
  for (let count = 0; count < 5; count += 1) await post(bosun.client, 'x')
  await expect(post(bosun.client, 'x')).rejects.toMatchObject({retryAfter: 1})
  await post(other.client, 'x')
})

test('a response url speaks for its own app', async () => {
  const {slack, other} = await openApps()
  const ts = await post(other.client, 'Press')
  await slack.people.press({...jane, ts, actionId: 'go'})
  const pressed = other.heard.find(({type}) => type === 'block_actions')
  const answer = {text: 'From Other', response_type: 'in_channel', replace_original: false}
  await fetch(String(pressed?.['response_url']), {method: 'POST', body: JSON.stringify(answer)})
  expect(slack.messages('C0WEB').at(-1)).toMatchObject({text: 'From Other', botId: other.botId})
})

test('an app that is installed nowhere has no token, and its line brings nothing', async () => {
  const {slack} = await openSlack({apps: [{id: 'A0OTHER', name: 'Other'}]})
  expect(slack.apps.all()[1]).toMatchObject({id: 'A0OTHER', installations: []})
  await slack.people.post({...jane, text: 'Hello'})
  await expect(slack.people.openHome({as: 'U0JANE', appId: 'A0OTHER'})).rejects.toThrow(
    'A0OTHER is not installed',
  )
  expect(() => slack.apps.install({appId: 'A0NONE', teamId: 'T0LOCAL'})).toThrow('A0NONE')
  expect(() => slack.apps.install({appId: 'A0OTHER', teamId: 'T0NONE'})).toThrow('T0NONE')
  expect(() => slack.apps.uninstall('A0OTHER', 'T0LOCAL')).toThrow('is not installed')
})
