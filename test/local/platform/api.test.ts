import {describe, expect, test} from 'vitest'
import {startPlatform} from '../../../local/platform/server.ts'
import {clientOf, itemsOf} from './client.ts'
import {sharedPlatform} from './open-platform.ts'

const platform = await sharedPlatform({pace: 0.01, maxStreams: 2})
const client = clientOf(platform)

describe('who may ask', () => {
  test.each([
    ['no key', {}],
    ['a wrong key', {authorization: 'Bearer key_human_wrong'}],
    ['another scheme', {authorization: 'Basic abc'}],
  ])('%s is unauthorized, whatever the address', async (_what, headers) => {
    for (const path of ['/projects', '/threads/x/stream', '/nowhere']) {
      const response = await fetch(platform.baseUrl + path, {headers})
      expect(response.status).toBe(401)
      expect(await response.json()).toEqual({_tag: 'svc/Unauthorized'})
    }
  })

  test('a revoked key is unauthorized', async () => {
    await using other = await startPlatform()
    const revoked = clientOf(other)
    expect((await revoked.get('/users')).status).toBe(200)
    other.revokeKey(other.keys.human)
    expect((await revoked.get('/users')).status).toBe(401)
  })
})

describe('what cannot be served is said in JSON', () => {
  test('an unknown address', async () => {
    const {status, body} = await client.get('/nowhere')
    expect([status, body['_tag']]).toEqual([404, 'svc/NotFound'])
    const outside = await fetch(`${platform.originUrl}/elsewhere`)
    expect(outside.status).toBe(404)
    expect(await outside.json()).toMatchObject({_tag: 'svc/NotFound'})
  })

  test('a method that the address does not know', async () => {
    const {status, body, headers} = await client.request('DELETE', '/threads/some')
    expect([status, body['_tag']]).toEqual([405, 'svc/MethodNotAllowed'])
    expect(headers.get('allow')).toBe('GET')
  })

  test('malformed JSON and a wrong content type', async () => {
    const malformed = await client.post('/threads', '{"requestId":')
    expect([malformed.status, malformed.body['_tag']]).toEqual([400, 'svc/InvalidRequest'])
    const text = await client.request('POST', '/threads', '{}', {'content-type': 'text/plain'})
    expect([text.status, text.body['_tag']]).toEqual([400, 'svc/InvalidRequest'])
    const list = await client.post('/threads', [])
    expect(list.status).toBe(400)
  })

  test('a body over 1 MiB, announced or not', async () => {
    const large = JSON.stringify({message: 'x'.repeat(1024 * 1024)})
    const announced = await client.post('/threads', large)
    expect([announced.status, announced.body['_tag']]).toEqual([413, 'svc/PayloadTooLarge'])
    const unannounced = await fetch(`${platform.baseUrl}/threads`, {
      method: 'POST',
      headers: {authorization: `Bearer ${platform.keys.human}`, 'content-type': 'application/json'},
      body: new Blob([large]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(unannounced.status).toBe(413)
  })

  test('one stream more than the server carries', async () => {
    const threadId = await client.create('some work', 'streams')
    await using first = await client.stream(threadId)
    await using second = await client.stream(threadId)
    expect([first.status, second.status]).toEqual([200, 200])
    const {status, body, headers} = await client.get(`/threads/${threadId}/stream`)
    expect(status).toBe(429)
    expect(body).toEqual({_tag: 'svc/RateLimited', retryAfterSeconds: 2})
    expect(headers.get('retry-after')).toBe('2')
  })
})

describe('the organization', () => {
  test('has projects with repositories', async () => {
    const projects = itemsOf(await client.get('/projects'))
    expect(projects.map(({id}) => id)).toEqual(platform.projectIds)
    expect(projects[0]).toMatchObject({
      name: 'web',
      repos: [{repoFullName: 'acme/web', baseBranch: 'main'}],
    })
    expect((await client.get('/projects/project_api')).body).toMatchObject({name: 'api'})
    const {status, body} = await client.get('/projects/project_lost')
    expect(status).toBe(404)
    expect(body).toEqual({_tag: 'svc/ProjectNotFound', projectId: 'project_lost'})
  })

  test('has members', async () => {
    const users = itemsOf(await client.get('/users'))
    expect(users.map(({id}) => id)).toEqual(platform.userIds)
    expect(users[0]).toEqual({
      id: 'user_jane',
      email: 'jane@acme.test',
      firstName: 'Jane',
      lastName: 'Doe',
    })
  })
})

test('the ledger has every request with its answer', async () => {
  const from = platform.ledger.length
  await client.get('/users?x=1')
  await client.post('/threads', {requestId: 'ledger'})
  const rows = platform.ledger.slice(from)
  expect(rows).toMatchObject([
    {method: 'GET', path: '/api/v1/users?x=1', status: 200, applied: false},
    {method: 'POST', path: '/api/v1/threads', status: 400, applied: false},
  ])
  expect(rows[1]?.body).toEqual({requestId: 'ledger'})
})
