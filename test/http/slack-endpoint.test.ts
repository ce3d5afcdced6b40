import {once} from 'node:events'
import {Agent, type IncomingMessage, request} from 'node:http'
import fc from 'fast-check'
import {afterAll, beforeAll, expect, test} from 'vitest'
import type {Arrival} from '../../src/inbox/intake.ts'
import {FORGERIES, draftOf, genuine, post} from '../support/forgeries.ts'
import {listenForSlack} from '../support/slack-gate.ts'

const SECRET = 'a signing secret'
const agent = new Agent({keepAlive: true, maxSockets: 8})
const arrivals: Arrival[] = []
let server: Awaited<ReturnType<typeof listenForSlack>>

beforeAll(async () => {
  server = await listenForSlack(SECRET, async (arrival) => void arrivals.push(arrival))
})
afterAll(async () => {
  agent.destroy()
  await server[Symbol.asyncDispose]()
})

const rolls = fc.infiniteStream(fc.nat()).map((stream) => (below: number) => {
  const {value} = stream.next() as {value: number}
  return value % Math.max(1, below)
})

test.each(Object.keys(FORGERIES))('nothing with %s is let in', async (name) => {
  const before = arrivals.length
  await fc.assert(
    fc.asyncProperty(rolls, async (roll) => {
      const sent = FORGERIES[name]?.(SECRET, draftOf(roll), roll)
      if (sent === undefined) throw new Error(name)
      expect(await post(server.port, sent, agent)).toEqual({status: 401, text: 'Unauthorized'})
    }),
    {numRuns: 200},
  )
  expect(arrivals).toHaveLength(before)
})

test('what Slack has signed in these five minutes is let in, as JSON and as a form', async () => {
  await fc.assert(
    fc.asyncProperty(rolls, fc.integer({min: -290, max: 290}), async (roll, offsetS) => {
      const before = arrivals.length
      const sent = genuine(SECRET, draftOf(roll), offsetS)
      expect((await post(server.port, sent, agent)).status).toBe(200)
      expect(arrivals).toHaveLength(before + 1)
    }),
    {numRuns: 300},
  )
})

test('a form may name its character set', async () => {
  const body = Buffer.from(
    'command=%2Fbosun&text=mine&team_id=T1&channel_id=C1&user_id=U1&trigger_id=5',
  )
  const type = 'application/x-www-form-urlencoded; charset=utf-8'
  expect((await post(server.port, genuine(SECRET, {body, type}), agent)).status).toBe(200)
})

/** Somebody who announces a megabyte, sends so much of it, and lets the rest wait; the status of their answer. */
async function dawdle(headers: Record<string, string | string[]>, bytes: number): Promise<number> {
  const length = {'content-length': '1000000', 'content-type': 'application/json'}
  const sent = request({
    ...{port: server.port, path: '/slack/events', method: 'POST', agent: false},
    headers: {...length, ...headers},
  })
  sent.on('error', () => undefined) // cut off behind its answer
  sent.flushHeaders()
  if (bytes > 0) sent.write(Buffer.alloc(bytes, 'a'))
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  sent.destroy()
  return answer.statusCode ?? 0
}

test.each(['no signature', 'no timestamp', 'aged', 'future', 'two signatures', 'two times'])(
  'with %s no byte of the body is waited for',
  async (name) => {
    const sent = FORGERIES[name]?.(
      SECRET,
      draftOf(() => 0),
      () => 0,
    )
    if (sent === undefined) throw new Error(name)
    expect(await dawdle(sent.headers, 0)).toBe(401)
  },
)

test('a body that does not come is not waited for, whatever its head says', async () => {
  const {headers} = genuine(
    SECRET,
    draftOf(() => 0),
  )
  expect(await Promise.all([dawdle(headers, 0), dawdle(headers, 1000)])).toEqual([408, 408])
})

test('however many send slowly, a delivery of Slack’s gets through', async () => {
  const {headers} = genuine(
    'a guess',
    draftOf(() => 0),
  )
  const answers: number[] = []
  const many = Array.from({length: 60}, async () => answers.push(await dawdle(headers, 900_000)))
  await expect.poll(() => answers.length).toBeGreaterThanOrEqual(43)
  const before = arrivals.length
  const delivery = genuine(
    SECRET,
    draftOf(() => 0),
  )
  // Not the agent's: its connections may have stood idle for as long as a server leaves them.
  expect((await post(server.port, delivery, new Agent())).status).toBe(200)
  expect(arrivals).toHaveLength(before + 1)
  await Promise.all(many)
  // A busy machine may read so slowly that some were too slow by then.
  expect([...new Set(answers)].sort()).toEqual([408, 503])
})

test('a body of more than 1 MB is not read to its end', async () => {
  const sent = genuine(SECRET, {body: Buffer.alloc(1_000_001, 'a')})
  expect(await post(server.port, sent, new Agent())).toEqual({status: 413, text: 'Too large'})
  const {headers} = genuine(
    SECRET,
    draftOf(() => 0),
  )
  const at = {port: server.port, path: '/slack/events', method: 'POST', headers}
  const unannounced = request(at)
  unannounced.on('error', () => undefined) // nobody listens behind the first megabyte
  const answered = once(unannounced, 'response') as Promise<[IncomingMessage]>
  for (let chunk = 0; chunk < 11; chunk += 1) unannounced.write(Buffer.alloc(100_000, 'a'))
  const [answer] = await answered
  expect(answer.statusCode).toBe(413)
  unannounced.destroy()
})

test.each([
  ['GET', '/slack/events', 405],
  ['PUT', '/slack/events', 405],
  ['DELETE', '/slack/events?x=1', 405],
  ['POST', '/slack/events/', 404],
  ['POST', '/slack/other', 404],
  ['GET', '/slack/install', 404],
  ['GET', '/slack/__proto__', 404],
])('%s %s is answered with %d', async (method, path, status) => {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {method})
  expect(answer.status).toBe(status)
  if (status === 405) expect(answer.headers.get('allow')).toBe('POST')
})
