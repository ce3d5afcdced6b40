import {expect, test} from 'vitest'
import {openToolStore} from '../../../src/store/tool-store.ts'
import {temporaryPostgres} from '../../support/postgres.ts'
import {newLink, temporaryStore} from '../temporary-store.ts'
import {type Cut, startCuttingProxy} from './cutting-proxy.ts'

const CUTS: readonly Cut[] = ['before', 'after', 'late', 'never']

test.for(CUTS)('a change of which the commit is cut (%s) stands once', async (cut) => {
  const url = await temporaryPostgres()
  const store = await temporaryStore(url)
  const {id} = await store.links.open(newLink, 0)
  const proxy = await startCuttingProxy(url)
  await using tool = await openToolStore({path: proxy.url, sealingKeys: []})
  const addStep = () =>
    tool.write(async (db) => {
      await db
        .updateTable('links')
        .set(({eb}) => ({steps: eb('steps', '+', 1)}))
        .where('id', '=', id)
        .execute()
    })
  const times = cut === 'never' ? 1 : 4
  for (let time = 1; time <= times; time += 1) {
    proxy.cutNext(cut)
    await addStep()
    expect((await store.links.byId(id))?.steps).toBe(time)
  }
  // What is written together stands once as well.
  proxy.cutNext(cut)
  await Promise.all([addStep(), addStep(), addStep()])
  expect((await store.links.byId(id))?.steps).toBe(times + 3)
})

test('what has only read is not asked for', async () => {
  const url = await temporaryPostgres()
  await temporaryStore(url)
  const proxy = await startCuttingProxy(url)
  await using tool = await openToolStore({path: proxy.url, sealingKeys: []})
  proxy.cutNext('before')
  const links = await tool.write((db) => db.selectFrom('links').select('id').execute())
  expect(links).toEqual([])
})
