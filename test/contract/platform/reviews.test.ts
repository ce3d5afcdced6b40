import {expect, test} from 'vitest'
import {PlatformReviewRefused, PlatformUnreachable} from '../../../src/platform/errors.ts'
import type {ReviewRound} from '../../../src/platform/model.ts'
import {eventually, sharedContract, type Contract} from './contract.ts'
import {newRequestId, threadsMadeBy} from './creations.ts'
import {ANY_TEXT, MOMENT} from './matchers.ts'
import {refusalOf} from './refusal.ts'
import {restingThread} from './run.ts'

const quick = await sharedContract()
/** Work takes seconds here: time to meet a round that runs. */
const patient = await sharedContract({pace: 0.3})

type Review = Parameters<ReturnType<Contract['client']>['startReview']>[0]

let pullRequests = 100

/** A pull request that no other test knows: its number. */
const openPullRequest = (contract: Contract): number => {
  const number = ++pullRequests
  contract.platform.control.setPullRequest({repo: 'acme/web', number})
  return number
}

/** Asks under a new key unless one is given. */
const review = (
  contract: Contract,
  prNumber: number,
  more: Partial<Review> = {},
): Promise<ReviewRound> => {
  const asked = {repo: 'acme/web', prNumber, idempotencyKey: newRequestId(), ...more}
  return contract.client().startReview(asked, contract.signal)
}

/** A round that has finished. */
const finishedRound = async (prNumber: number): Promise<ReviewRound> => {
  const round = await review(quick, prNumber)
  await quick.finish(round.threadId ?? '')
  return round
}

test('3.6.r1 a repeated start for the same code answers the existing round with adopted true and runs nothing', async () => {
  const number = openPullRequest(quick)
  const first = await review(quick, number)
  expect(first).toMatchObject({adopted: false, headSha: ANY_TEXT})
  const made = await threadsMadeBy(quick, async () => {
    expect(await review(quick, number)).toEqual({...first, requestId: ANY_TEXT, adopted: true})
    await quick.finish(first.threadId ?? '')
    expect(await review(quick, number)).toMatchObject({reviewId: first.reviewId, adopted: true})
  })
  expect(made).toEqual([])
})

test('3.6.r2 a pushed commit makes the next start open a fresh round', async () => {
  const number = openPullRequest(quick)
  const first = await review(quick, number)
  const headSha = 'feed'.repeat(10)
  quick.platform.control.setPullRequest({repo: 'acme/web', number, headSha})
  const second = await review(quick, number)
  expect(second).toMatchObject({adopted: false, headSha})
  expect(second.reviewId).not.toBe(first.reviewId)
  expect(second.threadId).not.toBe(first.threadId)
})

test('3.6.r3 another base commit makes the next start open a fresh round', async () => {
  const number = openPullRequest(quick)
  const first = await review(quick, number)
  quick.platform.control.setPullRequest({repo: 'acme/web', number, baseSha: 'beef'.repeat(10)})
  const second = await review(quick, number)
  expect(second).toMatchObject({adopted: false, headSha: first.headSha})
  expect(second.reviewId).not.toBe(first.reviewId)
})

test('4.8.r1 the repository must be covered', async () => {
  quick.platform.control.setPullRequest({repo: 'acme/attic', number: 1})
  for (const repo of ['acme/attic', 'acme/nowhere']) {
    expect(await refusalOf(review(quick, 1, {repo}))).toBeInstanceOf(PlatformReviewRefused)
  }
})

test.each([
  ['draft', 13],
  ['closed', 14],
  ['unreadable', 15],
  ['absent', 99],
])(
  '4.8.r2 a closed, draft or unreadable pull request answers ReviewRefused with a reason: %s',
  async (_what, prNumber) => {
    const made = await threadsMadeBy(quick, async () => {
      const refusal = await refusalOf(review(quick, prNumber))
      if (!(refusal instanceof PlatformReviewRefused)) throw refusal
      expect(refusal.reason).toMatch(/\w+ \w+/)
    })
    expect(made).toEqual([])
  },
)

