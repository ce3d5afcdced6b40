import {beforeEach, describe, expect, test} from 'vitest'
import {z} from 'zod'
import {startPlatform, type Platform} from '../../../local/platform/server.ts'
import {until} from '../../support/until.ts'
import {clientOf, createClient, entryIds, itemsOf, type Client} from './client.ts'
import {createManualClock} from './manual-clock.ts'
import {openPlatform} from './open-platform.ts'

let platform: Platform
let client: Client
let control: Client

beforeEach(async () => {
  platform = await openPlatform({pace: 0.05})
  client = clientOf(platform)
  control = createClient({baseUrl: platform.controlUrl, key: 'none is needed'})
})

const untilUp = async (): Promise<void> => {
  for (;;) {
    const isUp = await fetch(`${platform.controlUrl}/faults`).then(
      ({ok}) => ok,
      () => false,
    )
    if (isUp) return
  }
}

describe('what is asked', () => {
  test.each([
    ['POST', '/faults', {fault: {kind: 'lost'}}, /applied/],
    ['POST', '/faults', {fault: {kind: 'flood'}}, /kind/],
    ['POST', '/faults', {match: {path: '('}, fault: {kind: 'crlf'}}, /regular expression/],
    ['POST', '/faults', {fault: {kind: 'crlf', loud: true}}, /loud/],
    ['POST', '/restart', {downMs: -1}, /downMs/],
    ['POST', '/streams/close', {thread: 'x'}, /thread/],
    ['POST', '/keys/revoke', {}, /key/],
    ['POST', '/users/user_kim', {active: 'no'}, /active/],
    ['PUT', '/limits', {maxStreams: 1.5}, /maxStreams/],
    ['PUT', '/pull-requests', {repo: 'acme/web', number: 0}, /number/],
    ['PUT', '/threads/x', {state: 'asleep'}, /state/],
    ['GET', '/ledger?after=x', undefined, /after/],
  ])('must be right: %s %s %j', async (method, path, body, words) => {
    const answer = await control.request(method, path, body)
    expect([answer.status, answer.body['_tag']]).toEqual([400, 'svc/InvalidRequest'])
    expect(answer.body['message']).toMatch(words)
  })

  test('must be there', async () => {
    for (const [method, path, body] of [
      ['GET', '/nowhere', undefined],
      ['DELETE', '/faults/none', undefined],
      ['PUT', '/threads/none', {state: 'idle'}],
      ['GET', '/threads/none/transcript', undefined],
    ] as const) {
      expect((await control.request(method, path, body)).status).toBe(404)
    }
  })

  test('stands in no ledger, and no fault hits it', async () => {
    await control.post('/faults', {times: null, fault: {kind: 'lost', applied: false}})
    expect((await control.get('/threads')).status).toBe(200)
    expect(platform.ledger).toEqual([])
  })
})

test('faults are armed, listed and taken away', async () => {
  const rule = {
    match: {path: '/users'},
    times: 2,
    fault: {kind: 'answer', status: 500, applied: false},
  }
  const first = z.string().parse((await control.post('/faults', rule)).body['id'])
  await control.post('/faults', {fault: {kind: 'crlf'}})
  const status = await fetch(`${platform.baseUrl}/users`).then((response) => response.status)
  expect(status).toBe(500)
  const {body} = await control.get('/faults')
  expect(body['faults']).toMatchObject([
    {id: first, ...rule, after: 0, seen: 1, hits: 1},
    {match: {}, times: 1, hits: 0},
  ])
  expect((await control.request('DELETE', `/faults/${first}`)).body).toEqual({removed: 1})
  expect((await control.request('DELETE', '/faults')).body).toEqual({removed: 1})
})

