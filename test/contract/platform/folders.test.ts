import {expect, test} from 'vitest'
import {PlatformForbidden} from '../../../src/platform/errors.ts'
import {itemsOf, type KeyName} from '../../local/platform/client.ts'
import {sharedContract} from './contract.ts'
import {createThread} from './creations.ts'
import {refusalOf} from './refusal.ts'

const contract = await sharedContract()

const newThreadIn = async (projectId = 'project_web'): Promise<string> =>
  (await createThread(contract, {projectId})).id

const file = (
  threadIds: string[],
  {folder = 'folder_checkout', key}: {folder?: string; key?: KeyName},
) => contract.client(key).fileThreads(folder, threadIds, contract.signal)

const pin = (body: Record<string, unknown>, key?: KeyName) => contract.raw(key).post('/pins', body)

/** The document names neither this path nor that of the pins: the embedded platform chose them. */
const listFolder = async (key?: KeyName, folder = 'folder_checkout'): Promise<unknown[]> =>
  itemsOf(await contract.raw(key).get(`/folders/${folder}/threads?limit=200`)).map(({id}) => id)

test('4.6.r1 filing a thread answers ok, also again', async () => {
  const threadId = await newThreadIn()
  for (const applied of [true, false]) {
    expect(await file([threadId], {})).toEqual([{threadId, outcome: 'ok'}])
    expect(contract.platform.ledger.at(-1)).toMatchObject({status: 200, applied})
  }
  expect((await listFolder()).filter((id) => id === threadId)).toHaveLength(1)
})

test('4.6.r2 absent threads and threads out of reach answer not_found alike', async () => {
  const near = await newThreadIn('project_web')
  const far = await newThreadIn('project_api')
  expect(await file([far, near, 'thread_none'], {key: 'scoped'})).toEqual([
    {threadId: far, outcome: 'not_found'},
    {threadId: near, outcome: 'ok'},
    {threadId: 'thread_none', outcome: 'not_found'},
  ])
  expect(await listFolder()).not.toContain(far)
})

test('4.6.r3 a personal thread is not_allowed in a shared folder', async () => {
  const threadId = 'thread_personal'
  expect(await file([threadId], {key: 'kim'})).toEqual([{threadId, outcome: 'not_allowed'}])
  expect(await listFolder()).not.toContain(threadId)
})

test('4.6.r4 a read-only key can list and page folders', async () => {
  const filed = [await newThreadIn(), await newThreadIn(), await newThreadIn()]
  await file(filed, {folder: 'folder_later'})
  const raw = contract.raw('readOnly')
  const folders = itemsOf(await raw.get('/folders')).map(({id}) => id)
  expect(folders).toEqual(['folder_checkout', 'folder_later'])
  const seen: unknown[] = []
  let query = '?limit=2'
  for (let pages = 0; pages < 2; pages += 1) {
    const page = await raw.get(`/folders/folder_later/threads${query}`)
    seen.push(...itemsOf(page).map(({id}) => id))
    query = `?limit=2&cursor=${encodeURIComponent(String(page.body['cursor']))}`
  }
  expect(new Set(seen)).toEqual(new Set(filed))
  expect(seen).toHaveLength(3)
})

test('4.6.r4 a read-only key may not file and not pin', async () => {
  const threadId = await newThreadIn()
  expect(await refusalOf(file([threadId], {key: 'readOnly'}))).toBeInstanceOf(PlatformForbidden)
  const answer = await pin({threadIds: [threadId], userId: 'user_kim'}, 'readOnly')
  expect(answer.status).toBe(403)
})

test('4.6.r5 a human key pins as itself, a service key must name the member', async () => {
  const threadId = await newThreadIn()
  const ok = {outcomes: [{threadId, outcome: 'ok'}]}
  expect(await pin({threadIds: [threadId]})).toMatchObject({status: 200, body: ok})
  const nobody = await pin({threadIds: [threadId]}, 'readWrite')
  expect(nobody).toMatchObject({status: 400, body: {_tag: 'svc/InvalidRequest'}})
  const named = await pin({threadIds: [threadId], userId: 'user_kim'}, 'readWrite')
  expect(named).toMatchObject({status: 200, body: ok})
})

test('4.6.r5 pinning answers an outcome for each thread', async () => {
  const near = await newThreadIn('project_web')
  const far = await newThreadIn('project_api')
  const {body} = await pin({threadIds: [near, far], userId: 'user_kim'}, 'scoped')
  expect(body['outcomes']).toEqual([
    {threadId: near, outcome: 'ok'},
    {threadId: far, outcome: 'not_found'},
  ])
})

test('4.6.r6 pinning for somebody who is not an active member answers 400', async () => {
  const threadIds = [await newThreadIn()]
  for (const userId of ['user_alex', 'user_none']) {
    for (const key of ['human', 'readWrite'] as const) {
      const answer = await pin({threadIds, userId}, key)
      expect(answer).toMatchObject({status: 400, body: {_tag: 'svc/InvalidRequest'}})
    }
  }
})

test('4.6.r7 folders are created and managed elsewhere, not through the API', async () => {
  const raw = contract.raw()
  for (const [method, path] of [
    ['POST', '/folders'],
    ['PUT', '/folders/folder_later'],
    ['PATCH', '/folders/folder_later'],
    ['DELETE', '/folders/folder_later'],
  ] as const) {
    const {status} = await raw.request(method, path, {name: 'Mine'})
    expect([404, 405], `${method} ${path}`).toContain(status)
  }
  expect(itemsOf(await raw.get('/folders'))).toHaveLength(2)
})

test('4.6.r8 shared folders are readable and writable by any key that may write', async () => {
  const filed: string[] = []
  for (const key of ['human', 'kim', 'readWrite', 'scoped', 'admin'] as const) {
    const threadId = await newThreadIn()
    expect(await file([threadId], {key})).toEqual([{threadId, outcome: 'ok'}])
    filed.push(threadId)
  }
  for (const key of ['human', 'readOnly', 'scoped'] as const) {
    expect(await listFolder(key)).toEqual(expect.arrayContaining(filed))
  }
})

test('4.6.r8 shared folders show each key what it reaches', async () => {
  const far = await newThreadIn('project_api')
  await file([far], {})
  expect(await listFolder('human')).toContain(far)
  expect(await listFolder('scoped')).not.toContain(far)
})

test('4.6.r9 pinned state cannot be read back', async () => {
  const threadId = await newThreadIn()
  await contract.finish(threadId)
  for (const key of ['readWrite', 'human'] as const) {
    const read = async () => (await contract.raw(key).get(`/threads/${threadId}`)).body
    const before = await read()
    await pin({threadIds: [threadId], userId: 'user_jane'}, 'readWrite')
    expect(await read()).toEqual(before)
  }
  const reading = contract.platform.routes.filter(
    ({method, path}) => method === 'GET' && /\bpins\b/.test(path),
  )
  expect(reading).toEqual([])
})
