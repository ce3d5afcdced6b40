import {execFileSync} from 'node:child_process'
import {once} from 'node:events'
import {type IncomingMessage, request} from 'node:http'
import {expect, test} from 'vitest'
import {genuine} from '../support/forgeries.ts'
import {openWorld} from './open-world.ts'

const SENDERS = 800
const SENT_BYTES = 300_000
const ANNOUNCED_BYTES = 900_000

test('800 senders without Slack’s signature hold little, and Slack’s own deliveries get through', async (context) => {
  const world = await openWorld(context, {apart: true, delivery: 'http', pace: 0.1})
  const port = Number(/port (\d+)/.exec(world.bot.output())?.[1])
  const mibHeld = (): number =>
    Number(execFileSync('ps', ['-o', 'rss=', '-p', String(world.bot.pid())]).toString()) / 1024
  await world.settled(await world.say('@Bosun a quick check'))
  const beforeMib = mibHeld()

  const body = Buffer.alloc(SENT_BYTES, 'a')
  const guess = genuine('a guess', {body}).headers
  const answers: number[] = []
  const all = Array.from({length: SENDERS}, (_, index) => {
    const length = {'content-length': String(ANNOUNCED_BYTES), 'content-type': 'application/json'}
    const sent = request({
      ...{port, host: '127.0.0.1', path: '/slack/events', method: 'POST', agent: false},
      // One half has no signature at all, the other half one that only the body could disprove.
      headers: {...(index % 2 === 0 ? {} : guess), ...length},
    })
    sent.on('response', (response) => answers.push(response.resume().statusCode ?? 0))
    sent.on('error', () => undefined) // cut off behind its answer
    sent.write(body)
    return sent
  })
  context.onTestFinished(() => {
    for (const sent of all) sent.destroy()
  })

  let mostMib = 0
  const place = await world.say('@Bosun a quick look')
  await world.until('it is seen, and the senders are answered', () => {
    mostMib = Math.max(mostMib, mibHeld())
    return world.reactionsOn(place).length > 0 && answers.length === SENDERS
  })
  expect(answers.filter((status) => ![401, 408, 503].includes(status))).toEqual([])
  expect(answers.filter((status) => status === 401).length).toBe(SENDERS / 2)
  expect(mostMib - beforeMib).toBeLessThan((SENDERS * SENT_BYTES) / 2 / 1_048_576)
  await world.settled(place)
})

test('bodies for /agent/posts that take long to parse keep nobody else waiting', async (context) => {
  const world = await openWorld(context, {apart: true, delivery: 'http', pace: 0.1})
  const port = Number(/port (\d+)/.exec(world.bot.output())?.[1])
  const half = 500_000
  const body = `{"thread":${'['.repeat(half)}${']'.repeat(half)}}`
  const answers: number[] = []
  const ask = async (): Promise<void> => {
    const sent = request({
      ...{port, host: '127.0.0.1', path: '/agent/posts', method: 'POST', agent: false},
      headers: {
        ...{authorization: 'Bearer made-up', 'content-type': 'application/json'},
        'content-length': String(body.length),
      },
    })
    sent.on('error', () => undefined) // cut off behind its answer
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    answers.push(response.resume().statusCode ?? 0)
  }
  const rounds = Array.from({length: 32}, async () => {
    for (let round = 0; round < 4; round += 1) await ask().catch(() => undefined)
  })
  const place = await world.say('@Bosun a quick look')
  await Promise.all(rounds)
  await world.settled(place)
  expect(answers.filter((status) => ![400, 503].includes(status))).toEqual([])
  expect(answers).toContain(400)
  // Slack delivers again what was not acknowledged within 3 s.
  expect(world.slack.ledger.deliveries.every(({attempt}) => attempt === 0)).toBe(true)
})
