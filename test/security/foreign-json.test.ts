import {expect, test} from 'vitest'
import {isRecord, parseJson} from '../../src/security/foreign-json.ts'

test('what is no JSON is nothing', () => {
  expect(parseJson('{"a":[1]}')).toEqual({a: [1]})
  expect(parseJson('{"a":')).toBeUndefined()
})

test('a record has fields with names', () => {
  expect([{}, {a: 1}].map(isRecord)).toEqual([true, true])
  expect([null, undefined, [], [{}], 'text', 1, true].some(isRecord)).toBe(false)
})
