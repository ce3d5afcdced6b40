import {describe, expect, test} from 'vitest'
import {Secret} from '../../../src/security/secret.ts'
import {callSlack, createSlackClient} from '../../../src/slack/api/slack-client.ts'
import {createSlackLogger} from '../../../src/slack/api/log.ts'
import {answerJson, reasonOf, serve} from '../../platform/http-server.ts'
import {createManualClock} from '../../relay/manual-clock.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'
import {SlackError} from '../../../src/once/slack-error.ts'

async function slackThat(answer: Parameters<typeof serve>[0]) {
  const {origin, requests} = await serve(answer)
  const client = createSlackClient(async () => new Secret('xoxb-not-to-be-told'), {
    slackApiUrl: `${origin}/api/`,
    logger: createSlackLogger(SILENT_LOG),
  })
  return {post: () => client.chat.postMessage({channel: 'C1', text: 'x'}), requests}
}

/** Slack's error strings, by what has to happen next. */
const KINDS = {
  wait: 'ratelimited rate_limited',
  retry:
    'internal_error fatal_error service_unavailable request_timeout update_failed ' +
    'messaging_processing_failed external_channel_migrating team_added_to_org',
  refused:
    'msg_too_long msg_blocks_too_long msg_blocks_too_many invalid_blocks invalid_blocks_format ' +
    'metadata_too_large view_too_large no_text markdown_text_conflict too_many_attachments ' +
    'invalid_arguments something_new',
  gone: 'message_not_found thread_not_found is_inactive',
  stuck: 'cant_update_message cant_delete_message edit_window_closed block_mismatch',
  streaming: 'streaming_state_conflict',
  ended: 'message_not_in_streaming_state',
  closed: 'cannot_reply_to_message restricted_action_thread_locked',
  unusable:
    'channel_not_found not_in_channel is_archived restricted_action messages_tab_disabled ' +
    'restricted_action_read_only_channel restricted_action_thread_only_channel ' +
    'restricted_action_non_threadable_channel message_limit_exceeded posting_to_channel_denied',
  dead:
    'token_revoked account_inactive invalid_auth token_expired not_authed ' +
    'team_access_not_granted app_uninstalled accesslimited',
  mistake: 'missing_scope not_allowed_token_type unknown_method method_deprecated',
}

for (const [kind, codes] of Object.entries(KINDS)) {
  test.each(codes.split(' '))(`%s is answered with: ${kind}`, async (code) => {
    const {post} = await slackThat((response) =>
      answerJson(response, 200, {ok: false, error: code}),
    )
    const error = await reasonOf(callSlack(post))
    expect(error).toBeInstanceOf(SlackError)
    expect(error).toMatchObject({name: 'SlackError', kind, code})
  })
}

test.each([
  [200, {ok: true}, 'ok'],
  [200, {ok: false, error: 'is_archived'}, 'unusable'],
  [200, {ok: false, error: 'something_new'}, 'refused'],
  [429, {ok: false, error: 'ratelimited'}, 'wait'],
  [503, {}, 'retry'],
])('what comes of a call is heard in one word: %i %j', async (status, body, outcome) => {
  const {origin} = await serve((response) => answerJson(response, status, body))
  const heard: {method: string; outcome: string; isLimited: boolean}[] = []
  const client = createSlackClient(async () => new Secret('xoxb-not-to-be-told'), {
    slackApiUrl: `${origin}/api/`,
    logger: createSlackLogger(SILENT_LOG),
    onCall: (call) => void heard.push(call),
  })
  await client.chat.postMessage({channel: 'C1', text: 'x'}).catch(() => undefined)
  expect(heard).toMatchObject([{method: 'chat.postMessage', outcome, isLimited: status === 429}])
})

describe('a call is made once', () => {
  test('and a 429 says how long to wait', async () => {
    const {post, requests} = await slackThat((response) =>
      answerJson(response, 429, {ok: false, error: 'ratelimited'}, {'retry-after': '7'}),
    )
    expect(await reasonOf(callSlack(post))).toMatchObject({kind: 'wait', retryAfterMs: 7000})
    expect(requests).toHaveLength(1)
  })

  test.each(['', 'soon'])('and a 429 that says %j is waited for a while', async (header) => {
    const {post} = await slackThat((response) =>
      answerJson(response, 429, {ok: false}, header === '' ? {} : {'retry-after': header}),
    )
    expect(await reasonOf(callSlack(post))).toMatchObject({kind: 'wait', retryAfterMs: 10_000})
  })

  test.each([
    [{'retry-after': '7'}, 7000],
    [{'retry-after': '0'}, 1000],
    [{}, 10_000],
  ])('and nobody comes again within the Retry-After of %j', async (headers, waitMs) => {
    let isBusy = true
    const {origin, requests} = await serve((response) =>
      answerJson(response, isBusy ? 429 : 200, {ok: !isBusy}, isBusy ? headers : {}),
    )
    const clock = createManualClock()
    const client = createSlackClient(async () => new Secret('xoxb-1'), {
      ...{slackApiUrl: `${origin}/api/`, logger: createSlackLogger(SILENT_LOG), clock},
    })
    const read = () => callSlack(() => client.users.info({user: 'U1'}))
    expect(await reasonOf(read())).toMatchObject({kind: 'wait', retryAfterMs: waitMs})
    isBusy = false
    clock.advance(waitMs - 400)
    expect(await reasonOf(read())).toMatchObject({kind: 'wait', retryAfterMs: 400})
    expect(requests).toHaveLength(1)
    // Other methods have nothing to do with it.
    await callSlack(() => client.conversations.info({channel: 'C1'}))
    clock.advance(400)
    await read()
    expect(requests.map(({url}) => url)).toEqual([
      ...['/api/users.info', '/api/conversations.info', '/api/users.info'],
    ])
  })

  test('and of two that were out together the longer Retry-After holds, whichever is answered last', async () => {
    const seconds = ['60', '7']
    const waiting: (() => void)[] = []
    const {origin} = await serve((response) => {
      const header = {'retry-after': seconds[waiting.length] ?? ''}
      waiting.push(() => answerJson(response, 429, {ok: false}, header))
      if (waiting.length === seconds.length) waiting[0]?.()
    })
    const client = createSlackClient(async () => new Secret('xoxb-1'), {
      slackApiUrl: `${origin}/api/`,
      ...{logger: createSlackLogger(SILENT_LOG), clock: createManualClock()},
    })
    const read = () => reasonOf(callSlack(() => client.users.info({user: 'U1'})))
    const both = [read(), read()]
    await Promise.race(both)
    waiting[1]?.()
    await Promise.all(both)
    expect(await read()).toMatchObject({kind: 'wait', retryAfterMs: 60_000})
  })

  test.each([500, 502, 503, 0])('and a %i is no answer', async (status) => {
    const {post, requests} = await slackThat((response) => {
      if (status === 0) response.destroy()
      else response.writeHead(status).end('<html>')
    })
    expect(await reasonOf(callSlack(post))).toMatchObject({kind: 'retry', code: 'no_answer'})
    expect(requests).toHaveLength(1)
  })
})

