import {beforeEach, describe, expect, test} from 'vitest'
import {startPlatform, type Platform} from '../../../local/platform/server.ts'
import {until} from '../../support/until.ts'
import {clientOf, type Client} from './client.ts'
import {createManualClock} from './manual-clock.ts'
import {receive} from '../../support/raw-http.ts'
import {openPlatform} from './open-platform.ts'

let platform: Platform
let client: Client

beforeEach(async () => {
  platform = await openPlatform({pace: 0.001})
  client = clientOf(platform)
})

type Rule = Parameters<Platform['control']['faults']['add']>[0]
const arm = (fault: Rule['fault'], rest: Omit<Rule, 'fault'> = {}): string =>
  platform.control.faults.add({...rest, fault})

const headers = (): Record<string, string> => ({
  authorization: `Bearer ${platform.keys.human}`,
  'content-type': 'application/json',
})
const ask = (path: string, enoughBytes?: number) =>
  receive(platform.baseUrl + path, {
    headers: headers(),
    ...(enoughBytes !== undefined && {enoughBytes}),
  })
const kickoff = JSON.stringify({requestId: 'r', projectId: 'project_web', message: '✨ quick'})
const create = () =>
  receive(`${platform.baseUrl}/threads`, {method: 'POST', headers: headers(), body: kickoff})

/** A thread that is archived: its stream always says the same, and ends. */
const archive = async (): Promise<string> => {
  const threadId = await client.create('🧾 quick')
  await client.run(threadId)
  await client.post(`/threads/${threadId}/archive`)
  return `/threads/${threadId}/stream`
}

describe('which requests a rule hits', () => {
  test('those that match in method, path with query, and header', async () => {
    arm(
      {kind: 'answer', status: 418, applied: false},
      {
        match: {
          method: 'get',
          path: '^/api/v1/users\\?x=\\d$',
          header: {name: 'X-Way', value: '^a'},
        },
      },
    )
    const way = {...headers(), 'x-way': 'abc'}
    const statusOf = async (method: string, path: string, given: Record<string, string>) =>
      (await receive(platform.baseUrl + path, {method, headers: given})).status
    expect(await statusOf('POST', '/users?x=1', way)).toBe(405)
    expect(await statusOf('GET', '/users?x=y', way)).toBe(200)
    expect(await statusOf('GET', '/users?x=1', headers())).toBe(200)
    expect(await statusOf('GET', '/users?x=1', {...headers(), 'x-way': 'b'})).toBe(200)
    expect(await statusOf('GET', '/users?x=1', way)).toBe(418)
    expect(await statusOf('GET', '/users?x=1', way)).toBe(200)
  })

  test('so many of them, after so many others; the first rule wins, and hits are counted', async () => {
    arm({kind: 'answer', status: 500, applied: false}, {match: {path: 'users'}, after: 1, times: 2})
    arm({kind: 'answer', status: 503, applied: false}, {match: {path: 'users'}, times: null})
    const statuses: number[] = []
    for (let count = 0; count < 5; count += 1) statuses.push((await ask('/users')).status)
    expect(statuses).toEqual([503, 500, 500, 503, 503])
    expect(platform.control.faults.list()).toMatchObject([
      {seen: 3, hits: 2},
      {seen: 3, hits: 3},
    ])
    expect(platform.control.faults.clear()).toBe(2)
    expect((await ask('/users')).status).toBe(200)
  })

  test('none that is not a rule', () => {
    expect(() => arm({kind: 'chunks', bytes: 0})).toThrow(/bytes/)
    expect(() => arm({kind: 'lost', applied: true}, {match: {path: '('}})).toThrow(/regular/)
  })
})

