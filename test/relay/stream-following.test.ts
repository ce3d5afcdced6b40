import {once} from 'node:events'
import {expect, test} from 'vitest'
import {PlatformNotFound, PlatformUnreachable} from '../../src/platform/errors.ts'
import type {Frame} from '../../src/platform/stream/frame.ts'
import type {LinkKeeper} from '../../src/relay/link-keeper.ts'
import {createFollowing} from '../../src/relay/stream-following.ts'
import type {LinkChange} from '../../src/store/tables/work/link.ts'
import {SILENT_LOG} from '../support/silent-log.ts'
import {createManualClock} from './manual-clock.ts'

type Options = Parameters<typeof createFollowing>[0]

const PUT_AWAY: LinkChange = {state: 'archived', status: 'archived'}
const GONE = {_tag: 'svc/ThreadNotFound', status: 404}

function openFollowing(
  follow: (signal: AbortSignal) => AsyncGenerator<Frame>,
  own: Partial<Options>,
) {
  const changes: LinkChange[] = []
  const work: Promise<void>[] = []
  const failures: unknown[] = []
  const notes = {ends: 0}
  const clock = createManualClock()
  let state = 'open'
  const following = createFollowing({
    follow: (_link, signal) => follow(signal),
    keeper: {
      link: () => ({id: 'link', state}),
      change: async (values: LinkChange) => void changes.push(values),
      changeIfKnown: async (values: LinkChange) => {
        changes.push(values)
        state = values.state ?? state
      },
      keep: (one: Promise<void>) => void work.push(one),
    } as unknown as LinkKeeper,
    clock,
    log: SILENT_LOG,
    wanted: () => (state === 'open' ? 'thread' : undefined),
    take: () => undefined,
    isDone: () => false,
    endOf: async () => PUT_AWAY,
    onEnd: () => (notes.ends += 1),
    onFailure: (error) => void failures.push(error),
    ...own,
  })
  return {following, changes, failures, notes, clock, settled: () => Promise.all(work)}
}

test('a stream that waits for room is let go when it is no longer wanted, and comes back', async () => {
  let wanted: string | undefined = 'thread'
  let streams = 0
  const {following, notes, settled, failures} = openFollowing(
    async function* (signal) {
      streams += 1
      yield {type: 'heartbeat'}
      if (!signal.aborted) await once(signal, 'abort')
    },
    {wanted: () => wanted, take: () => new Promise(() => undefined)},
  )
  following.look()
  following.look()
  await new Promise(setImmediate)
  wanted = undefined
  following.look()
  // It is wanted again before it has ended.
  wanted = 'thread'
  following.look()
  expect(streams).toBe(1)
  await new Promise(setImmediate)
  expect([streams, following.isResting()]).toEqual([2, false])
  wanted = undefined
  following.look()
  await settled()
  expect([streams, following.isResting(), notes.ends]).toEqual([2, true, 0])
  expect(failures).toEqual([])
})

test('the end of a stream puts nothing away that has come out of the archive since', async () => {
  let streams = 0
  const answers = [undefined, 'silent', PUT_AWAY] as const
  const {following, changes, clock} = openFollowing(
    async function* () {
      streams += 1
      yield {type: 'done'}
    },
    {
      isDone: () => true,
      endOf: async () => {
        const answer = answers[streams - 1]
        if (answer === 'silent') throw new PlatformUnreachable('it is away', true)
        return answer
      },
    },
  )
  following.look()
  for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate)
  // The first time it is followed anew at once.
  expect([streams, following.isResting(), changes]).toEqual([2, false, []])
  clock.advance(10_000)
  for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate)
  expect([streams, following.isResting()]).toEqual([3, true])
  expect(changes).toEqual([{state: 'archived', status: 'archived'}])
})

test('a thread that was deleted is gone, and not put away', async () => {
  const {following, changes, settled} = openFollowing(
    async function* () {
      yield {type: 'done'}
    },
    {isDone: () => true, endOf: () => Promise.reject(new PlatformNotFound('no such thread', GONE))},
  )
  following.look()
  await settled()
  expect(changes).toEqual([{state: 'ended', notice: {code: 'gone'}}])
})

test('a stream that ends by itself is told of, and does not begin again', async () => {
  let streams = 0
  const {following, changes, notes, settled} = openFollowing(async function* () {
    streams += 1
    yield {type: 'heartbeat'}
    throw new PlatformNotFound('no such thread', GONE)
  }, {})
  following.look()
  await settled()
  expect([streams, notes.ends, following.isResting()]).toEqual([1, 1, true])
  expect(changes).toEqual([{state: 'ended', notice: {code: 'gone'}}])
})

test('a 404 that is not in the platform’s form is told, and tried again later', async () => {
  const {following, changes, settled} = openFollowing(async function* () {
    yield {type: 'heartbeat'}
    throw new PlatformNotFound('no route matched', {status: 404, fields: {message: 'no route'}})
  }, {})
  following.look()
  await settled()
  expect(changes).toEqual([{notice: {code: 'refused', detail: 'no route'}}])
})

test('a stream that ran for more than a minute before it ended is followed by another one at once', async () => {
  let streams = 0
  const {following, clock} = openFollowing(
    async function* (signal) {
      streams += 1
      clock.advance(61_000)
      yield {type: 'done'}
      if (streams === 5) await once(signal, 'abort')
    },
    {isDone: () => true, endOf: async () => undefined},
  )
  following.look()
  for (let turns = 0; turns < 40; turns += 1) await new Promise(setImmediate)
  expect([streams, clock.pending()]).toEqual([5, 0])
})
