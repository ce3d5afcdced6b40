import {describe, expect, test} from 'vitest'
import {clientOf} from './client.ts'
import {sharedPlatform} from './open-platform.ts'
import {createReviewer, readTranscript} from './reviewer.ts'

let lastSource = 0

const platform = await sharedPlatform({pace: 0.01})
const client = clientOf(platform)
const reviewer = createReviewer(platform, client)

const reportsIn = async (threadId: string): Promise<Record<string, unknown>[]> =>
  (await readTranscript(client, threadId)).filter(({authorName}) => authorName === 'Review')

/** A thread that rests, to ask for reviews from. */
const createSource = async (): Promise<string> => {
  const threadId = await client.create('quick', `source-${++lastSource}`)
  await client.run(threadId)
  return threadId
}

const awaitReport = async (threadId: string): Promise<void> => {
  await using stream = await client.stream(threadId)
  await stream.until('report', (frames) => {
    return frames.some(({data}) => data['authorName'] === 'Review')
  })
}

describe('the outcome', () => {
  test('is delivered once into a resting source thread and wakes it', async () => {
    const number = reviewer.openPullRequest()
    const sourceThreadId = await createSource()
    const {sourceRecorded, threadId, headSha} = await reviewer.start(number, {sourceThreadId})
    expect(sourceRecorded).toBe(true)
    await awaitReport(sourceThreadId)
    await client.run(sourceThreadId)
    const outcome = (await readTranscript(client, threadId)).at(-1)?.['text']
    const entries = await readTranscript(client, sourceThreadId)
    const reports = entries.filter(({authorName}) => authorName === 'Review')
    expect(reports).toMatchObject([
      {
        source: 'user',
        text: `The review of acme/web#${number} at ${headSha.slice(0, 7)} is over.\n\n${outcome as string}`,
      },
    ])
    expect(entries.at(-1)).toMatchObject({source: 'assistant'})
  })

  test('wakes an archived source thread', async () => {
    const sourceThreadId = await createSource()
    await client.post(`/threads/${sourceThreadId}/archive`)
    const {threadId} = await reviewer.start(reviewer.openPullRequest(), {sourceThreadId})
    await client.run(threadId)
    expect(await reportsIn(sourceThreadId)).toHaveLength(1)
    const {body} = await client.get(`/threads/${sourceThreadId}`)
    expect(body['archived']).toBe(false)
  })

  test('waits until a working source thread has finished its run', async () => {
    const sourceThreadId = await client.create('a long run')
    using held = platform.control.hold(sourceThreadId)
    const {threadId} = await reviewer.start(reviewer.openPullRequest(), {sourceThreadId})
    await client.run(threadId)
    expect(await reportsIn(sourceThreadId)).toHaveLength(0)
    held[Symbol.dispose]()
    await client.run(sourceThreadId)
    await awaitReport(sourceThreadId)
    const entries = await readTranscript(client, sourceThreadId)
    const at = entries.findIndex(({authorName}) => authorName === 'Review')
    expect(entries[at - 1]).toMatchObject({source: 'assistant'})
  })

  test('of an interrupted round says so', async () => {
    const sourceThreadId = await createSource()
    using held = platform.control.hold()
    const {threadId} = await reviewer.start(reviewer.openPullRequest(), {sourceThreadId})
    await client.post(`/threads/${threadId}/interrupt`)
    held[Symbol.dispose]()
    const [report] = await reportsIn(sourceThreadId)
    expect(report?.['text']).toMatch(/stopped before it came to a result\.$/)
  })

  test('comes after the last of the messages that people sent to the round', async () => {
    const sourceThreadId = await createSource()
    using held = platform.control.hold()
    const {threadId} = await reviewer.start(reviewer.openPullRequest(), {sourceThreadId})
    await client.post(`/threads/${threadId}/message`, {text: 'quick', delivery: 'queue'})
    await client.post(`/threads/${threadId}/message`, {text: 'quick, again', delivery: 'interrupt'})
    held[Symbol.dispose]()
    await awaitReport(sourceThreadId)
    const reports = await reportsIn(sourceThreadId)
    expect(reports).toHaveLength(1)
    expect(reports[0]?.['text']).toContain('(answer 3).')
  })

  test('is not delivered while the round waits for something external', async () => {
    const sourceThreadId = await createSource()
    using held = platform.control.hold()
    const {threadId} = await reviewer.start(reviewer.openPullRequest(), {sourceThreadId})
    const sent = await client.post(`/threads/${threadId}/message`, {
      text: 'wait for ci',
      delivery: 'queue',
    })
    await using stream = await client.stream(threadId)
    held[Symbol.dispose]()
    await stream.until('wait', (frames) => frames.some(({data}) => data['status'] === 'waiting'))
    await awaitReport(sourceThreadId)
    const entries = await readTranscript(client, threadId)
    const replies = entries.slice(entries.findIndex(({id}) => id === sent.body['id']) + 1)
    const [report] = await reportsIn(sourceThreadId)
    expect(report?.['text']).toContain(replies.at(-1)?.['text'])
    const {body} = await client.get(`/threads/${threadId}`)
    expect(body['status']).not.toBe('waiting')
  })

  test('is not delivered again when the finished round is talked to', async () => {
    const sourceThreadId = await createSource()
    const {threadId} = await reviewer.start(reviewer.openPullRequest(), {sourceThreadId})
    await client.run(threadId)
    await client.post(`/threads/${threadId}/message`, {text: 'quick'})
    await client.run(threadId)
    expect(await reportsIn(sourceThreadId)).toHaveLength(1)
  })
})

