import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {type Platform, startPlatform} from '../../local/platform/server.ts'
import {type PlatformClient, createPlatformClient} from '../../src/platform/client.ts'
import {PlatformNotFound, PlatformRefused, PlatformUnauthorized} from '../../src/platform/errors.ts'
import type {Entry} from '../../src/platform/model.ts'
import {follow} from '../../src/platform/stream/reconnecting.ts'
import {type Transport, createTransport} from '../../src/platform/transport.ts'
import {Secret} from '../../src/security/secret.ts'
import {until} from '../support/until.ts'
import {reasonOf} from './http-server.ts'

let platform: Platform
let transport: Transport
let client: PlatformClient
const {signal} = new AbortController()
let created = 0

beforeAll(async () => {
  platform = await startPlatform({pace: 0.02})
  transport = createTransport(platform.baseUrl)
  client = createPlatformClient({transport, apiKey: new Secret(platform.keys.human)})
})
afterAll(async () => {
  await transport[Symbol.asyncDispose]()
  await platform.close()
})

const create = (message: string) =>
  client.createThread({requestId: `client-${++created}`, projectId: 'project_web', message}, signal)

const atRest = (threadId: string) =>
  until('the thread rests', () =>
    platform.threads().some(({id, status}) => id === threadId && status === 'idle'),
  )

const entriesOf = (threadId: string, after?: string): Promise<Entry[]> =>
  Array.fromAsync(client.listMessages(threadId, after, signal))

async function cursorsOf(threadId: string): Promise<string[]> {
  const apiKey = new Secret(platform.keys.human)
  const cursors: string[] = []
  for await (const frame of follow({
    transport,
    apiKey,
    client,
    threadId,
    after: undefined,
    until: 'run',
    signal,
  })) {
    if (frame.type === 'transcript') cursors.push(frame.cursor ?? '')
  }
  return cursors
}

describe('threads', () => {
  test('a repeated requestId returns the original thread', async () => {
    const ask = {requestId: 'client-same', projectId: 'project_web', message: 'quick check'}
    const first = await client.createThread({...ask, title: 'A check'}, signal)
    const second = await client.createThread({...ask, message: 'something else'}, signal)
    expect(second.id).toBe(first.id)
    expect(first).toMatchObject({projectId: 'project_web', title: 'A check', archived: false})
  })

  test('a thread reads as it was created, with its cost', async () => {
    const {id} = await create('quick look')
    const thread = await client.getThread(id, signal)
    expect(thread.id).toBe(id)
    expect(thread.usage?.totalCredits).toBeTypeOf('number')
  })

  test('lists page by cursor until there is none', async () => {
    for (const name of ['one', 'two', 'three']) await create(`quick ${name}`)
    const filter = {projectId: 'project_web', limit: 2}
    const seen = (await Array.fromAsync(client.listThreads(filter, signal))).map(({id}) => id)
    expect(new Set(seen)).toEqual(new Set(platform.threads().map(({id}) => id)))
    expect(seen).toHaveLength(new Set(seen).size)
  })

  test('a filter by status narrows the list', async () => {
    const {id} = await create('quick one')
    await atRest(id)
    const threads = await Array.fromAsync(client.listThreads({status: 'idle'}, signal))
    expect(threads.map((thread) => thread.id)).toContain(id)
    expect(threads.every(({status}) => status === 'idle')).toBe(true)
  })

  test('archive and unarchive answer the whole thread', async () => {
    const {id} = await create('quick one')
    expect(await client.archive(id, signal)).toMatchObject({id, status: 'archived', archived: true})
    expect(await client.unarchive(id, signal)).toMatchObject({id, archived: false})
  })

  test('interrupt ends the work, whatever its answer looks like', async () => {
    // Its agent would never come to rest by itself.
    using held = platform.control.hold()
    const {id} = await create('long work on everything')
    await client.interrupt(id, signal)
    await atRest(id)
    held[Symbol.dispose]()
    expect((await entriesOf(id)).map(({source}) => source)).toEqual(['user'])
  })
})

