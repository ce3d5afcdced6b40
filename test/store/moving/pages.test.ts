import {expect, test} from 'vitest'
import {EMPTY, addToDigest} from '../../../src/store/moving/pages.ts'
import type {Value} from '../../../src/store/moving/side.ts'

const digestOf = (...values: Value[]) =>
  addToDigest(
    EMPTY,
    values.map((value) => ({value})),
    ['value'],
  )

test('no value is like another one, of whatever type', () => {
  const bytes = (text: string) => Buffer.from(text)
  const values = [
    ...[null, '', 'null', 0, 1, '0', '1', '["1"]', 1.5, Infinity, -Infinity, 'Infinity'],
    ...[bytes(''), bytes('1'), bytes('null'), '{"bytes":""}', '{"bytes":"MQ=="}'],
  ]
  expect(new Set(values.map((value) => digestOf(value).hash)).size).toBe(values.length)
  expect(digestOf(bytes('1'))).toEqual(digestOf(new Uint8Array([0x31])))
})

test('rows are the same in any order, however they are read, each as often as it is there', () => {
  const whole = digestOf('a', 'b', 'b')
  expect(digestOf('b', 'a', 'b')).toEqual(whole)
  expect(addToDigest(digestOf('b'), [{value: 'b'}, {value: 'a'}], ['value'])).toEqual(whole)
  expect(digestOf('a', 'a', 'b')).not.toEqual(whole)
  expect(digestOf('a', 'b')).not.toEqual(whole)
  expect(whole.rows).toBe(3)
})
