import type {WebClient} from '@slack/web-api'
import {describe, expect, test} from 'vitest'
import type {LocalSlack} from '../../../local/slack/server.ts'
import {eventually} from './eventually.ts'
import {connectApp, deliveriesOf, openSlack, refusalOf} from './slack-fixture.ts'

const web = {channel: 'C0WEB'}
const jane = {as: 'U0JANE', ...web}
const url = 'https://app.example.com/t/1'
const options = {unfurlDomains: ['app.example.com', 'github.com']}
const button = (label: string) => ({
  type: 'button',
  action_id: 'bosun:stop',
  text: {type: 'plain_text', text: label},
  value: 'work.1',
})
const card = (text: string) => ({
  blocks: [
    {type: 'section', text: {type: 'mrkdwn', text}},
    {type: 'actions', elements: [button('Stop')]},
  ],
})
const unfurl = ({client}: {client: WebClient}, args: object) =>
  client.apiCall('chat.unfurl', {...web, ...args})

function events(slack: LocalSlack, type = 'link_shared'): Record<string, unknown>[] {
  return deliveriesOf(slack, type).map(({payload}) => payload['event'] as Record<string, unknown>)
}

describe('links that people post', () => {
  test('are told of, those of its domains alone, wherever they are posted', async () => {
    const {slack} = await openSlack(options)
    await connectApp(slack)
    const text = `See <${url}|it>, https://gist.github.com/a), \`${url}0\` and https://other.test/`
    const {ts} = await slack.people.post({...jane, text})
    await slack.people.post({...jane, text: 'no link'})
    await slack.people.post({...jane, channel: 'C0RANDOM', text: url})
    await slack.people.post({...jane, threadTs: ts, text: url})
    const told = await eventually(
      () => events(slack),
      (all) => all.length === 3,
    )
    expect(told).toMatchObject([
      {
        ...{channel: 'C0WEB', message_ts: ts, user: 'U0JANE', is_bot_user_member: true},
        source: 'conversations_history',
        links: [
          {domain: 'app.example.com', url},
          {domain: 'github.com', url: 'https://gist.github.com/a'},
        ],
      },
      {channel: 'C0RANDOM', is_bot_user_member: false},
      {channel: 'C0WEB', thread_ts: ts},
    ])
  })

  test('come with an edit, are not those of the app itself, and say nothing of a draft’s place', async () => {
    const {slack, client} = await openSlack(options)
    await connectApp(slack)
    await client.chat.postMessage({...web, text: url})
    const {ts} = await slack.people.post({...jane, text: 'Wait'})
    await slack.people.edit({...jane, ts, text: url})
    await slack.people.edit({...jane, ts, text: `${url} indeed`})
    const id = await slack.people.compose({...jane, text: url})
    const told = await eventually(
      () => events(slack),
      (all) => all.length === 2,
    )
    expect(told).toMatchObject([
      {message_ts: ts},
      {channel: 'COMPOSER', message_ts: id, unfurl_id: id, source: 'composer'},
    ])
    const preview = {unfurl_id: id, source: 'composer', unfurls: {[url]: card('Draft')}}
    expect(await client.apiCall('chat.unfurl', preview)).toMatchObject({ok: true})
  })

  test('are not told of without the scope, or to an app without domains', async () => {
    for (const without of [{...options, scopes: ['chat:write']}, {}]) {
      const {slack} = await openSlack(without)
      await connectApp(slack)
      await slack.people.post({...jane, text: url})
      await eventually(
        () => events(slack, 'message'),
        (all) => all.length > 0,
      )
      expect(events(slack)).toEqual([])
    }
  })
})

describe('the preview of a link', () => {
  test('stands below the message, and is changed in place, without a label', async () => {
    const {slack, client} = await openSlack(options)
    const {ts} = await slack.people.post({...jane, text: `${url} https://github.com/a/b/pull/1`})
    await unfurl({client}, {ts, unfurls: {[url]: card('Working')}})
    const pr = 'https://github.com/a/b/pull/1'
    await unfurl({client}, {ts, unfurls: {[url]: card('Done'), [pr]: card('Open')}})
    const [message] = slack.messages('C0WEB')
    expect(message?.edited).toBeUndefined()
    expect(message?.text).toContain(url)
    expect(message?.attachments).toMatchObject([
      {from_url: url, is_app_unfurl: true, blocks: [{text: {text: 'Done'}}, {}]},
      {from_url: pr, blocks: [{text: {text: 'Open'}}, {}]},
    ])
    expect(slack.lints()).toEqual([])
    await slack.people.edit({...jane, ts, text: `only ${pr}`})
    expect(slack.messages('C0WEB')[0]?.attachments).toMatchObject([{from_url: pr}])
    await unfurl({client}, {ts, unfurls: {[pr]: card('Open')}})
    await unfurl({client}, {ts, unfurls: {[pr]: card('Open')}})
    expect(slack.lints()).toMatchObject([{kind: 'unchanged', method: 'chat.unfurl'}])
  })

  test('has buttons, which come as those of a preview', async () => {
    const {slack, client} = await openSlack(options)
    const {app} = await connectApp(slack)
    const pressed: object[] = []
    app.action('bosun:stop', async ({ack, body}) => {
      pressed.push(body)
      await ack()
    })
    const {ts} = await slack.people.post({...jane, text: url})
    await unfurl({client}, {ts, unfurls: {[url]: card('Working')}})
    const press = {as: 'U0KIM', ...web, ts, actionId: 'bosun:stop'}
    expect(await slack.people.press(press)).toBe('acked')
    expect(pressed).toMatchObject([
      {
        user: {id: 'U0KIM'},
        container: {type: 'message_attachment', is_app_unfurl: true, app_unfurl_url: url},
        channel: {id: 'C0WEB'},
        app_unfurl: {from_url: url},
        actions: [{action_id: 'bosun:stop', value: 'work.1'}],
      },
    ])
  })

  test('may be a work object, whose details each person opens for themselves', async () => {
    const {slack, client} = await openSlack(options)
    await connectApp(slack)
    const {ts} = await slack.people.post({...jane, text: url})
    const entity = {
      ...{app_unfurl_url: url, url, external_ref: {id: '1'}, entity_type: 'slack#/entities/task'},
      entity_payload: {
        attributes: {title: {text: 'Work'}},
        fields: {status: {value: 'Working'}},
        actions: {primary_actions: [{text: 'Stop', action_id: 'bosun:stop', value: 'work.1'}]},
      },
    }
    const unfurls = {[url]: card('Working')}
    await unfurl({client}, {ts, unfurls, metadata: {entities: [entity]}})
    await slack.people.openDetails({as: 'U0KIM', ...web, ts, url})
    const [event] = await eventually(
      () => events(slack, 'entity_details_requested'),
      (all) => all.length === 1,
    )
    expect(event).toMatchObject({user: 'U0KIM', ...web, message_ts: ts, external_ref: {id: '1'}})
    const details = {trigger_id: event?.['trigger_id'], metadata: entity}
    expect(await client.apiCall('entity.presentDetails', details)).toMatchObject({ok: true})
    expect(await refusalOf(client.apiCall('entity.presentDetails', details))).toBe(
      'invalid_trigger_id',
    )
    await slack.people.setRules({workObjects: 'none'})
    const again = unfurl({client}, {ts, unfurls, metadata: {entities: [entity]}})
    expect(await refusalOf(again)).toBe('invalid_metadata_format')
  })
})
