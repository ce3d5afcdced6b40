import {IS_POSTGRES} from '../support/postgres.ts'
import {describe, expect, test} from 'vitest'
import {REMOVED, createLeaks} from '../../src/security/leaks.ts'
import {Secret} from '../../src/security/secret.ts'
import {isBusy} from '../../src/store/database/errors.ts'
import {rotate} from '../../src/store/database/sealed-values.ts'
import {openStore} from '../../src/store/store.ts'
import {type ToolStore, openToolStore} from '../../src/store/tool-store.ts'
import {editRaw, holdWrites, openRaw, printOf} from '../support/raw-database.ts'
import {until} from '../support/until.ts'
import {refusalOf} from './refusal.ts'
import {bareDatabase, newLink, place, temporaryDatabase, temporaryStore} from './temporary-store.ts'

const keyOf = (id: string, byte: number) => ({
  id,
  key: new Secret(Buffer.alloc(32, byte).toString('base64')),
})

async function openAndClose(path: string, sealingKeys = [] as ReturnType<typeof keyOf>[]) {
  const store = await openStore({path, sealingKeys})
  await store[Symbol.asyncDispose]()
}

describe('a database', () => {
  test('is made where there is none, and keeps what was written', async () => {
    const path = await bareDatabase()
    const first = await openStore({path, sealingKeys: []})
    const link = await first.links.open(newLink, 0)
    await first[Symbol.asyncDispose]()
    const second = await temporaryStore(path)
    expect(await second.links.byPlace(place)).toEqual(link)
    await expect(second.check()).resolves.toBeUndefined()
  })

  test('belongs to one bot at a time, or to as many as there are', async () => {
    const path = await temporaryDatabase()
    const first = await openStore({path, sealingKeys: []})
    if (IS_POSTGRES) await openAndClose(path)
    else expect(await refusalOf(path)).toMatchObject({name: 'StoreError', code: 'in-use'})
    await first[Symbol.asyncDispose]()
    await openAndClose(path)
  })

  test('of a newer version is refused, and stays what it was', async () => {
    const path = await bareDatabase()
    await openAndClose(path)
    // Where versions may work side by side it is said from which one on.
    await editRaw(
      path,
      `insert into kysely_migration values ('9999-later', '2026-01-01');
       update schema_compat set min_version = 9999`,
    )
    const before = await printOf(path)
    const error = await refusalOf(path)
    expect(error).toMatchObject({code: 'newer'})
    expect(error.message).toContain('9999-later')
    expect(await printOf(path)).toBe(before)
  })

  test('of an earlier version is for the bot alone, which changes it', async () => {
    const path = await bareDatabase()
    await openAndClose(path)
    await editRaw(
      path,
      'delete from kysely_migration where name = (select max(name) from kysely_migration)',
    )
    await expect(openToolStore({path, sealingKeys: []})).rejects.toThrow(
      'is of an earlier version of Bosun. Start Bosun once',
    )
    await editRaw(path, 'delete from kysely_migration')
    await expect(openToolStore({path, sealingKeys: []})).rejects.toThrow('is empty.')
  })
})

test('a secret that somebody quotes is kept nowhere', async () => {
  const path = await temporaryDatabase()
  const leaks = createLeaks()
  leaks.learn(new Secret('key_of_the_platform'))
  const store = await openStore({path, sealingKeys: [], omit: leaks.omit})
  const link = await store.links.open(newLink, 0)
  await store.links.change(link.id, {title: 'use key_of_the_platform'})
  const post = {key: 'say:1:0', delivery: '1', draft: `It is "key\\u005fof_the_platform".`}
  await store.posts.intend(
    link.id,
    {...post, file: undefined, hash: undefined, streaming: false},
    0,
  )
  expect((await store.links.byId(link.id))?.title).toBe(`use ${REMOVED}`)
  await store[Symbol.asyncDispose]()
  const print = await printOf(path)
  expect(print).toContain('a key was here')
  expect(print).not.toContain('of_the_platform')
})

