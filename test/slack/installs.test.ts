import {randomBytes} from 'node:crypto'
import {createServer} from 'node:http'
import {once} from 'node:events'
import type {AddressInfo} from 'node:net'
import type {Installation as SlackInstallation} from '@slack/oauth'
import {expect, onTestFinished, test, vi} from 'vitest'
import {Secret} from '../../src/security/secret.ts'
import {createSlackLogger} from '../../src/slack/api/log.ts'
import {parseEnding} from '../../src/slack/incoming/ending.ts'
import {organizationOf, saysTeam} from '../../src/slack/incoming/who.ts'
import {openInstalls} from '../../src/slack/installs/installs.ts'
import {openStore} from '../../src/store/store.ts'
import {temporaryDatabase} from '../store/temporary-store.ts'
import {SILENT_LOG} from '../support/silent-log.ts'

const ACME = 'E0ACME'

/** A Slack that says of each token whether it counts, and the installs of one process after another. */
async function openRegistry() {
  const dead = new Set<string>()
  /** Methods that Slack does not answer now. */
  const failing = new Set<string>()
  /** Of the organization. */
  const listed = ['T1']
  /** Why it renews nothing. */
  const renewal = {error: 'invalid_refresh_token'}
  const server = createServer((request, response) => {
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    const isRenewal = request.url?.endsWith('/oauth.v2.access')
    const method = request.url?.split('/').at(-1) ?? ''
    const refusal = failing.has(method)
      ? 'internal_error'
      : dead.has(token)
        ? 'account_inactive'
        : undefined
    const error = isRenewal ? renewal.error : refusal
    const told = method === 'auth.teams.list' && {teams: listed.map((id) => ({id}))}
    const answer = error === undefined ? {ok: true, ...told} : {ok: false, error}
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const {port} = server.address() as AddressInfo
  const sealingKeys = [{id: 'k', key: new Secret(randomBytes(32).toString('base64'))}]
  const store = await openStore({path: await temporaryDatabase(), sealingKeys})
  onTestFinished(() => store[Symbol.asyncDispose]())
  const start = async ({lookAgainMs = 3_600_000} = {}) => {
    const open = new Map<string, string>()
    const released: string[] = []
    const refused: string[] = []
    const installs = await openInstalls({
      slackApiUrl: `http://127.0.0.1:${port}/api/`,
      logger: createSlackLogger(SILENT_LOG),
      store: store.installs,
      credentials: {clientId: '1.2', clientSecret: new Secret('secret')},
      open: async ({team, botUserId}, tokenOf) => {
        open.set(team, `${botUserId} ${(await tokenOf()).reveal()}`)
      },
      offer: async () => undefined,
      release: async (name) => void released.push(name),
      mayRenew: () => true,
      lookAgainMs,
      forget: async (team) => void open.delete(team),
      onRefused: (team) => void refused.push(team),
      onRenewed: () => undefined,
      log: SILENT_LOG,
    })
    await installs.recover()
    return {installs, open, released, refused}
  }
  const rows = async () => (await store.installs.all()).map(({id}) => id).sort()
  return {...(await start()), start, rows, dead, renewal, failing, listed}
}

function given(id: string, token: string): SlackInstallation {
  const isEnterpriseInstall = id.startsWith('E')
  const named = {id, name: id}
  return {
    team: isEnterpriseInstall ? undefined : named,
    enterprise: isEnterpriseInstall ? named : undefined,
    isEnterpriseInstall,
    user: {id: 'U1', token: undefined, scopes: undefined},
    bot: {token, id: 'B1', userId: 'UBOT', scopes: ['chat:write']},
  }
}

function delivery(event: object, changes: object = {}) {
  return {
    ...{type: 'event_callback', event_id: 'Ev1', event_time: Math.floor(Date.now() / 1000) + 60},
    ...{event, team_id: 'T1', enterprise_id: ACME, ...changes},
  }
}
const inOrganization = (team_id: string | null) => ({
  authorizations: [{enterprise_id: ACME, team_id, is_enterprise_install: true}],
})
function endingOf(event: object, changes: object = {}) {
  const ending = parseEnding(delivery(event, changes))
  if (ending === undefined) throw new Error('That is no ending.')
  return ending
}
const uninstalled = {type: 'app_uninstalled'}

test('an organization’s workspaces are opened as they are heard of, and again after a restart', async () => {
  const {installs, open, start, rows} = await openRegistry()
  await installs.keep(given(ACME, 'xoxb-org'))
  expect([open.size, await rows()]).toEqual([0, [ACME]])
  for (const team of ['T1', 'T2', 'T1']) await installs.welcome({organization: ACME, team})
  await installs.welcome({organization: 'E0OTHER', team: 'T9'})
  expect([...open]).toEqual([
    ['T1', 'UBOT xoxb-org'],
    ['T2', 'UBOT xoxb-org'],
  ])
  expect([...(await start()).open.keys()]).toEqual(['T1', 'T2'])
})

test('a workspace that is only guessed is opened where Slack says that it is the organization’s', async () => {
  const {installs, open, start, failing, listed} = await openRegistry()
  await installs.keep(given(ACME, 'xoxb-org'))
  for (const team of ['T1', 'T9']) {
    await installs.welcome({organization: ACME, team, isGuess: true})
  }
  expect([...open.keys()]).toEqual(['T1'])
  // Where Slack does not answer, it is asked again.
  const next = await start()
  failing.add('auth.teams.list')
  const welcome = () => next.installs.welcome({organization: ACME, team: 'T3', isGuess: true})
  await expect(welcome()).rejects.toThrow('internal_error')
  expect([...next.open.keys()]).toEqual(['T1'])
  failing.clear()
  listed.push('T3')
  await welcome()
  expect([...next.open.keys()]).toEqual(['T1', 'T3'])
})

test('Slack says for which workspace it delivers, or who did it is all that it says', () => {
  const pressed = {type: 'block_actions', team: null, user: {id: 'U1', team_id: 'T2'}}
  const said = [
    {...delivery(uninstalled), context_team_id: 'T1'},
    delivery(uninstalled, inOrganization('T1')),
    {command: '/bosun', team_id: 'T1'},
    {...pressed, team: {id: 'T1'}},
    {...pressed, view: {app_installed_team_id: 'T1'}},
    {...pressed, message: {team: 'T1'}},
  ]
  expect(said.map(saysTeam)).toEqual(said.map(() => true))
  const guessed = [
    ...[delivery(uninstalled), pressed, {...pressed, message: {team: ACME}}, {}, 'text'],
    // It is whoever wrote it who is of that workspace.
    {...pressed, type: 'message_action', message: {team: 'T2'}},
  ]
  expect(guessed.map(saysTeam)).toEqual(guessed.map(() => false))
})

test('one workspace leaves its organization; the whole organization leaves', async () => {
  const {installs, open, released, rows, dead} = await openRegistry()
  await installs.keep(given(ACME, 'xoxb-org'))
  for (const team of ['T1', 'T2', 'T3', 'T4']) {
    await installs.welcome({organization: ACME, team})
  }
  await installs.end(
    endingOf({type: 'team_access_revoked', team_ids: ['T2']}, inOrganization(null)),
  )
  await installs.end(endingOf(uninstalled, inOrganization('T1')))
  expect([released, [...open.keys()], await rows()]).toEqual([['T2', 'T1'], ['T3', 'T4'], [ACME]])
  dead.add('xoxb-org')
  await installs.end(endingOf(uninstalled, {...inOrganization(null), team_id: 'T3'}))
  expect([released, await rows()]).toEqual([['T2', 'T1', ACME, 'T3', 'T4'], []])
})

test('a workspace with an install of its own stays when its organization leaves', async () => {
  const {installs, open, rows, dead} = await openRegistry()
  await installs.keep(given('T1', 'xoxb-own'))
  await installs.keep(given(ACME, 'xoxb-org'))
  await installs.welcome({organization: ACME, team: 'T1'})
  dead.add('xoxb-org')
  await installs.end(endingOf(uninstalled, {...inOrganization(null), team_id: ACME}))
  expect([[...open], await rows()]).toEqual([[['T1', 'UBOT xoxb-own']], ['T1']])
})

test('word of an older install does not end the one that was made since', async () => {
  const {installs, open, rows, dead} = await openRegistry()
  await installs.keep(given('T1', 'xoxb-1'))
  await installs.keep(given('T1', 'xoxb-2'))
  const late = endingOf(uninstalled, {enterprise_id: null, event_time: 1})
  await installs.end(late)
  expect([open.size, await rows()]).toEqual([1, ['T1']])
  dead.add('xoxb-2')
  await installs.end(late)
  expect([open.size, await rows()]).toEqual([0, []])
})

test('nor one that was made on a machine whose clock is minutes behind', async () => {
  const {installs, open, rows} = await openRegistry()
  await installs.keep(given('T1', 'xoxb-1'))
  const nowMs = Date.now()
  const behind = vi.spyOn(Date, 'now').mockReturnValue(nowMs - 280_000)
  await installs.keep(given('T1', 'xoxb-2'))
  behind.mockRestore()
  const event_time = Math.floor(nowMs / 1000) - 60
  await installs.end(endingOf(uninstalled, {enterprise_id: null, event_time}))
  expect([open.size, await rows()]).toEqual([1, ['T1']])
})

test('a token that Slack refuses is told of, and the others go on', async () => {
  const {installs, refused, dead, rows} = await openRegistry()
  await installs.keep(given('T1', 'xoxb-1'))
  await installs.keep(given('T2', 'xoxb-2'))
  dead.add('xoxb-1')
  const stop = new AbortController()
  const probing = installs.probe(stop.signal)
  await expect.poll(() => refused).toEqual(['T1'])
  // Whoever stops meanwhile deletes nothing.
  stop.abort()
  await probing
  expect(await rows()).toEqual(['T1', 'T2'])
})

test('who took the app out while nobody listened is let go once Slack has said so twice', async () => {
  const {start, rows, dead, installs: before} = await openRegistry()
  for (const team of ['T1', 'T2', 'T3']) await before.keep(given(team, `xoxb-${team}`))
  for (const team of ['T1', 'T2']) dead.add(`xoxb-${team}`)
  const {installs, open, refused, released} = await start({lookAgainMs: 300})
  const probing = installs.probe(new AbortController().signal)
  await expect.poll(() => refused).toEqual(['T1', 'T2'])
  expect(await rows()).toEqual(['T1', 'T2', 'T3'])
  // Slack was wrong about this one.
  dead.delete('xoxb-T2')
  await probing
  expect(await rows()).toEqual(['T2', 'T3'])
  expect([[...open.keys()].sort(), released]).toEqual([['T2', 'T3'], ['T1']])
})

test('who takes only the tokens of people ends nothing', () => {
  const tokens = (bot: string[]) => ({type: 'tokens_revoked', tokens: {oauth: ['U1'], bot}})
  expect(parseEnding(delivery(tokens([])))).toBeUndefined()
  expect(parseEnding(delivery(tokens(['UBOT'])))).toMatchObject({kind: 'tokens', team: 'T1'})
})

test('an organization is named by events, by interactions without a team, and by commands', () => {
  expect(organizationOf(delivery(uninstalled, inOrganization(null)))).toBe(ACME)
  expect(organizationOf(delivery(uninstalled))).toBeUndefined()
  const press = {type: 'block_actions', team: null, enterprise: {id: ACME}}
  expect(organizationOf({...press, is_enterprise_install: true})).toBe(ACME)
  expect(organizationOf({is_enterprise_install: 'true', enterprise_id: ACME})).toBe(ACME)
  expect(organizationOf({is_enterprise_install: 'false', enterprise_id: ACME})).toBeUndefined()
})

test.for([
  ['invalid_refresh_token', 'somebody has to install the app there again'],
  ['bad_client_secret', 'set SLACK_CLIENT_SECRET to the app’s, and restart'],
  ['invalid_client_id', 'set SLACK_CLIENT_ID to the app’s, and restart'],
] as const)('of a token that is not renewed for %s it says what to do', async ([code, advice]) => {
  const {installs, renewal} = await openRegistry()
  renewal.error = code
  const {bot, ...rest} = given('T1', 'xoxe.xoxb')
  if (bot === undefined) throw new Error('It has no bot.')
  const expiresAt = Math.floor(Date.now() / 1000) - 1
  await installs
    .keep({...rest, bot: {...bot, refreshToken: 'r0', expiresAt}})
    .catch(() => undefined)
  expect(installs.explain()).toContain(`(T1): ${code}.`)
  expect(installs.explain()).toContain(`until then ${advice}`)
})