describe('a restart', () => {
  test('keeps the data and the runs, and ends all streams without a word', async () => {
    const threadId = await client.create('repair the cart')
    const stream = await client.stream(threadId)
    await stream.until('a draft', (frames) => frames.some(({event}) => event === 'assistant'))
    const port = new URL(platform.originUrl).port
    expect((await control.post('/restart', {})).status).toBe(202)
    await stream.ended()
    expect(stream.frames.map(({event}) => event)).not.toContain('done')
    await untilUp()
    const cursor = stream.frames.findLast(({id}) => id !== undefined)?.id ?? ''
    await using rest = await client.stream(threadId, '?until=run', {'last-event-id': cursor})
    await rest.ended()
    expect(entryIds([...stream.frames, ...rest.frames])).toEqual(
      platform.transcript(threadId).map(({id}) => id),
    )
    expect(platform.threads()).toMatchObject([{id: threadId, status: 'idle'}])
    expect(new URL(platform.originUrl).port).toBe(port)
  })

  test('stays down for as long as is asked', async () => {
    const clock = createManualClock()
    await using other = await startPlatform({clock})
    const ask = (): Promise<boolean> =>
      fetch(`${other.controlUrl}/threads`).then(
        () => true,
        () => false,
      )
    const restarted = other.control.restart(5000)
    while (await ask());
    clock.advance(4999)
    expect(await ask()).toBe(false)
    clock.advance(1)
    await restarted
    expect(await ask()).toBe(true)
  })

  test('in a row comes one after the other, and closing does not wait for it', async () => {
    const {control: handle} = platform
    await Promise.all([handle.restart(), handle.restart(), handle.restart()])
    await untilUp()
    expect((await client.get('/users')).status).toBe(200)
    const restarting = handle.restart(600_000)
    await platform.close()
    await restarting
    await expect(client.get('/users')).rejects.toThrow()
  })

  test('leaves faults, limits and the ledger as they are', async () => {
    await control.post('/faults', {
      match: {path: '/users'},
      fault: {kind: 'answer', status: 418, body: {}, applied: false},
    })
    await control.request('PUT', '/limits', {maxStreams: 0})
    await client.get('/projects')
    await platform.control.restart()
    await untilUp()
    expect((await client.get('/users')).status).toBe(418)
    const threadId = await client.create('quick')
    expect((await client.get(`/threads/${threadId}/stream`)).status).toBe(429)
    expect(platform.ledger.map(({path}) => path.split('/')[3])).toEqual([
      'projects',
      'users',
      'threads',
      'threads',
    ])
  })
})

test('streams close without a word, of one thread or all', async () => {
  const threadIds = [await client.create('quick'), await client.create('quick')]
  const streams = await Promise.all(threadIds.map((id) => client.stream(id)))
  for (const stream of streams) await stream.until('the first frame', ({length}) => length > 0)
  const close = async (body: unknown) => (await control.post('/streams/close', body)).body
  expect(await close({threadId: threadIds[0]})).toEqual({closed: 1})
  await streams[0]?.ended()
  expect(await close({})).toEqual({closed: 1})
  await streams[1]?.ended()
  for (const {frames} of streams) expect(frames.at(-1)?.event).not.toBe('done')
})

test('keys are revoked, members leave and come back', async () => {
  const {human, readWrite} = platform.keys
  expect((await control.post('/keys/revoke', {key: readWrite})).body).toEqual({revoked: true})
  expect((await control.post('/keys/revoke', {key: readWrite})).body).toEqual({revoked: false})
  const bot = createClient({baseUrl: platform.baseUrl, key: readWrite})
  expect((await bot.get('/users')).status).toBe(401)
  await control.post('/users/user_jane', {active: false})
  expect((await client.get('/users')).status).toBe(401)
  await control.post('/users/user_jane', {active: true})
  expect((await client.get('/users')).status).toBe(200)
  expect(JSON.stringify(platform.ledger)).not.toContain(human)
})

test('limits change while the server runs', async () => {
  await control.request('PUT', '/limits', {rateLimit: {perMinute: 1, burst: 2}})
  const statuses: number[] = []
  for (let count = 0; count < 3; count += 1) statuses.push((await client.get('/users')).status)
  expect(statuses).toEqual([200, 200, 429])
  await control.request('PUT', '/limits', {rateLimit: null})
  expect((await client.get('/users')).status).toBe(200)
})