describe('sealing keys', () => {
  test('may be changed in turn, as long as the old ones are there', async () => {
    const path = await temporaryDatabase()
    await openAndClose(path)
    const [k1, k2] = [keyOf('k1', 1), keyOf('k2', 2)]
    const ids: string[] = []
    for (const sealingKeys of [[k1], [k2, k1], [k1, k2]]) {
      await using store = await openStore({path, sealingKeys})
      const key = new Secret(`API key ${ids.length}`)
      const added = {team: 'T1', label: `${ids.length}`, key, madeBy: 'U1'}
      ids.push((await store.connections.add(added, 0)).id)
    }
    await using tool = await openRaw(path)
    const sealed = await tool.all<{key: string}>('select key from connections order by label')
    // Each with the key that stood first then.
    expect(sealed.map(({key}) => key.split(':')[0])).toEqual(['k1', 'k2', 'k1'])
    expect((await refusalOf(path, [k1])).message).toContain('lacks the key "k2"')
    await using store = await openStore({path, sealingKeys: [k2, k1]})
    const opened = ids.map((id) => store.connections.keyOf(id)?.reveal())
    expect(opened).toEqual(['API key 0', 'API key 1', 'API key 2'])
  })

  test('that are missing or wrong are named', async () => {
    const path = await temporaryDatabase()
    await openAndClose(path, [keyOf('k1', 1)])
    const missing = await refusalOf(path, [keyOf('k2', 2)])
    expect(missing).toMatchObject({code: 'keys'})
    expect(missing.message).toContain('lacks the key "k1"')
    expect((await refusalOf(path)).message).toContain('lacks the key "k1"')
    const wrong = await refusalOf(path, [keyOf('k1', 9)])
    expect(wrong.message).toContain('the key "k1" is not the one')
    await openAndClose(path, [keyOf('k1', 1)])
  })
})

test('what opens with no key is named, and all else is sealed anew', async () => {
  const path = await temporaryDatabase()
  const [k1, k2] = [keyOf('k1', 1), keyOf('k2', 2)]
  const {connections} = await temporaryStore(path, [k1])
  const add = async (label: string) =>
    connections.add({team: 'T1', label, key: new Secret(`API key ${label}`), madeBy: 'U1'}, 0)
  const [lost] = [await add('lost'), await add('kept')]
  await using tool = await openToolStore({path, sealingKeys: [k2, k1]})
  await editRaw(
    path,
    `update connections set key = substr(key, 1, length(key) - 8) where id = '${lost.id}'`,
  )
  const turned = await rotate(tool, tool.sealer, 'k2')
  expect(turned).toMatchObject({resealed: 1, problems: [expect.stringContaining(lost.id)]})
  expect(turned.removable).toEqual([])
})

describe('writing', () => {
  test('one that fails takes no other with it', async () => {
    const store = await temporaryStore()
    const {id} = await store.links.open(newLink, 0)
    const post = {key: 'card', delivery: undefined, draft: undefined}
    const results = await Promise.allSettled([
      store.posts.intend(id, post, 0),
      store.posts.intend('none', post, 0),
      store.links.change(id, {steps: 7}),
    ])
    expect(results.map(({status}) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await store.posts.unsettled(id)).toHaveLength(1)
    expect((await store.links.byId(id))?.steps).toBe(7)
  })

  test('waits for a lock of somebody else, and the loop goes on meanwhile', async () => {
    const path = await temporaryDatabase()
    const store = await temporaryStore(path)
    const held = await holdWrites(path, 'links')
    let isWritten = false
    const writing = store.links.open(newLink, 0).then((link) => {
      isWritten = true
      return link
    })
    let turns = 0
    await until('the loop turned often', () => (turns += 1) > 20)
    expect(isWritten).toBe(false)
    expect(await store.links.byPlace(place)).toBeUndefined()
    await held[Symbol.asyncDispose]()
    expect((await writing).requestId).toBe('r1')
  })

  test('what two programs read first and write then, both at once, counts once each', async () => {
    const path = await temporaryDatabase()
    const store = await temporaryStore(path)
    const {id} = await store.links.open(newLink, 0)
    const tools = [
      await openToolStore({path, sealingKeys: []}),
      await openToolStore({path, sealingKeys: []}),
    ]
    const addStep = (tool: ToolStore) =>
      tool.write(async (db) => {
        const link = db.selectFrom('links').select('steps').where('id', '=', id)
        const {steps} = await link.executeTakeFirstOrThrow()
        await db
          .updateTable('links')
          .set({steps: steps + 1})
          .where('id', '=', id)
          .execute()
      })
    await Promise.all(
      tools.map(async (tool) => {
        for (let time = 0; time < 20; time += 1) await addStep(tool)
        await tool[Symbol.asyncDispose]()
      }),
    )
    expect((await store.links.byId(id))?.steps).toBe(40)
  })

  test('a database that is locked for a moment while the bot starts is waited for', async () => {
    const path = await temporaryDatabase()
    await openAndClose(path)
    const held = await holdWrites(path, 'links')
    const opening = temporaryStore(path)
    const early = opening.catch((error: unknown) => error)
    await until(
      'the loop turned often',
      (
        (turns) => () =>
          (turns += 1) > 10
      )(0),
    )
    await held[Symbol.asyncDispose]()
    expect(await early).not.toBeInstanceOf(Error)
  })
})

test('busy is told from other troubles', () => {
  expect(isBusy(Object.assign(new Error(), {code: 'SQLITE_BUSY_SNAPSHOT'}))).toBe(true)
  expect(isBusy(Object.assign(new Error(), {code: 'SQLITE_FULL'}))).toBe(false)
  expect(isBusy(new Error('SQLITE_BUSY'))).toBe(false)
  expect(isBusy('SQLITE_BUSY')).toBe(false)
})
