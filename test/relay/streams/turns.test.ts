import {setImmediate as nextTurn} from 'node:timers/promises'
import {expect, test} from 'vitest'
import type {Frame} from '../../../src/platform/stream/frame.ts'
import type {Transport} from '../../../src/platform/transport.ts'
import {createConnections} from '../../../src/relay/streams/connections.ts'
import {createTimeSlices} from '../../../src/async/time-slices.ts'
import {Secret} from '../../../src/security/secret.ts'
import {FRESH_LINK} from '../../support/fresh-link.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'

/** Turns by a clock that every piece of work moves on, and how much was done in each turn of the loop. */
function openTurns(pieceMs: number) {
  let nowMs = 0
  const perTurn: number[] = []
  let done = 0
  let isOver = false
  const work = (): void => {
    nowMs += pieceMs
    done += 1
  }
  const count = async (): Promise<void> => {
    while (!isOver) {
      await nextTurn()
      perTurn.push(done)
      done = 0
    }
  }
  const counting = count()
  const end = async (): Promise<number> => {
    isOver = true
    await counting
    return Math.max(...perTurn)
  }
  return {turns: createTimeSlices({nowMs: () => nowMs}), work, end}
}

/** Works through so many pieces without waiting for anything else, as frames of one chunk are. */
async function workThrough(pieces: number, {turns, work}: ReturnType<typeof openTurns>) {
  for (let piece = 0; piece < pieces; piece += 1) {
    await turns()
    work()
  }
}

test.for([1, 100])('%i streams with much to do share the time of a turn', async (streams) => {
  const open = openTurns(1)
  const all: Promise<void>[] = []
  for (let stream = 0; stream < streams; stream += 1) {
    all.push(workThrough(2000 / streams, open))
    // As sockets are read: the next when what follows of the one before is done.
    await new Promise<void>((resolve) => process.nextTick(resolve))
  }
  await Promise.all(all)
  expect(await open.end()).toBeLessThanOrEqual(20)
})

test('a stream with little to do comes to its turn beside one with much', async () => {
  const open = openTurns(1)
  let isDone = false
  const much = workThrough(2000, open).then(() => (isDone = true))
  await nextTurn()
  await workThrough(20, open)
  expect(isDone).toBe(false)
  await much
  await open.end()
})

test('a chunk that holds thousands of frames does not hold the event loop until the last', async () => {
  const open = openTurns(1)
  const count = 3000
  const words = Array.from({length: count}, (_, at) => `event: run\ndata: {"phase": "${at}"}\n\n`)
  const body = Buffer.from(words.join(''))
  const transport: Transport = {
    json: () => Promise.reject(new Error('not asked for')),
    events: async ({signal}) => ({
      close: () => undefined,
      async *[Symbol.asyncIterator]() {
        yield body
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
    }),
    [Symbol.asyncDispose]: async () => undefined,
  }
  const key = new Secret('key')
  const connections = createConnections({
    ...{keyOf: () => key, transport, log: SILENT_LOG, turns: open.turns},
  })
  const stop = new AbortController()
  const frames: Frame[] = []
  for await (const frame of connections.follow({...FRESH_LINK, threadId: 't'}, stop.signal)) {
    if (frame.type !== 'run') continue
    open.work()
    frames.push(frame)
    if (frames.length === count) stop.abort()
  }
  expect(frames.map((frame) => 'phase' in frame && frame.phase)).toEqual(
    words.map((_, at) => `${at}`),
  )
  expect(await open.end()).toBeLessThanOrEqual(20)
})