test('4.8.r2 a draft that is made ready is reviewed', async () => {
  const number = openPullRequest(quick)
  quick.platform.control.setPullRequest({repo: 'acme/web', number, state: 'draft'})
  expect(await refusalOf(review(quick, number))).toBeInstanceOf(PlatformReviewRefused)
  quick.platform.control.setPullRequest({repo: 'acme/web', number, state: 'open'})
  expect(await review(quick, number)).toMatchObject({adopted: false})
})

test('4.8.r3 a repeated idempotencyKey answers its round, also behind a push', async () => {
  const number = openPullRequest(quick)
  const idempotencyKey = newRequestId()
  const {reviewId, headSha} = await review(quick, number, {idempotencyKey})
  quick.platform.control.setPullRequest({repo: 'acme/web', number, headSha: 'fade'.repeat(10)})
  const made = await threadsMadeBy(quick, async () => {
    const again = await review(quick, number, {idempotencyKey})
    expect(again).toMatchObject({reviewId, headSha, adopted: true})
  })
  expect(made).toEqual([])
})

test('4.8.r3 a repeated idempotencyKey after a lost answer starts nothing more, and the client leaves it to whoever asked', async () => {
  quick.platform.control.faults.add({
    match: {method: 'POST', path: '/reviews$'},
    fault: {kind: 'lost', applied: true},
  })
  const number = openPullRequest(quick)
  const idempotencyKey = newRequestId()
  const made = await threadsMadeBy(quick, async () => {
    await expect(review(quick, number, {idempotencyKey})).rejects.toThrow(PlatformUnreachable)
    expect(await review(quick, number, {idempotencyKey})).toMatchObject({adopted: true})
  })
  expect(made).toHaveLength(1)
})

test('4.8.r4 forceRefresh runs a completed round again', async () => {
  const number = openPullRequest(quick)
  const first = await finishedRound(number)
  const second = await review(quick, number, {forceRefresh: true})
  expect(second).toMatchObject({adopted: false, headSha: first.headSha})
  expect(second.reviewId).not.toBe(first.reviewId)
})

test('4.8.r4 forceRefresh adopts a round that still runs', async () => {
  const number = openPullRequest(patient)
  const {reviewId} = await review(patient, number)
  const again = await review(patient, number, {forceRefresh: true})
  expect(again).toMatchObject({reviewId, adopted: true})
})

test('4.8.r5 the outcome is delivered into the source thread and wakes it', async () => {
  const sourceThreadId = await restingThread(quick)
  const before = await quick.transcript(sourceThreadId)
  const round = await review(quick, openPullRequest(quick), {sourceThreadId})
  expect(round.sourceRecorded).toBe(true)
  const after = await eventually(
    'a reply to the outcome',
    () => quick.transcript(sourceThreadId),
    (entries) => entries.length > before.length && entries.at(-1)?.source === 'assistant',
  )
  const [outcome] = after.slice(before.length)
  expect(outcome?.source).toBe('user')
  const conclusion = (await quick.transcript(round.threadId ?? '')).at(-1)?.text
  expect(outcome?.text).toContain(conclusion)
})

test('4.8.r6 sourceRecorded is false when the adopted round reports elsewhere', async () => {
  const [first, second] = [await restingThread(patient), await restingThread(patient)]
  const number = openPullRequest(patient)
  const started = await review(patient, number, {sourceThreadId: first})
  expect(started).toMatchObject({adopted: false, sourceRecorded: true})
  const adopted = await review(patient, number, {sourceThreadId: second})
  expect(adopted).toMatchObject({adopted: true, sourceRecorded: false})
})

test('4.8.r6 sourceRecorded is true when the adopted round reports nowhere yet', async () => {
  const sourceThreadId = await restingThread(patient)
  const number = openPullRequest(patient)
  await review(patient, number)
  const adopted = await review(patient, number, {sourceThreadId})
  expect(adopted).toMatchObject({adopted: true, sourceRecorded: true})
})

