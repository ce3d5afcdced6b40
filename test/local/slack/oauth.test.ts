import {expect, test} from 'vitest'
import {createCodes} from '../../../local/slack/apps/oauth.ts'
import {eventually} from './eventually.ts'
import {codeOf, consent, install, openInstaller} from './oauth-fixture.ts'
import {clientOf, refusalOf} from './slack-fixture.ts'

const jane = {as: 'U0JANE'}

test('an admin allows an app, and the official installer keeps its token', async () => {
  const {slack, installUrl, kept, failures} = await openInstaller({
    teams: [{id: 'T0BETA', name: 'Beta'}],
  })
  expect((await install(installUrl, {as: 'U0BETAALEX'})).status).toBe(200)
  expect(failures).toEqual([])
  const installation = kept.get('T0BETA')
  expect(installation).toMatchObject({
    team: {id: 'T0BETA', name: 'Beta'},
    user: {id: 'U0BETAALEX'},
    tokenType: 'bot',
    isEnterpriseInstall: false,
    appId: 'A0BOSUN',
    authVersion: 'v2',
    bot: {scopes: ['chat:write', 'channels:history']},
  })
  const who = await clientOf(slack, installation?.bot?.token).auth.test()
  expect(who).toMatchObject({team_id: 'T0BETA', bot_id: installation?.bot?.id})
  expect(who.response_metadata?.scopes).toEqual(['chat:write', 'channels:history'])
})

test('who cancels is led back with access_denied, and nothing is installed', async () => {
  const {slack, installUrl, kept, failures, authorizeUrl} = await openInstaller()
  const before = slack.apps.all()
  await install(installUrl, {...jane, answer: 'cancel'})
  expect(failures).toMatchObject([{code: 'slack_oauth_installer_authorization_error'}])
  const back = new URL(await consent(authorizeUrl, {...jane, answer: 'cancel'}))
  expect(back.searchParams.get('error')).toBe('access_denied')
  expect(back.searchParams.get('state')).toBe(new URL(authorizeUrl).searchParams.get('state'))
  expect(kept.size).toBe(0)
  expect(slack.apps.all()).toEqual(before)
})

test('the state comes back to the browser that began, and to no other', async () => {
  const {authorizeUrl, failures, kept} = await openInstaller()
  await fetch(await consent(authorizeUrl, jane)) // a browser without the cookie
  expect(failures).toMatchObject([{code: 'slack_oauth_invalid_state'}])
  expect(kept.size).toBe(0)
})

test('the consent page is for admins', async () => {
  const {authorizeUrl} = await openInstaller()
  const page = await (await fetch(authorizeUrl)).text()
  expect(page).toContain('Acme: Jane Doe')
  expect(page).not.toContain('Kim Lee')
  expect(page).toContain('chat:write')
  await expect(consent(authorizeUrl, {as: 'U0KIM'})).rejects.toThrow('not_an_admin')
})

test.each([
  ['invalid_client_id', {client_id: '1.2'}],
  ['no_scopes', {scope: ''}],
  ['invalid_scope', {scope: 'chat:write,admin'}],
  ['invalid_scope', {user_scope: 'search:read'}],
  ['pkce_not_allowed', {code_challenge: 'abc'}],
  ['bad_redirect_uri', {redirect_uri: 'http://127.0.0.1:1/callback'}],
  ['bad_redirect_uri', {redirect_uri: 'not an address'}],
])('the consent page says %s for %j', async (error, changed) => {
  const {authorizeUrl} = await openInstaller({scopes: ['chat:write', 'channels:history']})
  const url = new URL(authorizeUrl)
  for (const [name, value] of Object.entries(changed)) url.searchParams.set(name, value)
  const page = await fetch(url)
  expect([page.status, await page.text()]).toEqual([400, expect.stringContaining(error)])
  await expect(codeOf(url.href)).rejects.toThrow(error)
})

test('a redirect address may lie below a declared one, but not merely begin like it', async () => {
  const {authorizeUrl, redirectUri} = await openInstaller()
  const led = async (address: string): Promise<number> => {
    const url = new URL(authorizeUrl)
    url.searchParams.set('redirect_uri', address)
    return (await fetch(url)).status
  }
  expect(await led(`${redirectUri}/team?x=1`)).toBe(200)
  expect(await led(`${redirectUri}ish`)).toBe(400)
  expect(await led(redirectUri.replace('/callback', '.evil.test/callback'))).toBe(400)
})