test.each([
  [200, '{"ok":false,"error":"internal_error"}', 'internal_error', true],
  [200, '{"ok":false,"error":"request_timeout"}', 'request_timeout', true],
  [500, '{"ok":false,"error":"fatal_error"}', 'fatal_error', true],
  // What would be a refusal is none beside a 5xx: nobody knows what was done by then.
  [503, '{"ok":false,"error":"channel_not_found"}', 'channel_not_found', true],
  [502, '<html>Bad Gateway</html>', 'no_answer', false],
  [503, '{"error":"upstream"}', 'no_answer', false],
  [503, '{"ok":true}', 'no_answer', false],
  [500, '{"ok":false,"error":"<b>what & why</b>"}', 'no_answer', false],
  [404, '{"ok":false,"error":"not_found"}', 'no_answer', false],
  // Of somebody in between, or cut off: the client takes the text for Slack's word.
  [200, '<html>Sign in</html>', 'no_answer', false],
  [200, '', 'no_answer', false],
  [200, '{"ok":true,"channel":"C1","ts":"17', 'no_answer', false],
  [200, '{"ok":false,"error":"<b>no</b>"}', 'no_answer', false],
  [200, '{"ok":false}', 'no_answer', false],
])('of a %i that says %s it is known who said it', async (status, body, code, isAnswered) => {
  const {post, requests} = await slackThat((response) => {
    response.writeHead(status, {'content-type': 'application/json'}).end(body)
  })
  expect(await reasonOf(callSlack(post))).toMatchObject({kind: 'retry', code, isAnswered})
  expect(requests).toHaveLength(1)
})

test('an error tells what Slack pointed at, and never the token', async () => {
  const {post} = await slackThat((response) =>
    answerJson(response, 200, {
      ...{ok: false, error: 'missing_scope', needed: 'chat:write'},
      response_metadata: {messages: ['[ERROR] no']},
    }),
  )
  const error = await reasonOf(callSlack(post))
  expect(error).toBeInstanceOf(SlackError)
  expect(String(error)).toContain('missing_scope (needs the scope chat:write; [ERROR] no)')
  expect(String((error as Error).stack)).not.toContain('not-to-be-told')
})

test('calls that hang keep no other call from going out', async () => {
  const {origin} = await serve((response, {url}) => {
    if (url.endsWith('chat.postMessage')) answerJson(response, 200, {ok: true})
  })
  const client = createSlackClient(async () => new Secret('xoxb-1'), {
    ...{slackApiUrl: `${origin}/api/`, logger: createSlackLogger(SILENT_LOG)},
  })
  let over = 0
  for (let count = 0; count < 150; count += 1) {
    const call = client.apiCall('assistant.threads.setStatus', {channel_id: 'C1'})
    call.catch(() => (over += 1))
  }
  await client.chat.postMessage({channel: 'C1', text: 'x'})
  expect(over).toBe(0)
})

test('a method that is not the app’s to call is named once in the log, with the scope that it needs', async () => {
  const {origin} = await serve((response, {url}) =>
    answerJson(response, 200, {
      ok: false,
      error: 'missing_scope',
      ...(url.includes('users.info') && {needed: 'users:read', provided: 'chat:write'}),
    }),
  )
  const told: string[] = []
  const client = createSlackClient(async () => new Secret('xoxb-not-to-be-told'), {
    slackApiUrl: `${origin}/api/`,
    logger: createSlackLogger({...SILENT_LOG, warn: (line: string) => void told.push(line)}),
  })
  for (let times = 0; times < 2; times += 1) {
    await reasonOf(callSlack(() => client.users.info({user: 'U1'})))
    await reasonOf(callSlack(() => client.chat.postMessage({channel: 'C1', text: 'a secret'})))
  }
  expect(told.filter((line) => line.startsWith('Slack refuses'))).toEqual([
    'Slack refuses users.info to the app: missing_scope, it needs the scope users:read',
    'Slack refuses chat.postMessage to the app: missing_scope',
  ])
})
