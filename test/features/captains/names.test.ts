import fc from 'fast-check'
import {expect, test} from 'vitest'
import {readName} from '../../../src/features/captains/names.ts'

const NAMES = ['Ada', 'Ada Lovelace', 'Grace', 'grace', 'Zoë von Stern']
const read = (text: string, names: readonly string[] = NAMES) =>
  readName(text, new Map(names.map((name, index) => [index, name])))

test('the longest name that fits is meant, and what stands behind it is said', () => {
  expect(read('Ada what is left?')).toEqual({outcome: 'found', ones: [0], rest: 'what is left?'})
  expect(read('ada  lovelace: hello')).toEqual({outcome: 'found', ones: [1], rest: 'hello'})
  expect(read('“Ada” Lovelace was who?')).toEqual({
    ...{outcome: 'found', ones: [0], rest: 'Lovelace was who?'},
  })
  expect(read('@Zoë von Stern, go')).toEqual({outcome: 'found', ones: [4], rest: 'go'})
  expect(read('grace hi')).toEqual({outcome: 'found', ones: [3], rest: 'hi'})
  expect(read('GRACE hi')).toEqual({outcome: 'found', ones: [2, 3], rest: 'hi'})
  expect(read('Adda hi')).toEqual({outcome: 'unknown', word: 'Adda', nearest: 'Ada'})
  expect(read('')).toEqual({outcome: 'unnamed'})
})

test('whatever a captain is called, it is found by its name in quotes, and by its bare name', () => {
  const name = fc
    .string({minLength: 1, maxLength: 100, unit: 'grapheme'})
    .map((text) => text.replaceAll(/[\s"“”„‟'‘’‚‛«»@:,]+/gu, ' ').trim())
    .filter((text) => text !== '')
  fc.assert(
    fc.property(name, fc.string(), (called, said) => {
      const rest = said.trim()
      const quoted = read(`"${called}" ${rest}`, [called])
      expect(quoted).toMatchObject({outcome: 'found', ones: [0], rest})
      expect(read(called, [called])).toMatchObject({outcome: 'found', ones: [0], rest: ''})
    }),
  )
})

test('no text breaks it', () => {
  fc.assert(
    fc.property(fc.string({unit: 'grapheme', maxLength: 3000}), (text) => {
      expect(['found', 'unknown', 'unnamed']).toContain(read(text).outcome)
    }),
  )
})
