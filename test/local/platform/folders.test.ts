import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {z} from 'zod'
import {defaultSeed} from '../../../local/platform/seed/default-seed.ts'
import {parseSeed} from '../../../local/platform/seed/seed.ts'
import {startPlatform} from '../../../local/platform/server.ts'
import {temporaryFolder} from '../../support/temporary-folder.ts'
import {clientOf, itemsOf, type Client} from './client.ts'
import {sharedPlatform} from './open-platform.ts'

const seed = parseSeed(
  {
    ...defaultSeed,
    folders: [...(defaultSeed.folders ?? []), {id: 'own', name: 'Own', shared: false}],
  },
  'of the test',
)

const platform = await sharedPlatform({pace: 0.01, seed})
const human = clientOf(platform)
const kim = clientOf(platform, 'kim')
const service = clientOf(platform, 'readWrite')
const scoped = clientOf(platform, 'scoped')
const readOnly = clientOf(platform, 'readOnly')
const webThread = await human.create('quick')
const inApi = await human.post('/threads', {
  ...{requestId: 'in-api', projectId: 'project_api', message: 'quick'},
})
const apiThread = z.string().parse(inApi.body['id'])

const outcomes = async (client: Client, path: string, body: object): Promise<unknown> => {
  const answer = await client.post(path, body)
  expect(answer).toMatchObject({status: 200})
  expect(Object.keys(answer.body)).toEqual(['outcomes'])
  return answer.body['outcomes']
}

const file = (client: Client, folderId: string, ...threadIds: string[]): Promise<unknown> =>
  outcomes(client, `/folders/${folderId}/threads`, {threadIds})

const applied = (path: string): boolean[] =>
  platform.ledger
    .filter((row) => row.method === 'POST' && row.path === `/api/v1${path}`)
    .map((row) => row.applied)

describe('filing threads', () => {
  test('answers each thread in the order of the request, duplicates and all', async () => {
    expect(
      await file(scoped, 'folder_checkout', webThread, 'thread_lost', apiThread, '', webThread),
    ).toEqual([
      {threadId: webThread, outcome: 'ok'},
      {threadId: 'thread_lost', outcome: 'not_found'},
      {threadId: apiThread, outcome: 'not_found'},
      {threadId: '', outcome: 'not_found'},
      {threadId: webThread, outcome: 'ok'},
    ])
  })

  test('is ok again for a thread that is filed already, and changes nothing', async () => {
    const threadId = await human.create('quick')
    const before = applied('/folders/folder_later/threads').length
    const ok = [{threadId, outcome: 'ok'}]
    expect(await file(human, 'folder_later', threadId)).toEqual(ok)
    expect(await file(human, 'folder_later', threadId)).toEqual(ok)
    expect(applied('/folders/folder_later/threads').slice(before)).toEqual([true, false])
    const listed = itemsOf(await human.get('/folders/folder_later/threads'))
    expect(listed.filter(({id}) => id === threadId)).toHaveLength(1)
  })

  test('a shared folder refuses a personal thread to its owner, and others do not find it', async () => {
    const {status, body} = await kim.get('/threads/thread_personal')
    expect(status).toBe(200)
    expect(body).toMatchObject({projectId: null, authorId: 'user_kim', title: 'Notes to myself'})
    for (const [client, outcome] of [
      [kim, 'not_allowed'],
      [human, 'not_found'],
      [service, 'not_found'],
    ] as const) {
      expect(await file(client, 'folder_later', 'thread_personal')).toEqual([
        {threadId: 'thread_personal', outcome},
      ])
    }
  })

  test('a folder that is not shared takes a personal thread', async () => {
    expect(await file(kim, 'own', 'thread_personal')).toEqual([
      {threadId: 'thread_personal', outcome: 'ok'},
    ])
    expect(itemsOf(await kim.get('/folders/own/threads'))).toMatchObject([{id: 'thread_personal'}])
    expect(itemsOf(await human.get('/folders/own/threads'))).toEqual([])
  })

  test('no threads are no outcomes', async () => {
    expect(await file(human, 'folder_later')).toEqual([])
  })

  test.each([
    ['no threadIds', {}],
    ['threadIds that are no list', {threadIds: 'thread_x'}],
    ['a thread id that is no string', {threadIds: [7]}],
    ['1001 threads', {threadIds: Array.from({length: 1001}, () => 'thread_x')}],
  ])('%s are an invalid request', async (_what, body) => {
    const answer = await human.post('/folders/folder_later/threads', body)
    expect([answer.status, answer.body['_tag']]).toEqual([400, 'svc/InvalidRequest'])
  })

  test('1000 threads are judged one by one', async () => {
    const threadIds = Array.from({length: 1000}, (_, index) => `thread_${index}`)
    expect(await file(human, 'folder_later', ...threadIds)).toEqual(
      threadIds.map((threadId) => ({threadId, outcome: 'not_found'})),
    )
  })

  test('an absent folder is not found, and a service key does not find one that is not shared', async () => {
    const gone = [404, {_tag: 'svc/ThreadOrganizationNotFound'}]
    for (const [client, folderId] of [
      [human, 'folder_lost'],
      [service, 'own'],
    ] as const) {
      const filed = await client.post(`/folders/${folderId}/threads`, {threadIds: []})
      expect([filed.status, filed.body]).toEqual(gone)
      const listed = await client.get(`/folders/${folderId}/threads`)
      expect([listed.status, listed.body]).toEqual(gone)
    }
  })
})

