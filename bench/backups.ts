import {randomBytes} from 'node:crypto'
import {mkdtempSync, rmSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {Worker, isMainThread, parentPort, workerData} from 'node:worker_threads'
import {parseArgs} from 'node:util'
import Database from 'better-sqlite3'
import {createSealer} from '../src/security/seal.ts'
import {Secret} from '../src/security/secret.ts'
import {backUp, restore} from '../src/store/sqlite/upkeep/backup.ts'
import {openStore} from '../src/store/store.ts'
import {atLeast, endWith, exactly, never} from './lines.ts'

/**
 * Backups while rows are written: each must restore, open its seals, and hold every row of one instant. Rows are numbered
 * and written one after the other, so a torn copy would miss one in the middle.
 */

const keyText = isMainThread ? randomBytes(32).toString('base64') : readWorker().key
const key = {id: 'k1', key: new Secret(keyText)}

if (isMainThread) await main()
else await writeAway(readWorker().path)

interface Task {
  path: string
  key: string
}

function readWorker(): Task {
  return workerData as Task
}

/** The bot: writes until it is told to end. */
async function writeAway(path: string): Promise<void> {
  const end = Promise.withResolvers<undefined>()
  let isOver = false
  parentPort?.once('message', () => {
    isOver = true
    end.resolve(undefined)
  })
  const store = await openStore({path, sealingKeys: [key]})
  for (let number = 0; number < 50; number += 1) {
    const made = {team: 'T1', label: 'l', key: new Secret(`pk_${number}`), madeBy: 'U1'}
    await store.connections.add(made, 0)
  }
  parentPort?.postMessage('ready')
  let number = 0
  while (!isEnded(() => isOver)) {
    number += 1
    const body = 'x'.repeat(number % 50 === 0 ? 20_000 : 300)
    await store.inbox.add({team: 'T1', key: String(number), lane: 'l', body}, 0)
  }
  await store[Symbol.asyncDispose]()
  parentPort?.postMessage(number)
  parentPort?.close()
}

function isEnded(look: () => boolean): boolean {
  return look()
}

async function main(): Promise<void> {
  const {values: options} = parseArgs({options: {backups: {type: 'string', default: '200'}}})
  const folder = mkdtempSync(join(tmpdir(), 'bosun-backups-'))
  const path = join(folder, 'data', 'bosun.db')
  const sealer = createSealer([key])
  const bot = new Worker(new URL(import.meta.url), {workerData: {path, key: keyText}})
  const said: unknown[] = []
  bot.on('message', (word) => said.push(word))
  await new Promise((resolve) => bot.once('message', resolve))
  const counts = {good: 0, bad: 0, rows: 0, bytes: 0}
  const startedMs = performance.now()
  let slowestMs = 0
  try {
    for (let number = 0; number < Number(options.backups); number += 1) {
      const file = join(folder, `${number}.db`)
      const beganMs = performance.now()
      const rows = await tried(() => {
        backUp({path, sealer}, file, 'refuse')
        slowestMs = Math.max(slowestMs, performance.now() - beganMs)
        counts.bytes = statSync(file).size
        return restored(join(folder, `restored-${number}`, 'bosun.db'), file)
      })
      if (rows === undefined || rows < counts.rows) counts.bad += 1
      else counts.good += 1
      counts.rows = rows ?? counts.rows
      rmSync(file, {force: true})
      rmSync(join(folder, `restored-${number}`), {recursive: true, force: true})
    }
  } finally {
    const ended = new Promise((resolve) => bot.once('exit', resolve))
    bot.postMessage('end')
    await ended
    rmSync(folder, {recursive: true, force: true})
  }
  const lines: [string, string | number][] = [
    ['rows in the end', String(said.at(-1))],
    ['size of the last one', `${(counts.bytes / 1e6).toFixed(1)} MB`],
    ['slowest backup', `${slowestMs.toFixed(0)} ms`],
    ['seconds', ((performance.now() - startedMs) / 1000).toFixed(1)],
  ]
  for (const [what, value] of lines) console.log(`${what.padEnd(44)}${value}`)
  endWith([
    exactly('backups that restore and open their seals', counts.good, Number(options.backups)),
    never('backups that do not', counts.bad),
    atLeast('rows in the last one', counts.rows, 1),
  ])
}

/** A backup that cannot be made, or not be restored, is one that does not restore. */
async function tried(act: () => Promise<number | undefined>): Promise<number | undefined> {
  try {
    return await act()
  } catch (error) {
    console.log(String(error))
    return undefined
  }
}

/** How many rows a restored backup holds; `undefined` where one is missing in the middle or a seal does not open. */
async function restored(path: string, file: string): Promise<number | undefined> {
  await restore({path, sealer: createSealer([key])}, file, new Date())
  const store = await openStore({path, sealingKeys: [key]})
  const connections = await store.connections.ofTeam('T1')
  const isOpen = connections.every(({id}) => store.connections.keyOf(id) !== undefined)
  await store[Symbol.asyncDispose]()
  const database = new Database(path, {readonly: true})
  const {count, last} = database
    .prepare('select count(*) as count, max(cast(key as integer)) as last from inbox')
    .get() as {count: number; last: number | null}
  database.close()
  return isOpen && connections.length === 50 && count === (last ?? 0) ? count : undefined
}
