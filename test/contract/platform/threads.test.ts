import {expect, test} from 'vitest'
import {defaultSeed} from '../../../local/platform/seed/default-seed.ts'
import {
  PlatformInvalidRequest,
  PlatformProjectNotFound,
  PlatformUnreachable,
} from '../../../src/platform/errors.ts'
import {itemsOf} from '../../local/platform/client.ts'
import {all, sharedContract} from './contract.ts'

const contract = await sharedContract()

const kickoff = (requestId: string) => ({
  requestId,
  projectId: 'project_web',
  message: 'quick look at the cart',
})

/** The requests of the ledger whose body bears this `requestId`. */
const creationsOf = (requestId: string) =>
  contract.platform.ledger.filter(({body}) =>
    JSON.stringify(body ?? null).includes(`"requestId":"${requestId}"`),
  )

test('4.1.r1 a repeated requestId returns the original thread with its original attribution', async () => {
  const client = contract.client()
  const ask = {...kickoff('repeated'), authorId: 'user_kim'}
  const first = await client.createThread(ask, contract.signal)
  await contract.finish(first.id)
  for (const change of [{}, {authorId: 'user_sam'}, {message: 'other', title: 'Other'}]) {
    const again = await client.createThread({...ask, ...change}, contract.signal)
    expect(again).toMatchObject({id: first.id, authorId: 'user_kim', title: first.title})
  }
  expect(creationsOf('repeated').map(({applied}) => applied)).toEqual([true, false, false, false])
  expect(await contract.transcript(first.id)).toHaveLength(2)
})

test('4.1.r1 a repeated requestId returns the original thread, even if the member left', async () => {
  const client = contract.client()
  const ask = {...kickoff('left'), authorId: 'user_sam'}
  const first = await client.createThread(ask, contract.signal)
  contract.platform.control.setActive('user_sam', false)
  try {
    const again = await client.createThread(ask, contract.signal)
    expect(again).toMatchObject({id: first.id, authorId: 'user_sam'})
  } finally {
    contract.platform.control.setActive('user_sam', true)
  }
})

test('4.1.r1 twenty parallel creations with one requestId make one thread', async () => {
  const client = contract.client()
  const threads = await Promise.all(
    Array.from({length: 20}, () => client.createThread(kickoff('parallel'), contract.signal)),
  )
  const [id = '', ...others] = new Set(threads.map((thread) => thread.id))
  expect(others).toEqual([])
  const applied = creationsOf('parallel').map((row) => row.applied)
  expect(applied.filter(Boolean)).toHaveLength(1)
  expect(applied).toHaveLength(20)
  const listed = await all(client.listThreads({}, contract.signal))
  expect(listed.filter((thread) => thread.id === id)).toHaveLength(1)
  const own = contract.platform.threads().filter(({requestId}) => requestId === 'parallel')
  expect(own.map((thread) => thread.id)).toEqual([id])
})

test('4.1.r2 a thread is attributed to the member named, the kickoff to the key', async () => {
  const bot = contract.client('readWrite')
  const ask = {...kickoff('attributed'), authorId: 'user_kim'}
  const {id, authorId, member} = await bot.createThread(ask, contract.signal)
  expect([authorId, member]).toEqual(['user_kim', true])
  const [first] = await contract.transcript(id)
  expect(first).toMatchObject({source: 'user', text: ask.message, authorName: 'Acme Bot'})
  const kim = contract.client('kim')
  expect(await kim.getThread(id, contract.signal)).toMatchObject({
    authorId: 'user_kim',
    member: true,
  })
  const listed = await all(kim.listThreads({}, contract.signal))
  expect(listed.map((thread) => thread.id)).toContain(id)
  const jane = await contract.client().getThread(id, contract.signal)
  expect(jane).toMatchObject({authorId: 'user_kim', member: false})
})

test.each(['user_nobody', 'user_alex', ''])(
  '4.1.r2 authorId must be an active member: "%s"',
  async (authorId) => {
    const ask = {...kickoff(`author-${authorId}`), authorId}
    const refused = contract.client('readWrite').createThread(ask, contract.signal)
    await expect(refused).rejects.toBeInstanceOf(PlatformInvalidRequest)
    expect(creationsOf(ask.requestId).map(({applied}) => applied)).toEqual([false])
  },
)

test('4.1.r2 the key still needs its own access to the project', async () => {
  const ask = {...kickoff('reach'), projectId: 'project_api', authorId: 'user_kim'}
  const refused = contract.client('scoped').createThread(ask, contract.signal)
  await expect(refused).rejects.toBeInstanceOf(PlatformProjectNotFound)
})

