import {expect, test} from 'vitest'
import {
  PlatformInvalidRequest,
  PlatformModelRejected,
  PlatformProjectNotFound,
} from '../../../src/platform/errors.ts'
import {isWorking, type Captain} from '../../../src/platform/model.ts'
import type {KeyName} from '../../local/platform/client.ts'
import {sharedContract} from './contract.ts'
import {newCaptain} from './creations.ts'
import {refusalOf} from './refusal.ts'

const contract = await sharedContract()

const enlist = (fields: Parameters<typeof newCaptain>[0] = {}, key?: KeyName): Promise<Captain> =>
  contract.client(key).createCaptain(newCaptain(fields), contract.signal)

/** Section 2.2. */
const REQUIRED =
  'id projectId authorId previousAuthorId title titleCustom status archived lastModelId pullRequestAuthor usage createdAt updatedAt lastActivityAt hasUnreads mentionCount owed member name avatar'.split(
    ' ',
  )
const OPTIONAL =
  'needsYou crewNeedsYou participated crewMentionCount captain crewCount personal'.split(' ')

test('4.4.r1 a captain has every thread field and its own, and no others', async () => {
  const {status, body} = await contract.raw().post('/captains', newCaptain())
  expect(status).toBe(200)
  expect(Object.keys(body)).toEqual(expect.arrayContaining(REQUIRED))
  expect(Object.keys(body).filter((name) => ![...REQUIRED, ...OPTIONAL].includes(name))).toEqual([])
  expect(body).toMatchObject({projectId: 'project_web', archived: false, name: 'Ada'})
})

test('4.4.r1 a captain is a thread, which says whose face it bears', async () => {
  const {id, avatar} = await enlist()
  const thread = await contract.client().getThread(id, contract.signal)
  expect(thread.captain).toEqual({jamId: id, name: 'Ada', avatar})
})

test('4.4.r2 unknown properties are refused', async () => {
  const order = newCaptain()
  for (const more of [{title: 'Ada'}, {machineSize: 'small'}, {unheardOf: null}]) {
    const {status, body} = await contract.raw().post('/captains', {...order, ...more})
    expect({status, tag: body['_tag']}).toEqual({status: 400, tag: 'svc/InvalidRequest'})
  }
  const modes = {modelId: 'swift', modes: {slow: true}}
  const answer = await contract.raw().post('/captains', {...order, model: modes})
  expect(answer.status).toBe(400)
  expect(await enlist(order)).toMatchObject({name: 'Ada'})
})

test('4.4.r3 a replayed requestId returns the existing captain unchanged', async () => {
  const order = newCaptain({brief: 'quick round through the shop'})
  const {id} = await enlist(order)
  await contract.finish(id)
  const before = await enlist(order)
  const avatar = {kind: 'emoji', value: '🦊', background: 'green'} as const
  const changed = {...order, name: 'Grace', brief: 'something else', avatar}
  const after = await enlist({...changed, authorId: 'user_kim'})
  expect(after).toEqual(before)
  expect(after).toMatchObject({id, name: 'Ada', authorId: 'user_jane'})
  expect(await contract.transcript(id)).toHaveLength(2)
})

test('4.4.r3 a replayed requestId is what the client sends when the answer is lost', async () => {
  contract.platform.control.faults.add({
    match: {method: 'POST', path: '/captains$'},
    fault: {kind: 'lost', applied: true},
  })
  const before = contract.platform.threads().length
  expect(await enlist()).toMatchObject({name: 'Ada'})
  expect(contract.platform.threads()).toHaveLength(before + 1)
})

test('4.4.r4 a brief is the first message, from the owner', async () => {
  const brief = 'quick round through the shop'
  const captain = await enlist({brief, authorId: 'user_kim'}, 'readWrite')
  expect(isWorking(captain.status)).toBe(true)
  await contract.finish(captain.id)
  const [first, reply] = await contract.transcript(captain.id)
  expect(first).toMatchObject({source: 'user', text: brief, authorName: 'Kim Lee'})
  expect(reply?.source).toBe('assistant')
})

test('4.4.r4 without a brief the captain greets and asks', async () => {
  const {id} = await enlist()
  await contract.finish(id)
  const [greeting, ...others] = await contract.transcript(id)
  expect(greeting?.source).toBe('assistant')
  expect(greeting?.text).toContain('?')
  expect(others).toEqual([])
})

test('4.4.r5 without an avatar the captain takes the first preset face on a blue background', async () => {
  const {avatar} = await enlist()
  expect(avatar).toMatchObject({kind: 'preset', background: 'blue'})
  expect(avatar.value).toMatch(/1$/)
})

test('4.4.r6 a service key must name the owner', async () => {
  for (const key of ['readWrite', 'scoped', 'admin'] as const) {
    expect(await refusalOf(enlist({}, key))).toBeInstanceOf(PlatformInvalidRequest)
    expect((await enlist({authorId: 'user_kim'}, key)).authorId).toBe('user_kim')
  }
})

test('4.4.r6 a personal key owns the captain itself, unless it names another member', async () => {
  expect((await enlist()).authorId).toBe('user_jane')
  expect((await enlist({}, 'kim')).authorId).toBe('user_kim')
  expect((await enlist({authorId: 'user_sam'})).authorId).toBe('user_sam')
})

test('4.4.r7 the owner must be an active member', async () => {
  for (const authorId of ['user_alex', 'user_none']) {
    for (const key of ['human', 'readWrite'] as const) {
      expect(await refusalOf(enlist({authorId}, key))).toBeInstanceOf(PlatformInvalidRequest)
    }
  }
})

test('4.4.r8 a model that cannot be used answers ModelSelection.Rejected with candidates', async () => {
  for (const modelId of ['own-subscription', 'model-none']) {
    const refusal = await refusalOf(enlist({model: {modelId}}))
    if (!(refusal instanceof PlatformModelRejected)) throw refusal
    expect(refusal.candidates.map(({entryId}) => entryId)).toEqual(['standard', 'swift'])
    for (const {entryId = ''} of refusal.candidates) {
      expect(await enlist({model: {modelId: entryId}})).toMatchObject({lastModelId: entryId})
    }
  }
})

test('4.4.r9 a captain takes the avatar and the model of its creation', async () => {
  const avatar = {kind: 'emoji', value: '🦊', background: 'green'} as const
  const captain = await enlist({avatar, model: {modelId: 'swift', reasoningMode: 'low'}})
  expect(captain).toMatchObject({avatar, lastModelId: 'swift'})
})

test('4.4.r10 the project of a captain must be one that the key can access', async () => {
  for (const projectId of ['project_api', 'project_none']) {
    const refusal = await refusalOf(enlist({projectId, authorId: 'user_kim'}, 'scoped'))
    expect(refusal).toBeInstanceOf(PlatformProjectNotFound)
    expect(refusal).toMatchObject({projectId})
  }
})
