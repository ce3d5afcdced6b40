import {expect, test} from 'vitest'
import {type ReadBody, createBodyReader} from '../../src/http/body.ts'
import {heldBytes} from '../support/held-bytes.ts'

async function* chunks(...sizes: number[]) {
  for (const size of sizes) yield new Uint8Array(size)
}

const sent = (...sizes: number[]) => ({contentLength: undefined, chunks: chunks(...sizes)})
const lengthOf = (body: Buffer | string) => (typeof body === 'string' ? body : body.length)

test('a body is read up to its limit, announced or not', async () => {
  const reading = createBodyReader({maxBytes: 10})
  expect(await reading(sent(4, 6), lengthOf)).toBe(10)
  expect(await reading(sent(4, 7), lengthOf)).toBe('too-large')
  expect(await reading({...sent(), contentLength: '11'}, lengthOf)).toBe('too-large')
})

/** One that has come, and is used until that is resolved. */
async function inUse(reading: ReadBody, body: Parameters<ReadBody>[0]) {
  const [begun, used] = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()]
  const first = reading(body, () => {
    begun.resolve(undefined)
    return used.promise
  })
  await begun.promise
  return {first, used}
}

test('all that are on their way share the room, and give it back', async () => {
  const reading = createBodyReader({maxBytes: 10, maxBuffered: 15})
  const {first, used} = await inUse(reading, sent(10))
  expect(await reading(sent(6), lengthOf)).toBe('busy')
  expect(await reading(sent(5), lengthOf)).toBe(5)
  used.resolve(undefined)
  await first
  expect(await reading(sent(10), lengthOf)).toBe(10)
})

test('those for one receiver leave room to the others, and give theirs back', async () => {
  const reading = createBodyReader({maxBytes: 10, maxBuffered: 20, maxBufferedForOne: 12})
  const {first, used} = await inUse(reading, {...sent(10), receiver: 'a'})
  expect(await reading({...sent(1, 2), receiver: 'a'}, lengthOf)).toBe('busy')
  expect(await reading({...sent(10), receiver: 'b'}, lengthOf)).toBe(10)
  used.resolve(undefined)
  await first
  expect(await reading({...sent(10), receiver: 'a'}, lengthOf)).toBe(10)
})

/** It sends so much, and then nothing. */
const slow = (bytes: number, onPulled: () => void = () => undefined) => {
  const pieces = [new Uint8Array(bytes)]
  const next = (): Promise<IteratorResult<Uint8Array>> => {
    const value = pieces.shift()
    if (value === undefined) return new Promise(() => undefined)
    onPulled()
    return Promise.resolve({done: false, value})
  }
  return {contentLength: undefined, chunks: {next}}
}

test('the largest makes room, so that what is short gets through, and none has more than all may have', async () => {
  const reading = createBodyReader({maxBytes: 10, maxBuffered: 20})
  let pulled = 0
  const ends: string[] = []
  const sizes = [10, 9, 8, 7, 6]
  for (const size of sizes) {
    const body = slow(size, () => (pulled += 1))
    void reading(body, (read) => void ends.push(`${size} ${lengthOf(read)}`))
  }
  await expect.poll(() => pulled).toBe(sizes.length)
  // 10 makes room for 8, then 9 for 7 and 8 for 6: 13 bytes are on their way.
  expect(ends).toEqual(['10 busy', '9 busy', '8 busy'])
  expect(await reading(sent(3, 4), lengthOf)).toBe(7)
  expect(await reading(sent(8), lengthOf)).toBe('busy')
  expect(await reading(sent(7), lengthOf)).toBe(7)
})

test('who fills the room of one receiver, or of some, keeps what is short out of none', async () => {
  const reading = createBodyReader({maxBytes: 10, maxBuffered: 20, maxBufferedForOne: 10})
  const ends: string[] = []
  for (const receiver of ['a', 'b']) {
    const body = {...slow(10), receiver}
    void reading(body, (read) => void ends.push(`${receiver} ${lengthOf(read)}`))
  }
  expect(await reading({...sent(4), receiver: 'c'}, lengthOf)).toBe(4)
  expect(ends).toEqual(['a busy'])
  void reading({...slow(9), receiver: 'a'}, (read) => void ends.push(`a ${lengthOf(read)}`))
  // Of one receiver’s the largest of its own, though another one has a larger one.
  expect(await reading({...sent(1, 3), receiver: 'a'}, lengthOf)).toBe(4)
  expect(ends).toEqual(['a busy', 'a busy'])
})

test('one that does not come is not waited for', async () => {
  const reading = createBodyReader({maxBytes: 10, withinMs: 20})
  const never = {next: () => new Promise<never>(() => undefined)}
  expect(await reading({contentLength: undefined, chunks: never}, lengthOf)).toBe('too-slow')
})

test('one that comes byte by byte holds little besides its bytes', async () => {
  const [come, rest] = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()]
  const bytes = 100_000
  async function* singly() {
    for (let count = 0; count < bytes; count += 1) yield new Uint8Array([count])
    come.resolve(undefined)
    await rest.promise
  }
  const before = heldBytes()
  const sum = (body: Buffer | string) =>
    typeof body === 'string' ? body : body.reduce((total, byte) => total + byte, 0)
  const summed = createBodyReader({maxBytes: bytes})(
    {contentLength: undefined, chunks: singly()},
    sum,
  )
  await come.promise
  // What was let go of is cleared away a moment later.
  await expect.poll(() => heldBytes() - before).toBeLessThan(50 * bytes)
  rest.resolve(undefined)
  expect(await summed).toBe(
    Array.from({length: bytes}, (_, at) => at % 256).reduce((a, b) => a + b),
  )
})