describe('answers', () => {
  test('are replaced, whether the request takes effect or not', async () => {
    const answer = {kind: 'answer', status: 502, body: '<h1>Bad Gateway</h1>'} as const
    arm({...answer, applied: false})
    arm({...answer, applied: true, headers: {'x-from': 'proxy'}})
    const [first, second] = [await create(), await create()]
    for (const {status, text, headers} of [first, second]) {
      expect([status, text]).toEqual([502, '<h1>Bad Gateway</h1>'])
      expect(headers['content-type']).toContain('text/html')
    }
    expect(second.headers['x-from']).toBe('proxy')
    const [thread] = platform.threads()
    expect(platform.ledger).toMatchObject([
      {status: 502, applied: false, fault: 'answer', key: 'human', body: {requestId: 'r'}},
      {status: 502, applied: true, fault: 'answer', result: {id: thread?.id}},
    ])
    expect(platform.threads()).toHaveLength(1)
  })

  test('are JSON when they are given as JSON, and may be empty', async () => {
    const body = {_tag: 'svc/RateLimited', retryAfterSeconds: 7}
    arm({kind: 'answer', status: 429, body, headers: {'retry-after': '7'}, applied: false})
    arm({kind: 'answer', status: 204, applied: false})
    arm({kind: 'answer', status: 301, headers: {location: '/elsewhere'}, applied: false})
    const limited = await client.get('/users')
    expect([limited.status, limited.body]).toEqual([429, body])
    expect(limited.headers.get('retry-after')).toBe('7')
    expect(await ask('/users')).toMatchObject({status: 204, text: ''})
    expect(await ask('/users')).toMatchObject({status: 301, headers: {location: '/elsewhere'}})
  })

  test('are lost, before or after the request takes effect', async () => {
    arm({kind: 'lost', applied: false})
    arm({kind: 'lost', applied: true})
    await expect(create()).rejects.toThrow(/hang up|ECONNRESET/)
    expect(platform.threads()).toHaveLength(0)
    await expect(create()).rejects.toThrow(/hang up|ECONNRESET/)
    const [thread] = platform.threads()
    expect(platform.ledger).toMatchObject([
      {status: null, applied: false, fault: 'lost'},
      {status: null, applied: true, fault: 'lost', result: {id: thread?.id}},
    ])
  })

  test.each([0, 1, 7])('are cut after %d bytes', async (afterBytes) => {
    arm({kind: 'cut', afterBytes})
    const {status, text, isWhole} = await ask('/users')
    expect([status, text, isWhole]).toEqual([200, '{"items'.slice(0, afterBytes), false])
    expect(platform.ledger).toMatchObject([{status: 200, fault: 'cut'}])
  })

  test('are reset', async () => {
    arm({kind: 'cut', afterBytes: 3, reset: true})
    expect(await ask('/users')).toMatchObject({text: '{"i', isWhole: false})
  })

  test('stall', async () => {
    arm({kind: 'stall', afterBytes: 5})
    const stalled = ask('/users')
    await until('the hit', () => platform.ledger.at(-1)?.fault)
    expect((await ask('/users')).isWhole).toBe(true)
    await platform.control.restart()
    expect(await stalled).toMatchObject({text: '{"ite', isWhole: false})
  })

  test('carry more than JSON', async () => {
    arm({kind: 'trailing', text: '<!-- proxy -->'})
    arm({kind: 'bom'})
    const plain = (await ask('/projects')).text // used by the first rule
    expect(plain.endsWith('}<!-- proxy -->')).toBe(true)
    const {text, isWhole} = await ask('/projects')
    expect([text.startsWith('\uFEFF{'), isWhole]).toEqual([true, true])
  })
})

describe('a delay', () => {
  test('stands before the request is handled, or before its answer', async () => {
    const clock = createManualClock()
    await using slow = await startPlatform({clock})
    const {faults} = slow.control
    const creating = async (): Promise<number> => {
      const auth = {authorization: `Bearer ${slow.keys.human}`, 'content-type': 'application/json'}
      const url = `${slow.baseUrl}/threads`
      return (await receive(url, {method: 'POST', headers: auth, body: kickoff})).status
    }
    const held = (hits: number) => () => faults.list().some((fault) => fault.hits === hits)
    const early = faults.add({fault: {kind: 'delay', ms: 1000}})
    const first = creating()
    await until('the hit', held(1))
    clock.advance(999)
    expect(slow.threads()).toHaveLength(0)
    clock.advance(1)
    expect(await first).toBe(200)
    faults.remove(early)
    faults.add({fault: {kind: 'delay', answerMs: 60_000}})
    const second = creating()
    await until('the hit', held(1))
    expect(slow.ledger).toHaveLength(1)
    clock.advance(60_000)
    expect(await second).toBe(200)
  })

  test('ends with its rule, and the request is handled', async () => {
    const {faults} = platform.control
    const held = faults.add({fault: {kind: 'delay', ms: 600_000, answerMs: 600_000}})
    const created = create()
    await until('the hit', () => faults.list()[0]?.hits === 1)
    expect(platform.threads()).toHaveLength(0)
    faults.remove(held)
    await created
    expect(platform.threads()).toHaveLength(1)
  })

  test('ends with the server, and nothing is done any more', async () => {
    arm({kind: 'delay', ms: 600_000})
    const lost = expect(create()).rejects.toThrow(/hang up|ECONNRESET/)
    await until('the hit', () => platform.control.faults.list()[0]?.hits === 1)
    await platform.control.restart()
    await lost
    expect(platform.threads()).toHaveLength(0)
    expect(platform.ledger).toMatchObject([{status: null, applied: false, fault: 'delay'}])
  })
})

