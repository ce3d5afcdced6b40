import {expect, test} from 'vitest'
import {createBodyReader} from '../../src/http/body.ts'

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

test('all that are on their way share the room, and give it back', async () => {
  const reading = createBodyReader({maxBytes: 10, maxBuffered: 15})
  const used = Promise.withResolvers<unknown>()
  const first = reading(sent(10), () => used.promise)
  expect(await reading(sent(6), lengthOf)).toBe('busy')
  expect(await reading(sent(5), lengthOf)).toBe(5)
  used.resolve(undefined)
  await first
  expect(await reading(sent(10), lengthOf)).toBe(10)
})

test('those for one receiver leave room to the others, and give theirs back', async () => {
  const reading = createBodyReader({maxBytes: 10, maxBuffered: 20, maxBufferedForOne: 12})
  const used = Promise.withResolvers<unknown>()
  const first = reading({...sent(10), receiver: 'a'}, () => used.promise)
  expect(await reading({...sent(1, 2), receiver: 'a'}, lengthOf)).toBe('busy')
  expect(await reading({...sent(10), receiver: 'b'}, lengthOf)).toBe(10)
  used.resolve(undefined)
  await first
  expect(await reading({...sent(10), receiver: 'a'}, lengthOf)).toBe(10)
})

test('one that does not come is not waited for', async () => {
  const reading = createBodyReader({maxBytes: 10, withinMs: 20})
  const never = {next: () => new Promise<never>(() => undefined)}
  expect(await reading({contentLength: undefined, chunks: never}, lengthOf)).toBe('too-slow')
})