test('4.1.r3 omitting model uses the configured default', async () => {
  const {id, lastModelId} = await contract.begin('quick')
  await contract.finish(id)
  const standard = defaultSeed.models[0]?.modelId
  expect(lastModelId).toBe(standard)
  expect((await contract.transcript(id)).at(-1)?.model).toBe(standard)
})

test('4.1.r4 a null cursor means caught up; other cursors page the list on unchanged', async () => {
  for (const message of ['quick one', 'quick two', 'quick three']) await contract.begin(message)
  const whole = itemsOf(await contract.raw().get('/threads?limit=200')).map(({id}) => id)
  const from = contract.platform.ledger.length
  const threads = await all(contract.client().listThreads({limit: 2}, contract.signal))
  expect(threads.map(({id}) => id)).toEqual(whole)

  const asked = contract.platform.ledger.slice(from).map(({path}) => path)
  for (const [index, path] of asked.entries()) {
    const {body} = await contract.raw().get(path.replace('/api/v1', ''))
    const next = asked[index + 1] ?? '?none='
    const sent = new URLSearchParams(next.split('?')[1]).get('cursor')
    expect(sent).toBe(body['cursor'])
  }
})

test('4.1.r6 the thread list serves with and without projectId', async () => {
  const client = contract.client()
  const ask = {...kickoff('elsewhere'), projectId: 'project_api'}
  const {id} = await client.createThread(ask, contract.signal)
  const idsOf = async (filter: {projectId?: string}) =>
    (await all(client.listThreads(filter, contract.signal))).map((thread) => thread.id)
  expect(await idsOf({})).toContain(id)
  expect(await idsOf({projectId: 'project_api'})).toEqual([id])
  expect(await idsOf({projectId: 'project_web'})).not.toContain(id)
})

test('4.1.r7 takeover makes the member of the key the author', async () => {
  const ask = {...kickoff('taken'), authorId: 'user_kim'}
  const {id} = await contract.client('readWrite').createThread(ask, contract.signal)
  const taken = await contract.client().takeOver(id, contract.signal)
  expect(taken).toMatchObject({id, authorId: 'user_jane', previousAuthorId: 'user_kim'})
  const read = await contract.client().getThread(id, contract.signal)
  expect(read).toMatchObject({authorId: 'user_jane', member: true})
})

test('4.1.r8 regenerate-title gives a title that is not custom', async () => {
  const client = contract.client()
  const ask = {...kickoff('titled'), title: 'Sums'}
  const {id, title, titleCustom} = await client.createThread(ask, contract.signal)
  expect([title, titleCustom]).toEqual(['Sums', true])
  const renamed = await client.regenerateTitle(id, contract.signal)
  expect(renamed).toMatchObject({id, titleCustom: false, title: expect.any(String) as string})
  expect(renamed.title).not.toBe('Sums')
})

test('4.1.r11 a thread takes the title, the model and the machine size of its creation', async () => {
  const ask = {
    ...kickoff('complete'),
    title: 'Sums',
    model: {modelId: 'swift', reasoningMode: 'high', modes: {fast: true}},
    machineSize: 'large',
  } as const
  const thread = await contract.client().createThread(ask, contract.signal)
  expect(thread).toMatchObject({title: 'Sums', titleCustom: true, lastModelId: 'swift'})
  await contract.finish(thread.id)
  expect((await contract.transcript(thread.id)).at(-1)?.model).toBe('swift')
})

test('4.1.r12 the thread list is filtered by status', async () => {
  const client = contract.client()
  const {id} = await contract.begin('one question')
  await contract.finish(id)
  const statusesOf = async (status: string) => {
    const threads = await all(client.listThreads({status}, contract.signal))
    return {ids: threads.map((thread) => thread.id), words: threads.map((it) => it.status)}
  }
  const pending = await statusesOf('pending_user')
  expect(pending.ids).toContain(id)
  expect(new Set(pending.words)).toEqual(new Set(['pending_user']))
  expect((await statusesOf('idle')).ids).not.toContain(id)
  await client.archive(id, contract.signal)
  expect((await statusesOf('archived')).ids).toContain(id)
})

test('4.1.r14 a send whose answer is lost is not repeated by the client', async () => {
  const {id} = await contract.begin('quick')
  await contract.finish(id)
  contract.platform.control.faults.add({
    match: {method: 'POST', path: '/message$'},
    fault: {kind: 'lost', applied: true},
  })
  const message = 'quick and lost'
  await expect(contract.say(id, message)).rejects.toBeInstanceOf(PlatformUnreachable)
  const rows = contract.platform.ledger.filter(({path}) => path.endsWith(`${id}/message`))
  expect(rows).toHaveLength(1)
  await contract.finish(id)
  const said = (await contract.transcript(id)).filter(({text}) => text === message)
  expect(said).toHaveLength(1)
})
