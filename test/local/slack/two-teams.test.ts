import type {App} from '@slack/bolt'
import {SocketModeClient} from '@slack/socket-mode'
import {expect, onTestFinished, test} from 'vitest'
import {startLocalSlack, type LocalSlack} from '../../../local/slack/server.ts'
import {askControl} from './control-fixture.ts'
import {eventually} from './eventually.ts'
import {createOauthApp, install, openServer} from './oauth-fixture.ts'
import {clientOf, openSlack, quiet, refusalOf, temporaryDataFile} from './slack-fixture.ts'

const teams = [{id: 'T0BETA', name: 'Beta'}]
const general = 'C0BETAGENERAL'
const button = {
  type: 'actions' as const,
  elements: [
    {type: 'button' as const, action_id: 'go', text: {type: 'plain_text' as const, text: 'Go'}},
  ],
}

/** Bosun in both workspaces. */
async function openTwo() {
  const {slack, client: acme} = await openSlack({teams, rateScale: 1})
  const beta = slack.apps.install({appId: 'A0BOSUN', teamId: 'T0BETA'})
  await slack.peopleOf('T0BETA').inviteBot(general)
  return {slack, acme, beta: clientOf(slack, beta.botToken), betaBot: beta}
}

/** One process, installed by its own pages in both workspaces over HTTP. */
async function openBolt() {
  const at = await openServer()
  const redirectUrls = [`${at.origin}/slack/oauth_redirect`]
  const {slack} = await openSlack({teams, redirectUrls})
  const bolt = createOauthApp(slack, at)
  for (const as of ['U0JANE', 'U0BETAALEX']) await install(bolt.installUrl, {as})
  await slack.peopleOf('T0BETA').inviteBot(general)
  return {slack, ...bolt}
}

/** Answers every message of a person with a button, and every press with words. */
function converse(app: App) {
  const told: Record<string, unknown>[] = []
  app.message(async ({message, context, say}) => {
    if (message.subtype !== undefined || 'bot_id' in message) return
    told.push({kind: 'message', team: context.teamId, bot: context.botUserId})
    await say({text: 'Press it', blocks: [button]})
  })
  app.action('go', async ({ack, body, context, respond}) => {
    await ack()
    told.push({kind: 'press', team: body.team?.id, token: context.botToken})
    await respond({text: 'Pressed', response_type: 'in_channel', replace_original: false})
  })
  return told
}

async function lastOf(slack: LocalSlack, channel: string, text: string) {
  const found = await eventually(
    () => slack.messages(channel).find((message) => message.text === text),
    (message) => message !== undefined,
  )
  return found?.ts ?? ''
}

test('one Bolt app serves two workspaces, each with its own token', async () => {
  const {slack, app, kept} = await openBolt()
  const told = converse(app)
  await slack.people.post({as: 'U0JANE', channel: 'C0WEB', text: 'Hello'})
  const acmeTs = await lastOf(slack, 'C0WEB', 'Press it')
  const people = slack.peopleOf('T0BETA')
  await people.post({as: 'U0BETARITA', channel: general, text: 'Hello'})
  const betaTs = await lastOf(slack, general, 'Press it')
  const press = {actionId: 'go'}
  await slack.people.press({...press, as: 'U0JANE', channel: 'C0WEB', ts: acmeTs})
  await people.press({...press, as: 'U0BETARITA', channel: general, ts: betaTs})
  await lastOf(slack, 'C0WEB', 'Pressed')
  await lastOf(slack, general, 'Pressed')
  const [acme, beta] = [kept.get('T0LOCAL')?.bot, kept.get('T0BETA')?.bot]
  expect(told).toEqual([
    {kind: 'message', team: 'T0LOCAL', bot: acme?.userId},
    {kind: 'message', team: 'T0BETA', bot: beta?.userId},
    {kind: 'press', team: 'T0LOCAL', token: acme?.token},
    {kind: 'press', team: 'T0BETA', token: beta?.token},
  ])
  const written = slack.messages(general).filter(({text}) => /^Press/.test(text))
  expect(written.map(({userId}) => userId)).toEqual([beta?.userId, beta?.userId])
})

