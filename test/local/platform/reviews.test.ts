import {describe, expect, test} from 'vitest'
import {clientOf} from './client.ts'
import {sharedPlatform} from './open-platform.ts'
import {BASE_SHA, createReviewer, readTranscript} from './reviewer.ts'

const platform = await sharedPlatform({pace: 0.01})
const client = clientOf(platform)
const scoped = clientOf(platform, 'scoped')
const readOnly = clientOf(platform, 'readOnly')
const reviewer = createReviewer(platform, client)

const refusal = async (body: unknown, as = client): Promise<unknown> => {
  const answer = await as.post('/reviews', body)
  expect(answer).toMatchObject({status: 422, body: {_tag: 'svc/ReviewRefused'}})
  expect(Object.keys(answer.body)).toEqual(['_tag', 'reason'])
  return answer.body['reason']
}

describe('a review round', () => {
  test('runs in a thread of its own, in a project that lists the repository', async () => {
    const number = reviewer.openPullRequest()
    const headSha = reviewer.push(number)
    const round = await reviewer.start(number)
    expect(round).toMatchObject({headSha, adopted: false, sourceRecorded: false})
    const {body: thread} = await client.get(`/threads/${round.threadId}`)
    expect(thread).toMatchObject({
      projectId: 'project_web',
      authorId: 'user_jane',
      title: `Review acme/web#${number}`,
    })
    await client.run(round.threadId)
    const entries = await readTranscript(client, round.threadId)
    expect(entries[0]).toMatchObject({
      source: 'user',
      authorName: 'Jane Doe',
      text: `Review acme/web#${number} at ${headSha}`,
    })
    expect(entries.at(-1)).toMatchObject({source: 'assistant'})
    expect(entries.at(-1)?.['text']).toContain('findings')
  })

  test('is adopted by a repeated start, while it runs and afterwards, by any key in reach', async () => {
    const number = reviewer.openPullRequest()
    using held = platform.control.hold()
    const first = await reviewer.start(number)
    const again = await reviewer.start(number)
    expect(again).toEqual({...first, adopted: true})
    held[Symbol.dispose]()
    await client.run(first.threadId)
    expect(await reviewer.start(number, {}, scoped)).toEqual({...first, adopted: true})
  })

  test('follows a pushed commit and a moved base with a fresh one', async () => {
    const number = reviewer.openPullRequest()
    const first = await reviewer.start(number)
    const headSha = reviewer.push(number)
    const second = await reviewer.start(number)
    expect(second).toMatchObject({headSha, adopted: false})
    platform.control.setPullRequest({repo: 'acme/web', number, baseSha: 'b'.repeat(40)})
    const third = await reviewer.start(number)
    expect(third).toMatchObject({headSha, adopted: false})
    platform.control.setPullRequest({repo: 'acme/web', number, baseSha: BASE_SHA})
    expect(await reviewer.start(number)).toEqual({...second, adopted: true})
    expect(new Set([first, second, third].map(({threadId}) => threadId)).size).toBe(3)
  })

  test('is one for 20 parallel starts, with one thread', async () => {
    const number = reviewer.openPullRequest()
    const before = platform.threads().length
    const rounds = await Promise.all(Array.from({length: 20}, () => reviewer.start(number)))
    expect(new Set(rounds.map(({reviewId}) => reviewId)).size).toBe(1)
    expect(rounds.filter(({adopted}) => !adopted)).toHaveLength(1)
    expect(platform.threads()).toHaveLength(before + 1)
    const asked = platform.ledger.filter(({body}) => {
      return JSON.stringify(body ?? null).includes(`"prNumber":${number}`)
    })
    expect(asked).toHaveLength(20)
    expect(asked.filter(({applied}) => applied)).toHaveLength(1)
  })
})

describe('forceRefresh', () => {
  test('runs a completed round again', async () => {
    const number = reviewer.openPullRequest()
    const first = await reviewer.start(number)
    await client.run(first.threadId)
    const second = await reviewer.start(number, {forceRefresh: true})
    expect(second.adopted).toBe(false)
    expect(second.reviewId).not.toBe(first.reviewId)
    expect(await reviewer.start(number)).toEqual({...second, adopted: true})
  })

  test('adopts a running round', async () => {
    const number = reviewer.openPullRequest()
    using held = platform.control.hold()
    const first = await reviewer.start(number, {forceRefresh: true})
    expect(await reviewer.start(number, {forceRefresh: true})).toEqual({...first, adopted: true})
    held[Symbol.dispose]()
  })

  test('makes one round when 20 calls ask in parallel', async () => {
    const number = reviewer.openPullRequest()
    await client.run((await reviewer.start(number)).threadId)
    using held = platform.control.hold()
    const rounds = await Promise.all(
      Array.from({length: 20}, () => reviewer.start(number, {forceRefresh: true})),
    )
    held[Symbol.dispose]()
    expect(new Set(rounds.map(({reviewId}) => reviewId)).size).toBe(1)
    expect(rounds.filter(({adopted}) => !adopted)).toHaveLength(1)
  })
})

