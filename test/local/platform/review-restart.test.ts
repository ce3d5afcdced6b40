import {join} from 'node:path'
import {beforeEach, describe, expect, test} from 'vitest'
import {openDatabase} from '../../../local/platform/database.ts'
import type {Platform} from '../../../local/platform/server.ts'
import {temporaryFolder} from '../../support/temporary-folder.ts'
import {clientOf, type Client} from './client.ts'
import {openPlatform} from './open-platform.ts'

let dataFile: string

beforeEach(() => {
  dataFile = join(temporaryFolder(), 'platform.db')
})

const open = async (pace = 0.01): Promise<{platform: Platform; client: Client}> => {
  const platform = await openPlatform({dataFile, pace})
  return {platform, client: clientOf(platform)}
}

const reportsIn = (platform: Platform, threadId: string): string[] =>
  platform
    .transcript(threadId)
    .filter(({authorName}) => authorName === 'Review')
    .map(({text}) => text)

/** Starts a review from a thread that rests; answers both threads. */
const startReview = async (client: Client): Promise<{source: string; round: string}> => {
  const source = await client.create('quick')
  await client.run(source)
  const {body} = await client.post('/reviews', {
    repo: 'acme/web',
    prNumber: 12,
    idempotencyKey: 'across',
    sourceThreadId: source,
  })
  return {source, round: String(body['threadId'])}
}

describe('across a restart', () => {
  test('a running round goes on and reports once', async () => {
    const first = await open(1)
    const {source, round} = await startReview(first.client)
    await using stream = await first.client.stream(round)
    await stream.until('tool', (frames) => frames.some(({event}) => event === 'tool_call'))
    await first.platform.close()
    for (let restarts = 0; restarts < 2; restarts++) {
      const {platform, client} = await open()
      await client.run(round)
      await client.run(source)
      expect(reportsIn(platform, source)).toEqual([expect.stringContaining('findings')])
      await platform.close()
    }
  })

  test('a round that came to rest before the process died reports once', async () => {
    const first = await open(1)
    const {source, round} = await startReview(first.client)
    await first.platform.close()
    dieAtRest(round)
    for (let restarts = 0; restarts < 2; restarts++) {
      const {platform, client} = await open()
      await client.run(source)
      expect(reportsIn(platform, source)).toHaveLength(1)
      expect(platform.transcript(source).at(-1)).toMatchObject({source: 'assistant'})
      await platform.close()
    }
  })

  test('rounds, their keys and commits stay known', async () => {
    const first = await open()
    const {round} = await startReview(first.client)
    await first.client.run(round)
    first.platform.control.setPullRequest({repo: 'acme/web', number: 12, headSha: 'pushed'})
    await first.platform.close()
    const {client} = await open()
    const ask = {repo: 'acme/web', prNumber: 12}
    const repeated = await client.post('/reviews', {...ask, idempotencyKey: 'across'})
    expect(repeated.body).toMatchObject({threadId: round, adopted: true})
    const fresh = await client.post('/reviews', ask)
    expect(fresh.body).toMatchObject({headSha: 'pushed', adopted: false})
  })

  test('a deleted filter stays deleted, and a declined offer declined', async () => {
    const first = await open()
    await first.client.request('DELETE', '/review-filters/rules/filter_wip')
    await first.client.post('/review-billing-transfer/decline', {repo: 'acme/web'})
    await first.platform.close()
    const {client} = await open()
    const {body} = await client.get('/review-filters/rules')
    expect(body).toMatchObject({rules: [{id: 'filter_docs'}]})
    const declined = await client.post('/review-billing-transfer/decline', {repo: 'acme/web'})
    expect(declined.status).toBe(422)
  })
})

/** Leaves in the file what the end of a run commits, and nothing of what follows it. */
function dieAtRest(threadId: string): void {
  const database = openDatabase(dataFile)
  database.prepare('delete from runs where threadId = ?').run(threadId)
  database.prepare(`update threads set state = 'idle' where id = ?`).run(threadId)
  database.close()
}
