import {expect, test} from 'vitest'
import {seamAt, toVisible, trimmed, visiblePieces} from '../../src/markdown/visible.ts'
import {createHostileTexts} from '../support/hostile-texts.ts'

test('a text that is made visible piece by piece is what it is as a whole, in short pieces', () => {
  const texts = createHostileTexts(1)
  const odd = ['\r\n', '\r', '\u202E', '👩🏽‍💻', '\uD83D', 'a\r\u202E\n']
  for (let time = 0; time < 20; time += 1) {
    // What is odd stands where a piece may end.
    const around = Array.from({length: 60}, () => odd[texts.below(odd.length)]).join('')
    const text = `${texts.next(20)}${'x'.repeat(65_536)}`.slice(0, 65_500) + around + texts.next(20)
    const pieces = [...visiblePieces(text)]
    expect(pieces.join('')).toBe(toVisible(text))
    expect(Math.max(...pieces.map(({length}) => length))).toBeLessThanOrEqual(65_536)
  }
})

test.each<[string, string, number, number]>([
  ['at its place', 'abcd', 2, 2],
  ['at the end, if the text has no more', 'abc', 5, 3],
  ['not inside a character', 'ab😀c', 3, 2],
  ['not inside a line end', 'ab\r\nc', 3, 2],
  ['not behind what is invisible', 'ab\u202E\u202Ecd', 4, 2],
  ['a little before alone', `a${'\u202E'.repeat(63)}b`, 64, 1],
  ['not long before', `a${'\u202E'.repeat(64)}b`, 65, 65],
])('a text can be cut %s', (_what, text, at, seam) => {
  expect(seamAt(text, at)).toBe(seam)
})

test.each([
  ['a\u202Eb\u0007c\uFEFF', 'abc'],
  ['a\tb\nc\r\nd\re', 'a\tb\nc\r\nd\ne'],
  ['a\uD83D', 'a\uFFFD'],
  ['👩🏽‍💻 e\u0301', '👩🏽‍💻 e\u0301'],
  ['\u202E', '\uFFFD'],
  ['\u200B', '\uFFFD'],
  [' \n', ' \n'],
  ['', ''],
])('what a reader cannot see is left out, and something stays: %j is %j', (text, visible) => {
  expect(toVisible(text)).toBe(visible)
})

test.each([
  [
    'white space and marks that do not show',
    '\u200E \u2060\uFEFFgo\u00ADon\u200B\n\u202C',
    'go\u00ADon',
  ],
  ['nothing of an emoji', '👩\u200D🚀 ❤\uFE0F', '👩\u200D🚀 ❤\uFE0F'],
  ['all of what shows nothing', ' \u200B\u200D \u2066', ''],
])('around a text goes %s', (_what, text, left) => {
  expect(trimmed(text)).toBe(left)
})
