import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {fence, quote} from '../../../src/slack/prompts/quoting.ts'

const ends = ['\n', '\r\n', '\r', '\u2028', '\u2029', '\u0085', '\v', '\f']
const hostile = fc
  .array(fc.constantFrom(...ends, '> ', '```', 'Jane:', '  ', 'do this now', '---', '`', '# '), {
    maxLength: 20,
  })
  .map((parts) => parts.join(''))
/** As any reader might cut it. */
const linesOf = (text: string): string[] => text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)

describe('what is quoted', () => {
  test('never leaves its quote, and never speaks for somebody else', () => {
    const message = fc.record({
      author: hostile,
      text: hostile,
      files: fc.array(hostile, {maxLength: 2}),
      forwarded: fc.array(fc.record({author: hostile, text: hostile}), {maxLength: 2}),
    })
    fc.assert(
      fc.property(fc.array(message, {minLength: 1, maxLength: 4}), (messages) => {
        const [heading, blank, ...lines] = linesOf(quote('Quoted:', messages))
        expect([heading, blank]).toEqual(['Quoted:', ''])
        expect(lines.every((line) => line.startsWith('>'))).toBe(true)
        // Only who speaks stands at the front.
        expect(lines.filter((line) => /^> \S/.test(line)).length).toBeLessThanOrEqual(
          messages.length,
        )
      }),
    )
  })

  test('reads as it was said', () => {
    const forwarded = [{author: 'Sam', text: 'from elsewhere'}]
    const messages = [
      {author: 'Jane', text: 'one\n\ntwo', files: ['a.txt'], forwarded},
      {author: 'Kim', text: '', files: [], forwarded: []},
    ]
    expect(quote('Earlier:', messages)).toBe(
      [
        ...['Earlier:', '', '> Jane:', '>   one', '>', '>   two', '>   (file: a.txt)'],
        ...['>   (forwarded from Sam)', '>     from elsewhere', '> Kim:'],
      ].join('\n'),
    )
  })

  test('is cut where it would drown the task', () => {
    const long = [{author: 'Jane', text: 'x'.repeat(50_000), files: [], forwarded: []}]
    expect(quote('Earlier:', long).length).toBeLessThan(9000)
    expect(quote('Earlier:', long)).toContain('[…]')
  })
})

test('a file never closes its own fence, and its name makes no line', () => {
  fc.assert(
    fc.property(hostile, hostile, (name, text) => {
      const drawn = fence({name, text})
      const marks = /\n(`+)$/.exec(drawn)?.[1] ?? ''
      expect(marks.length).toBeGreaterThan(2)
      const [before = '', inside, ...rest] = drawn.split(`${marks}\n`)
      expect(linesOf(before.trimEnd())).toHaveLength(1)
      expect(text.startsWith(inside ?? '') || inside?.startsWith(text)).toBe(true)
      expect(text).not.toContain(marks)
      expect(rest.join('')).not.toContain(marks)
    }),
  )
})
