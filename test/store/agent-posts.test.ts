import {expect, test} from 'vitest'
import {newLink, temporaryStore} from './temporary-store.ts'

const limit = {most: 2, sinceMs: 0}

async function open() {
  const store = await temporaryStore()
  const {id: linkId} = await store.links.open(newLink, 0)
  const post = {linkId, key: 'k', digest: 'd', text: 'Done', file: undefined}
  return {...store, linkId, post}
}

test('a post is made once for its key, and once more when Slack has refused it', async () => {
  const {agentPosts, post} = await open()
  expect(await agentPosts.expect(post, limit)).toBe('room')
  const first = await agentPosts.add(post, limit, 1)
  if (first.outcome !== 'added') throw new Error('It was not added.')
  const {id} = first.post
  expect(await agentPosts.expect(post, limit)).toBe('known')
  expect(await agentPosts.add(post, limit, 2)).toEqual(first)
  expect(await agentPosts.add({...post, digest: 'e'}, limit, 2)).toEqual({outcome: 'other'})
  await agentPosts.refuse(id, 'is_archived')
  expect(await agentPosts.tell(id)).toBe(true)
  expect(await agentPosts.byId(id)).toMatchObject({
    state: 'refused',
    reason: 'is_archived',
    text: '',
  })
  expect(await agentPosts.expect(post, limit)).toBe('room')
  expect(await agentPosts.add(post, limit, 3)).toEqual(first)
})

test('so many are taken at once, and those of long ago do not count', async () => {
  const {agentPosts, post} = await open()
  for (const [key, atMs] of [
    ['a', 1],
    ['b', 2],
  ] as const) {
    await agentPosts.add({...post, key}, limit, atMs)
  }
  expect(await agentPosts.expect(post, limit)).toBe('too-many')
  expect(await agentPosts.add(post, limit, 3)).toEqual({outcome: 'too-many'})
  expect(await agentPosts.expect({...post, key: 'a'}, limit)).toBe('known')
  expect(await agentPosts.expect(post, {...limit, sinceMs: 1})).toBe('room')
})

test('a file comes with its name and its bytes; what asks nothing is no question', async () => {
  const {agentPosts, questions, post} = await open()
  const file = {name: 'a.txt', bytes: new Uint8Array([0, 255])}
  const words = {text: 'Which?', options: ['A', 'B']}
  const added = await Promise.all([
    agentPosts.add({...post, key: 'bare'}, limit, 1),
    agentPosts.add({...post, key: 'file', file, question: words}, limit, 1),
  ])
  const [bare, full] = added.map((one) => (one.outcome === 'added' ? one.post : undefined))
  expect([bare?.file, full?.file]).toEqual([undefined, file])
  expect(await questions.byId(bare?.id ?? '')).toBeUndefined()
  expect(await questions.byId(full?.id ?? '')).toMatchObject({words})
})
