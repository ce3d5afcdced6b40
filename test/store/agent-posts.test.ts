import {expect, test} from 'vitest'
import {newLink, temporaryStore} from './temporary-store.ts'

const LIMIT = {most: 2, sinceMs: 0}

async function setUp() {
  const store = await temporaryStore()
  const {id: linkId} = await store.links.open(newLink, 0)
  const add = async (key: string | undefined, more: object = {}) =>
    store.agentPosts.add(
      {linkId, key, digest: 'd', text: 'words', file: undefined, ...more},
      LIMIT,
      5,
    )
  return {
    ...store,
    linkId,
    add,
    expected: async (key?: string) => store.agentPosts.expect({linkId, key}, LIMIT),
  }
}

test('a post is made once for its key, and so many are made of a link', async () => {
  const {add, expected, questions} = await setUp()
  expect(await expected('k')).toBe('room')
  const first = await add('k')
  expect(first).toMatchObject({outcome: 'added', post: {text: 'words', state: 'wanted', step: 0}})
  expect(await expected('k')).toBe('known')
  expect(first.outcome === 'added' && (await questions.byId(first.post.id))).toBeUndefined()
  expect(await add('k')).toEqual(first)
  expect(await add('k', {digest: 'other'})).toEqual({outcome: 'other'})
  expect(await add(undefined)).toMatchObject({outcome: 'added'})
  expect([await expected('new'), await expected()]).toEqual(['too-many', 'too-many'])
  expect(await add('new')).toEqual({outcome: 'too-many'})
  expect(await expected('k')).toBe('known')
})

test('what Slack refused is told once, and may be asked for again under its key', async () => {
  const {add, expected, agentPosts, questions} = await setUp()
  const added = await add('k', {file: {name: 'a.txt', bytes: new Uint8Array([1, 2])}})
  if (added.outcome !== 'added') throw new Error(added.outcome)
  const {id} = added.post
  expect(await agentPosts.byId(id)).toMatchObject({
    file: {name: 'a.txt', bytes: new Uint8Array([1, 2])},
  })
  await agentPosts.refuse(id, 'too_long')
  expect(await agentPosts.byId(id)).toMatchObject({text: '', file: undefined, reason: 'too_long'})
  expect([await agentPosts.tell(id), await agentPosts.tell(id)]).toEqual([true, false])
  expect(await expected('k')).toBe('room')
  expect(await add('k')).toMatchObject({outcome: 'added', post: {id, reason: undefined}})
  // Nobody is asked anything by it.
  expect(await questions.byId(id)).toBeUndefined()
})

test('the messages of a post are made one after the other, and what stands is not due', async () => {
  const {add, agentPosts, linkId} = await setUp()
  const added = await add('k')
  if (added.outcome !== 'added') throw new Error(added.outcome)
  const {id} = added.post
  expect(await agentPosts.due('T1')).toEqual([{id, linkId}])
  expect(await agentPosts.due('T2')).toEqual([])
  await agentPosts.intend(id, 'F1')
  expect(await agentPosts.byId(id)).toMatchObject({state: 'intended', slackFile: 'F1', step: 0})
  await agentPosts.want(id)
  await agentPosts.confirm(id)
  expect(await agentPosts.byId(id)).toMatchObject({state: 'wanted', slackFile: undefined, step: 0})
  await agentPosts.intend(id)
  await agentPosts.confirm(id)
  expect(await agentPosts.byId(id)).toMatchObject({state: 'wanted', step: 1})
  await agentPosts.end(id)
  expect(await agentPosts.byId(id)).toMatchObject({state: 'placed', text: ''})
  expect(await agentPosts.due('T1')).toEqual([])
})

test('so many are made in a while, and those of long ago do not count', async () => {
  const {add, agentPosts, linkId} = await setUp()
  await add('a')
  await add('b')
  expect(await agentPosts.expect({linkId, key: 'c'}, {most: 2, sinceMs: 4})).toBe('too-many')
  expect(await agentPosts.expect({linkId, key: 'c'}, {most: 2, sinceMs: 5})).toBe('room')
  // Nor do those of a clock that has been set back by an hour since.
  const sinceMs = -3_600_000
  expect(await agentPosts.expect({linkId, key: 'c'}, {most: 2, sinceMs})).toBe('room')
})