test('a code works once, for its app, with its address', async () => {
  const {slack, authorizeUrl, redirectUri, credentials, tokenless} = await openInstaller({
    apps: [{id: 'A0OTHER', name: 'Other'}],
  })
  const {clientId: client_id, clientSecret: client_secret} = credentials
  const code = await codeOf(authorizeUrl)
  const whole = {client_id, client_secret, code, redirect_uri: redirectUri}
  const access = (changed: Record<string, string>) =>
    refusalOf(tokenless.oauth.v2.access({...whole, ...changed}))
  const other = slack.apps.all()[1]
  expect(await access({client_id: '1.2'})).toBe('invalid_client_id')
  expect(await access({client_secret: 'guessed'})).toBe('bad_client_secret')
  expect(await access({grant_type: 'password'})).toBe('invalid_grant_type')
  expect(await access({code: 'guessed'})).toBe('invalid_code')
  expect(
    await access({client_id: other?.clientId ?? '', client_secret: other?.clientSecret ?? ''}),
  ).toBe('invalid_code')
  expect(await access({redirect_uri: `${redirectUri}/else`})).toBe('bad_redirect_uri')
  expect(await refusalOf(tokenless.oauth.v2.access({client_id, client_secret, code}))).toBe(
    'bad_redirect_uri',
  )
  expect(await access({code_verifier: 'abc'})).toBe('pkce_not_allowed')
  expect(await access({grant_type: 'refresh_token', refresh_token: 'guessed'})).toBe(
    'invalid_refresh_token',
  )
  expect(await tokenless.oauth.v2.access(whole)).toMatchObject({ok: true, token_type: 'bot'})
  expect(await access({})).toBe('invalid_code')
})

test('credentials may come as HTTP Basic', async () => {
  const {slack, authorizeUrl, redirectUri, credentials} = await openInstaller()
  const {clientId, clientSecret} = credentials
  const response = await fetch(`${slack.apiUrl}oauth.v2.access`, {
    method: 'POST',
    headers: {authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`},
    body: new URLSearchParams({code: await codeOf(authorizeUrl), redirect_uri: redirectUri}),
  })
  expect(await response.json()).toMatchObject({ok: true, app_id: 'A0BOSUN'})
})

test('a code of the first OAuth is none of the second', async () => {
  const {authorizeUrl, redirectUri, credentials, tokenless} = await openInstaller()
  const {clientId: client_id, clientSecret: client_secret} = credentials
  const code = await codeOf(authorizeUrl.replace('/oauth/v2/', '/oauth/'))
  const access = tokenless.oauth.v2.access({
    ...{client_id, client_secret, code, redirect_uri: redirectUri},
  })
  expect(await refusalOf(access)).toBe('oauth_authorization_url_mismatch')
})

test('a code ends after ten minutes', () => {
  let nowMs = 0
  const codes = createCodes({now: () => nowMs, timeFactor: 1})
  const consented = {appId: 'A', teamId: 'T', userId: 'U', scopes: [], redirectUri: 'http://a'}
  const code = codes.issue({...consented, isRedirectAsked: false, isFirstVersion: false})
  nowMs = 600_000
  expect(codes.find(code)).toMatchObject(consented)
  nowMs += 1
  expect(codes.find(code)).toBeUndefined()
})

test('the ten minutes of a code are as long as the time factor makes them', async () => {
  const {authorizeUrl, redirectUri, credentials, tokenless} = await openInstaller({
    timeFactor: 1e-5,
  })
  const code = await codeOf(authorizeUrl)
  const issuedMs = Date.now()
  await eventually(Date.now, (nowMs) => nowMs > issuedMs + 6)
  const {clientId: client_id, clientSecret: client_secret} = credentials
  const whole = {client_id, client_secret, redirect_uri: redirectUri, code}
  expect(await refusalOf(tokenless.oauth.v2.access(whole))).toBe('invalid_code')
})

test('a further installation widens the scopes and keeps the token', async () => {
  const {slack, authorizeUrl, redirectUri, credentials, tokenless} = await openInstaller({
    scopes: ['chat:write'],
  })
  const client = clientOf(slack)
  const history = () => client.conversations.history({channel: 'C0WEB'})
  expect(await refusalOf(history())).toBe('missing_scope')
  const declared = new URL(authorizeUrl)
  expect((await fetch(declared)).status).toBe(400) // it asks for what the app does not declare
  slack.apps.install({appId: 'A0BOSUN', teamId: 'T0LOCAL', scopes: ['channels:history']})
  await history()
  declared.searchParams.set('scope', 'chat:write')
  const {clientId: client_id, clientSecret: client_secret} = credentials
  const code = await codeOf(declared.href)
  const granted = await tokenless.oauth.v2.access({
    ...{client_id, client_secret, code, redirect_uri: redirectUri},
  })
  expect(granted).toMatchObject({
    access_token: slack.botToken,
    scope: 'chat:write,channels:history',
  })
})
