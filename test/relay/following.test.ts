import {once} from 'node:events'
import {expect, test} from 'vitest'
import {PlatformNotFound} from '../../src/platform/errors.ts'
import type {Frame} from '../../src/platform/frame.ts'
import type {Books} from '../../src/relay/books.ts'
import {createFollowing} from '../../src/relay/following.ts'
import type {LinkChange} from '../../src/store/link.ts'
import {SILENT_LOG} from '../support/silent-log.ts'

type Options = Parameters<typeof createFollowing>[0]

function openFollowing(
  follow: (signal: AbortSignal) => AsyncGenerator<Frame>,
  own: Partial<Options>,
) {
  const changes: LinkChange[] = []
  const work: Promise<void>[] = []
  const failures: unknown[] = []
  const notes = {ends: 0}
  const following = createFollowing({
    follow: (_link, signal) => follow(signal),
    books: {
      link: () => ({id: 'link'}),
      change: async (values: LinkChange) => void changes.push(values),
      changeIfKnown: async (values: LinkChange) => void changes.push(values),
      keep: (one: Promise<void>) => void work.push(one),
    } as unknown as Books,
    log: SILENT_LOG,
    wanted: () => 'thread',
    take: () => undefined,
    isDone: () => false,
    onEnd: () => (notes.ends += 1),
    onFailure: (error) => void failures.push(error),
    ...own,
  })
  return {following, changes, failures, notes, settled: () => Promise.all(work)}
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

test('the stream of work that comes back is another one, and the end of the old one changes nothing', async () => {
  let streams = 0
  const letGo = Promise.withResolvers<undefined>()
  const {following, changes} = openFollowing(
    async function* (signal) {
      streams += 1
      yield {type: 'heartbeat'}
      if (streams === 1) await letGo.promise
      else await once(signal, 'abort')
    },
    {isDone: () => true},
  )
  following.look()
  await new Promise(setImmediate)
  following.renew()
  letGo.resolve(undefined)
  await new Promise(setImmediate)
  expect([streams, following.isResting()]).toEqual([2, false])
  expect(changes).toEqual([])
})

test('a stream that ends by itself is told of, and does not begin again', async () => {
  let streams = 0
  const {following, changes, notes, settled} = openFollowing(async function* () {
    streams += 1
    yield {type: 'heartbeat'}
    throw new PlatformNotFound('no such thread')
  }, {})
  following.look()
  await settled()
  expect([streams, notes.ends, following.isResting()]).toEqual([1, 1, true])
  expect(changes).toEqual([{state: 'ended', notice: {code: 'gone'}}])
})
