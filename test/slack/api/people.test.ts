import {setTimeout as delay} from 'node:timers/promises'
import {expect, onTestFinished, test, vi} from 'vitest'
import {createBucket} from '../../../src/async/buckets.ts'
import {TryLater} from '../../../src/inbox/try-later.ts'
import {Secret} from '../../../src/security/secret.ts'
import {createSlackClient} from '../../../src/slack/api/slack-client.ts'
import type {Role} from '../../../src/security/permits.ts'
import {createSlackLogger} from '../../../src/slack/api/log.ts'
import {createPeople} from '../../../src/slack/api/people.ts'
import {toReadable} from '../../../src/slack/markup/markup.ts'
import {answerJson, serve} from '../../platform/http-server.ts'
import {createManualClock} from '../../relay/manual-clock.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'

/** A Slack that knows everybody, and tells much of each. */
async function openPeople(channel: object = {name: 'a-channel', is_private: false}) {
  const slack = await serve((response, {url, body}) => {
    const id = new URLSearchParams(body).get('user') ?? ''
    const user = {id, real_name: `Name of ${id}`, team_id: 'T1', profile: {more: 'x'.repeat(9000)}}
    const answer = url.endsWith('users.info') ? {user} : {channel}
    answerJson(response, 200, {ok: true, ...answer})
  })
  const clock = createManualClock()
  const share = () => createBucket({perMinute: 40, burst: 20}, clock)
  const client = createSlackClient(async () => new Secret('xoxb-1'), {
    slackApiUrl: `${slack.origin}/api/`,
    logger: createSlackLogger(SILENT_LOG),
  })
  const nameShares = {users: share(), channels: share()}
  const people = createPeople({client, team: 'T1', admins: ['U7'], nameShares})
  const calls = (method: string): number =>
    slack.requests.filter(({url}) => url.endsWith(method)).length
  return {people, calls, clock}
}

const ids = (count: number, from = 0): string[] =>
  Array.from({length: count}, (_, at) => `U${from + at}`)
const roleOf = (user: string) => ({user, userTeam: undefined})

test('names take their share of the calls and no more, and whoever has none goes by their id', async () => {
  const {people, calls, clock} = await openPeople()
  const names = await Promise.all(ids(500).map((id) => people.user(id)))
  expect(calls('users.info')).toBe(20)
  expect(names.slice(0, 20)).toEqual(ids(20).map((id) => `Name of ${id}`))
  expect(names.slice(20)).toEqual(ids(480, 20))
  // Who may do what is asked all the same.
  expect(await people.roleOf(roleOf('U400'), 0)).toBe('member')
  expect(calls('users.info')).toBe(21)
  // Whoever is known needs no share.
  expect(await people.user('U400')).toBe('Name of U400')
  clock.advance(60_000)
  expect(await people.user('U300')).toBe('Name of U300')
  expect(calls('users.info')).toBe(22)
  await Promise.all(Array.from({length: 100}, (_, at) => people.channel(`C${at}`)))
  expect(calls('conversations.info')).toBe(20)
})

test.for<[{name?: string; is_private?: boolean; is_mpim?: boolean}, string | undefined]>([
  [{name: 'web', is_private: false}, 'web'],
  [{name: 'layoffs', is_private: true}, undefined],
  [{name: 'mpdm-ann--bob-1', is_private: false, is_mpim: true}, undefined],
  [{name: 'who-knows'}, undefined],
  [{}, 'C1'],
])('of %o all may know the name %s, and whoever is in it its own', async ([channel, name]) => {
  const {people} = await openPeople(channel)
  expect(await people.channel('C1')).toBe(name)
  expect(await people.place('C1')).toBe(channel.name ?? 'C1')
})

test('what somebody is here is remembered for as long as that, also where the clock is set back', async () => {
  const {people, calls} = await openPeople()
  await people.roleOf(roleOf('U1'), 50)
  const {now} = Date
  const back = vi.spyOn(Date, 'now').mockImplementation(() => now() - 5 * 3_600_000)
  onTestFinished(() => back.mockRestore())
  await delay(60)
  await people.roleOf(roleOf('U1'), 50)
  expect(calls('users.info')).toBe(2)
})

