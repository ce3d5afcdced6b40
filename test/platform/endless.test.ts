import {expect, test} from 'vitest'
import {createEventReader} from '../../src/platform/stream/events.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text)
const MAX_CHARS = 64 * 1024

/** What a reader gives for so many of the same chunks, and how much larger the process is behind them. */
function readMany(chunk: Uint8Array, count: number) {
  const reader = createEventReader(MAX_CHARS)
  const before = process.memoryUsage.rss()
  let oversize = 0
  for (let index = 0; index < count; index += 1) {
    for (const {type} of reader.read(chunk)) if (type === 'oversize') oversize += 1
  }
  return {reader, oversize, grownMb: (process.memoryUsage.rss() - before) / 2 ** 20}
}

test.each([
  ['a line', `data: ${'x'.repeat(16_000)}`],
  ['an event of many lines', `data: ${'x'.repeat(16_000)}\n`],
])('%s that never ends is skipped in bounded memory, and the next event is read', (_what, text) => {
  const {reader, oversize, grownMb} = readMany(bytes(text), 3500)
  expect(oversize).toBe(1)
  expect(grownMb).toBeLessThan(40)
  expect(reader.read(bytes('\n\ndata: next\n\n'))).toEqual([{type: 'event', data: 'next'}])
})

test('comments without end leave nothing behind', () => {
  const {reader, oversize, grownMb} = readMany(bytes(':\n\n'.repeat(5000)), 500)
  expect(oversize).toBe(0)
  expect(grownMb).toBeLessThan(40)
  expect(reader.read(bytes('data: next\n\n'))).toEqual([{type: 'event', data: 'next'}])
})
