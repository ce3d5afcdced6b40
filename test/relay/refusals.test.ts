import {expect, test} from 'vitest'
import {createKnownPosts} from '../../src/relay/known-posts.ts'
import {createObstacles} from '../../src/relay/obstacles.ts'
import {createPacer} from '../../src/relay/pacer.ts'
import {WriteError} from '../../src/relay/ports.ts'
import type {WantedPost} from '../../src/relay/post.ts'
import {createRefusals} from '../../src/relay/refusals.ts'
import {createWays} from '../../src/relay/ways.ts'
import type {PostStore} from '../../src/store/posts.ts'
import {createManualClock} from './manual-clock.ts'
import {createInMemorySlack} from './slack-in-memory.ts'

const place = {team: 'T', channel: 'C', slackThread: '1.0'}
const when = {rank: 'state', sinceMs: 0, notBeforeMs: 0} as const
const asked = {...place, ...when, method: 'chat.postMessage'}

const card: WantedPost = {
  ...{key: 'card', delivery: undefined, isFinal: false, rank: 'state', draft: undefined},
  ...{isCreated: true, isOrdered: true},
  content: {kind: 'unsure', sendId: 's', sender: 'U1', text: 'hello'},
}

test('a card that went out plain without an answer gets its buttons once it is found', async () => {
  const clock = createManualClock()
  const nothing = async (): Promise<void> => undefined
  const posts = {intend: nothing, confirm: nothing, forget: nothing} as unknown as PostStore
  const known = createKnownPosts({linkId: 'link', standing: [], posts, clock})
  const pacer = createPacer({budgets: {}, clock})
  const refusals = createRefusals({
    ...{linkId: 'link', place, known, pacer, clock},
    writer: createInMemorySlack(clock, []).writer,
    ways: createWays({choice: 'edit', clock}),
    obstacles: createObstacles({pacer, clock}),
    log: {info: () => undefined, warn: () => undefined, error: () => undefined},
  })
  const create = {move: 'create', post: card, ...when} as const
  await refusals.answer(create, new WriteError('refused', 'invalid_blocks'))
  expect(refusals.lessons().plain.has('card')).toBe(true)

  await known.intend(card)
  await refusals.answer(create, new WriteError('retry', 'no_answer'))
  await known.adopt('card', '1.1')
  refusals.passed({move: 'find', key: 'card', ...when}, asked)
  expect(refusals.lessons().plain.has('card')).toBe(false)
})