describe('sourceRecorded', () => {
  test('is true for the first source of a running round, false for any other', async () => {
    const number = reviewer.openPullRequest()
    const [one, other] = [await createSource(), await createSource()]
    using held = platform.control.hold()
    const first = await reviewer.start(number)
    expect(first.sourceRecorded).toBe(false)
    expect((await reviewer.start(number, {sourceThreadId: one})).sourceRecorded).toBe(true)
    expect((await reviewer.start(number, {sourceThreadId: one})).sourceRecorded).toBe(true)
    expect((await reviewer.start(number, {sourceThreadId: other})).sourceRecorded).toBe(false)
    expect((await reviewer.start(number)).sourceRecorded).toBe(false)
    held[Symbol.dispose]()
    await client.run(first.threadId)
    expect(await reportsIn(one)).toHaveLength(1)
    expect(await reportsIn(other)).toHaveLength(0)
  })

  test('is false once the round has finished, also for its own source', async () => {
    const number = reviewer.openPullRequest()
    const sourceThreadId = await createSource()
    const idempotencyKey = `finished-${number}`
    const {threadId} = await reviewer.start(number, {sourceThreadId, idempotencyKey})
    await client.run(threadId)
    for (const more of [{sourceThreadId}, {sourceThreadId, idempotencyKey}]) {
      expect(await reviewer.start(number, more)).toMatchObject({
        adopted: true,
        sourceRecorded: false,
      })
    }
    expect(await reportsIn(sourceThreadId)).toHaveLength(1)
  })

  test("is false for the round's own thread", async () => {
    const number = reviewer.openPullRequest()
    using held = platform.control.hold()
    const {threadId} = await reviewer.start(number)
    expect((await reviewer.start(number, {sourceThreadId: threadId})).sourceRecorded).toBe(false)
    held[Symbol.dispose]()
    await client.run(threadId)
    expect(await reportsIn(threadId)).toHaveLength(0)
  })

  test('of 20 parallel starts from 20 threads is true once', async () => {
    const number = reviewer.openPullRequest()
    const sources = await Promise.all(Array.from({length: 20}, createSource))
    const rounds = await Promise.all(
      sources.map((sourceThreadId) => reviewer.start(number, {sourceThreadId})),
    )
    expect(rounds.filter(({sourceRecorded}) => sourceRecorded)).toHaveLength(1)
  })
})
