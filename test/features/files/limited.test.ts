import {setTimeout as delay} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {limited} from '../../../src/features/files/limited.ts'

/** Pieces of ten bytes that come as soon as they are wanted, until this many have; then nothing. */
function source(pieces: number) {
  const end = Promise.withResolvers<unknown>()
  let sent = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        sent += 1
        if (sent > pieces) return new Promise(() => undefined)
        controller.enqueue(new Uint8Array(10))
        return undefined
      },
      cancel: (reason) => end.resolve(reason),
    },
    {highWaterMark: 0},
  )
  return {body, cancelled: end.promise}
}

const limits = {maxBytes: 100, idleMs: 60}

test('a file of which nothing moves any more ends, whoever stands still', async () => {
  for (const [pieces, read] of [
    [2, 3],
    [9, 2],
  ] as const) {
    const {body, cancelled} = source(pieces)
    const ended = Promise.withResolvers<unknown>()
    const reader = limited(body, limits, () => ended.resolve(true)).getReader()
    const reads = Array.from({length: read}, () => reader.read().catch(String))
    await ended.promise
    expect(String(await cancelled)).toContain('Nothing of the file has moved for 60 ms')
    const said = await Promise.all([...reads, reader.read().catch(String)])
    expect(said.at(-1)).toContain('Nothing of the file has moved')
  }
})

test('one that moves slowly goes on, up to its length', async () => {
  const {body} = source(20)
  let isOver = false
  const reader = limited(body, limits, () => (isOver = true)).getReader()
  for (let piece = 0; piece < 10; piece += 1) {
    await delay(limits.idleMs / 4)
    expect((await reader.read()).value).toHaveLength(10)
  }
  expect(isOver).toBe(false)
  await expect(reader.read()).rejects.toThrow('The file is longer than 100 bytes')
  expect(isOver).toBe(true)
})
