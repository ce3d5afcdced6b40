import fc from 'fast-check'
import {expect, test} from 'vitest'
import {context, section} from '../../../src/slack/draw/blocks.ts'

const textOf = (text: string): string => {
  const block = section(text)
  return block.type === 'section' ? (block.text?.text ?? '') : expect.unreachable()
}

test('what stands small beside others is cut in the same way', () => {
  const text = '&amp;'.repeat(1000)
  const [small] = [context(text)].flatMap((block) =>
    block.type === 'context' ? block.elements : [],
  )
  expect(small).toMatchObject({type: 'mrkdwn', text: textOf(text)})
})

test('a text that Slack would refuse is cut, and not in the middle of anything', () => {
  const piece = fc.constantFrom('&amp;', '<https://a.example/b|c>', 'word ', '😀', '&lt;')
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
