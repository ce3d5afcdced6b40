import {describe, expect, test} from 'vitest'
import type {LocalSlack} from '../../../../local/slack/server.ts'
import {clientOf, openSlack, refusalOf} from '../slack-fixture.ts'
import {hers, own, refuses, web} from './refuses.ts'

/** What no form of the official client brings about: a bare request with the token of the app. */
async function send(slack: LocalSlack, body: string, type?: string) {
  const headers = new Headers({authorization: `Bearer ${slack.botToken}`})
  if (type !== undefined) headers.set('content-type', type)
  const response = await fetch(`${slack.apiUrl}auth.test`, {
    method: 'POST',
    headers,
    // A text would bring a type along.
    body: new Blob([body]),
  })
  const answer: unknown = await response.json()
  return answer
}

const form = 'application/x-www-form-urlencoded'

describe('a body that is none', () => {
  test.each([
    ['generic: invalid_form_data', 'a=%zz', form],
    ['generic: invalid_form_data, in parts', 'no parts', 'multipart/form-data; boundary=x'],
    ['generic: invalid_post_type', 'a=b', 'application/pigeon'],
    ['generic: missing_post_type', 'a=b', undefined],
    ['generic: invalid_charset', '{}', 'application/json; charset=klingon'],
    ['generic: invalid_json', '{"a":', 'application/json; charset=utf-8'],
    ['generic: json_not_object', '[]', 'application/json; charset=utf-8'],
    ['generic: invalid_arg_name', 'my-name=b', form],
    ['generic: invalid_array_arg', 'names[0]=b', form],
  ])('%s', async (name, body, type) => {
    const {slack} = await openSlack()
    const error = /: (\w+)/.exec(name)?.[1]
    expect(await send(slack, body, type)).toMatchObject({ok: false, error})
    expect(slack.ledger.calls.at(-1)).toMatchObject({method: 'auth.test', answer: {error}})
  })
})

test('a charset is missed beside JSON and superfluous beside a form', async () => {
  const {slack} = await openSlack()
  expect(await send(slack, '{}', 'application/json; charset=utf-8')).not.toHaveProperty('warning')
  expect(await send(slack, '', form)).not.toHaveProperty('warning')
  expect(await send(slack, '{}', 'application/json')).toMatchObject({
    ok: true,
    warning: 'missing_charset',
    response_metadata: {warnings: ['missing_charset']},
  })
  expect(await send(slack, '', `${form}; charset=utf-8`)).toMatchObject({
    ok: true,
    warning: 'superfluous_charset',
  })
})

test('a token in a JSON body is none', async () => {
  const {slack} = await openSlack()
  const response = await fetch(`${slack.apiUrl}auth.test`, {
    method: 'POST',
    headers: {'content-type': 'application/json; charset=utf-8'},
    body: JSON.stringify({token: slack.botToken}),
  })
  expect(await response.json()).toMatchObject({error: 'not_authed'})
})

test('generic: not_authed', async () => {
  const {slack} = await openSlack()
  expect(await refusalOf(clientOf(slack, '').auth.test())).toBe('not_authed')
})

test('generic: invalid_auth', async () => {
  const {slack} = await openSlack()
  expect(await refusalOf(clientOf(slack, 'xoxb-none').auth.test())).toBe('invalid_auth')
})

test('generic: token_revoked', async () => {
  const {slack, client} = await openSlack()
  slack.faults.revokeToken()
  expect(await refusalOf(client.auth.test())).toBe('token_revoked')
})

test('generic: account_inactive', async () => {
  const {slack, client} = await openSlack()
  slack.apps.uninstall('A0BOSUN', slack.teamId)
  expect(await refusalOf(client.auth.test())).toBe('account_inactive')
})

test('generic: not_allowed_token_type', async () => {
  const {slack} = await openSlack()
  expect(await refusalOf(clientOf(slack, slack.appToken).auth.test())).toBe(
    'not_allowed_token_type',
  )
})

test('generic: ratelimited', async () => {
  const {slack, client} = await openSlack()
  const post = () => client.chat.postMessage({...web, text: 'x'})
  const calls = await Promise.allSettled(Array.from({length: 8}, post))
  expect(calls.some(({status}) => status === 'rejected')).toBe(true)
  const limited = slack.ledger.calls.filter(({status}) => status === 429)
  expect(limited[0]?.answer).toEqual({ok: false, error: 'ratelimited'})
})

test('generic: unknown_method', async () => {
  const {client} = await openSlack()
  expect(await refusalOf(client.apiCall('chat.whistle'))).toBe('unknown_method')
})

const persona = {...web, text: 'Hi', username: 'Mate', icon_emoji: ':parrot:'}

refuses(
  {
    'chat.postMessage: missing_scope': persona,
    'chat.postEphemeral: missing_scope': {...persona, user: 'U0JANE'},
    'chat.startStream: missing_scope': async (at) => ({
      ...web,
      thread_ts: await hers(at),
      recipient_user_id: 'U0JANE',
      recipient_team_id: 'T0LOCAL',
      username: 'Mate',
    }),
    'assistant.threads.setStatus: missing_scope': async (at) => ({
      channel_id: 'C0WEB',
      thread_ts: await own(at),
      status: 'thinking',
      icon_url: 'https://bosun.test/parrot.png',
    }),
  },
  {scopes: ['chat:write']},
)
