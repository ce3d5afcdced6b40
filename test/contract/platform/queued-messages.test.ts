import {expect, test} from 'vitest'
import {eventually, sharedContract} from './contract.ts'

/** Work takes seconds here: messages have something to wait for. */
const contract = await sharedContract({pace: 0.3})

/** A message that waits for the work in progress of a new thread. */
const queue = async (delivery: 'queue' | 'steer') => {
  const {id: threadId} = await contract.begin('some work')
  const {id: eventId} = await contract.say(threadId, 'quick afterthought', delivery)
  return {threadId, eventId}
}

const said = async (threadId: string): Promise<string[]> =>
  (await contract.transcript(threadId))
    .filter(({source}) => source === 'user')
    .map(({text}) => text)

const waitForDelivery = (threadId: string): Promise<string[]> =>
  eventually(
    'the delivery',
    () => said(threadId),
    (texts) => texts.length === 2,
  )

test.each(['queue', 'steer'] as const)(
  '3.3.r1 cancel of a message that waits answers cancelled, and it is never delivered: %s',
  async (delivery) => {
    const {threadId, eventId} = await queue(delivery)
    const client = contract.client()
    const cancelled = await client.cancelMessage(threadId, eventId, contract.signal)
    expect(cancelled.outcome).toBe('cancelled')
    await contract.finish(threadId)
    // Whatever still waited would be delivered before this one.
    await contract.say(threadId, 'quick end')
    await contract.finish(threadId)
    expect(await said(threadId)).toEqual(['some work', 'quick end'])
  },
)

test('3.3.r2 cancel of a delivered message answers tooLate', async () => {
  const {threadId, eventId} = await queue('steer')
  await waitForDelivery(threadId)
  const late = await contract.client().cancelMessage(threadId, eventId, contract.signal)
  expect(late.outcome).toBe('tooLate')
  expect(await said(threadId)).toEqual(['some work', 'quick afterthought'])
})

test.each(['queue', 'steer'] as const)(
  '3.3.r3 send-now of a message that waits answers sent with a new id and delivers it: %s',
  async (delivery) => {
    const {threadId, eventId} = await queue(delivery)
    const client = contract.client()
    const sent = await client.sendNow(threadId, eventId, contract.signal)
    expect(sent.outcome).toBe('sent')
    expect(sent.id).toEqual(expect.any(String))
    expect(sent.id).not.toBe(eventId)
    await waitForDelivery(threadId)
    await contract.finish(threadId)
    expect(await said(threadId)).toEqual(['some work', 'quick afterthought'])
    const late = await client.cancelMessage(threadId, sent.id ?? '', contract.signal)
    expect(late.outcome).toBe('tooLate')
  },
)

test('3.3.r4 send-now of a delivered message answers tooLate', async () => {
  const {threadId, eventId} = await queue('steer')
  await waitForDelivery(threadId)
  const late = await contract.client().sendNow(threadId, eventId, contract.signal)
  expect(late).toEqual({outcome: 'tooLate'})
  await contract.finish(threadId)
  expect(await said(threadId)).toEqual(['some work', 'quick afterthought'])
})
