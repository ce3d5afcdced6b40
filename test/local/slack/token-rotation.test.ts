import {expect, test} from 'vitest'
import {startLocalSlack} from '../../../local/slack/server.ts'
import {eventually} from './eventually.ts'
import {credentialsOf, install, openInstaller} from './oauth-fixture.ts'
import {clientOf, openSlack, refusalOf, temporaryDataFile} from './slack-fixture.ts'

/** 12 hours in 2.16 seconds. */
const timeFactor = 5e-5
const acme = {teamId: 'T0LOCAL', enterpriseId: undefined, isEnterpriseInstall: false}

/** Installed with rotation, and a way to refresh as the app does. */
async function openRotating(factor?: number) {
  const opened = await openInstaller({
    tokenRotation: true,
    ...(factor !== undefined && {timeFactor: factor}),
  })
  // With such time a code ends after 30 ms: a busy machine may need another one.
  await eventually(
    () => install(opened.installUrl, {as: 'U0JANE'}),
    () => opened.kept.has('T0LOCAL'),
  )
  const {clientId: client_id, clientSecret: client_secret} = opened.credentials
  const refresh = (refresh_token: string) =>
    opened.tokenless.oauth.v2.access({
      ...{client_id, client_secret, grant_type: 'refresh_token', refresh_token},
    })
  const bot = () => opened.kept.get('T0LOCAL')?.bot
  return {...opened, refresh, bot}
}

test('the official installer refreshes a token that ends soon, and the old one expires', async () => {
  const {slack, installer, bot} = await openRotating(timeFactor)
  const first = bot()
  expect(first).toMatchObject({
    token: expect.stringMatching(/^xoxe\.xoxb-/) as unknown,
    refreshToken: expect.stringMatching(/^xoxe-/) as unknown,
  })
  const old = clientOf(slack, first?.token)
  await old.auth.test()
  const {botToken} = await installer.authorize(acme)
  expect(botToken).not.toBe(first?.token)
  expect(bot()?.token).toBe(botToken)
  await eventually(
    () =>
      old.auth.test().then(
        () => 'alive',
        () => refusalOf(old.auth.test()),
      ),
    (state) => state === 'token_expired',
  )
  const after = await installer.authorize(acme)
  await clientOf(slack, after.botToken).auth.test()
})

test('a token that lives for hours is left alone', async () => {
  const {installer, bot} = await openRotating()
  const {token = '', expiresAt = 0} = bot() ?? {}
  expect(expiresAt - Date.now() / 1000).toBeGreaterThan(43_000)
  expect((await installer.authorize(acme)).botToken).toBe(token)
})

test('a refresh token works once, for its app', async () => {
  const {slack, refresh, bot, tokenless} = await openRotating()
  const refreshToken = bot()?.refreshToken ?? ''
  const renewed = await refresh(refreshToken)
  expect(renewed).toMatchObject({ok: true, token_type: 'bot', expires_in: 43_200})
  expect(await refusalOf(refresh(refreshToken))).toBe('invalid_refresh_token')
  expect(await refusalOf(refresh('xoxe-guessed'))).toBe('invalid_refresh_token')
  await clientOf(slack, renewed.access_token).auth.test()
  const {clientId} = credentialsOf(slack)
  const withoutSecret = tokenless.oauth.v2.access({
    client_id: clientId,
    client_secret: '',
    grant_type: 'refresh_token',
    refresh_token: renewed.refresh_token ?? '',
  })
  expect(await refusalOf(withoutSecret)).toBe('bad_client_secret')
})

test('two tokens live at once; a third refresh revokes the oldest', async () => {
  const {slack, refresh, bot} = await openRotating()
  const tokens = [bot()?.token ?? '']
  let refreshToken = bot()?.refreshToken ?? ''
  for (let count = 0; count < 2; count += 1) {
    const renewed = await refresh(refreshToken)
    tokens.push(renewed.access_token ?? '')
    refreshToken = renewed.refresh_token ?? ''
  }
  const [oldest, ...living] = tokens.map((token) => clientOf(slack, token))
  expect(await refusalOf(oldest?.auth.test() ?? Promise.resolve())).toBe('token_revoked')
  for (const client of living) await client.auth.test()
})

test('an app that turns rotation on exchanges its token, once', async () => {
  const dataFile = temporaryDataFile()
  const before = await startLocalSlack({dataFile})
  const {clientId: client_id, clientSecret: client_secret} = credentialsOf(before)
  const exchangeOf = (token: string, changed: Record<string, string> = {}) =>
    ({client_id, client_secret, token, ...changed}) as const
  const unready = clientOf(before).oauth.v2.exchange(exchangeOf(before.botToken))
  expect(await refusalOf(unready)).toBe('token_rotation_not_enabled')
  await before.close()

  const {slack, client} = await openSlack({dataFile, tokenRotation: true})
  const exchange = (token: string, changed?: Record<string, string>) =>
    client.oauth.v2.exchange(exchangeOf(token, changed))
  expect(slack.botToken).toBe(before.botToken)
  await client.auth.test()
  expect(await refusalOf(exchange('xoxb-guessed'))).toBe('authorization_not_found')
  expect(await refusalOf(exchange(slack.botToken, {client_id: '1.2'}))).toBe('invalid_client_id')
  expect(await refusalOf(exchange(slack.botToken, {client_secret: 'guessed'}))).toBe(
    'bad_client_secret',
  )
  const exchanged = await exchange(slack.botToken)
  expect(exchanged).toMatchObject({ok: true, expires_in: 43_200})
  expect(await refusalOf(client.auth.test())).toBe('token_revoked')
  expect(await refusalOf(exchange(slack.botToken))).toBe('token_already_exchanged')
  const [app] = slack.apps.all()
  await clientOf(slack, app?.installations[0]?.botToken).auth.test()
})
