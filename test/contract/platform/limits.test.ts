import {expect, test} from 'vitest'
import {PlatformInvalidRequest, PlatformRateLimited} from '../../../src/platform/errors.ts'
import {Secret} from '../../../src/security/secret.ts'
import {itemsOf} from '../../local/platform/client.ts'
import {all, sharedContract, startContract} from './contract.ts'
import {newRequestId} from './creations.ts'
import {ANY_NUMBER, ANY_TEXT} from './matchers.ts'
import {refusalOf} from './refusal.ts'

const contract = await sharedContract()

type Create = (requestId: string) => Promise<{id: string}>

const PROJECT = {projectId: 'project_web'}
const CREATIONS: Readonly<Record<string, Create>> = {
  threads: (requestId) =>
    contract.client().createThread({...PROJECT, requestId, message: 'quick'}, contract.signal),
  captains: (requestId) =>
    contract.client().createCaptain({...PROJECT, requestId, name: 'Ada'}, contract.signal),
  automations: (requestId) =>
    contract.client().createAutomation({...PROJECT, requestId, prompt: 'quick'}, contract.signal),
}

test('8.r1 requestId has 1 to 191 characters, for threads, captains and automations', async () => {
  for (const create of Object.values(CREATIONS)) {
    for (const requestId of ['x', 'x'.repeat(191)]) {
      const {id} = await create(requestId)
      expect((await create(requestId)).id).toBe(id)
    }
    for (const requestId of ['', 'x'.repeat(192)]) {
      expect(await refusalOf(create(requestId))).toBeInstanceOf(PlatformInvalidRequest)
    }
  }
})

test('8.r1 requestId is compared character by character', async () => {
  for (const create of Object.values(CREATIONS)) {
    const ids = new Set<string>()
    const alike = [`${'y'.repeat(190)}a`, `${'y'.repeat(190)}b`, 'Yy', 'yy', ' yy', 'ÿ', 'y\u0308']
    for (const requestId of alike) ids.add((await create(requestId)).id)
    expect(ids.size).toBe(alike.length)
  }
})

test('8.r1 requestId is a text', async () => {
  for (const [path, fields] of [
    ['/threads', {message: 'quick'}],
    ['/captains', {name: 'Ada'}],
    ['/automations', {prompt: 'quick'}],
  ] as const) {
    for (const requestId of [undefined, null, 7, ['x']]) {
      const {status} = await contract.raw().post(path, {...PROJECT, ...fields, requestId})
      expect(status, path).toBe(400)
    }
  }
})

test('8.r2 the name of a captain has 1 to 100 characters', async () => {
  const enlist = (name: string) => {
    const order = {...PROJECT, requestId: newRequestId(), name}
    return contract.client().createCaptain(order, contract.signal)
  }
  for (const name of ['A', 'A'.repeat(100)]) expect((await enlist(name)).name).toBe(name)
  for (const name of ['', 'A'.repeat(101)]) {
    expect(await refusalOf(enlist(name))).toBeInstanceOf(PlatformInvalidRequest)
  }
})

test('8.r3 open streams have a limit, and above it a connection answers 429', async () => {
  await using own = await startContract({maxStreams: 2})
  const {id} = await own.begin('quick')
  const raw = own.raw()
  await using first = await raw.stream(id)
  await using second = await raw.stream(id)
  expect([first.status, second.status]).toEqual([200, 200])
  const answer = await raw.get(`/threads/${id}/stream`)
  expect(answer).toMatchObject({status: 429})
  expect(answer.body).toEqual({_tag: 'svc/RateLimited', retryAfterSeconds: ANY_NUMBER})
  expect(answer.headers.get('retry-after')).toBe(String(answer.body['retryAfterSeconds']))
  // The limit is about streams: all else goes on.
  expect((await raw.get(`/threads/${id}`)).status).toBe(200)
  await second[Symbol.asyncDispose]()
  await using third = own.follow({threadId: id}, {wait: () => Promise.resolve()})
  await third.until('a frame', (frames) => frames.length > 1)
})

test('8.r3 above the limit of open streams the client waits as long as it is told', async () => {
  await using own = await startContract({maxStreams: 0})
  const {id} = await own.begin('quick')
  const refusal = await refusalOf(
    own.transport.events({
      method: 'GET',
      path: `/threads/${id}/stream`,
      apiKey: new Secret(own.key('human')),
      signal: own.signal,
      timeoutMs: 5000,
    }),
  )
  if (!(refusal instanceof PlatformRateLimited)) throw refusal
  const waits: number[] = []
  const wait = async (ms: number): Promise<void> => {
    waits.push(ms)
    own.platform.control.setLimits({maxStreams: 1})
  }
  await using stream = own.follow({threadId: id}, {wait})
  await stream.until('a frame', (frames) => frames.length > 1)
  expect(waits).toHaveLength(1)
  expect(waits[0]).toBeGreaterThanOrEqual(refusal.retryAfterMs)
})

test('8.r4 limit sets the size of a page, of threads, transcripts and task trees', async () => {
  const {id} = await contract.begin('fan out')
  await contract.finish(id)
  for (const path of ['/threads', `/threads/${id}/messages`, `/threads/${id}/tasks`]) {
    const page = await contract.raw().get(`${path}?limit=2`)
    expect(itemsOf(page), path).toHaveLength(2)
    expect(page.body['cursor'], path).toEqual(ANY_TEXT)
  }
})

test('8.r4 limit changes where pages end, and nothing else', async () => {
  const {id} = await contract.begin('fan out')
  await contract.finish(id)
  const read = async (pageSize: number) => {
    const client = contract.client('human', {pageSize})
    return {
      threads: await all(client.listThreads({}, contract.signal)),
      entries: await all(client.listMessages(id, undefined, contract.signal)),
      tasks: await all(client.listTasks(id, contract.signal)),
    }
  }
  const whole = await read(200)
  expect(whole.tasks.length).toBeGreaterThan(1)
  for (const pageSize of [1, 2, 3]) expect(await read(pageSize)).toEqual(whole)
})
