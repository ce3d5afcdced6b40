import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {LocalSlackOptions} from '../../../../local/slack/options.ts'
import {isRecord} from '../../../../local/slack/edge/arguments.ts'
import type {LocalSlack} from '../../../../local/slack/server.ts'
import {eventually} from '../eventually.ts'
import {connectApp, openSlack} from '../slack-fixture.ts'
import {EVENTS} from './surfaces.ts'

const jane = {as: 'U0JANE'}
const web = {channel: 'C0WEB'}

/** `type`, of messages also `subtype`, of everything that went to the app. */
function told({ledger}: LocalSlack): string[] {
  return ledger.deliveries.flatMap(({kind, payload}) => {
    if (kind !== 'events_api') return []
    const {event} = payload
    const {type, subtype} = isRecord(event) ? event : payload
    return [typeof subtype === 'string' ? `${String(type)}/${subtype}` : String(type)]
  })
}

async function open(options: LocalSlackOptions) {
  const {slack, client} = await openSlack({rateScale: Infinity, ...options})
  await connectApp(slack)
  return {slack, client, people: slack.people}
}

type Opened = Awaited<ReturnType<typeof open>>

async function talk({people, client}: Opened): Promise<void> {
  const {ts} = await people.post({...jane, ...web, text: '@Bosun hi'})
  await people.edit({...jane, ...web, ts, text: 'Never mind'})
  await people.react({...jane, ...web, ts, name: 'eyes'})
  await people.unreact({...jane, ...web, ts, name: 'eyes'})
  await people.remove({...jane, ...web, ts})
  await client.chat.postMessage({...web, text: 'Squawk', username: 'Parrot', icon_emoji: ':bird:'})
  const files = [{name: 'a.txt', content: 'x'}]
  await people.post({...jane, ...web, text: 'Look', files})
  const {files: uploaded} = await client.filesUploadV2({...web, filename: 'b.txt', content: 'b'})
  await client.files.delete({file: uploaded[0]?.files?.[0]?.id ?? ''})
}

async function reshape({people}: Opened): Promise<void> {
  const draft = {name: 'inner', isPrivate: true, memberIds: ['U0JANE', 'U0BOSUN']}
  const {id} = await people.createChannel(draft)
  await people.createChannel({name: 'open', memberIds: ['U0JANE']})
  await people.shareChannel('C0WEB', 'T0OTHER')
  await people.unshareChannel('C0WEB', 'T0OTHER')
  for (const channel of ['C0RANDOM', id]) {
    await people.inviteBot(channel)
    await people.invite(channel, 'U0KIM')
    await people.kick(channel, 'U0KIM')
    await people.rename(channel, `new-${channel.toLowerCase()}`)
    await people.archive(channel)
    await people.unarchive(channel)
    await people.kickBot(channel)
  }
  const eve = await people.addMember({name: 'eve', realName: 'Eve'})
  await people.deactivate(eve.id)
  const group = {handle: 'crew', name: 'Crew', memberIds: ['U0JANE']}
  const {id: groupId} = await people.saveUsergroup(group)
  await people.saveUsergroup({...group, id: groupId})
}

async function useAgent({people, client}: Opened): Promise<void> {
  const channel = 'D0JANE'
  await people.openHome(jane)
  await people.changeContext({...jane, to: 'C0WEB'})
  await people.runStep({...jane, callbackId: 'start', inputs: {}})
  const {ts: threadTs} = await people.post({...jane, channel, text: 'Fix it'})
  const thread = {channel_id: channel, thread_ts: threadTs}
  await client.apiCall('agents.sessions.setStatus', {...thread, status: 'processing'})
  await people.renameSession({...jane, channel, threadTs, title: 'The fix'})
  await people.stop({...jane, channel, threadTs})
}

async function followLinks({people, client}: Opened): Promise<void> {
  const url = 'https://app.example.com/t/1'
  const {ts} = await people.post({...jane, ...web, text: url})
  const entity = {
    ...{app_unfurl_url: url, url, external_ref: {id: '1'}, entity_type: 'slack#/entities/task'},
    entity_payload: {attributes: {title: {text: 'Work'}}},
  }
  await client.apiCall('chat.unfurl', {...web, ts, metadata: {entities: [entity]}})
  await people.openDetails({...jane, ...web, ts, url})
}

test('the app can be told every event of the table, and no other', async () => {
  const agent = await open({
    agent: {view: 'agent_view', stopEvent: 'subscribed'},
    unfurlDomains: ['app.example.com'],
  })
  await talk(agent)
  await reshape(agent)
  await useAgent(agent)
  await followLinks(agent)
  const assistant = await open({agent: {view: 'assistant_view', stopEvent: 'absent'}})
  const root = await assistant.people.openAssistantThread({...jane, from: 'C0WEB'})
  await assistant.people.changeAssistantContext({...jane, threadTs: root.ts, to: 'C0RANDOM'})
  assistant.slack.apps.uninstall('A0BOSUN', assistant.slack.teamId)
  const limited = await open({eventsPerHour: 1, rateScale: 1})
  await limited.people.post({...jane, ...web, text: 'One'})
  await limited.people.post({...jane, ...web, text: 'Two'})
  const slacks = [agent, assistant, limited].map(({slack}) => slack)
  await eventually(
    () => [...new Set(slacks.flatMap(told))].sort(),
    (types) => EVENTS.every((type) => types.includes(type)),
  )
  expect([...new Set(slacks.flatMap(told))].sort()).toEqual(EVENTS)
})

test('every event that is written in the local Slack is in the table', () => {
  const files = [
    ...['delivery/events', 'delivery/workspace-events', 'agents/people', 'views/people'],
    ...['unfurls/people', 'workflows/people'],
  ]
  const folder = join(import.meta.dirname, '../../../../local/slack')
  const written = files.flatMap((file) => {
    const source = readFileSync(join(folder, `${file}.ts`), 'utf8')
    return [...source.matchAll(/\btype: '([a-z]+_[a-z_]+)'/g)].map(([, type = '']) => type)
  })
  const known = [...EVENTS, 'event_callback']
  // What changed in the workspace has names of its own, in the past tense.
  const own = /^(?:code_channel|channel|member|usergroup)_(?:\w+ed|left)$/
  expect(written.length).toBeGreaterThan(10)
  expect(written.filter((type) => !known.includes(type) && !own.test(type))).toEqual([])
})
