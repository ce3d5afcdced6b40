import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {beforeEach, describe, expect, onTestFinished, test} from 'vitest'
import {z} from 'zod'
import {createLedger, type LedgerRow} from '../../../local/platform/edge/ledger.ts'
import {startPlatform} from '../../../local/platform/server.ts'
import {until} from '../../support/until.ts'
import {temporaryFolder} from '../../support/temporary-folder.ts'
import {clientOf, createClient} from './client.ts'

let file: string

beforeEach(() => {
  file = join(temporaryFolder(), 'deep', 'ledger.jsonl')
})

const row: Omit<LedgerRow, 'seq'> = {
  atMs: 1,
  method: 'GET',
  path: '/x',
  status: 200,
  key: 'human',
  applied: false,
}

const linesOf = (path: string): unknown[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line))

describe('the rows in memory', () => {
  test('are the newest ones, numbered from the first', () => {
    using ledger = createLedger({maxRows: 3})
    for (let count = 0; count < 10; count += 1) ledger.add(row)
    expect(ledger.rows.map(({seq}) => seq)).toEqual([8, 9, 10])
  })

  test('are fewer when they are large', () => {
    using ledger = createLedger({maxRows: 100})
    for (let count = 0; count < 80; count += 1) ledger.add({...row, body: 'x'.repeat(2 ** 20)})
    expect(ledger.rows.length).toBeLessThan(64)
    expect(ledger.rows.at(-1)?.seq).toBe(80)
  })

  test('are completed when a stream has closed, also when they are gone by then', () => {
    using ledger = createLedger({maxRows: 2})
    const [first, second] = [ledger.add(row), ledger.add(row)]
    ledger.close(second, {bytes: 7, closedAtMs: 2})
    ledger.add(row)
    ledger.close(first, {bytes: 9, closedAtMs: 3})
    expect(ledger.rows).toMatchObject([{seq: 2, bytes: 7, closedAtMs: 2}, {seq: 3}])
  })
})

describe('the file', () => {
  test('keeps all rows, and goes on behind them in the next process', () => {
    const first = createLedger({maxRows: 1, file})
    for (let count = 0; count < 3; count += 1) first.add(row)
    first.close(3, {bytes: 5, closedAtMs: 9})
    // Without closing it, as a process that is killed.
    using second = createLedger({maxRows: 1, file})
    second.add(row)
    expect(linesOf(file)).toEqual([
      {seq: 1, ...row},
      {seq: 2, ...row},
      {seq: 3, ...row},
      {seq: 3, ...row, bytes: 5, closedAtMs: 9},
      {seq: 4, ...row},
    ])
    first[Symbol.dispose]()
  })
})

test('a process that is killed leaves its rows, and the next one goes on behind them', async () => {
  const start = async () => {
    const child = spawn(process.execPath, ['local/platform/main.ts', '--ledger', file])
    onTestFinished(() => void child.kill('SIGKILL'))
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    const ready = z.object({originUrl: z.string(), controlUrl: z.string()}).parse(JSON.parse(line))
    expect(ready.controlUrl).toBe(`${ready.originUrl}/control`)
    return {child, ready}
  }
  for (const count of [1, 2]) {
    const {child, ready} = await start()
    expect((await fetch(`${ready.originUrl}/api/v1/users`)).status).toBe(401)
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    expect(linesOf(file)).toHaveLength(count)
    expect(linesOf(file).at(-1)).toMatchObject({seq: count, status: 401, key: null})
  }
})

describe('every request', () => {
  test('stands there with what it did', async () => {
    await using platform = await startPlatform({pace: 0.001, ledgerFile: file})
    const client = clientOf(platform)
    const threadId = await client.create('quick', 'once')
    await client.create('quick', 'once')
    const {body: receipt} = await client.post(`/threads/${threadId}/message`, {text: 'quick'})
    const unkept = {'idempotency-key': 'k', 'last-event-id': 'e'}
    await client.request('POST', '/threads', {requestId: 'odd'}, unkept)
    expect(platform.ledger).toMatchObject([
      {seq: 1, method: 'POST', status: 200, key: 'human', applied: true, result: {id: threadId}},
      {seq: 2, applied: false, result: {id: threadId}},
      {seq: 3, applied: true, result: {id: receipt['id'], deduped: false}},
      {seq: 4, status: 400, applied: false, result: {_tag: 'svc/InvalidRequest'}},
    ])
    expect(platform.ledger[3]).toMatchObject({idempotencyKey: 'k', lastEventId: 'e'})
    expect(linesOf(file)).toEqual(platform.ledger)
  })

  test('of a stream says how much was sent, and when it closed', async () => {
    await using platform = await startPlatform({pace: 0.001})
    const client = clientOf(platform)
    const threadId = await client.create('quick')
    const frames = await client.run(threadId)
    const stream = await until('the row', () => platform.ledger.find(({bytes}) => bytes))
    expect(stream).toMatchObject({method: 'GET', status: 200, applied: false})
    expect(stream.bytes).toBeGreaterThan(JSON.stringify(frames.map(({data}) => data)).length)
    expect(stream.closedAtMs).toBeGreaterThanOrEqual(stream.atMs)
  })

  test('without a valid key has none, and secrets stay out wherever they are put', async () => {
    await using platform = await startPlatform({ledgerFile: file})
    const {human, readWrite} = platform.keys
    const token = 'eyJhbGciOi.eyJzdWIi.c2ln'
    const wrong = createClient({baseUrl: platform.baseUrl, key: 'wrong'})
    await wrong.get(`/users?key=${human}`)
    const client = clientOf(platform, 'readWrite')
    await client.post('/threads', {requestId: human, projectId: token})
    await fetch(`${platform.originUrl}/webhooks/automations/secret-of-a-hook`, {method: 'POST'})
    expect(platform.ledger.map(({key}) => key)).toEqual([null, 'readWrite', null])
    expect(platform.ledger[0]?.status).toBe(401)
    for (const text of [JSON.stringify(platform.ledger), readFileSync(file, 'utf8')]) {
      for (const secret of [human, readWrite, token, 'secret-of-a']) {
        expect(text).not.toContain(secret)
      }
    }
  })
})