test('the record says of every call and delivery whose it is', async () => {
  const {slack, app} = await openBolt()
  converse(app)
  await slack.people.post({as: 'U0JANE', channel: 'C0WEB', text: 'Hello'})
  await lastOf(slack, 'C0WEB', 'Press it')
  await slack.peopleOf('T0BETA').post({as: 'U0BETARITA', channel: general, text: 'Hello'})
  await lastOf(slack, general, 'Press it')
  const callsOf = (method: string) =>
    slack.ledger.calls
      .filter((call) => call.method === method)
      .map(({appId, teamId}) => ({appId, teamId}))
  const appId = 'A0BOSUN'
  expect(callsOf('oauth.v2.access')).toEqual([{appId}, {appId}])
  const both = [
    {appId, teamId: 'T0LOCAL'},
    {appId, teamId: 'T0BETA'},
  ]
  expect(callsOf('auth.test')).toEqual(both)
  expect(callsOf('chat.postMessage')).toEqual(both)
  const teamsHeard = new Set(slack.ledger.deliveries.map((one) => `${one.appId} ${one.teamId}`))
  expect([...teamsHeard].sort()).toEqual(['A0BOSUN T0BETA', 'A0BOSUN T0LOCAL'])
  await fetch(`${slack.apiUrl}auth.test`, {headers: {authorization: 'Bearer guessed'}})
  expect(slack.ledger.calls.at(-1)).not.toHaveProperty('appId')
})

test('nobody sees channels, people, messages or files of the other workspace', async () => {
  const {slack, acme, beta, betaBot} = await openTwo()
  const attached = {files: [{name: 'plan.txt', content: 'secret'}], text: 'Look'}
  const secret = {as: 'U0BETARITA', channel: general, ...attached}
  const {ts, fileIds = []} = await slack.peopleOf('T0BETA').post(secret)
  const file = fileIds[0] ?? ''
  const listed = await beta.conversations.list()
  expect(listed.channels?.map(({id}) => id)).toEqual([general])
  const channels = (await acme.conversations.list()).channels?.map(({id}) => id)
  expect(channels).not.toContain(general)
  const members = (await acme.users.list({})).members?.map(({id}) => id)
  expect(members).not.toContain('U0BETARITA')
  expect(members).not.toContain(betaBot.botUserId)
  const home = {type: 'home' as const, blocks: [{type: 'divider' as const}]}
  for (const [refused, error] of [
    [() => acme.conversations.info({channel: general}), 'channel_not_found'],
    [() => acme.conversations.history({channel: general}), 'channel_not_found'],
    [() => acme.chat.postMessage({channel: general, text: 'x'}), 'channel_not_found'],
    [() => acme.chat.update({channel: general, ts, text: 'x'}), 'channel_not_found'],
    [
      () => acme.reactions.add({channel: general, timestamp: ts, name: 'eyes'}),
      'channel_not_found',
    ],
    [() => acme.users.info({user: 'U0BETARITA'}), 'user_not_found'],
    [() => acme.users.lookupByEmail({email: 'rita@beta.test'}), 'users_not_found'],
    [() => acme.conversations.open({users: 'U0BETARITA'}), 'user_not_found'],
    [() => acme.files.delete({file}), 'file_not_found'],
    [() => acme.views.publish({user_id: 'U0BETARITA', view: home}), 'invalid_arguments'],
  ] as const) {
    expect(await refusalOf(refused())).toBe(error)
  }
  expect(await refusalOf(acme.files.info({file}))).toBe('not_visible')
  expect((await acme.files.list({})).files).toEqual([])
  const url = (await beta.files.info({file})).file?.url_private ?? ''
  const download = async (token: string): Promise<number> =>
    (await fetch(url, {headers: {authorization: `Bearer ${token}`}})).status
  expect(await download(betaBot.botToken)).toBe(200)
  expect(await download(slack.botToken)).not.toBe(200)
  expect((await beta.users.list({})).members?.map(({id}) => id).sort()).toEqual(
    ['U0BETAALEX', 'U0BETARITA', betaBot.botUserId].sort(),
  )
})

test('a workspace hears its own events, and people act in theirs alone', async () => {
  const {slack} = await openTwo()
  await slack.people.post({as: 'U0JANE', channel: 'C0WEB', text: 'Acme'})
  const people = slack.peopleOf('T0BETA')
  await people.post({as: 'U0BETARITA', channel: general, text: 'Beta'})
  await people.createChannel({name: 'beta-only', memberIds: ['U0BETARITA']})
  await people.saveUsergroup({handle: 'web', name: 'Web', memberIds: ['U0BETARITA']})
  await people.addMember({name: 'nia', realName: 'Nia'})
  await expect(people.post({as: 'U0JANE', channel: 'C0WEB', text: 'x'})).rejects.toThrow('U0JANE')
  await expect(people.inviteBot('C0WEB')).rejects.toThrow('C0WEB')
  // Nobody is connected: everything waits, with its envelope.
  const {heard} = await hear(slack)
  const of = (teamId: string) =>
    heard.filter((one) => one.teamId === teamId).map(({text, type}) => text ?? type)
  await eventually(
    () => of('T0BETA').length,
    (count) => count >= 5,
  )
  expect(of('T0LOCAL')).toEqual(['Acme'])
  expect(of('T0BETA')).toEqual(
    expect.arrayContaining(['Beta', 'channel_created', 'subteam_created', 'team_join']),
  )
})

