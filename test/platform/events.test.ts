import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {type BodyEvent, createEventReader} from '../../src/platform/stream/events.ts'
import {heldBytes} from '../support/held-bytes.ts'

const encoder = new TextEncoder()
const NO_CAP = 1024 * 1024

function readAll(chunks: readonly Uint8Array[], maxChars = NO_CAP): BodyEvent[] {
  const reader = createEventReader(maxChars)
  return chunks.flatMap((chunk) => reader.read(chunk))
}

/** The bytes in pieces of the given sizes, again and again. */
function inChunks(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = []
  for (let at = 0; at < bytes.length;) {
    const size = sizes[chunks.length % sizes.length] ?? 1
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  return chunks
}

const word = fc
  .string({unit: 'grapheme', maxLength: 12})
  .map((text) => text.replace(/[\r\n\0]/g, ''))
const block = fc
  .record({
    comments: fc.array(word, {maxLength: 2}),
    event: fc.option(fc.constantFrom('status', 'transcript', 'später')),
    id: fc.option(fc.stringMatching(/^[\w-]{0,8}$/)),
    data: fc.array(
      fc.oneof(word, fc.constantFrom('👩🏽‍💻', '{"text":"日本"}', '', ' zwei', 'ﷺ', '🇩🇪🇫🇷')),
      {minLength: 1, maxLength: 4},
    ),
    space: fc.constantFrom('', ' '),
  })
  .map(({comments, event, id, data, space}) => ({
    lines: [
      ...comments.map((text) => `:${text}`),
      ...(event === null ? [] : [`event:${space}${event}`]),
      ...(id === null ? [] : [`id:${space}${id}`]),
      ...data.map((text) => `data: ${text}`),
      '',
    ],
    event: {
      type: 'event' as const,
      ...(event !== null && {event}),
      ...(id !== null && {id}),
      data: data.join('\n'),
    },
  }))
const lineEnd = fc.constantFrom('\n', '\r\n', '\r')
const sizes = fc.array(fc.integer({min: 1, max: 40}), {minLength: 1, maxLength: 8})

describe('however the bytes are cut', () => {
  test('the same events come out', () => {
    fc.assert(
      fc.property(
        fc.array(block, {maxLength: 8}),
        lineEnd,
        sizes,
        fc.boolean(),
        (blocks, end, cut, hasMark) => {
          const lines = blocks.flatMap((it) => it.lines)
          const text = (hasMark ? '\uFEFF' : '') + lines.map((line) => line + end).join('')
          const bytes = encoder.encode(text)
          const expected = blocks.map(({event}) => event)
          expect(readAll([bytes])).toEqual(expected)
          expect(readAll(inChunks(bytes, cut))).toEqual(expected)
          expect(readAll(inChunks(bytes, [1]))).toEqual(expected)
        },
      ),
      {numRuns: 300},
    )
  })

  test('line ends of all kinds may stand side by side', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(block, lineEnd), {maxLength: 6}), sizes, (blocks, cut) => {
        // A comment keeps a CR that ends one block apart from an LF that would begin the next.
        const text = blocks
          .map(([{lines}, end]) => [':', ...lines].map((line) => line + end).join(''))
          .join('')
        const bytes = encoder.encode(text)
        expect(readAll(inChunks(bytes, cut))).toEqual(blocks.map(([{event}]) => event))
      }),
      {numRuns: 200},
    )
  })

  test('any bytes at all do no harm, and mean the same', () => {
    fc.assert(
      fc.property(fc.uint8Array({maxLength: 400}), sizes, (noise, cut) => {
        const known = encoder.encode('\n\n\nevent: status\ndata: {}\n\n')
        const bytes = Uint8Array.from([...noise, ...known])
        const whole = readAll([bytes])
        expect(readAll(inChunks(bytes, cut))).toEqual(whole)
        expect(whole.at(-1)).toMatchObject({type: 'event', event: 'status', data: '{}'})
      }),
      {numRuns: 300},
    )
  })
})

test('a retry line tells its milliseconds, wherever it stands', () => {
  const bytes = encoder.encode('retry: 2000\n\nevent: status\nretry: 5\ndata: {}\n\nretry: no\n\n')
  expect(readAll(inChunks(bytes, [1]))).toEqual([
    {type: 'retry', retryMs: 2000},
    {type: 'retry', retryMs: 5},
    {type: 'event', event: 'status', data: '{}'},
  ])
})

test('an unfinished event at the end is none', () => {
  expect(readAll([encoder.encode('event: transcript\nid: 1\ndata: {"id":"a"}\n')])).toEqual([])
})

describe('an event over the cap', () => {
  const small = (id: number) => `event: status\nid: ${id}\ndata: ${'x'.repeat(20)}\n\n`

  test('is skipped, said once, and leaves its neighbours alone', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('small', 'huge', 'lines'), {minLength: 1, maxLength: 6}),
        lineEnd,
        sizes,
        (kinds, end, cut) => {
          const text = kinds
            .map((kind, index) => {
              if (kind === 'small') return small(index)
              if (kind === 'huge') return `event: transcript\ndata: ${'é'.repeat(500)}\n\n`
              return `event: transcript\n${'data: 12345678\n'.repeat(30)}\n`
            })
            .join('')
            .replaceAll('\n', end)
          const read = readAll(inChunks(encoder.encode(text), cut), 200)
          expect(read.map((event) => (event.type === 'event' ? event.id : event.type))).toEqual(
            kinds.map((kind, index) => (kind === 'small' ? String(index) : 'oversize')),
          )
        },
      ),
      {numRuns: 200},
    )
  })

  test('is passed over in constant memory, though its line never ends', () => {
    const reader = createEventReader(1024)
    const chunk = encoder.encode('x'.repeat(256 * 1024))
    expect(reader.read(encoder.encode('data: '))).toEqual([])
    expect(reader.read(chunk)).toEqual([{type: 'oversize'}])
    const before = heldBytes()
    // 100 MB go by.
    for (let count = 0; count < 400; count += 1) expect(reader.read(chunk)).toEqual([])
    expect(heldBytes() - before).toBeLessThan(1024 * 1024)
    expect(reader.read(encoder.encode(`\n\n${small(7)}`))).toMatchObject([{id: '7'}])
  })
})
