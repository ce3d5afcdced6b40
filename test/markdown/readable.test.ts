import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {readableLength} from '../../src/markdown/readable.ts'
import {toVisible} from '../../src/markdown/visible.ts'
import {jumpsOf} from '../support/growth.ts'
import {createHostileTexts} from '../support/hostile-texts.ts'
import {growing, ordinaryMarkdown} from '../support/ordinary-markdown.ts'

const readable = (text: string): string => text.slice(0, readableLength(text))

test.each([
  ...[
    'Hello wor',
    'Done.',
    '5 * 3',
    '~5 minutes',
    '2024 was',
    'see x[0] or',
    'a<b c',
    'List<string>',
  ],
  ...['価格は', '12:30', 'As follows:', '# T', '- a', '1. a', '> a', '- [ ] a', 'snake_case'],
  ...[
    '**bold** and',
    '`code` and',
    '[a](https://b.example)',
    'https://b.example and',
    ':rocket: go',
  ],
  ...[
    '```ts\nconst a = `',
    '```ts\n',
    '```\na\n```\n',
    '    indented',
    'a\n\n',
    '| a | b |\nno table',
  ],
  ...[
    '| a | b |\n| - | - |\n',
    '| a | b |\n| - | - |\n| 1 | 2 |\n',
    '🇩🇪 and',
    '🇩🇪.',
    `see \`${'x'.repeat(200)}`,
    '&lt; and',
    'a\n---\n',
  ],
])('%j is shown to its end', (text) => {
  expect(readable(text)).toBe(text)
})

const long = 'word '.repeat(60)

test.each([
  ['see **bo', 'see '],
  [`see \`${'x'.repeat(199)}`, 'see '],
  ['see **bold*', 'see '],
  ['see **bold**', 'see '],
  ['see *one\nline and', 'see '],
  ['see *one\n- ', 'see '],
  ['see `co', 'see '],
  ['see `code`', 'see '],
  ['see [`[a](b)', 'see '],
  ['see [la', 'see '],
  ['see [label]', 'see '],
  ['see [label](https://a.ex', 'see '],
  ['see [label](https://a.example/x(y) "tit', 'see '],
  ['see ![al', 'see '],
  ['see <https://a.ex', 'see '],
  ['see https://a.example/b', 'see '],
  ['see htt', 'see '],
  ['a &l', 'a '],
  ['a :rock', 'a '],
  ['yes!', 'yes'],
  ['a\\', 'a'],
  ['a\n#', 'a\n'],
  ['a\n# ', 'a\n'],
  ['a\n# **b', 'a\n'],
  ['a\n- ', 'a\n'],
  ['a\n  - [b', 'a\n'],
  ['a\n1.', 'a\n'],
  ['a\n> ', 'a\n'],
  ['a\n--', 'a\n'],
  ['a\n- [ ] ', 'a\n'],
  ['a\n```t', 'a\n'],
  ['a\n- ```t', 'a\n'],
  ['```\na\n``', '```\na\n'],
  ['```\na\n```', '```\na\n'],
  ['```\na &l', '```\na '],
  ['a\n\n| a ', 'a\n\n'],
  ['a\n\n| a | b |\n', 'a\n\n'],
  ['a\n\n| a | b |\n| -', 'a\n\n'],
  ['a\n\n| a | b |\n| - | - |', 'a\n\n'],
  ['| a |\n| - |\n| b', '| a |\n| - |\n'],
  ['a 👩🏽‍', 'a '],
  ['a 🇩', 'a '],
  ['a \ud83d', 'a '],
  [`${long}👩🏽‍`, long],
  // What is in the code may be words again, if its end is one of more backticks.
  [`\`${long}https://a.ex\``, `\`${long}`],
  // A mark in code is none: so the one in front of it is still open.
  ['see **a `b** c', 'see '],
  ['see `a` **b `c', 'see `a` '],
])('%j is shown as %j', (text, shown) => {
  expect(readable(text)).toBe(shown)
})

test.each([
  '`',
  '[a](https://b.example/',
  '**',
  '| a ',
  '```',
  '&',
  'https://',
  '🇩🇪',
  '\\',
  '[',
  '- ',
])('what begins with %j is shown as it is once it stays open for long', (text) => {
  const endless = `see\n${text}${'x'.repeat(300)}${text.repeat(Math.ceil(1200 / text.length))}`
  for (let end = 1; end <= endless.length; end += 1) {
    expect(end - readableLength(endless.slice(0, end))).toBeLessThanOrEqual(200)
  }
})

describe('a text that grows', () => {
  test('as ordinary Markdown, grows at its end alone: no block becomes another one, no word is taken back', () => {
    fc.assert(
      fc.property(growing(ordinaryMarkdown), (states) => {
        expect(jumpsOf(states)).toEqual([])
      }),
      {numRuns: 25},
    )
  })

  test('never shows less than before, and cuts no character, whatever it is', () => {
    const hostile = createHostileTexts(1)
    for (let index = 0; index < 400; index += 1) {
      const text = hostile.next(1 + hostile.below(8))
      let before = 0
      for (let end = 1; end < text.length; end += 1 + hostile.below(40)) {
        // Half a character or line end may be at the end of what came.
        const state = toVisible(text.slice(0, end).replace(/[\uD800-\uDBFF\r]$/, ''))
        if (state === '\ufffd') continue
        const length = readableLength(state)
        expect(length).toBeGreaterThanOrEqual(before)
        expect(state.slice(0, length).isWellFormed()).toBe(true)
        before = length
      }
    }
  })
})
