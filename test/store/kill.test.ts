import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openStore} from '../../src/store/store.ts'
import {temporaryPath} from './temporary-store.ts'

const CHILD = join(import.meta.dirname, 'acknowledging-child.ts')
const KILLS = 20

/** Lets a process write until it has said so many numbers, and kills it; the last one that it said. */
async function writeAndDie(path: string, from: number, count: number): Promise<number> {
  const child = spawn(process.execPath, [CHILD, path, String(from)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (said.split('\n').length > count) child.kill('SIGKILL')
  })
  const [, signal] = (await once(child, 'close')) as [number | null, string | null]
  expect(signal).toBe('SIGKILL')
  return Number(
    said
      .trimEnd()
      .split('\n')
      .findLast((line) => line !== ''),
  )
}

test('a process that is killed loses nothing that it acknowledged', async () => {
  const path = temporaryPath()
  let last = -1
  for (let kill = 0; kill < KILLS; kill += 1) {
    last = await writeAndDie(path, last + 1, 1 + ((kill * 7) % 23))
    const store = await openStore({path, sealingKeys: []})
    const rows = await Promise.all(
      Array.from({length: last + 1}, (_, number) => store.inbox.byKey(String(number))),
    )
    expect(rows.every((row) => row !== undefined)).toBe(true)
    const link = await store.links.byPlace({team: 'T', channel: 'C', slackThread: '1.0'})
    const cursor = Number(link?.cursor)
    expect(cursor).toBeGreaterThanOrEqual(last)
    // What was written together stands together.
    expect(await store.inbox.byKey(String(cursor))).toBeDefined()
    expect(await store.inbox.byKey(String(cursor + 1))).toBeUndefined()
    last = cursor
    await store[Symbol.asyncDispose]()
  }
}, 60_000)
