import {expect, test} from 'vitest'
import {readLetters} from '../../src/security/letters.ts'

/** What is read in the end, and of what it was read. */
function read(text: string): {letters: string; pieces: string[]} {
  const {codes, starts, ends, count} = readLetters(text).at(-1) ?? {codes: [], count: 0}
  const indexes = Array.from({length: count}, (_, index) => index)
  return {
    letters: indexes.map((index) => String.fromCharCode(codes[index] ?? 0)).join(''),
    pieces: indexes.map((index) => text.slice(starts?.[index], ends?.[index])),
  }
}

test('letters and digits are read, and nothing beside them', () => {
  expect(read('/09:@AZ[`az{ é,Ａ').letters).toBe('09AZazéA')
})

test.each([
  ['%41%7A', 'Az', ['%41', '%7A']],
  ['100%zone', '100zone', ['1', '0', '0', 'z', 'o', 'n', 'e']],
  ['%252541', 'A', ['%252541']],
  [String.raw`\u0041\qz\n1\_2`, 'Aqz12', [String.raw`\u0041`, String.raw`\q`, 'z', '1', '2']],
  ['&#65;&#x7a;&lowbar;1', 'Az1', ['&#65;', '&#x7a;', '1']],
  ['&amp;#65;1', 'A1', ['&amp;#65;', '1']],
  ['R&D 1', 'RD1', ['R', 'D', '1']],
  ['a&#65601;b', 'ab', ['a', 'b']],
])('of %s is read %s, and where each letter stands', (text, letters, pieces) => {
  expect(read(text)).toEqual({letters, pieces})
})
