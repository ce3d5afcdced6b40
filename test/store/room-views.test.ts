import {expect, test} from 'vitest'
import {newLink, temporaryStore} from './temporary-store.ts'

const page = (name: string, content = name) => ({kind: 'html' as const, name, content})

test('of what is made for a room the newest of each name is kept, and so many pages', async () => {
  const {roomViews, links} = await temporaryStore()
  const {id} = await links.open(newLink, 1)
  for (const [at, name] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) {
    await roomViews.put(id, page(name), at)
  }
  await roomViews.put(id, {kind: 'diff', name: 'old.diff', content: 'old'}, 7)
  await roomViews.put(id, {kind: 'diff', name: 'new.diff', content: 'new'}, 8)
  await roomViews.put(id, page('c', 'again'), 9)
  const names = (await roomViews.of(id)).map(({name}) => name)
  expect(names).toEqual(['c', 'new.diff', 'f', 'e', 'd', 'b'])
  expect(await roomViews.contentOf(id, page('c'))).toBe('again')
  expect(await roomViews.contentOf(id, {kind: 'diff', name: 'whatever'})).toBe('new')
  expect(await roomViews.contentOf(id, page('a'))).toBeUndefined()
})

test('what Slack has is not kept, unless it is another one by now', async () => {
  const {roomViews, links} = await temporaryStore()
  const {id} = await links.open(newLink, 1)
  await roomViews.put(id, page('a', 'first'), 1)
  const [told] = await roomViews.of(id)
  if (told === undefined) throw new Error('It was not written down.')
  await roomViews.put(id, page('a', 'second'), 2)
  await roomViews.settle(id, told)
  const [now] = await roomViews.of(id)
  expect(now).toMatchObject({isKept: true})
  if (now !== undefined) await roomViews.settle(id, now)
  expect(await roomViews.of(id)).toMatchObject([{name: 'a', isKept: false}])
  expect(await roomViews.contentOf(id, page('a'))).toBeUndefined()
})

test('of a workspace that has let us go nothing is kept that Slack has not', async () => {
  const {roomViews, links, installs} = await temporaryStore()
  const other = {...newLink, place: {...newLink.place, team: 'T2'}, requestId: 'r2'}
  const ids = [(await links.open(newLink, 1)).id, (await links.open(other, 1)).id] as const
  for (const id of ids) await roomViews.put(id, page('a'), 1)
  await installs.letGo('T1')
  const contents = ids.map((id) => roomViews.contentOf(id, page('a')))
  expect(await Promise.all(contents)).toEqual([undefined, 'a'])
})