test('a pull request changes at its provider', async () => {
  const number = 901
  const review = async () => client.post('/reviews', {repo: 'acme/web', prNumber: number})
  expect((await review()).status).toBe(422)
  await control.request('PUT', '/pull-requests', {
    repo: 'acme/web',
    number,
    headSha: 'a'.repeat(40),
  })
  expect((await review()).body['headSha']).toBe('a'.repeat(40))
  await control.request('PUT', '/pull-requests', {repo: 'acme/web', number, state: 'draft'})
  expect((await review()).status).toBe(422)
})

test('a script plays instead of what the agent would do', async () => {
  const say = {kind: 'say', fragments: ['As ', 'told.']}
  const plan = {when: {text: 'scripted'}, steps: [{kind: 'turn', steps: [say]}]}
  expect((await control.post('/scripts', plan)).status).toBe(200)
  const threadId = await client.create('scripted')
  await client.run(threadId)
  expect(platform.transcript(threadId).at(-1)?.text).toBe('As told.')
  const wrong = await control.post('/scripts', {...plan, steps: [{kind: 'sing'}]})
  expect([wrong.status, wrong.body['_tag']]).toEqual([400, 'svc/InvalidRequest'])
})

test('a thread is put into a state, and its streams hear of it', async () => {
  const threadId = await client.create('quick')
  await client.run(threadId)
  await using stream = await client.stream(threadId)
  await stream.until('status', (frames) => frames.length > 0)
  const forced = await control.request('PUT', `/threads/${threadId}`, {state: 'pending_user'})
  expect(forced.body).toEqual({id: threadId, state: 'pending_user', status: 'pending_user'})
  await stream.until('the news', (frames) =>
    frames.some(({data}) => data['status'] === 'pending_user'),
  )
  expect((await client.get(`/threads/${threadId}`)).body['needsYou']).toBe(true)
})

test('a thread is made one member’s own, and says so to whoever still sees it', async () => {
  const service = clientOf(platform, 'readWrite')
  const threadId = await client.create('quick')
  const path = `/threads/${threadId}`
  expect((await client.get(path)).body).not.toHaveProperty('personal')
  expect(platform.control.setPersonal(threadId, 'user_jane')).toBe(true)
  expect((await client.get(path)).body).toMatchObject({
    ...{personal: true, authorId: 'user_jane', projectId: 'project_web'},
  })
  expect((await service.get(path)).status).toBe(404)
  platform.control.setPersonal(threadId, 'user_kim')
  expect((await client.get(path)).status).toBe(404)
  platform.control.setPersonal(threadId, null)
  for (const each of [service, client]) {
    const listed = itemsOf(await each.get('/threads?projectId=project_web'))
    expect(listed).toContainEqual(
      expect.objectContaining({id: threadId, personal: true, authorId: null}),
    )
  }
  expect(platform.control.setPersonal('thread_none', null)).toBe(false)
})

test('a thread says that it has cost what it is told to say', async () => {
  const threadId = await client.create('quick')
  const path = `/threads/${threadId}`
  for (const credits of [4000.5, 'Infinity', 'NaN'] as const) {
    expect(platform.control.setUsage(threadId, credits)).toBe(true)
    const {body} = await client.get(path)
    expect(body['usage']).toMatchObject({llmCredits: credits, totalCredits: credits})
  }
  platform.control.setUsage(threadId, null)
  expect((await client.get(path)).body).not.toHaveProperty('usage')
  expect(platform.control.setUsage('thread_none', 1)).toBe(false)
})

test('threads, transcripts, the ledger and the routes can be read', async () => {
  const threadId = await client.create('quick', 'read')
  await client.run(threadId)
  const threads = itemsOf(await control.get('/threads'))
  expect(threads).toContainEqual(
    expect.objectContaining({id: threadId, requestId: 'read', status: 'idle', state: 'idle'}),
  )
  const items = itemsOf(await control.get(`/threads/${threadId}/transcript`))
  expect(items).toEqual(platform.transcript(threadId))
  await until('the stream has closed', () => platform.ledger[1]?.closedAtMs)
  expect((await control.get('/ledger?after=1')).body['rows']).toEqual(platform.ledger.slice(1))
  expect((await control.get('/routes')).body['routes']).toContainEqual({
    method: 'POST',
    path: '/threads',
  })
})
