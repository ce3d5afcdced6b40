import {WebAPIRateLimitedError} from '@slack/web-api'
import {expect, test} from 'vitest'
import {createRates} from '../../../local/slack/edge/rates.ts'
import {openSlack, stopDate} from './slack-fixture.ts'

const rate = {perMinute: 60, burst: 2}

test('a bucket allows its burst, then refills continuously', () => {
  let nowMs = 0
  const rates = createRates({scale: 1, now: () => nowMs})
  const take = () => rates.take([{key: 'chat.update', rate}])
  expect([take(), take(), take()]).toEqual([undefined, undefined, 1])
  nowMs = 999
  expect(take()).toBe(1)
  nowMs = 1_000
  expect([take(), take()]).toEqual([undefined, 1])
  nowMs = 60_000
  expect([take(), take(), take()]).toEqual([undefined, undefined, 1])
})

test('a call that one bucket refuses takes nothing from the other', () => {
  const rates = createRates({scale: 1, now: () => 0})
  const wide = {key: 'wide', rate: {perMinute: 60, burst: 3}}
  const narrow = {key: 'narrow', rate: {perMinute: 60, burst: 1}}
  expect(rates.take([wide, narrow])).toBeUndefined()
  expect(rates.take([wide, narrow])).toBe(1)
  expect([rates.take([wide]), rates.take([wide]), rates.take([wide])]).toEqual([
    undefined,
    undefined,
    1,
  ])
})

test('the scale multiplies rates and bursts, and infinity means no limit', () => {
  const doubled = createRates({scale: 2, now: () => 0})
  const answers = Array.from({length: 5}, () => doubled.take([{key: 'a', rate}]))
  expect(answers.filter((answer) => answer === undefined)).toHaveLength(4)
  const free = createRates({scale: Infinity, now: () => 0})
  expect(free.take([{key: 'a', rate: {perMinute: 0, burst: 0}}])).toBeUndefined()
})

test('nothing is no scale, and the smallest one still lets a call through', async () => {
  stopDate()
  await expect(openSlack({rateScale: 0})).rejects.toThrow('rateScale must be above 0')
  const {client} = await openSlack({rateScale: 0.001})
  await client.auth.test()
  const {ts = ''} = await client.chat.postMessage({channel: 'C0WEB', text: 'x'})
  const edit = () => client.chat.update({channel: 'C0WEB', ts, text: 'y'})
  await edit()
  await expect(edit()).rejects.toMatchObject({retryAfter: 1_200})
})

test.each([
  [0.2, 1],
  [Infinity, 1],
])('a fault of %d seconds is told as %d whole ones', async (retryAfterSeconds, retryAfter) => {
  const {slack, client} = await openSlack()
  slack.faults.storm('auth.test', {times: 1, retryAfterSeconds})
  await expect(client.auth.test()).rejects.toMatchObject({retryAfter})
})

test('posting is limited per channel, and the official client understands the answer', async () => {
  stopDate()
  const {slack, client} = await openSlack()
  const post = (channel: string) => client.chat.postMessage({channel, text: 'x'})
  for (let count = 0; count < 5; count += 1) await post('C0WEB')
  const error: unknown = await post('C0WEB').catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(WebAPIRateLimitedError)
  expect(error).toMatchObject({retryAfter: 1})
  await post('C0GENERAL')
  expect(slack.ledger.calls.at(5)).toMatchObject({
    method: 'chat.postMessage',
    status: 429,
    answer: {ok: false, error: 'ratelimited'},
    applied: false,
  })
})

test('text that grows has a burst and a shortest wait of its own, where they are given', async () => {
  stopDate()
  const {client} = await openSlack({liveBurst: 2, leastRetryAfterSeconds: 10})
  const {ts = ''} = await client.chat.postMessage({channel: 'C0WEB', text: 'x'})
  const edit = () => client.chat.update({channel: 'C0WEB', ts, text: 'y'})
  await edit()
  await edit()
  await expect(edit()).rejects.toMatchObject({retryAfter: 10})
  await client.chat.postMessage({channel: 'C0WEB', text: 'and posts have theirs'})
})

test('edits run dry without touching reactions', async () => {
  stopDate()
  const {client} = await openSlack()
  const {ts = ''} = await client.chat.postMessage({channel: 'C0WEB', text: 'x'})
  const edit = () => client.chat.update({channel: 'C0WEB', ts, text: 'y'})
  for (let count = 0; count < 10; count += 1) await edit()
  await expect(edit()).rejects.toMatchObject({retryAfter: 2})
  await client.reactions.add({channel: 'C0WEB', timestamp: ts, name: 'eyes'})
})