describe('streams', () => {
  test('are cut at every byte, also inside a character', async () => {
    const path = await archive()
    const whole = Buffer.concat((await ask(path)).chunks)
    const inside = whole.indexOf('🧾') + 2
    for (const afterBytes of [0, 1, inside, whole.length - 1]) {
      arm({kind: 'cut', afterBytes})
      const {status, chunks, isWhole} = await ask(path)
      expect([status, isWhole]).toEqual([200, false])
      expect(Buffer.concat(chunks).equals(whole.subarray(0, afterBytes))).toBe(true)
    }
    arm({kind: 'cut', afterBytes: whole.length + 1})
    expect(await ask(path)).toMatchObject({text: whole.toString(), isWhole: true})
  })

  test('stall with the connection open', async () => {
    const path = await archive()
    const whole = await ask(path)
    arm({kind: 'stall', afterBytes: 20})
    const stalled = ask(path)
    await until('the hit', () => platform.ledger.at(-1)?.fault)
    expect(platform.control.closeStreams()).toBe(1)
    expect(await stalled).toMatchObject({text: whole.text.slice(0, 20), isWhole: false})
  })

  test('come in single bytes, with other line ends, with a mark in front and words behind', async () => {
    const path = await archive()
    const whole = await ask(path)
    arm({kind: 'chunks', bytes: 1})
    const bytes = await ask(path)
    expect(bytes.text).toBe(whole.text)
    expect(Math.max(...bytes.chunks.map(({length}) => length))).toBe(1)
    arm({kind: 'crlf'})
    expect((await ask(path)).text).toBe(whole.text.replaceAll('\n', '\r\n'))
    arm({kind: 'bom'})
    expect((await ask(path)).text).toBe(`\uFEFF${whole.text}`)
    arm({kind: 'trailing', text: 'x'})
    expect((await ask(path)).text).toBe(`${whole.text}x`)
  })

  test('repeat their frames', async () => {
    const path = await archive()
    const blocks = (await ask(path)).text.split(/(?<=\n\n)/)
    arm({kind: 'duplicate'})
    const all = blocks.flatMap((block) => (block.startsWith('event') ? [block, block] : [block]))
    expect((await ask(path)).text).toBe(all.join(''))
    arm({kind: 'duplicate', event: 'transcript'})
    const some = blocks.flatMap((block) =>
      block.startsWith('event: transcript') ? [block, block] : [block],
    )
    expect((await ask(path)).text).toBe(some.join(''))
  })

  test('carry strange frames between theirs', async () => {
    const path = await archive()
    const frames = (await ask(path)).text
      .split(/(?<=\n\n)/)
      .filter((block) => block !== 'retry: 2000\n\n')
    const frame = `event: weather\ndata: ${'☀'.repeat(100_000)}\n\n`
    arm({kind: 'inject', frame, every: 2})
    const {text} = await ask(path)
    expect(text.split(frame)).toHaveLength(Math.floor(frames.length / 2) + 1)
    expect(text.replaceAll(frame, '').replace('retry: 2000\n\n', '')).toBe(frames.join(''))
  })

  test('say nothing while nothing happens', async () => {
    await using beating = await startPlatform({heartbeatMs: 30, pace: 0.001})
    const other = clientOf(beating)
    const threadId = await other.create('quick')
    await other.run(threadId)
    beating.control.faults.add({fault: {kind: 'noHeartbeat'}})
    await using silent = await other.stream(threadId)
    await using loud = await other.stream(threadId)
    const beats = (frames: {event: string}[]) => frames.filter(({event}) => event === 'heartbeat')
    await loud.until('three heartbeats', (frames) => beats(frames).length >= 3)
    expect(silent.frames.length).toBeGreaterThan(0)
    expect(beats(silent.frames)).toHaveLength(0)
  })
})