test.for([
  ['token_revoked', 'is asked again'],
  ['invalid_auth', 'is asked again'],
  ['ekm_access_denied', 'is asked again'],
  ['fatal_error', 'is asked again'],
  ['user_not_found', 'nobody'],
  ['missing_scope', 'nobody'],
] as const)('who and where somebody is, where Slack says %s: %s', async ([error, role]) => {
  const slack = await serve((response) => answerJson(response, 200, {ok: false, error}))
  const client = createSlackClient(async () => new Secret('xoxb-1'), {
    slackApiUrl: `${slack.origin}/api/`,
    logger: createSlackLogger(SILENT_LOG),
  })
  const nameShare = createBucket({perMinute: 40, burst: 20}, createManualClock())
  const nameShares = {users: nameShare, channels: nameShare}
  const people = createPeople({client, team: 'T1', admins: [], nameShares})
  const asked = people.roleOf(roleOf('U1'), 0)
  if (role === 'nobody') expect(await asked).toBe(role)
  else await expect(asked).rejects.toThrow(TryLater)
  const zone = people.sureZoneOf('U1')
  if (role === 'nobody') expect(await zone).toBe('UTC')
  else await expect(zone).rejects.toThrow(TryLater)
  expect(await people.zoneOf('U1')).toBe('UTC')
})

const member = (organization: string, ...teams: string[]) => ({
  enterprise_user: {enterprise_id: organization, teams},
})

test.for<[string, object, Role]>([
  ['of another workspace of it', member('E1', 'T2'), 'colleague'],
  ['an admin of that one', {...member('E1', 'T2'), is_admin: true}, 'colleague'],
  ['an admin, and in both', {...member('E1', 'T1', 'T2'), is_admin: true}, 'admin'],
  ['a guest of that one', {...member('E1', 'T2'), is_restricted: true}, 'guest'],
  ['of another one', member('E2', 'T2'), 'external'],
  ['of none', {}, 'external'],
])('to a workspace of an organization, somebody who is %s', async ([, user, role]) => {
  const told = {id: 'U1', team_id: 'T2', ...user}
  const slack = await serve((response) => answerJson(response, 200, {ok: true, user: told}))
  const client = createSlackClient(async () => new Secret('xoxb-1'), {
    slackApiUrl: `${slack.origin}/api/`,
    logger: createSlackLogger(SILENT_LOG),
  })
  const share = createBucket({perMinute: 40, burst: 20}, createManualClock())
  const nameShares = {users: share, channels: share}
  const people = createPeople({client, team: 'T1', organization: 'E1', admins: [], nameShares})
  expect(await people.roleOf(roleOf('U1'), 0)).toBe(role)
})

test('one message looks up thirty at most, however many it points at', async () => {
  const asked: string[] = []
  const lookUp = async (id: string): Promise<string> => {
    asked.push(id)
    return `name of ${id}`
  }
  const text = ids(2800)
    .map((id) => `<@${id}> <#C${id}>`)
    .join(' ')
  const readable = await toReadable(`${text} <@U0>`, {user: lookUp, channel: lookUp, place: lookUp})
  expect(new Set(asked).size).toBe(30)
  expect(asked.length).toBeLessThanOrEqual(31)
  expect(readable.startsWith('@name of U0 #name of CU0 @name of U1')).toBe(true)
  expect(readable.endsWith('@U2799 #CU2799 @name of U0')).toBe(true)
})

test('somebody of whom Slack names fields with nothing in them is as one without them', async () => {
  const told = ['name', 'tz', 'team_id', 'enterprise_user', 'deleted', 'is_bot', 'is_workflow_bot']
  const flags = ['is_stranger', 'is_restricted', 'is_ultra_restricted', 'is_admin', 'is_owner']
  const nothing = Object.fromEntries([...told, ...flags].map((field) => [field, null]))
  const user = {...nothing, real_name: null, profile: {display_name: 'Kim', email: null}}
  const slack = await serve((response) => answerJson(response, 200, {ok: true, user}))
  const client = createSlackClient(async () => new Secret('xoxb-1'), {
    slackApiUrl: `${slack.origin}/api/`,
    logger: createSlackLogger(SILENT_LOG),
  })
  const share = createBucket({perMinute: 40, burst: 20}, createManualClock())
  const nameShares = {users: share, channels: share}
  const people = createPeople({client, team: 'T1', admins: [], nameShares})
  expect(await people.roleOf(roleOf('U1'), 0)).toBe('member')
  expect(await people.user('U1')).toBe('Kim')
  expect(await people.emailOf('U1')).toBe('')
})
