import {describe, expect, test} from 'vitest'
import {threadSchema} from '../../../src/platform/model.ts'
import {clientOf, itemsOf} from './client.ts'
import {sharedPlatform} from './open-platform.ts'

const platform = await sharedPlatform({pace: 0.01})
const client = clientOf(platform)

const kickoff = {requestId: 'r-1', projectId: 'project_web', message: 'quick look at the cart'}

describe('creating a thread', () => {
  test('answers a working thread, attributed to the owner of the key', async () => {
    const {status, body} = await client.post('/threads', {...kickoff, requestId: 'fresh'})
    expect(status).toBe(200)
    const thread = threadSchema.parse(body)
    expect(thread).toMatchObject({
      projectId: 'project_web',
      authorId: 'user_jane',
      title: 'quick look at the cart',
      status: 'active',
      archived: false,
      usage: {llmCredits: 0, imageCredits: 0, vmCredits: 0, totalCredits: 0},
      needsYou: false,
    })
  })

  test('20 parallel creations with one requestId make one thread', async () => {
    const before = platform.threads().length
    const answers = await Promise.all(
      Array.from({length: 20}, () => client.post('/threads', {...kickoff, requestId: 'parallel'})),
    )
    expect(new Set(answers.map(({body}) => body['id'])).size).toBe(1)
    expect(platform.threads()).toHaveLength(before + 1)
    const asked = platform.ledger.filter(({method, body}) => {
      return method === 'POST' && JSON.stringify(body).includes('"parallel"')
    })
    expect(asked).toHaveLength(20)
    expect(asked.filter(({applied}) => applied)).toHaveLength(1)
  })

  test('a repeated requestId keeps the original attribution, even with an unknown author', async () => {
    const first = await client.post('/threads', {...kickoff, authorId: 'user_kim'})
    const again = await client.post('/threads', {...kickoff, authorId: 'user_gone', projectId: 'x'})
    expect(again.status).toBe(200)
    expect(again.body).toMatchObject({id: first.body['id'], authorId: 'user_kim'})
  })

  test('keeps the given title, model and attribution', async () => {
    const {body} = await client.post('/threads', {
      ...kickoff,
      requestId: 'all-fields',
      title: 'Cart sums',
      model: {modelId: 'big', reasoningMode: 'high', modes: {fast: true}},
      machineSize: 'small',
      authorId: 'user_sam',
      somethingNew: {passes: true},
    })
    expect(body).toMatchObject({
      title: 'Cart sums',
      titleCustom: true,
      lastModelId: 'big',
      authorId: 'user_sam',
    })
  })

  test.each([
    ['no requestId', {requestId: undefined}],
    ['an empty requestId', {requestId: ''}],
    ['192 characters of requestId', {requestId: 'x'.repeat(192)}],
    ['no projectId', {projectId: undefined}],
    ['no message', {message: undefined}],
    ['a blank message', {message: ' \n'}],
    ['a message that is no string', {message: 7}],
    ['a title of null', {title: null}],
    ['an unknown machine size', {machineSize: 'giant'}],
    ['a model without id', {model: {}}],
    ['an unknown mode', {model: {modelId: 'big', modes: {slow: true}}}],
    ['an unknown author', {authorId: 'user_gone'}],
  ])('%s is an invalid request', async (_what, fields) => {
    const {status, body} = await client.post('/threads', {
      ...kickoff,
      requestId: 'never',
      ...fields,
    })
    expect(status).toBe(400)
    expect(body).toEqual({_tag: 'svc/InvalidRequest', message: expect.any(String) as string})
    expect(platform.threads().some(({requestId}) => requestId === 'never')).toBe(false)
  })

  test('191 characters of requestId are accepted', async () => {
    const {status} = await client.post('/threads', {...kickoff, requestId: '😀'.repeat(191)})
    expect(status).toBe(200)
  })

  test('an unknown project is named in the answer', async () => {
    const {status, body} = await client.post('/threads', {
      ...kickoff,
      requestId: 'lost',
      projectId: 'project_lost',
    })
    expect(status).toBe(404)
    expect(body).toEqual({_tag: 'svc/ProjectNotFound', projectId: 'project_lost'})
  })
})

