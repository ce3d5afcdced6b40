import {expect, test} from 'vitest'
import {Secret} from '../../src/security/secret.ts'
import {createSlackLogger} from '../../src/slack/api/log.ts'
import {createOutlet} from '../../src/slack/api/outlet.ts'
import {createRenewing} from '../../src/slack/installs/renewing.ts'
import {answerJson, serve} from '../platform/http-server.ts'
import {SILENT_LOG} from '../support/silent-log.ts'

const GRANT = {ok: true, access_token: 't1', refresh_token: 'r1', expires_in: 43_200}

function renewingAt(
  origin: string,
  access: Pick<Parameters<typeof createRenewing>[1], 'fetch' | 'timeoutMs'>,
) {
  return createRenewing(
    {clientId: '1.2', clientSecret: new Secret('secret')},
    {slackApiUrl: `${origin}/api/`, logger: createSlackLogger(SILENT_LOG), ...access},
  )
}

test('a token that Slack gave while the process stood still is taken: there is no other', async () => {
  const {origin} = await serve((response) => {
    answerJson(response, 200, GRANT)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
  })
  const {token} = await renewingAt(origin, {timeoutMs: 400})(new Secret('r0'))
  expect(token).toBe('t1')
})

test('a token that Slack gives after more than a second is waited for by an instance that stops', async () => {
  const stop = new AbortController()
  await using outlet = createOutlet(stop.signal, {isShared: true, graceMs: 50, onceGraceMs: 5000})
  const {origin} = await serve((response) => {
    stop.abort()
    setTimeout(() => answerJson(response, 200, GRANT), 300)
  })
  const {token} = await renewingAt(origin, {fetch: outlet.fetchOnce})(new Secret('r0'))
  expect(token).toBe('t1')
})

test('one that Slack does not answer keeps nobody for good', async () => {
  const {origin} = await serve(() => undefined)
  const asked = renewingAt(origin, {timeoutMs: 200})(new Secret('r0'))
  await expect(asked).rejects.toMatchObject({kind: 'retry'})
})
