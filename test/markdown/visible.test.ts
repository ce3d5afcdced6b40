import {expect, test} from 'vitest'
import {toVisible, visiblePieces} from '../../src/markdown/visible.ts'
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
