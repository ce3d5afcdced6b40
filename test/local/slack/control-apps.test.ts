import {expect, test} from 'vitest'
import {z} from 'zod'
import type {LocalSlack} from '../../../local/slack/server.ts'
import {askControl} from './control-fixture.ts'
import {eventually} from './eventually.ts'
import {clientOf, listenOverHttp, openSlack, refusalOf} from './slack-fixture.ts'

const acme = {appId: 'A0OTHER', teamId: 'T0LOCAL'}
const answerSchema = z.object({
  ok: z.boolean(),
  error: z.string().optional(),
  result: z.object({botToken: z.string(), isActive: z.boolean()}).optional(),
})

async function ask(slack: LocalSlack, method: 'POST' | 'PUT', path: string, body: unknown) {
  const {status, body: answer} = await askControl(slack, method, `/apps${path}`, body)
  return {status, ...answerSchema.parse(answer)}
}

test('apps come, go and move from another process', async () => {
  const {slack} = await openSlack({apps: [{id: 'A0OTHER', name: 'Other'}]})
  expect((await askControl(slack, 'GET', '/apps')).body).toEqual({apps: slack.apps.all()})
  const {result} = await ask(slack, 'POST', '/install', {...acme, scopes: ['chat:write']})
  const other = clientOf(slack, result?.botToken)
  expect((await other.auth.test()).response_metadata?.scopes).toEqual(['chat:write'])
  await ask(slack, 'POST', '/uninstall', acme)
  expect(await refusalOf(other.auth.test())).toBe('account_inactive')
})

test('payloads go where the address says, once somebody answered the challenge there', async () => {
  const {slack} = await openSlack()
  const set = (url: string) => ask(slack, 'PUT', '/events-url', {appId: 'A0BOSUN', url})
  const hear = async (heard: unknown[]) => {
    await slack.people.post({as: 'U0JANE', channel: 'C0WEB', text: 'x'})
    await eventually(
      () => heard.length,
      (count) => count > 0,
    )
  }
  const first = await listenOverHttp(slack)
  await hear(first.heard)
  const second = await listenOverHttp(slack)
  expect(await set(first.url)).toMatchObject({ok: true})
  first.heard.length = 0
  for (const wrong of ['http://127.0.0.1:1/', `${slack.origin}/control/lints`]) {
    const {status, error} = await set(wrong)
    expect([status, error]).toEqual([400, expect.stringContaining(`${wrong} did not answer`)])
  }
  await hear(first.heard)
  expect(second.heard).toEqual([])
})

test('an app with another signing secret is no address', async () => {
  const {slack} = await openSlack()
  const {slack: other} = await openSlack()
  const {url} = await listenOverHttp(other)
  const {error} = await ask(slack, 'PUT', '/events-url', {appId: 'A0BOSUN', url})
  expect(error).toContain('HTTP 401')
})

test.each([
  ['POST', '/install', {...acme, teamId: 'T0NONE'}, 'T0NONE. Known: T0LOCAL.'],
  ['POST', '/install', {...acme, appId: 'A0NONE'}, 'A0NONE'],
  ['POST', '/install', {...acme, as: 'U0NOBODY'}, 'U0NOBODY'],
  ['POST', '/install', {...acme, as: 'U0KIM'}, 'U0KIM is no admin'],
  ['POST', '/uninstall', acme, 'is not installed'],
  ['PUT', '/events-url', {appId: 'A0BOSUN', url: 'here'}, 'url'],
] as const)('%s %s with %j is refused with words', async (method, path, body, words) => {
  const {slack} = await openSlack({apps: [{id: 'A0OTHER', name: 'Other'}]})
  const {status, ok, error} = await ask(slack, method, path, body)
  expect([status, ok]).toEqual([400, false])
  expect(error).toContain(words)
})
