import {once} from 'node:events'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {expect, onTestFinished, test} from 'vitest'
import {Secret} from '../../src/security/secret.ts'
import {createSlackLogger} from '../../src/slack/api/log.ts'
import type {TokenOf} from '../../src/slack/api/slack-client.ts'
import {openInstalls} from '../../src/slack/installs/installs.ts'
import {openBeside} from '../support/beside.ts'
import {temporaryPostgres} from '../support/postgres.ts'
import {SILENT_LOG} from '../support/silent-log.ts'

/** Two instances with one database, of which the first renews, and a Slack that takes each refresh token once. */
async function openTwo(lifeSeconds = 3600) {
  const spent: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (data) => (body += String(data)))
    request.on('end', () => {
      spent.push(new URLSearchParams(body).get('refresh_token') ?? '')
      const number = spent.length
      const grant = {access_token: `t${number}`, refresh_token: `r${number}`}
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ok: true, ...grant, expires_in: lifeSeconds}))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const {port} = server.address() as AddressInfo
  const url = await temporaryPostgres()
  const start = async (isOwner: boolean) => {
    const {installs: store, notices} = await openBeside(url)
    const open = new Map<string, TokenOf>()
    const [released, forgotten]: [string[], string[]] = [[], []]
    const installs = await openInstalls({
      ...{slackApiUrl: `http://127.0.0.1:${port}/api/`, logger: createSlackLogger(SILENT_LOG)},
      credentials: {clientId: '1.2', clientSecret: new Secret('secret')},
      ...{store, tell: notices.tell, mayRenew: () => isOwner, log: SILENT_LOG},
      open: async ({team}, tokenOf) => void open.set(team, tokenOf),
      offer: async () => undefined,
      release: async (name) => void released.push(name),
      forget: async (team) => {
        if (open.delete(team)) forgotten.push(team)
      },
      onRefused: () => undefined,
      onRenewed: () => undefined,
    })
    notices.onHeard(({about}) => {
      if (about === 'installs') void installs.refresh()
    })
    await installs.recover()
    await expect.poll(() => notices.isListening()).toBe(true)
    const token = async (team: string) => (await open.get(team)?.())?.reveal()
    return {installs, store, open, released, forgotten, token}
  }
  return {one: await start(true), other: await start(false), spent}
}

function given(id: string, {token = 't0', lifeS = 43_200} = {}) {
  const isEnterpriseInstall = id.startsWith('E')
  const named = {id, name: id}
  const expiresAt = Date.now() / 1000 + lifeS
  return {
    team: isEnterpriseInstall ? undefined : named,
    enterprise: isEnterpriseInstall ? named : undefined,
    isEnterpriseInstall,
    user: {id: 'U1', token: undefined, scopes: undefined},
    bot: {
      ...{token, refreshToken: 'r0', expiresAt},
      ...{id: 'B1', userId: 'UBOT', scopes: ['chat:write']},
    },
  }
}

function uninstalled(of: {team?: string; organization?: string}) {
  return {
    ...{team: undefined, organization: undefined, ...of},
    ...({kind: 'uninstalled', teams: [], atMs: Date.now() + 3_600_000} as const),
    ...{eventId: 'Ev1', kept: undefined},
  }
}

test('an install, its new token and its end are known to the other instance, which deletes nothing', async () => {
  const {one, other} = await openTwo()
  await one.installs.keep(given('T1'))
  expect(await other.installs.isKnown('T1')).toBe(true)
  expect(await other.installs.isKnown('T9')).toBe(false)
  await one.installs.keep(given('T1', {token: 'again'}))
  await expect.poll(() => other.token('T1')).toBe('again')
  await one.installs.end(uninstalled({team: 'T1'}))
  await expect.poll(() => other.forgotten).toEqual(['T1'])
  expect([one.released, other.released, await one.store.all()]).toEqual([['T1'], [], []])
})

test('an install that was made anew elsewhere is not ended by who has judged the one before', async () => {
  const {one, other} = await openTwo()
  await one.installs.keep(given('T1'))
  await other.installs.refresh()
  // Whoever judges it stands still meanwhile.
  const {store} = other
  const end = store.end
  store.end = async (...judged) => {
    await one.installs.keep(given('T1', {token: 'again'}))
    return end(...judged)
  }
  await other.installs.end(uninstalled({team: 'T1'}))
  expect([other.released, (await one.store.all()).length]).toEqual([[], 1])
  await expect.poll(() => other.token('T1')).toBe('again')
})

test('with an organization end the workspaces that another instance has just heard of', async () => {
  const {one, other} = await openTwo()
  await one.installs.keep(given('E1'))
  await other.installs.refresh()
  const {store} = other
  const end = store.end
  store.end = async (...judged) => {
    await one.installs.welcome({organization: 'E1', team: 'T1'})
    return end(...judged)
  }
  await other.installs.end(uninstalled({organization: 'E1'}))
  expect(other.released.toSorted()).toEqual(['E1', 'T1'])
  await expect.poll(() => [...one.open, ...other.open]).toEqual([])
})

test('workspaces of an organization that two instances hear of at once are all kept', async () => {
  const {one, other} = await openTwo()
  await one.installs.keep(given('E1'))
  await other.installs.refresh()
  const welcome = (at: typeof one, team: string) => at.installs.welcome({organization: 'E1', team})
  await Promise.all([
    ...['T1', 'T2', 'T3'].map((team) => welcome(one, team)),
    ...['T4', 'T5', 'T6'].map((team) => welcome(other, team)),
  ])
  const all = ['T1', 'T2', 'T3', 'T4', 'T5', 'T6']
  await expect.poll(() => [...one.open.keys()].toSorted()).toEqual(all)
  await expect.poll(() => [...other.open.keys()].toSorted()).toEqual(all)
})

test('of a hundred calls in two instances around the end of a token, Slack sees each refresh token once', async () => {
  const {one, other, spent} = await openTwo()
  await one.installs.keep(given('T1', {lifeS: -1}))
  await other.installs.refresh()
  const calls = [one, other].flatMap((at) => Array.from({length: 50}, () => at.token('T1')))
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['t1']))
  expect(spent).toEqual(['r0'])
})

test('who does not own an install has its owner renew the token', async () => {
  const {one, other, spent} = await openTwo()
  await one.installs.keep(given('T1', {lifeS: -1}))
  await other.installs.refresh()
  expect(await other.token('T1')).toBe('t1')
  expect(spent).toEqual(['r0'])
})