describe('reading folders', () => {
  test('lists the folders that the key reaches', async () => {
    const shared = [
      {id: 'folder_checkout', name: 'Checkout', shared: true},
      {id: 'folder_later', name: 'Later', shared: true},
    ]
    const all = [...shared, {id: 'own', name: 'Own', shared: false}]
    expect((await human.get('/folders')).body).toEqual({items: all, cursor: null})
    expect((await readOnly.get('/folders')).body).toEqual({items: shared, cursor: null})
  })

  test('pages the threads in board order, filed last first', async () => {
    const own = [
      await human.create('quick'),
      await human.create('quick'),
      await human.create('quick'),
    ]
    await file(human, 'folder_checkout', ...own)
    await file(human, 'folder_checkout', apiThread)
    const seen: unknown[] = []
    let query = '?limit=2'
    for (let pages = 0; pages < 10; pages++) {
      const answer = await readOnly.get(`/folders/folder_checkout/threads${query}`)
      seen.push(...itemsOf(answer).map(({id}) => id))
      const {cursor} = answer.body
      if (cursor === null) break
      query = `?limit=2&cursor=${encodeURIComponent(z.string().parse(cursor))}`
    }
    expect(seen).toEqual([apiThread, ...own.toReversed(), webThread])
    const inReach = itemsOf(await scoped.get('/folders/folder_checkout/threads'))
    expect(inReach.map(({id}) => id)).toEqual([...own.toReversed(), webThread])
  })

  test('a foreign cursor is an invalid request', async () => {
    const {status, body} = await human.get('/folders/folder_checkout/threads?cursor=x')
    expect([status, body['_tag']]).toEqual([400, 'svc/InvalidRequest'])
  })
})

describe('pinning', () => {
  const pin = (client: Client, body: object): Promise<unknown> => outcomes(client, '/pins', body)

  test('a human pins as itself, twice is once, and unpins', async () => {
    const before = applied('/pins').length
    const threadIds = [webThread, 'thread_lost']
    const expected = [
      {threadId: webThread, outcome: 'ok'},
      {threadId: 'thread_lost', outcome: 'not_found'},
    ]
    expect(await pin(human, {threadIds})).toEqual(expected)
    expect(await pin(human, {threadIds, pinned: true, userId: 'user_jane'})).toEqual(expected)
    expect(await pin(human, {threadIds, pinned: false})).toEqual(expected)
    expect(await pin(human, {threadIds, pinned: false})).toEqual(expected)
    expect(applied('/pins').slice(before)).toEqual([true, false, true, false])
  })

  test('boards are apart: a pin of one member is none of another', async () => {
    const before = applied('/pins').length
    for (const userId of ['user_kim', 'user_sam']) {
      await pin(service, {threadIds: [webThread], userId})
    }
    expect(applied('/pins').slice(before)).toEqual([true, true])
  })

  test('a service key reaches only threads of its projects', async () => {
    expect(
      await pin(scoped, {threadIds: [apiThread, 'thread_personal'], userId: 'user_kim'}),
    ).toEqual([
      {threadId: apiThread, outcome: 'not_found'},
      {threadId: 'thread_personal', outcome: 'not_found'},
    ])
  })

  test.each([
    ['a service key that names nobody', () => service, {threadIds: []}],
    ['a member who left', () => service, {threadIds: [], userId: 'user_alex'}],
    ['an unknown member', () => human, {threadIds: [], userId: 'user_lost'}],
    ['a null member', () => human, {threadIds: [], userId: null}],
    ['no threads', () => human, {}],
    ['pinned that is no boolean', () => human, {threadIds: [], pinned: 'yes'}],
  ])('%s is an invalid request', async (_what, client, body) => {
    const answer = await client().post('/pins', body)
    expect([answer.status, answer.body['_tag']]).toEqual([400, 'svc/InvalidRequest'])
  })

  test('a member may pin on another member’s board', async () => {
    const {status} = await human.post('/pins', {threadIds: [], userId: 'user_kim'})
    expect(status).toBe(200)
  })

  test('pins cannot be read', async () => {
    expect((await human.get('/pins')).status).toBe(405)
  })
})

test.each(['/folders/folder_later/threads', '/pins'])(
  'a read-only key may not change %s',
  async (path) => {
    const {status, body} = await readOnly.post(path, {threadIds: [], userId: 'user_kim'})
    expect([status, body]).toEqual([403, {_tag: 'svc/Forbidden'}])
  },
)

test('a restart forgets neither filed threads nor pins', async () => {
  const dataFile = join(temporaryFolder(), 'platform.db')
  const path = '/folders/folder_later/threads'
  const first = await startPlatform({dataFile, pace: 0.01})
  const client = clientOf(first)
  const threadId = await client.create('quick')
  await client.post(path, {threadIds: [threadId]})
  await client.post('/pins', {threadIds: [threadId]})
  await first.close()
  await using second = await startPlatform({dataFile, pace: 0.01})
  const again = clientOf(second)
  expect(itemsOf(await again.get(path))).toMatchObject([{id: threadId}])
  await again.post(path, {threadIds: [threadId]})
  await again.post('/pins', {threadIds: [threadId]})
  const changes = second.ledger.filter(({method}) => method === 'POST')
  expect(changes.map((row) => row.applied)).toEqual([false, false])
})
