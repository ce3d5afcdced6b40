import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {copyFileSync, mkdirSync, statSync} from 'node:fs'
import {dirname, join} from 'node:path'
import Database from 'better-sqlite3'
import {expect, onTestFinished, test} from 'vitest'
import {type Store, openStore} from '../../src/store/store.ts'
import {tool} from '../support/tool.ts'
import {until} from '../support/until.ts'
import {keyNamed, sealedDatabase, settingsOf} from './sealed-database.ts'

const READER = join(import.meta.dirname, '..', 'support', 'log-reader.ts')
/** As long as a log may be that a bot has emptied. */
const LOG_MAX_BYTES = 16_000_000
/** More than that takes, and a little: longer than a reader of the log lets it grow by itself. */
const ROWS = {many: 28, few: 8}
const BODY = 'x'.repeat(600_000)

/** Another process that copies the log as it grows, until it is told to end. */
async function startReader(path: string): Promise<{child: ChildProcess; copies: string}> {
  const copies = join(dirname(path), 'copies')
  mkdirSync(copies)
  const child = spawn(process.execPath, [READER, path, copies], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return {child, copies}
}

async function write(store: Store, round: number, rows = ROWS.few): Promise<void> {
  const add = (row: number): Promise<boolean> =>
    store.inbox.add({team: 'T1', key: `${round}-${row}`, lane: `${row}`, body: BODY}, 0)
  const added = await Promise.all(Array.from({length: rows}, (_, row) => add(row)))
  expect(added).not.toContain(false)
}

function found(path: string): [rows: number, health: unknown] {
  const database = new Database(path)
  const rows = database.prepare<[], number>('select count(*) from inbox').pluck().get() ?? 0
  const health = database.pragma('integrity_check(1)', {simple: true})
  database.close()
  return [rows, health]
}

const logBytes = (path: string): number =>
  statSync(`${path}-wal`, {throwIfNoEntry: false})?.size ?? 0

test('a process that reads the log keeps nobody from writing, from a backup or from starting, and loses nothing', async () => {
  const key = keyNamed('k1')
  const {path, store, ids} = await sealedDatabase([key])
  const {child, copies} = await startReader(path)
  // While it reads on, nobody can cut the log off: it grows, and work goes on.
  await write(store, 1, ROWS.many)
  expect(logBytes(path)).toBeGreaterThan(LOG_MAX_BYTES)

  const file = join(dirname(path), 'backup.db')
  const [backup] = await Promise.all([
    tool('backup', [file], settingsOf(path, key)),
    write(store, 2),
  ])
  expect(backup).toMatchObject({code: 0, err: ''})
  const [rows, health] = found(file)
  expect(health).toBe('ok')
  expect(rows).toBeGreaterThanOrEqual(ROWS.many)

  // Once it lets go from time to time, as Litestream does, the log is short again, whatever is written meanwhile.
  child.stdin?.write('follow\n')
  for (const round of [3, 4, 5]) await write(store, round)
  await until('the log is short', () => logBytes(path) < LOG_MAX_BYTES)

  // A bot may come back while it reads.
  await store[Symbol.asyncDispose]()
  const next = await openStore({path, sealingKeys: [key]})
  onTestFinished(() => next[Symbol.asyncDispose]())
  await write(next, 6)
  expect(next.connections.keyOf(ids[7] ?? '')?.reveal()).toBe('pk_7_abcd')
  await next[Symbol.asyncDispose]()

  child.stdin?.write('end\n')
  const [generations] = (await once(child.stdout ?? child, 'data')) as [Buffer]
  const last = join(copies, String(Number(generations.toString()) - 1))
  const restored = join(dirname(path), 'restored.db')
  for (const suffix of ['', '-wal'])
    copyFileSync(join(last, `bosun.db${suffix}`), restored + suffix)
  expect(found(restored)).toEqual([ROWS.many + 5 * ROWS.few, 'ok'])
  await once(child, 'close')
  expect(found(path)).toEqual([ROWS.many + 5 * ROWS.few, 'ok'])
})
