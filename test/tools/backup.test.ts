import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import {dirname, join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {createSealer} from '../../src/security/seal.ts'
import {backUp, restore} from '../../src/store/sqlite/upkeep/backup.ts'
import {openStore} from '../../src/store/store.ts'
import {editRaw} from '../support/raw-database.ts'
import {tool} from '../support/tool.ts'
import {keyNamed, sealedDatabase, settingsOf} from './sealed-database.ts'

const key = keyNamed('k1')
const sealer = createSealer([key])
const now = new Date('2026-03-04T05:06:07Z')

describe('npm run backup and restore', () => {
  test('while the bot writes: one file, whole, for its owner alone; and back', async () => {
    const {path, store, ids} = await sealedDatabase([key])
    const file = join(dirname(path), 'copies', 'one.db')
    const settings = settingsOf(path, key)
    const nowhere = await tool('backup', [file], settings)
    expect(nowhere).toMatchObject({code: 1, out: ''})
    expect(nowhere.err).toContain(`${file} cannot be written`)
    mkdirSync(dirname(file))

    const done = await tool('backup', [file], settings)
    expect(done).toMatchObject({code: 0, err: ''})
    expect(done.out).toMatch(/one\.db: \d+ bytes, whole; sealing keys that it needs: k1\n/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(dirname(file))).toEqual(['one.db'])

    await store.inbox.add({team: 'T1', key: 'later', lane: 'l', body: '{}'}, 0)
    const running = await tool('restore', [file], settings)
    expect(running).toMatchObject({code: 1, out: ''})
    expect(running.err).toContain('Another bot is running on the database')
    await store[Symbol.asyncDispose]()

    const restored = await tool('restore', [file], settings)
    expect(restored).toMatchObject({code: 0, err: ''})
    expect(restored.out).toContain(`What stood there is ${path}.before-restore-`)
    await using bot = await openStore({path, sealingKeys: [key]})
    expect(bot.connections.keyOf(ids[7] ?? '')?.reveal()).toBe('pk_7_abcd')
    expect(await bot.inbox.byKey('later')).toBeUndefined()
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('what stood there is kept, and can be put back', async () => {
    const {path, store} = await sealedDatabase([key], 1)
    const file = join(dirname(path), 'backup.db')
    expect(backUp({path, sealer}, file, 'refuse')).toEqual({keyIds: ['k1']})
    await store.inbox.add({team: 'T1', key: 'later', lane: 'l', body: '{}'}, 0)
    await store[Symbol.asyncDispose]()
    const {aside = ''} = await restore({path, sealer}, file, now)
    expect(aside).toBe(`${path}.before-restore-20260304T050607Z`)
    await restore({path, sealer}, aside, new Date())
    await using bot = await openStore({path, sealingKeys: [key]})
    expect(await bot.inbox.byKey('later')).toBeDefined()
  })

  test('what a kill left in the log beside the file is put back with it', async () => {
    const {path, store} = await sealedDatabase([key], 1)
    await store.inbox.add({team: 'T1', key: 'last words', lane: 'l', body: '{}'}, 0)
    const killed = join(dirname(path), 'killed.db')
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, killed + suffix)
    await store[Symbol.asyncDispose]()

    await restore({path, sealer}, killed, now)
    expect(readdirSync(dirname(path)).filter((name) => name.includes('restoring'))).toEqual([])
    await using bot = await openStore({path, sealingKeys: [key]})
    expect(await bot.inbox.byKey('last words')).toBeDefined()
  })

  test('what a backup had written that was cut off goes with the next one', async () => {
    const {path} = await sealedDatabase([key], 1)
    const file = join(dirname(path), 'backup.db')
    const [left, written] = ['0a0a0a0a', '0b0b0b0b'].map((mark) => `${file}.partial-${mark}`)
    for (const name of [`${left}`, `${left}-journal`, `${written}`]) writeFileSync(name, 'half')
    for (const name of [`${left}`, `${left}-journal`]) utimesSync(name, 0, 0)
    backUp({path, sealer}, file, 'refuse')
    const partial = readdirSync(dirname(path)).filter((name) => name.includes('partial'))
    expect(partial).toEqual(['backup.db.partial-0b0b0b0b'])
  })

  test('the database itself is not written over, whatever it is called', async () => {
    const {path, store} = await sealedDatabase([key], 1)
    const link = join(dirname(path), 'link.db')
    symlinkSync(path, link)
    for (const file of [path, link]) {
      const {code, err} = await tool('backup', [file, '--force'], settingsOf(path, key))
      expect({code, err}).toEqual({
        code: 1,
        err: `${file} is the database itself. Give another name.\n`,
      })
    }
    await store.inbox.add({team: 'T1', key: 'later', lane: 'l', body: '{}'}, 0)
    expect(await store.check()).toBeUndefined()
  })

  test('a file that is there is replaced only when asked to', async () => {
    const {path} = await sealedDatabase([key], 1)
    const file = join(dirname(path), 'backup.db')
    writeFileSync(file, 'dear to somebody')
    expect(backUp({path, sealer}, file, 'refuse')).toBe('exists')
    expect(readFileSync(file, 'utf8')).toBe('dear to somebody')
    const {code, err} = await tool('backup', [file], settingsOf(path, key))
    expect({code, err}).toEqual({
      code: 1,
      err: `${file} is there already. Give another name, or --force to replace it.\n`,
    })
    expect(backUp({path, sealer}, file, 'replace')).toEqual({keyIds: ['k1']})
    expect(readFileSync(file).subarray(0, 15).toString()).toBe('SQLite format 3')
    expect(readdirSync(dirname(path)).filter((name) => name.includes('partial'))).toEqual([])
  })

  test('a backup that cannot be used changes nothing', async () => {
    const {path, store} = await sealedDatabase([key], 1)
    const file = join(dirname(path), 'backup.db')
    backUp({path, sealer}, file, 'refuse')
    await store[Symbol.asyncDispose]()
    const before = readFileSync(path)
    const attempt = async (source: string, keys = [key]) => {
      await expect(restore({path, sealer: createSealer(keys)}, source, now)).rejects.toThrow()
      expect(readFileSync(path)).toEqual(before)
      expect(existsSync(`${path}.restoring`)).toBe(false)
    }
    await attempt(join(dirname(path), 'nowhere.db'))
    await attempt(file, [keyNamed('k2')])
    await attempt(file, [keyNamed('k1')])
    const newer = join(dirname(path), 'newer.db')
    copyFileSync(file, newer)
    await editRaw(newer, "insert into kysely_migration values ('9999-later', '2027-01-01')")
    await attempt(newer)
    truncateSync(file, statSync(file).size - 4096)
    await attempt(file)
    writeFileSync(file, 'no database '.repeat(500))
    await attempt(file)
    expect((await tool('restore', [file], settingsOf(path, key))).err).toContain('is damaged')
  })
})
