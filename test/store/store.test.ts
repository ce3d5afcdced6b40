import {createHash} from 'node:crypto'
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {dirname} from 'node:path'
import Database from 'better-sqlite3'
import {describe, expect, test} from 'vitest'
import {Secret} from '../../src/security/secret.ts'
import {type StoreError, isBusy} from '../../src/store/database/errors.ts'
import {openStore} from '../../src/store/store.ts'
import {until} from '../support/until.ts'
import {newLink, place, temporaryPath, temporaryStore} from './temporary-store.ts'

const keyOf = (id: string, byte: number) => ({
  id,
  key: new Secret(Buffer.alloc(32, byte).toString('base64')),
})

async function refusalOf(path: string, sealingKeys = [] as ReturnType<typeof keyOf>[]) {
  try {
    const store = await openStore({path, sealingKeys})
    await store[Symbol.asyncDispose]()
  } catch (error) {
    return error as StoreError
  }
  throw new Error('It was opened')
}

async function openAndClose(path: string, sealingKeys = [] as ReturnType<typeof keyOf>[]) {
  const store = await openStore({path, sealingKeys})
  await store[Symbol.asyncDispose]()
}

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

describe('a database', () => {
  test('is made with its folder, and keeps what was written', async () => {
    const path = temporaryPath()
    const first = await openStore({path, sealingKeys: []})
    const link = await first.links.open(newLink, 0)
    await first[Symbol.asyncDispose]()
    const second = await temporaryStore(path)
    expect(await second.links.byPlace(place)).toEqual(link)
    await expect(second.check()).resolves.toBeUndefined()
  })

  test('belongs to one bot at a time', async () => {
    const path = temporaryPath()
    const first = await openStore({path, sealingKeys: []})
    expect(await refusalOf(path)).toMatchObject({name: 'StoreError', code: 'in-use'})
    await first[Symbol.asyncDispose]()
    await openAndClose(path)
  })

  test('is open to tools while the bot runs', async () => {
    const path = temporaryPath()
    const store = await temporaryStore(path)
    await store.links.open(newLink, 0)
    using tool = asDisposable(new Database(path, {readonly: true}))
    expect(tool.db.prepare('select count(*) from links').pluck().get()).toBe(1)
  })

  test('of a newer version is refused, and stays byte for byte what it was', async () => {
    const path = temporaryPath()
    await openAndClose(path)
    const db = new Database(path)
    db.prepare(`insert into kysely_migration values ('9999-later', '2026-01-01')`).run()
    db.close()
    const before = hashOf(path)
    const error = await refusalOf(path)
    expect(error).toMatchObject({code: 'newer'})
    expect(error.message).toContain('9999-later')
    expect(hashOf(path)).toBe(before)
  })

  test('that is none is refused', async () => {
    const path = temporaryPath()
    mkdirSync(dirname(path), {recursive: true})
    writeFileSync(path, 'This is a text of some length, and by no means a database.'.repeat(30))
    expect(await refusalOf(path)).toMatchObject({code: 'damaged'})
  })

  test('in a place that cannot be is refused', async () => {
    const path = temporaryPath()
    mkdirSync(dirname(dirname(path)), {recursive: true})
    writeFileSync(dirname(path), 'a file where the folder should be')
    expect(await refusalOf(path)).toMatchObject({code: 'unreadable'})
  })
})

describe('sealing keys', () => {
  test('may be changed in turn, as long as the old ones are there', async () => {
    const path = temporaryPath()
    await openAndClose(path)
    const [k1, k2] = [keyOf('k1', 1), keyOf('k2', 2)]
    const ids: string[] = []
    for (const sealingKeys of [[k1], [k2, k1], [k1, k2]]) {
      await using store = await openStore({path, sealingKeys})
      const key = new Secret(`API key ${ids.length}`)
      const added = {team: 'T1', label: `${ids.length}`, key, madeBy: 'U1'}
      ids.push((await store.connections.add(added, 0)).id)
    }
    using tool = asDisposable(new Database(path, {readonly: true}))
    const sealed = tool.db.prepare<[], string>('select key from connections order by label').pluck()
    // Each with the key that stood first then.
    expect(sealed.all().map((key) => key.split(':')[0])).toEqual(['k1', 'k2', 'k1'])
    expect((await refusalOf(path, [k1])).message).toContain('lacks the key "k2"')
    await using store = await openStore({path, sealingKeys: [k2, k1]})
    const opened = ids.map((id) => store.connections.keyOf(id)?.reveal())
    expect(opened).toEqual(['API key 0', 'API key 1', 'API key 2'])
  })

  test('that are missing or wrong are named', async () => {
    const path = temporaryPath()
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

describe('writing', () => {
  test('what arrives together is committed together', async () => {
    const path = temporaryPath()
    const store = await temporaryStore(path)
    const before = countCommits(path)
    await Promise.all(
      Array.from({length: 500}, (_, index) =>
        store.inbox.add({key: `k${index}`, lane: 'l', body: '{}'}, 0),
      ),
    )
    // Few: a group ends only when it has held the event loop for too long.
    expect(countCommits(path) - before).toBeLessThan(100)
    expect((await store.inbox.due(0)).map(({key}) => key)).toEqual(['k0'])
  })

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
    const path = temporaryPath()
    const store = await temporaryStore(path)
    using other = asDisposable(new Database(path, {timeout: 0}))
    other.db.exec('begin immediate')
    let isWritten = false
    const writing = store.links.open(newLink, 0).then((link) => {
      isWritten = true
      return link
    })
    let turns = 0
    await until('the loop turned often', () => (turns += 1) > 20)
    expect(isWritten).toBe(false)
    expect(await store.links.byPlace(place)).toBeUndefined()
    other.db.exec('commit')
    expect((await writing).requestId).toBe('r1')
  })

  test('a database that is locked for a moment while the bot starts is waited for', async () => {
    const path = temporaryPath()
    await openAndClose(path)
    using other = asDisposable(new Database(path, {timeout: 0}))
    other.db.exec('begin immediate')
    const opening = temporaryStore(path)
    const early = opening.catch((error: unknown) => error)
    await until(
      'the loop turned often',
      (
        (turns) => () =>
          (turns += 1) > 10
      )(0),
    )
    other.db.exec('commit')
    expect(await early).not.toBeInstanceOf(Error)
  })
})

test('busy is told from other troubles', () => {
  expect(isBusy(Object.assign(new Error(), {code: 'SQLITE_BUSY_SNAPSHOT'}))).toBe(true)
  expect(isBusy(Object.assign(new Error(), {code: 'SQLITE_FULL'}))).toBe(false)
  expect(isBusy(new Error('SQLITE_BUSY'))).toBe(false)
  expect(isBusy('SQLITE_BUSY')).toBe(false)
})

function asDisposable(db: Database.Database) {
  return {db, [Symbol.dispose]: () => void db.close()}
}

/** Commits in the write-ahead log: frames that name the database's size (sqlite.org/fileformat, section 4.1). */
function countCommits(path: string): number {
  const log = readFileSync(`${path}-wal`)
  let commits = 0
  for (let at = 32; at + 24 <= log.length; at += 24 + 4096) {
    if (log.readUInt32BE(at + 4) > 0) commits += 1
  }
  return commits
}
