import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {linkSync, renameSync, rmSync, statSync} from 'node:fs'
import {dirname, join} from 'node:path'
import Database from 'better-sqlite3'
import {expect, onTestFinished, test} from 'vitest'
import {isBotRunning} from '../../../src/store/sqlite/one-bot/bot-lock.ts'
import {glanceAt} from '../../../src/store/sqlite/one-bot/bot-mark.ts'
import {openStore} from '../../../src/store/store.ts'
import {until} from '../../support/until.ts'
import {newLink, place, temporaryPath, temporaryStore} from '../temporary-store.ts'

/** A database that somebody has written to who is not here: as a process that was killed leaves it. */
async function leftBehind(): Promise<string> {
  const path = temporaryPath()
  const store = await openStore({path, sealingKeys: []})
  await store[Symbol.asyncDispose]()
  const database = new Database(path)
  database
    .prepare(`update bot_mark set start = ?, pid = 1, host = ?, path = ?, since = ?, ended = 0`)
    .run('another', 'elsewhere', '/data/bosun.db', '2026-01-01T00:00:00.000Z')
  database.close()
  return path
}

/** Moves the mark as its bot would, until the test ends. */
function move(path: string): void {
  const database = new Database(path)
  const beats = setInterval(() => database.exec('update bot_mark set beat = beat + 1'), 200)
  onTestFinished(() => {
    clearInterval(beats)
    database.close()
  })
}

test('the mark says who runs, moves while it runs, and that it has ended', async () => {
  const path = temporaryPath()
  const store = await openStore({path, sealingKeys: []})
  const mark = glanceAt(path)
  expect(mark).toMatchObject({pid: process.pid, path})
  await until('it moves', () => (glanceAt(path)?.beat ?? 0) > (mark?.beat ?? 0))
  await store[Symbol.asyncDispose]()
  expect(glanceAt(path)).toMatchObject({start: mark?.start, ended: 1})
})

test('a mark that moves is of a bot that lives, wherever that is', async () => {
  const path = await leftBehind()
  move(path)
  expect(await isBotRunning(path)).toBe(true)
  const opening = openStore({path, sealingKeys: []})
  await expect(opening).rejects.toMatchObject({code: 'in-use'})
  await expect(opening).rejects.toThrow('(process 1 on elsewhere, since 2026-01-01T00:00:00.000Z)')
})

test('a mark that does not move is taken over', async () => {
  const path = await leftBehind()
  expect(await isBotRunning(path)).toBe(false)
  const store = await temporaryStore(path)
  expect(glanceAt(path)).toMatchObject({pid: process.pid, path})
  expect(await store.check()).toBeUndefined()
})

test('a mark of somebody unknown is not taken over while anybody has the file open', async () => {
  const path = await leftBehind()
  const reader = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `import Database from 'better-sqlite3'
     const database = new Database(process.argv[1])
     database.prepare('select count(*) from links').get()
     console.log('open')
     process.stdin.resume().on('end', () => database.close())`,
    path,
  ])
  await once(reader.stdout, 'data')
  await expect(openStore({path, sealingKeys: []})).rejects.toMatchObject({code: 'in-use'})
  reader.stdin.end()
  await once(reader, 'close')
  await temporaryStore(path)
})

test('a mark that its own lock file knows is taken over while tools have the file open', async () => {
  const path = temporaryPath()
  const store = await openStore({path, sealingKeys: []})
  const mark = glanceAt(path)
  await store[Symbol.asyncDispose]()
  const tool = new Database(path)
  onTestFinished(() => void tool.close())
  tool.exec('update bot_mark set ended = 0')
  await temporaryStore(path)
  expect(glanceAt(path)?.start).not.toBe(mark?.start)
})

test('who has lost the database writes nothing more, and says to whom', async () => {
  const path = temporaryPath()
  const store = await temporaryStore(path)
  const other = new Database(path)
  onTestFinished(() => void other.close())
  other.exec(`update bot_mark set start = 'another', pid = 7, host = 'elsewhere'`)
  const words = 'Another bot (process 7 on elsewhere, since '
  await expect(store.links.open(newLink, 0)).rejects.toThrow(words)
  expect(await store.links.byPlace(place)).toBeUndefined()
  await until('it is known', () => store.lost.aborted)
  expect(String(store.lost.reason)).toContain(words)
})

test('a database that has another name is used by the one that its mark names', async () => {
  const path = temporaryPath()
  const other = join(dirname(dirname(path)), 'other.db')
  const made = await openStore({path, sealingKeys: []})
  await made[Symbol.asyncDispose]()
  linkSync(path, other)
  const store = await openStore({path: other, sealingKeys: []})
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0)
  await store[Symbol.asyncDispose]()

  // Once the old name is gone, the new one is the name.
  rmSync(path)
  renameSync(`${path}.lock`, `${other}.lock`)
  await temporaryStore(other)
  expect(glanceAt(other)).toMatchObject({path: other})
})
