import {expect, test} from 'vitest'
import {deliverWebhook} from '../../../src/platform/endpoints/webhook.ts'
import {Secret} from '../../../src/security/secret.ts'
import {sharedContract} from './contract.ts'
import {
  createAutomation,
  newRequestId,
  readAutomation,
  threadsMadeBy,
  WEBHOOK,
} from './creations.ts'

const contract = await sharedContract()

const PROJECT = {projectId: 'project_web'}

/** Twenty at once: what they answered, the threads that they made, and how many of them changed anything. */
async function ask<Answer>(askOnce: () => Promise<Answer>) {
  const {ledger} = contract.platform
  const from = ledger.length
  const answers: Answer[] = []
  const threads = await threadsMadeBy(contract, async () => {
    answers.push(...(await Promise.all(Array.from({length: 20}, () => askOnce()))))
  })
  const asked = ledger.slice(from).filter(({method}) => method === 'POST')
  expect(asked).toHaveLength(20)
  return {answers, threads, applied: asked.filter(({applied}) => applied).length}
}

const idsOf = (answers: readonly {id: string}[]): string[] => [
  ...new Set(answers.map(({id}) => id)),
]

test('8.r5 creations with one key make one thread, however many come at once', async () => {
  const requestId = newRequestId()
  const order = {...PROJECT, requestId, message: 'quick'}
  const {answers, threads, applied} = await ask(() =>
    contract.client().createThread(order, contract.signal),
  )
  expect(idsOf(answers)).toEqual(threads)
  expect({threads: threads.length, applied}).toEqual({threads: 1, applied: 1})
})

test('8.r5 creations with one key make one captain, however many come at once', async () => {
  const order = {...PROJECT, requestId: newRequestId(), name: 'Ada', brief: 'quick'}
  const {answers, threads, applied} = await ask(() =>
    contract.client().createCaptain(order, contract.signal),
  )
  expect(idsOf(answers)).toEqual(threads)
  expect({threads: threads.length, applied}).toEqual({threads: 1, applied: 1})
  await contract.finish(threads[0] ?? '')
  expect(await contract.transcript(threads[0] ?? '')).toHaveLength(2)
})

test('8.r5 creations with one key make one automation, however many come at once', async () => {
  const triggers = [WEBHOOK]
  const order = {...PROJECT, requestId: newRequestId(), prompt: 'quick', triggers}
  const {answers, threads, applied} = await ask(() =>
    contract.client().createAutomation(order, contract.signal),
  )
  expect(idsOf(answers)).toHaveLength(1)
  expect({threads: threads.length, applied}).toEqual({threads: 0, applied: 1})
  expect(answers.filter(({webhookUrl}) => webhookUrl instanceof Secret)).toHaveLength(1)
  expect(answers.filter(({webhookUrl}) => webhookUrl === null)).toHaveLength(19)
})

test('8.r5 starts with one key make one review round, however many come at once', async () => {
  const review = {repo: 'acme/web', prNumber: 12, idempotencyKey: newRequestId()}
  const {answers, threads, applied} = await ask(() =>
    contract.client().startReview(review, contract.signal),
  )
  expect(new Set(answers.map(({reviewId}) => reviewId)).size).toBe(1)
  expect(answers.filter(({adopted}) => !adopted)).toHaveLength(1)
  expect({threads: threads.length, applied}).toEqual({threads: 1, applied: 1})
})

test('8.r5 starts with keys of their own make one review round of the same code', async () => {
  const review = {repo: 'acme/api', prNumber: 7}
  const {answers, threads, applied} = await ask(() => {
    const idempotencyKey = newRequestId()
    return contract.client().startReview({...review, idempotencyKey}, contract.signal)
  })
  expect(new Set(answers.map(({threadId}) => threadId)).size).toBe(1)
  expect({threads: threads.length, applied}).toEqual({threads: 1, applied: 1})
})

test('8.r5 deliveries with one key make one run of a webhook, however many come at once', async () => {
  const {id, webhookUrl: url} = await createAutomation(contract, {triggers: [WEBHOOK]})
  if (!(url instanceof Secret)) throw new Error('The creation answered no address.')
  const delivery = {url, body: {build: 7}, idempotencyKey: 'build-7'}
  const {answers, threads, applied} = await ask(() => deliverWebhook(delivery, contract.signal))
  const outcomes = answers.map(({outcome}) => outcome).sort()
  expect(outcomes).toEqual(['accepted', ...Array.from({length: 19}, () => 'duplicate')])
  expect({threads: threads.length, applied}).toEqual({threads: 1, applied: 1})
  expect((await readAutomation(contract, id)).runCount).toBe(1)
})