describe('reading threads', () => {
  test('walks the list by cursor, newest first, and ends with null', async () => {
    const own = [await client.create('quick a', 'list-a'), await client.create('quick b', 'list-b')]
    const seen: unknown[] = []
    let cursor: unknown = ''
    do {
      const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(String(cursor))}`
      const page = await client.get(`/threads?limit=1${query}`)
      expect(itemsOf(page)).toHaveLength(1)
      seen.push(...itemsOf(page).map(({id}) => id))
      cursor = page.body['cursor']
    } while (cursor !== null)
    expect(seen.slice(0, 2)).toEqual(own.toReversed())
    const ofProjects = platform.threads().map(({id}) => id)
    expect(seen).toEqual(ofProjects.toReversed())
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('filters by project and by status, in either vocabulary', async () => {
    const waiting = await client.create('one question for you', 'list-question')
    const broken = await client.create('this must fail', 'list-failure')
    await client.run(waiting)
    await client.run(broken)
    const pending = await client.get('/threads?status=pending_user&projectId=project_web')
    expect(itemsOf(pending).map(({id}) => id)).toEqual([waiting])
    for (const status of ['error', 'failed']) {
      const failed = await client.get(`/threads?status=${status}`)
      expect(itemsOf(failed).map(({id}) => id)).toEqual([broken])
    }
    expect(itemsOf(await client.get('/threads?projectId=project_api'))).toEqual([])
  })

  test('an empty cursor is none', async () => {
    const page = await client.get('/threads?limit=1&cursor=')
    expect(page.body).toEqual((await client.get('/threads?limit=1')).body)
  })

  test('an empty status is none', async () => {
    expect((await client.get('/threads?status=')).body).toEqual((await client.get('/threads')).body)
  })

  test.each(['limit=0', 'limit=-1', 'limit=many', 'cursor=nonsense', 'status=happy'])(
    '?%s is an invalid request',
    async (query) => {
      const {status, body} = await client.get(`/threads?${query}`)
      expect([status, body['_tag']]).toEqual([400, 'svc/InvalidRequest'])
    },
  )

  test('an unknown project is not found', async () => {
    const {status, body} = await client.get('/threads?projectId=nowhere')
    expect([status, body['_tag']]).toEqual([404, 'svc/ProjectNotFound'])
  })

  test.each([
    ['GET', ''],
    ['POST', '/message'],
    ['GET', '/messages'],
    ['POST', '/messages/msg_x/cancel'],
    ['POST', '/messages/msg_x/send-now'],
    ['POST', '/interrupt'],
    ['POST', '/archive'],
    ['POST', '/unarchive'],
    ['GET', '/stream'],
  ])('%s of an unknown thread%s names the thread', async (method, path) => {
    const body = path === '/message' ? {text: 'hello'} : undefined
    const answer = await client.request(method, `/threads/thread_lost${path}`, body)
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual({_tag: 'svc/ThreadNotFound', threadId: 'thread_lost'})
  })
})

describe('archiving', () => {
  test('covers the status, does not stop the work, and unarchiving uncovers it', async () => {
    using held = platform.control.hold()
    const threadId = await client.create('some work on the cart', 'archive-at-work')
    const archived = await client.post(`/threads/${threadId}/archive`)
    expect(archived.body).toMatchObject({id: threadId, archived: true, status: 'archived'})
    const back = await client.post(`/threads/${threadId}/unarchive`)
    expect(back.body).toMatchObject({archived: false, status: 'active'})
    held[Symbol.dispose]()
    await client.run(threadId)
    expect((await client.get(`/threads/${threadId}`)).body).toMatchObject({status: 'idle'})
  })

  test('is counted once, however often it is asked', async () => {
    const threadId = await client.create('quick', 'archive-twice')
    await client.post(`/threads/${threadId}/archive`)
    await client.post(`/threads/${threadId}/archive`)
    const rows = platform.ledger.filter(({path}) => path.endsWith(`${threadId}/archive`))
    expect(rows.map(({applied}) => applied)).toEqual([true, false])
  })

  test('a message wakes an archived thread', async () => {
    const threadId = await client.create('quick', 'archive-wake')
    await client.post(`/threads/${threadId}/archive`)
    await client.post(`/threads/${threadId}/message`, {text: 'quick again'})
    expect((await client.get(`/threads/${threadId}`)).body['archived']).toBe(false)
  })
})
