import {expect, test} from 'vitest'
import {eventually} from './eventually.ts'
import {credentialsOf, install, openInstaller} from './oauth-fixture.ts'
import {clientOf, deliveriesOf, openSlack, refusalOf, testOverBoth} from './slack-fixture.ts'

testOverBoth('auth.revoke ends the token, and the app hears of it', async (connect) => {
  const {slack, client} = await openSlack()
  const {heard} = await connect(slack)
  expect(await client.auth.revoke({test: true})).toMatchObject({revoked: false})
  await client.auth.test()
  expect(await client.auth.revoke()).toMatchObject({revoked: true})
  expect(await refusalOf(client.auth.test())).toBe('token_revoked')
  expect(await refusalOf(client.chat.postMessage({channel: 'C0WEB', text: 'x'}))).toBe(
    'token_revoked',
  )
  await eventually(
    () => heard.map(({event}) => event),
    ([event]) => event !== undefined,
  )
  expect(heard[0]?.event).toMatchObject({
    type: 'tokens_revoked',
    tokens: {oauth: [], bot: ['U0BOSUN']},
  })
})

test('apps.uninstall asks for the credentials of the app itself', async () => {
  const {slack, client} = await openSlack({apps: [{id: 'A0OTHER', name: 'Other'}]})
  const {clientId: client_id, clientSecret: client_secret} = credentialsOf(slack)
  const other = credentialsOf(slack, 1)
  const {uninstall} = client.apps
  expect(await refusalOf(uninstall({client_id: '', client_secret}))).toBe('invalid_client_id')
  for (const wrong of [
    {client_id, client_secret: 'guessed'},
    {client_id: other.clientId, client_secret: other.clientSecret},
  ]) {
    expect(await refusalOf(uninstall(wrong))).toBe('client_id_token_mismatch')
  }
  await client.auth.test()
})

testOverBoth(
  'what was uninstalled is told so and nothing more, until it is installed again',
  async (connect) => {
    const {slack, client} = await openSlack()
    const {heard} = await connect(slack)
    const {clientId: client_id, clientSecret: client_secret} = credentialsOf(slack)
    await client.apps.uninstall({client_id, client_secret})
    await slack.people.post({as: 'U0JANE', channel: 'C0WEB', text: '@Bosun are you there?'})
    expect(await refusalOf(client.auth.test())).toBe('account_inactive')
    await expect(
      slack.people.command({as: 'U0JANE', channel: 'C0WEB', command: '/bosun', text: ''}),
    ).rejects.toThrow('no installed app has it')
    await eventually(
      () => heard.length,
      (count) => count >= 2,
    )
    expect(heard.map(({event}) => event.type).sort()).toEqual(['app_uninstalled', 'tokens_revoked'])

    const again = slack.apps.install({appId: 'A0BOSUN', teamId: 'T0LOCAL'})
    expect(again).toMatchObject({botId: 'B0BOSUN', botUserId: 'U0BOSUN', isActive: true})
    expect(again.botToken).not.toBe(slack.botToken)
    const revived = clientOf(slack, again.botToken)
    expect(await refusalOf(client.auth.test())).toBe('token_revoked')
    expect((await revived.users.info({user: 'U0BOSUN'})).user?.deleted).toBe(false)
    await revived.chat.postMessage({channel: 'C0WEB', text: 'Back again'})
    await eventually(
      () => deliveriesOf(slack, 'message').length,
      (count) => count > 0,
    )
  },
)

test('a bot that was uninstalled is a deleted user', async () => {
  const {slack} = await openSlack({teams: [], apps: [{id: 'A0OTHER', name: 'Other'}]})
  const other = slack.apps.install({appId: 'A0OTHER', teamId: 'T0LOCAL'})
  const {ts = ''} = await clientOf(slack, other.botToken).chat.postMessage({
    channel: 'U0JANE',
    text: 'Choose',
    blocks: [
      {
        type: 'actions',
        elements: [{type: 'button', action_id: 'go', text: {type: 'plain_text', text: 'Go'}}],
      },
    ],
  })
  const {channel} = await clientOf(slack, other.botToken).conversations.open({users: 'U0JANE'})
  slack.apps.uninstall('A0OTHER', 'T0LOCAL')
  const {user} = await clientOf(slack).users.info({user: other.botUserId})
  expect(user?.deleted).toBe(true)
  const press = {as: 'U0JANE', channel: channel?.id ?? '', ts, actionId: 'go'}
  await expect(slack.people.press(press)).rejects.toThrow('not installed any more')
})

test('a refresh token ends with the installation', async () => {
  const {slack, installUrl, kept, tokenless, credentials} = await openInstaller({
    tokenRotation: true,
  })
  await install(installUrl, {as: 'U0JANE'})
  slack.apps.uninstall('A0BOSUN', 'T0LOCAL')
  const {clientId: client_id, clientSecret: client_secret} = credentials
  const refresh_token = kept.get('T0LOCAL')?.bot?.refreshToken ?? ''
  const refresh = tokenless.oauth.v2.access({
    ...{client_id, client_secret, grant_type: 'refresh_token', refresh_token},
  })
  expect(await refusalOf(refresh)).toBe('invalid_refresh_token')
})
