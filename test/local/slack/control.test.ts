import {expect, test} from 'vitest'
import {z} from 'zod'
import {askControl} from './control-fixture.ts'
import {eventually} from './eventually.ts'
import {connectApp, openSlack, refusalOf} from './slack-fixture.ts'

const jane = {as: 'U0JANE', channel: 'C0WEB'}
const recordSchema = z.record(z.string(), z.unknown())
const ledgerSchema = z.object({calls: z.array(recordSchema), deliveries: z.array(recordSchema)})

test('people act, and the app hears of it', async () => {
  const {slack} = await openSlack()
  const {heard} = await connectApp(slack)
  const posted = await askControl(slack, 'POST', '/people/post', {...jane, text: '@Bosun fix it'})
  expect(posted).toMatchObject({status: 200, body: {ok: true, result: {channel: 'C0WEB'}}})
  const ts = z.string().parse(recordSchema.parse(posted.body['result'])['ts'])
  await askControl(slack, 'POST', '/people/edit', {...jane, ts, text: 'Never mind'})
  await askControl(slack, 'POST', '/people/react', {...jane, ts, name: 'eyes'})
  await eventually(
    () => heard.map(({event}) => event.type),
    (types) => types.includes('app_mention') && types.includes('reaction_added'),
  )
  const versions = await askControl(slack, 'GET', `/versions?channel=C0WEB&ts=${ts}`)
  expect(z.array(recordSchema).parse(versions.body['versions']).length).toBeGreaterThan(1)
  await askControl(slack, 'POST', '/people/remove', {...jane, ts})
  expect(slack.messages('C0WEB')).toEqual([])
})

test('things go wrong as asked, and the record tells', async () => {
  const {slack, client} = await openSlack()
  const failure = {method: 'chat.postMessage', error: 'fatal_error', times: 1}
  expect((await askControl(slack, 'POST', '/faults', failure)).status).toBe(200)
  const post = {channel: 'C0WEB', text: 'x'}
  expect(await refusalOf(client.chat.postMessage(post))).toBe('fatal_error')
  await client.chat.postMessage(post)
  const weather = await askControl(slack, 'PUT', '/faults', {deliveries: 2})
  const calm = {latencyMs: 0, jitterMs: 0, reorder: false, eventsPerHour: 30_000}
  expect(weather.body).toEqual({ok: true, deliveries: 2, ...calm})
  const {calls} = ledgerSchema.parse((await askControl(slack, 'GET', '/ledger')).body)
  expect(calls).toMatchObject([{applied: false}, {applied: true, method: 'chat.postMessage'}])
  const later = ledgerSchema.parse((await askControl(slack, 'GET', '/ledger?calls=1')).body)
  expect(later.calls).toEqual(calls.slice(1))
})

test('a kicked bot is out, and a revoked token is worth nothing', async () => {
  const {slack, client} = await openSlack()
  const post = {channel: 'C0WEB', text: 'x'}
  await askControl(slack, 'POST', '/people/kickBot', {channel: 'C0WEB'})
  expect(await refusalOf(client.chat.postMessage(post))).toBe('not_in_channel')
  await askControl(slack, 'POST', '/people/inviteBot', {channel: 'C0WEB'})
  await client.chat.postMessage(post)
  await askControl(slack, 'POST', '/faults/revoke-token', {})
  expect(await refusalOf(client.chat.postMessage(post))).toBe('token_revoked')
})

test('every act of people and admins has an address', async () => {
  const {slack} = await openSlack()
  for (const act of Object.keys(slack.people)) {
    const {status, body} = await askControl(slack, 'POST', `/people/${act}`, {never: 'this'})
    expect([act, status, String(body['error'])]).toEqual([
      act,
      400,
      expect.stringContaining('never'),
    ])
  }
})

test.each([
  ['rename', {channel: 'C0WEB', name: 'site'}],
  ['shareChannel', {channel: 'C0WEB', teamId: 'T0ELSE'}],
  ['restrictChannel', {channel: 'C0WEB', posting: 'admins'}],
  ['addMember', {name: 'gus', realName: 'Gus Guest'}],
  ['deactivate', {memberId: 'U0KIM'}],
  ['saveUsergroup', {handle: 'ops', name: 'Ops', memberIds: ['U0JANE']}],
  ['setRules', {uploads: 'none'}],
] as const)('%s may say who does it, and keeps no word of that', async (act, body) => {
  const {slack} = await openSlack()
  const answer = await askControl(slack, 'POST', `/people/${act}`, {as: 'U0JANE', ...body})
  expect(answer).toMatchObject({status: 200, body: {ok: true}})
  expect(answer.body['result'] ?? {}).not.toHaveProperty('as')
})

test.each([
  ['POST', '/people/fly'],
  ['GET', '/people/post'],
] as const)('nothing is at %s %s, and the answer says where to look', async (method, path) => {
  const {slack} = await openSlack()
  expect(await askControl(slack, method, path)).toEqual({
    status: 404,
    body: {ok: false, error: `Nothing is at ${method} /control${path}. See docs/local-slack.md.`},
  })
})

test('a file, a new channel and a guest come in as people would bring them', async () => {
  const {slack, client} = await openSlack()
  const guest = {name: 'gus', realName: 'Gus Guest', guest: 'single_channel'}
  const added = await askControl(slack, 'POST', '/people/addMember', guest)
  const memberId = z.string().parse(recordSchema.parse(added.body['result'])['id'])
  expect((await client.users.info({user: memberId})).user).toMatchObject({
    is_ultra_restricted: true,
  })
  const draft = {name: 'plans', memberIds: ['U0JANE', slack.botUserId], isPrivate: true}
  const made = await askControl(slack, 'POST', '/people/createChannel', draft)
  const channel = z.string().parse(recordSchema.parse(made.body['result'])['id'])
  const files = [
    {name: 'notes.txt', content: 'Round once.'},
    {name: 'dot.gif', base64: 'R0lGODlhAQABAAAAACw='},
  ]
  await askControl(slack, 'POST', '/people/post', {as: 'U0JANE', channel, text: 'Look', files})
  const {messages} = await client.conversations.history({channel})
  expect(messages?.[0]?.files).toMatchObject([{name: 'notes.txt'}, {name: 'dot.gif', size: 14}])
})

test.each([
  ['/people/post', {...jane}, 'text'],
  ['/people/post', {...jane, text: 'x', loud: true}, 'loud'],
  ['/people/post', {as: 'U0NOBODY', channel: 'C0WEB', text: 'x'}, 'U0NOBODY'],
  ['/people/edit', {...jane, ts: '1.2', text: 'x'}, '1.2'],
  ['/faults', {method: 'chat.update', times: 0}, 'times'],
  ['/faults', 'not an object', 'body'],
])('%s with %j is refused with words', async (path, body, word) => {
  const {slack} = await openSlack()
  const {status, body: answer} = await askControl(slack, 'POST', path, body)
  expect([status, answer['ok']]).toEqual([400, false])
  expect(answer['error']).toContain(word)
})