test('what an admin sets counts in their workspace alone', async () => {
  const {slack, acme, beta} = await openTwo()
  await slack.peopleOf('T0BETA').setRules({uploads: 'none'})
  const upload = {filename: 'a.txt', length: 1}
  await acme.files.getUploadURLExternal(upload)
  expect(await refusalOf(beta.files.getUploadURLExternal(upload))).toBe('file_uploads_disabled')
})

test('limits count for each workspace', async () => {
  const {acme, beta} = await openTwo()
  const {ts: acmeTs = ''} = await acme.chat.postMessage({channel: 'C0WEB', text: 'x'})
  const {ts: betaTs = ''} = await beta.chat.postMessage({channel: general, text: 'x'})
  const edit = () => acme.chat.update({channel: 'C0WEB', ts: acmeTs, text: 'y'})
  for (let count = 0; count < 10; count += 1) await edit()
  await expect(edit()).rejects.toMatchObject({code: 'slack_webapi_rate_limited_error'})
  await beta.chat.update({channel: general, ts: betaTs, text: 'y'})
})

test('people of another workspace act over the control API', async () => {
  const {slack} = await openTwo()
  const post = {as: 'U0BETARITA', channel: general, text: 'Hello'}
  const act = (team: string) => askControl(slack, 'POST', `/people/post?team=${team}`, post)
  expect((await act('T0BETA')).status).toBe(200)
  expect((await act('T0LOCAL')).status).toBe(400)
  expect((await act('T0GAMMA')).body['error']).toContain('There is no workspace T0GAMMA')
  expect(slack.messages(general).filter(({text}) => text === 'Hello')).toHaveLength(1)
})

test('installations of all workspaces survive a restart on a file', async () => {
  const options = {
    dataFile: temporaryDataFile(),
    teams,
    tokenRotation: true,
    apps: [{id: 'A0OTHER', name: 'Other', tokenRotation: true}],
  }
  const before = await startLocalSlack(options)
  before.apps.install({appId: 'A0BOSUN', teamId: 'T0BETA', scopes: ['chat:write']})
  before.apps.install({appId: 'A0OTHER', teamId: 'T0BETA'})
  before.apps.uninstall('A0OTHER', 'T0BETA')
  await before.peopleOf('T0BETA').post({as: 'U0BETARITA', channel: general, text: 'Hello'})
  const kept = before.apps.all()
  await before.close()
  const {slack} = await openSlack(options)
  expect(slack.apps.all()).toEqual(kept)
  expect(slack.messages(general)).toHaveLength(1)
  const beta = slack.apps.all()[0]?.installations.find(({teamId}) => teamId === 'T0BETA')
  expect(await clientOf(slack, beta?.botToken).auth.test()).toMatchObject({team: 'Beta'})
  const gone = slack.apps.all()[1]?.installations[0]
  expect(await refusalOf(clientOf(slack, gone?.botToken).auth.test())).toBe('account_inactive')
})

test('an app that comes to declare more gets it at the next start', async () => {
  const dataFile = temporaryDataFile()
  const before = await startLocalSlack({dataFile, scopes: ['chat:write']})
  await before.close()
  const {slack, client} = await openSlack({dataFile, scopes: ['chat:write', 'users:read']})
  expect(slack.botToken).toBe(before.botToken)
  await client.users.info({user: 'U0JANE'})
})

/** What arrives at a Bolt app by Socket Mode, with the workspace that it is of. */
async function hear(slack: LocalSlack) {
  const client = new SocketModeClient({
    appToken: slack.appToken,
    clientOptions: {slackApiUrl: slack.apiUrl},
    logger: quiet,
  })
  const heard: {teamId: string; type: string; text: string | undefined}[] = []
  client.on('slack_event', ({ack, body}: SocketEvent) => {
    heard.push({teamId: body.team_id, type: body.event.type, text: body.event.text})
    void ack()
  })
  await client.start()
  onTestFinished(() => client.disconnect())
  return {heard}
}

interface SocketEvent {
  ack: () => Promise<void>
  body: {team_id: string; event: {type: string; text?: string}}
}
