import {expect, test} from 'vitest'
import {type PostWriter} from '../../../src/relay/ports.ts'
import {createKnownPosts} from '../../../src/relay/publish/known-posts.ts'
import {createPerformer} from '../../../src/relay/publish/performer.ts'
import type {PostRow, PostStore} from '../../../src/store/tables/work/posts.ts'
import {createManualClock} from '../manual-clock.ts'
import {createInMemorySlack} from '../slack-in-memory.ts'
import {SlackError} from '../../../src/once/slack-error.ts'

const place = {team: 'T', channel: 'C', slackThread: '1.0'}
const KEY = 'say:A:0'

/** An open intent, and the answers that Slack gives to one look after the other. */
function openLook() {
  const clock = createManualClock()
  const posts = {
    knownTs: async () => new Set<string>(),
    confirm: async () => undefined,
  } as unknown as PostStore
  const row: PostRow = {
    ...{key: KEY, delivery: 'A', state: 'intended', ts: undefined, hash: undefined},
    ...{final: false, draft: undefined, file: undefined, streaming: false},
  }
  const known = createKnownPosts({linkId: 'link', standing: [row], posts, clock})
  const {writer} = createInMemorySlack(clock, [])
  const answers: (Awaited<ReturnType<PostWriter['find']>> | SlackError)[] = []
  const find: PostWriter['find'] = () => {
    const answer = answers.shift()
    return answer instanceof SlackError ? Promise.reject(answer) : Promise.resolve(answer)
  }
  const perform = createPerformer({
    ...{linkId: 'link', place, reader: 'U1', face: () => undefined, known, posts, clock},
    writer: {...writer, find},
  })
  const look = () => perform({move: 'find', key: KEY, rank: 'final', sinceMs: 0, notBeforeMs: 0})
  return {clock, look, answers, row: () => known.all.get(KEY)}
}

const PAGE = {cursor: 'p2', found: undefined, orphan: undefined}

test('a look of many pages goes on where Slack wanted silence, and begins anew where Slack lost it', async () => {
  const {look, answers, row} = openLook()
  answers.push(PAGE)
  await look()
  expect(row()?.search?.cursor).toBe('p2')
  answers.push(new SlackError('wait', 'ratelimited', {retryAfterMs: 60_000}))
  await expect(look()).rejects.toThrow('ratelimited')
  expect(row()?.search?.cursor).toBe('p2')
  answers.push(new SlackError('refused', 'invalid_cursor'))
  await expect(look()).rejects.toThrow('invalid_cursor')
  expect(row()?.search).toBeUndefined()
  answers.push(PAGE, '1.7')
  await look()
  await look()
  expect(row()).toMatchObject({state: 'placed', ts: '1.7', search: undefined})
})

test('a look of many pages is one look, however long it takes', async () => {
  const {clock, look, answers, row} = openLook()
  answers.push(PAGE, undefined)
  await look()
  clock.advance(20_000)
  await look()
  expect(row()).toMatchObject({state: 'intended', search: undefined})
})
