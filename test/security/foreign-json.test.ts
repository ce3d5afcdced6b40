import {expect, test} from 'vitest'
import {isRecord, ownOf, parseJson} from '../../src/security/foreign-json.ts'

test('what is no JSON is nothing', () => {
  expect(parseJson('{"a":[1]}')).toEqual({a: [1]})
  expect(parseJson('{"a":')).toBeUndefined()
})

test('a record has fields with names', () => {
  expect([{}, {a: 1}].map(isRecord)).toEqual([true, true])
  expect([null, undefined, [], [{}], 'text', 1, true].some(isRecord)).toBe(false)
})

test('what every object has is no word of a table', () => {
  const table: Record<string, string> = {idle: 'Done'}
  const words = ['idle', 'active', 'constructor', 'toString', '__proto__', 'hasOwnProperty']
  expect(words.filter((word) => ownOf(table, word) !== undefined)).toEqual(['idle'])
  expect(ownOf(table, 'idle')).toBe('Done')
})