test('4.8.r6 sourceRecorded is false when the adopted round has finished, and without a source', async () => {
  const number = openPullRequest(quick)
  expect((await finishedRound(number)).sourceRecorded).toBe(false)
  const adopted = await review(quick, number, {sourceThreadId: await restingThread(quick)})
  expect(adopted).toMatchObject({adopted: true, sourceRecorded: false})
})

test('4.8.r7 a review rule answers with its scopes resolved', async () => {
  const rule = await quick.client().createReviewRule(
    {
      body: 'Prices are integers.',
      scopes: [
        {repo: 'acme/web', paths: ['src/cart/**']},
        {repo: 'acme/attic', paths: []},
      ],
      file: {repo: 'acme/web', path: 'docs/review.md'},
    },
    quick.signal,
  )
  expect(rule).toMatchObject({
    body: 'Prices are integers.',
    scopes: [
      {repo: 'acme/web', paths: ['src/cart/**'], codehostRepoId: 4711, covered: true},
      {repo: 'acme/attic', paths: [], codehostRepoId: 4713, covered: false},
    ],
    file: {repo: 'acme/web', path: 'docs/review.md', codehostRepoId: 4711, covered: true},
    status: 'active',
    source: 'app',
    createdByUserId: 'user_jane',
    createdByName: 'Jane Doe',
    firedCount: 0,
    createdAt: MOMENT,
    updatedAt: MOMENT,
  })
  expect(rule.scopes.map(({heldByCaller}) => typeof heldByCaller)).toEqual(['boolean', 'boolean'])
})

test('4.8.r8 review filters are listed and deleted', async () => {
  const client = quick.client()
  const filters = await client.listReviewFilters(quick.signal)
  expect(filters).toMatchObject([
    {
      id: 'filter_wip',
      repo: 'acme/web',
      codehostRepoId: 4711,
      conditions: [{field: 'label', not: true, values: ['wip']}],
      source: 'hand',
      createdByUserId: 'user_kim',
      createdByName: 'Kim Lee',
    },
    {id: 'filter_docs', repo: 'acme/api', conditions: [{field: 'label', not: false}]},
  ])
  const deletion = await client.deleteReviewFilter('filter_docs', quick.signal)
  expect(deletion).toEqual({id: 'filter_docs', deleted: true})
  expect(await client.listReviewFilters(quick.signal)).toEqual(filters.slice(0, 1))
  expect(
    quick.platform.ledger.filter(({applied, method}) => applied && method === 'DELETE'),
  ).toHaveLength(1)
})

test('4.8.r9 a billing transfer is declined once', async () => {
  const decline = (repo: string) => quick.client().declineBillingTransfer(repo, quick.signal)
  expect(await decline('acme/web')).toEqual({
    repo: 'acme/web',
    billingOrgId: 'org_agency',
    offer: {fromOrgId: 'org_agency', toOrgId: 'org_acme', createdAt: ANY_TEXT},
  })
  for (const repo of ['acme/web', 'acme/api', 'acme/nowhere']) {
    const refusal = await refusalOf(decline(repo))
    if (!(refusal instanceof PlatformReviewRefused)) throw refusal
    expect(refusal.reason).toMatch(/\w+ \w+/)
  }
})

test('4.8.r10 without an idempotencyKey head and base are the whole dedup', async () => {
  const prNumber = openPullRequest(quick)
  // The real client always sends a key.
  const start = () => quick.raw().post('/reviews', {repo: 'acme/web', prNumber})
  const {status, body: first} = await start()
  expect({status, names: Object.keys(first).sort()}).toEqual({
    status: 200,
    names: ['adopted', 'headSha', 'requestId', 'reviewId', 'sourceRecorded', 'threadId'],
  })
  const {body: second} = await start()
  expect(second).toMatchObject({reviewId: first['reviewId'], adopted: true})
  quick.platform.control.setPullRequest({
    repo: 'acme/web',
    number: prNumber,
    headSha: 'cafe'.repeat(10),
  })
  expect((await start()).body).toMatchObject({adopted: false})
})
