import {expect, test} from 'vitest'
import {createMemory} from '../../src/async/memory.ts'

test('of what comes from outside so much is remembered, and what was asked for last stays', () => {
  const memory = createMemory<number>({most: 3})
  for (const [key, value] of Object.entries({a: 1, b: 2, c: 3})) memory.keep(key, value)
  expect(memory.of('a')).toBe(1)
  memory.keep('d', 4)
  expect(['a', 'b', 'c', 'd'].map((key) => memory.of(key))).toEqual([1, undefined, 3, 4])
  // What is known already takes no room.
  memory.keep('d', 5)
  expect(['a', 'c', 'd'].map((key) => memory.of(key))).toEqual([1, 3, 5])
  for (let count = 0; count < 10_000; count += 1) memory.keep(String(count), count)
  expect(memory.size()).toBe(3)
})

test('what is kept for a while is not known after that, and can be forgotten before', () => {
  let nowMs = 0
  const memory = createMemory<string>({most: 10, nowMs: () => nowMs})
  memory.keep('a', 'for a while', 100)
  memory.keep('b', 'for long')
  nowMs = 99
  expect(memory.of('a')).toBe('for a while')
  nowMs = 100
  expect([memory.of('a'), memory.of('b'), memory.size()]).toEqual([undefined, 'for long', 1])
  memory.forget('b')
  expect(memory.of('b')).toBeUndefined()
})