describe('a repeated idempotencyKey', () => {
  test('answers its original round: finished, after a push, with forceRefresh, on a closed one', async () => {
    const number = reviewer.openPullRequest()
    const idempotencyKey = 'k'.repeat(191)
    const first = await reviewer.start(number, {idempotencyKey})
    expect(first).toMatchObject({requestId: idempotencyKey, adopted: false})
    await client.run(first.threadId)
    reviewer.push(number)
    expect(await reviewer.start(number, {idempotencyKey})).toEqual({...first, adopted: true})
    const forced = await reviewer.start(number, {idempotencyKey, forceRefresh: true})
    expect(forced).toEqual({...first, adopted: true})
    platform.control.setPullRequest({repo: 'acme/web', number, state: 'closed'})
    expect(await reviewer.start(number, {idempotencyKey})).toEqual({...first, adopted: true})
  })

  test('answers the round that it adopted, also after a push', async () => {
    const number = reviewer.openPullRequest()
    const first = await reviewer.start(number)
    const adopted = await reviewer.start(number, {idempotencyKey: `late-${number}`})
    expect(adopted).toEqual({...first, requestId: `late-${number}`, adopted: true})
    reviewer.push(number)
    expect(await reviewer.start(number, {idempotencyKey: `late-${number}`})).toEqual(adopted)
  })

  test('is refused to a key that does not reach the round, as an absent pull request is', async () => {
    await client.post('/reviews', {repo: 'acme/api', prNumber: 7, idempotencyKey: 'of-api'})
    const number = reviewer.openPullRequest()
    const body = {repo: 'acme/web', prNumber: number, idempotencyKey: 'of-api'}
    expect(await refusal(body, scoped)).toBe(await refusal({repo: 'acme/web', prNumber: 99_999}))
  })
})

describe('a start is refused', () => {
  const ask = (prNumber: number, repo = 'acme/web'): object => ({repo, prNumber})

  test('with the very same words for what is absent, unreadable or out of reach', async () => {
    const reasons = await Promise.all([
      refusal(ask(99_999)),
      refusal(ask(15)),
      refusal(ask(1, 'acme/nowhere')),
      refusal(ask(7, 'acme/api'), scoped),
      refusal(ask(7, 'acme/attic'), scoped),
      refusal(ask(1, '')),
    ])
    expect(new Set(reasons).size).toBe(1)
  })

  test('with its own reason for a draft, a closed one and a repository that is not covered', async () => {
    expect(await refusal(ask(13))).toBe('The pull request is a draft.')
    expect(await refusal(ask(14))).toBe('The pull request is closed.')
    expect(await refusal(ask(1, 'acme/attic'))).toMatch(/does not cover the repository/)
  })

  test('until the pull request becomes ready', async () => {
    const number = reviewer.openPullRequest()
    platform.control.setPullRequest({repo: 'acme/web', number, state: 'draft'})
    await refusal(ask(number))
    platform.control.setPullRequest({repo: 'acme/web', number, state: 'open', readable: false})
    await refusal(ask(number))
    platform.control.setPullRequest({repo: 'acme/web', number, readable: true})
    expect((await reviewer.start(number)).adopted).toBe(false)
  })

  test('for a source thread that is absent or out of reach, and nothing starts', async () => {
    const number = reviewer.openPullRequest()
    const inApi = await client.post('/threads', {
      requestId: 'source-in-api',
      projectId: 'project_api',
      message: 'quick',
    })
    for (const sourceThreadId of ['thread_nowhere', String(inApi.body['id'])]) {
      const answer = await scoped.post('/reviews', {...ask(number), sourceThreadId})
      expect(answer).toMatchObject({
        status: 404,
        body: {_tag: 'svc/ThreadNotFound', threadId: sourceThreadId},
      })
    }
    expect((await reviewer.start(number)).adopted).toBe(false)
  })

  test('to a read-only key', async () => {
    const answer = await readOnly.post('/reviews', ask(reviewer.openPullRequest()))
    expect(answer).toMatchObject({status: 403, body: {_tag: 'svc/Forbidden'}})
  })

  test.each([
    ['no repo', {repo: undefined}],
    ['a repo that is a number', {repo: 7}],
    ['no prNumber', {prNumber: undefined}],
    ['prNumber 0', {prNumber: 0}],
    ['a negative prNumber', {prNumber: -12}],
    ['prNumber 1.5', {prNumber: 1.5}],
    ['prNumber "12"', {prNumber: '12'}],
    ['prNumber 1e300', {prNumber: 1e300}],
    ['prNumber null', {prNumber: null}],
    ['an empty idempotencyKey', {idempotencyKey: ''}],
    ['192 characters of idempotencyKey', {idempotencyKey: 'x'.repeat(192)}],
    ['idempotencyKey null', {idempotencyKey: null}],
    ['forceRefresh "true"', {forceRefresh: 'true'}],
    ['a sourceThreadId that is a number', {sourceThreadId: 7}],
  ])('with 400 for %s', async (_name, wrong) => {
    const answer = await client.post('/reviews', {...ask(12), ...wrong})
    expect(answer).toMatchObject({status: 400, body: {_tag: 'svc/InvalidRequest'}})
  })
})

test('the paths of reviews answer other methods with 405', async () => {
  for (const [method, path] of [
    ['GET', '/reviews'],
    ['GET', '/review-rules'],
    ['POST', '/review-filters/rules'],
    ['GET', '/review-filters/rules/filter_wip'],
    ['GET', '/review-billing-transfer/decline'],
  ] as const) {
    const answer = await client.request(method, path)
    expect(answer).toMatchObject({status: 405, body: {_tag: 'svc/MethodNotAllowed'}})
  }
})
