import {expect, test} from 'vitest'
import {
  PlatformForbidden,
  PlatformNotFound,
  PlatformRefused,
  PlatformStreamUnavailable,
  PlatformThreadNotFound,
  PlatformUnauthorized,
  PlatformUnreachable,
} from '../../../src/platform/errors.ts'
import {Secret} from '../../../src/security/secret.ts'
import {all, sharedContract} from './contract.ts'
import {newThread} from './creations.ts'
import {SOME_WORDS} from './matchers.ts'
import {refusalOf} from './refusal.ts'

const contract = await sharedContract()

const client = () => contract.client()

test.each([
  ['no body', undefined],
  ['half a body', '{"requestId":'],
  ['a list', []],
  ['a word', '"word"'],
  ['a missing field', {requestId: 'r', projectId: 'project_web'}],
  ['a number for a text', {requestId: 'r', projectId: 'project_web', message: 7}],
  ['null for a text', {requestId: 'r', projectId: 'project_web', message: null}],
  ['null for an option', {requestId: 'r', projectId: 'project_web', message: 'm', title: null}],
  ['an unknown size', {requestId: 'r', projectId: 'project_web', message: 'm', machineSize: 'xl'}],
])('7.r1 InvalidRequest: 400 with a message, for %s', async (_what, body) => {
  const answer = await contract.raw().post('/threads', body)
  expect(answer).toMatchObject({status: 400})
  expect(answer.body).toEqual({_tag: 'svc/InvalidRequest', message: SOME_WORDS})
})

test('7.r1 InvalidRequest: 400 with a message, for cursors and limits that are not valid', async () => {
  const {id} = await client().createThread(newThread(), contract.signal)
  for (const path of [
    '/threads?cursor=none',
    '/threads?limit=none',
    '/threads?limit=0',
    '/automations?cursor=none',
    `/threads/${id}/messages?after=none`,
    `/threads/${id}/messages?limit=-1`,
    `/threads/${id}/tasks?after=none`,
    `/threads/${id}/stream?after=none`,
    `/threads/${id}/stream?until=none`,
  ]) {
    const {status, body} = await contract.raw().get(path)
    expect({path, status, tag: body['_tag']}).toEqual({
      path,
      status: 400,
      tag: 'svc/InvalidRequest',
    })
  }
})

test('7.r13 StreamUnavailable before a task stream is worth another try', async () => {
  const {id} = await client().createThread(newThread({message: 'fan out'}), contract.signal)
  await contract.finish(id)
  const [task] = await all(client().listTasks(id, contract.signal))
  const taskId = task?.id ?? ''
  const refuse = (): void =>
    void contract.platform.control.faults.add({
      match: {path: `/tasks/${taskId}/stream`},
      fault: {kind: 'answer', status: 503, body: {_tag: 'svc/StreamUnavailable'}, applied: false},
    })
  refuse()
  await expect(openStream(`/tasks/${taskId}/stream`)).rejects.toBeInstanceOf(
    PlatformStreamUnavailable,
  )
  refuse()
  let waits = 0
  const wait = async (): Promise<void> => void (waits += 1)
  await using stream = contract.follow({taskId}, {wait})
  expect((await stream.ended()).at(-1)).toEqual({type: 'done'})
  expect(waits).toBe(1)
})

const openStream = (path: string) =>
  contract.transport.events({
    method: 'GET',
    path,
    apiKey: new Secret(contract.key('human')),
    signal: contract.signal,
    timeoutMs: 5000,
  })

test('7.r14 inaccessible and absent resources share the same 404', async () => {
  const {id: threadId} = await client().createThread(
    newThread({projectId: 'project_api', message: 'fan out'}),
    contract.signal,
  )
  await contract.finish(threadId)
  const [task] = await all(client().listTasks(threadId, contract.signal))
  for (const [kind, id = ''] of [
    ['projects', 'project_api'],
    ['threads', threadId],
    ['tasks', task?.id],
  ]) {
    for (const path of kind === 'projects' ? [''] : ['', '/messages', '/stream']) {
      const hidden = await contract.raw('scoped').get(`/${kind}/${id}${path}`)
      const absent = await contract.raw('scoped').get(`/${kind}/none${path}`)
      expect(hidden.status).toBe(404)
      expect(JSON.stringify(hidden.body).replaceAll(id, 'none')).toBe(JSON.stringify(absent.body))
    }
  }
})

test('7.r15 errors are JSON objects with a _tag, also those that are not listed', async () => {
  const {id} = await client().createThread(newThread(), contract.signal)
  const huge = `{"requestId":"${'x'.repeat(4 * 1024 * 1024)}"}`
  for (const [method, path, body, statuses] of [
    ['GET', '/nothing', undefined, [404]],
    ['PUT', '/threads', {}, [404, 405]],
    ['DELETE', `/threads/${id}`, undefined, [404, 405]],
    ['POST', '/threads', huge, [400, 413]],
    ['POST', `/threads/${id}/messages/none/cancel`, undefined, [404]],
    ['POST', '/automations/none/enable', undefined, [404]],
  ] as const) {
    const answer = await contract.raw().request(method, path, body)
    expect(statuses, `${method} ${path}`).toContain(answer.status)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/)
    expect(answer.body['_tag']).toMatch(/^svc\/\w/)
    // The retired envelope and the insides of the server have no place here.
    expect(Object.keys(answer.body)).not.toContain('error')
    expect(JSON.stringify(answer.body)).not.toMatch(/\bat .*:\d+|node_modules|sqlite/i)
  }
})

test('7.r15 errors are JSON objects with a _tag, also for a body that does not say it is JSON', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
    const headers = {'content-type': type}
    const answer = await contract.raw().request('POST', '/threads', newThread(), headers)
    expect(answer).toMatchObject({status: 400, body: {_tag: 'svc/InvalidRequest'}})
  }
})

test.each([
  ['an unknown tag of a 404', 404, {_tag: 'svc/CaptainNotFound'}, PlatformNotFound],
  ['an unknown tag of a 409', 409, {_tag: 'svc/Unheard'}, PlatformRefused],
  [
    'a known tag under a status that is not its own',
    401,
    {_tag: 'svc/ThreadNotFound', threadId: 'none'},
    PlatformUnauthorized,
  ],
  ['no tag', 403, {}, PlatformForbidden],
  ['the tag of another service', 404, {_tag: 'other/ThreadNotFound'}, PlatformThreadNotFound],
  ['a page', 502, '<html>Bad gateway</html>', PlatformUnreachable],
  ['an empty answer', 500, '', PlatformUnreachable],
  ['half an answer', 200, '{"id":"thread', PlatformUnreachable],
  ['a page with status 200', 200, '<html>Welcome</html>', PlatformUnreachable],
])(
  '7.r16 the client branches on the status, then on the _tag: %s',
  async (_what, status, body, kind) => {
    contract.platform.control.faults.add({
      match: {path: '/message$'},
      fault: {kind: 'answer', status, body, applied: false},
    })
    const message = {text: 'quick', delivery: 'queue'} as const
    // A message is what the client never repeats.
    const refusal = await refusalOf(client().sendMessage('none', message, contract.signal))
    expect(refusal).toBeInstanceOf(kind)
  },
)
