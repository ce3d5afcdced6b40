import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {KnownBlock} from '@slack/types'
import {context, inSections, section} from '../../../src/slack/draw/blocks.ts'

const textIn = (block: KnownBlock): string =>
  block.type === 'section' ? (block.text?.text ?? '') : expect.unreachable()
const textOf = (text: string): string => textIn(section(text))
const piece = fc.constantFrom('&amp;', '<https://a.example/b|c>', 'word ', '😀', '&lt;')

test('a text that Slack would refuse is cut, and not in the middle of anything', () => {
  fc.assert(
    fc.property(fc.array(piece, {minLength: 700, maxLength: 1200}), (pieces) => {
      const text = pieces.join('')
      const shown = textOf(text)
      expect(shown.length).toBeLessThanOrEqual(3000)
      expect(shown.isWellFormed()).toBe(true)
      expect(shown.replaceAll(/<[^<>]+>|&(?:amp|lt);/g, '')).not.toMatch(/[<>&]/)
      if (text.length <= 3000) expect(shown).toBe(text)
      else expect(text.startsWith(shown.slice(0, -1))).toBe(true)
    }),
  )
})

test('lines that are more than Slack takes at once stand below each other, and none is lost', () => {
  fc.assert(
    fc.property(fc.array(fc.array(piece, {maxLength: 400}), {minLength: 1}), (all) => {
      const lines = all.map((pieces) => pieces.join(''))
      const shown = inSections(lines).map(textIn)
      for (const text of shown) {
        expect(text.length).toBeLessThanOrEqual(3000)
        expect(text.replaceAll(/<[^<>]+>|&(?:amp|lt);/g, '')).not.toMatch(/[<>&]/)
      }
      const letters = (texts: string[]) => texts.join('').replaceAll('\n', '')
      expect(letters(shown)).toBe(letters(lines))
    }),
  )
})

test('a note is cut as well', () => {
  const [element] = (context('long '.repeat(1000)) as {elements?: {text?: string}[]}).elements ?? []
  expect(element?.text).toHaveLength(3000)
})