describe('messages', () => {
  test('the transcript comes in order, and behind an entry only what follows it', async () => {
    const {id} = await create('some work on the cart')
    await atRest(id)
    const entries = await entriesOf(id)
    expect(entries).toEqual(platform.transcript(id))
    expect(entries.length).toBeGreaterThan(3)
    const cursors = await cursorsOf(id)
    expect(await entriesOf(id, cursors[1])).toEqual(entries.slice(2))
    expect(await entriesOf(id, cursors.at(-1))).toEqual([])
  })

  test('a queued message can be taken back, and no more once it went out', async () => {
    using held = platform.control.hold()
    const {id} = await create('long work on everything')
    const first = await client.sendMessage(id, {text: 'quick', delivery: 'queue'}, signal)
    expect(first.deduped).toBe(false)
    expect(await client.cancelMessage(id, first.id, signal)).toMatchObject({outcome: 'cancelled'})
    const second = await client.sendMessage(id, {text: 'quick', delivery: 'queue'}, signal)
    const sent = await client.sendNow(id, second.id, signal)
    expect(sent.outcome).toBe('sent')
    expect(sent.id).toBeTypeOf('string')
    await until('it is delivered', () =>
      platform.transcript(id).some(({source, text}) => source === 'user' && text === 'quick'),
    )
    const late = {outcome: 'tooLate'}
    expect(await client.cancelMessage(id, sent.id ?? '', signal)).toMatchObject(late)
    expect(await client.sendNow(id, sent.id ?? '', signal)).toMatchObject(late)
    await client.archive(id, signal)
    await client.interrupt(id, signal)
    held[Symbol.dispose]()
  })
})

test('projects and users read as they stand', async () => {
  const projects = await client.listProjects(signal)
  expect(projects.map(({id}) => id)).toEqual(platform.projectIds)
  expect(await client.getProject('project_web', signal)).toMatchObject({
    name: 'web',
    repos: [{repoFullName: 'acme/web', baseBranch: 'main'}],
  })
  const users = await client.listUsers(signal)
  expect(users.map(({id}) => id)).toEqual(platform.userIds)
})

describe('a refusal', () => {
  test('of an absent thread names it, and its id is encoded in the path', async () => {
    const id = 'no such/thread?é'
    const error = await reasonOf(client.getThread(id, signal))
    expect(error).toBeInstanceOf(PlatformNotFound)
    expect(error).toMatchObject({_tag: 'svc/ThreadNotFound', status: 404, threadId: id})
  })

  test('of an unknown project names it', async () => {
    const ask = {requestId: 'client-lost', projectId: 'project_lost', message: 'quick'}
    expect(await reasonOf(client.createThread(ask, signal))).toMatchObject({
      name: 'PlatformProjectNotFound',
      _tag: 'svc/ProjectNotFound',
      projectId: 'project_lost',
    })
  })

  test('of a request that is wrong tells why', async () => {
    const ask = {requestId: 'x'.repeat(192), projectId: 'project_web', message: 'quick'}
    const error = await reasonOf(client.createThread(ask, signal))
    expect(error).toBeInstanceOf(PlatformRefused)
    expect(error).toMatchObject({_tag: 'svc/InvalidRequest', status: 400})
    expect((error as Error).message).toContain('POST /threads was answered with 400: ')
  })

  test('of a wrong key is told without the key', async () => {
    const wrong = createPlatformClient({transport, apiKey: new Secret('key_wrong')})
    const error = await reasonOf(wrong.listProjects(signal))
    expect(error).toBeInstanceOf(PlatformUnauthorized)
    expect(error).toMatchObject({_tag: 'svc/Unauthorized', status: 401})
    expect(String((error as Error).stack)).not.toContain('key_wrong')
  })
})
