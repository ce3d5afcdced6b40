import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {readableLength} from '../../src/markdown/readable.ts'
import {type Part, splitMarkdown} from '../../src/markdown/split.ts'
import {escapedLength} from '../../src/slack/markup/markup.ts'
import {readMarkdown} from '../support/text-judge.ts'

const MAX = 300
const split = (text: string): Part[] => splitMarkdown(text, MAX, escapedLength)

const words = fc.constantFrom(
  ...[
    'fix',
    'the',
    'prices.',
    'are',
    'rounded;',
    'twice!',
    '価格',
    '人民币。',
    'R&D',
    'a<b',
    '&lt;',
  ],
  ...['👩🏽‍💻', '🇩🇪🇫🇷', 'e\u0301', '**bold**', '[docs](https://example.com/a?b=c&d)', '`x`'],
)
const line = fc.array(words, {minLength: 1, maxLength: 14}).map((list) => list.join(' '))
const paragraph = fc.array(line, {minLength: 1, maxLength: 3}).map((lines) => lines.join('\n'))
const fence = fc
  .tuple(
    fc.constantFrom('```', '````', '~~~'),
    fc.constantFrom('', 'ts', 'python x'),
    fc.array(line, {maxLength: 12}),
  )
  .map(([ticks, info, lines]) => [ticks + info, ...lines, ticks].join('\n'))
const table = fc
  .array(fc.tuple(words, words), {minLength: 1, maxLength: 20})
  .map((rows) =>
    ['| Name | Value |', '| --- | ---: |', ...rows.map(([a, b]) => `| ${a} | ${b} |`)].join('\n'),
  )
const unbroken = fc
  .tuple(
    fc.constantFrom('日', '🇩🇪', '👩🏽‍💻', 'x', '&', 'e\u0301', '한'),
    fc.integer({min: 1, max: 300}),
  )
  .map(([unit, count]) => unit.repeat(count))
const markdown = fc
  .array(fc.oneof(paragraph, fence, table, unbroken), {minLength: 1, maxLength: 7})
  .map((blocks) => blocks.join('\n\n'))
const anything = fc.string({unit: 'grapheme', maxLength: 900})

describe('for every text', () => {
  test('the sources joined are the text, and each part fits', () => {
    fc.assert(
      fc.property(fc.oneof(markdown, anything), (text) => {
        const parts = split(text)
        expect(parts.map(({source}) => source).join('')).toBe(text)
        for (const {shown} of parts) expect(escapedLength(shown)).toBeLessThanOrEqual(MAX)
      }),
      {numRuns: 300},
    )
  })

  test('a part that another one follows never changes while the text grows', () => {
    fc.assert(
      fc.property(fc.oneof(markdown, anything), (text) => {
        const whole = split(text)
        for (let length = 0; length <= text.length; length += 7) {
          const frozen = split(text.slice(0, length)).slice(0, -1)
          expect(whole.slice(0, frozen.length)).toEqual(frozen)
        }
      }),
      {numRuns: 60},
    )
  })

  test('what opens right behind the end of a fence is shown', () => {
    const code = `\`\`\`\n${'x\n'.repeat(30)}`
    const text = `${code}\`\`\`\n\`\`\`words`
    for (const max of [64, 70, 90]) {
      expect(splitMarkdown(text, max).at(-1)?.shown).toContain('words')
    }
  })

  test('a row whose first bar comes late does not change what stands', () => {
    const cells = '| a | b |\n| --- | :-: |\n| https://a.example/x?y=1&lt=2  | www.a.example |\n'
    const text = `\n\n\`\`js x\n\`\`\n \n\n${cells} ${'>'.repeat(77)} | e |\n`
    const costly = (length: number): Part[] =>
      splitMarkdown(text.slice(0, length), 199, escapedLength)
    for (let length = 0; length <= text.length; length += 1) {
      const frozen = costly(length).slice(0, -1)
      expect(costly(text.length).slice(0, frozen.length)).toEqual(frozen)
    }
  })

  test('no cut goes through a visible character', () => {
    fc.assert(
      fc.property(fc.oneof(markdown, anything), (text) => {
        const edges = new Set([...new Intl.Segmenter().segment(text)].map(({index}) => index))
        let at = 0
        for (const {source} of split(text).slice(0, -1)) {
          at += source.length
          expect(edges.has(at), `${at} of ${JSON.stringify(text)}`).toBe(true)
        }
      }),
      {numRuns: 300},
    )
  })

  test('what a part shows is its source, but for marks that are repeated and the space at its end', () => {
    fc.assert(
      fc.property(fc.array(paragraph, {minLength: 1, maxLength: 9}), (paragraphs) => {
        for (const {shown, source} of split(paragraphs.join('\n\n')))
          expect(shown.trimEnd()).toBe(source.trimEnd())
      }),
      {numRuns: 100},
    )
  })
})

describe('where it cuts', () => {
  test('a text that fits is one part', () => {
    expect(split('short')).toEqual([{shown: 'short', source: 'short'}])
    expect(split('')).toEqual([{shown: '', source: ''}])
    expect(split('x'.repeat(MAX))).toHaveLength(1)
    expect(split(' \n ')).toEqual([{shown: ' \n ', source: ' \n '}])
  })

  test('at a paragraph before a line, at a line before a sentence, at a sentence before a word', () => {
    const long = (...ends: string[]) => ends.map((end) => 'word '.repeat(8).trim() + end).join('')
    const paragraphs = long('\n', '. ', ' ', '. ', '\n', '\n\n', ' ', '. ', '\n')
    expect(split(paragraphs)[0]?.source.endsWith('\n\n')).toBe(true)
    const lines = long('. ', ' ', '. ', ' ', ' ', '\n', ' ', ' ', '. ')
    expect(split(lines)[0]?.source.endsWith('word\n')).toBe(true)
    const sentences = long(' ', ' ', ' ', ' ', ' ', '. ', ' ', ' ', ' ')
    expect(split(sentences)[0]?.source.endsWith('word. ')).toBe(true)
    expect(split('word '.repeat(100))[0]?.source.endsWith('word ')).toBe(true)
  })

  test('near its end where it can, so that little of what grows has to wait', () => {
    const early = `${'word '.repeat(30).trim()}\n\n${'word '.repeat(70)}`
    expect(split(early)[0]?.source.length).toBeGreaterThan(MAX * 0.75)
  })

  test('Chinese and Japanese at the end of a sentence, though no space follows it', () => {
    const sentence = '価格は一度だけ丸められます。'
    for (const {source} of split(sentence.repeat(40))) expect(source.endsWith('。')).toBe(true)
  })

  test('never inside an entity', () => {
    for (const {source} of split('&lt;&#x1F600;'.repeat(60))) {
      expect(source.replaceAll(/&#?\w+;/g, '')).toBe('')
    }
  })
})

describe('of a text that grows', () => {
  const soFar = (text: string): Part[] => splitMarkdown(text, MAX, escapedLength, 'growing')

  test.each([
    ['words', 'word '.repeat(200)],
    ['lines', 'some words\n'.repeat(80)],
    ['code', `\`\`\`\n${'code()\n'.repeat(120)}`],
  ])('what is shown stays in its part: %s', (_name, text) => {
    let before: Part[] = []
    for (let length = 0; length < text.length; length += 1) {
      const parts = soFar(text.slice(0, length))
      expect(before.every((it, part) => parts[part]?.source.startsWith(it.source))).toBe(true)
      before = parts
    }
    expect(before.length).toBeGreaterThan(3)
  })

  test('all is shown while it is far from full', () => {
    const text = 'word '.repeat(40)
    expect(soFar(text)).toEqual([{shown: text, source: text}])
  })
})

describe('code that goes on', () => {
  const code = Array.from({length: 40}, (_, index) => `  const value${index} = ${index}\n`).join('')

  test.each([
    ['```ts', '```'],
    ['~~~~ python', '~~~~'],
    ['  ```', '```'],
  ])('%s is closed and opened again', (opener, closer) => {
    const parts = split(`Look:\n\n${opener}\n${code}${closer}\n\nThat is all.`)
    expect(parts.length).toBeGreaterThan(3)
    const inside = parts.slice(1, -1)
    for (const {shown} of inside) {
      expect(shown.startsWith(`${opener}\n`)).toBe(true)
      expect(shown.endsWith(`\n${closer}`)).toBe(true)
      expect(shown.split('\n').filter((it) => it.trim().startsWith(closer))).toHaveLength(2)
    }
    expect(parts[0]?.shown.endsWith(`\n${closer}`)).toBe(true)
    expect(parts.at(-1)?.shown.startsWith(`${opener}\n`)).toBe(true)
    expect(parts.at(-1)?.shown.endsWith('That is all.')).toBe(true)
  })

  test('keeps every line and its indentation', () => {
    const shown = split(`\`\`\`\n${code}\`\`\``).flatMap((part) => part.shown.split('\n'))
    expect(
      shown
        .filter((it) => !it.startsWith('```'))
        .map((it) => `${it}\n`)
        .join(''),
    ).toBe(code)
  })

  test('is none in the part in front of it', () => {
    const before = `${'word '.repeat(49)}word\n\n`
    const [first, second] = split(`${before}\`\`\`ts\n${code}`)
    expect(first).toEqual({shown: before.trimEnd(), source: before})
    expect(second?.shown.startsWith('```ts\n  const value0 = 0\n')).toBe(true)
  })

  test.each([
    ['a quote', '> ```\n', '> code()\n', '> ```'],
    ['an item', '- ```\n', '  code()\n', '  ```'],
    ['an item of a quote', '> - ```\n', '>   code()\n', '>   ```'],
  ])('is closed inside of %s', (_name, before, line, end) => {
    const [first] = split(`words\n\n${before}${line.repeat(60)}`)
    expect(first?.shown.endsWith(`code()\n${end}`)).toBe(true)
  })

  test('shows nothing of a part that has only its end', () => {
    for (let length = 230; length < 300; length += 1) {
      const text = `\`\`\`\n${'x'.repeat(length)}\n\`\`\`${'\n'.repeat(70)}`
      for (const {shown} of split(text)) expect(shown).not.toMatch(/^```\n*```\n*$/)
    }
  })

  test('keeps the space inside of a line, wherever that is cut', () => {
    const line = `${'x'.repeat(200)}${' '.repeat(100)}${'y'.repeat(200)}`
    const parts = split(`\`\`\`\n${line}\n\`\`\``).map(({shown}) => shown.split('\n'))
    expect(parts.length).toBeGreaterThan(1)
    expect(parts.flatMap((lines) => lines.filter((it) => it !== '```')).join('')).toBe(line)
  })

  test('a longer fence holds shorter ones as code', () => {
    const inner = '```ts\nx\n```\n'.repeat(40)
    const parts = split(`\`\`\`\`md\n${inner}\`\`\`\``)
    for (const {shown} of parts) {
      expect(shown.startsWith('````md\n')).toBe(true)
      expect(shown.endsWith('\n````')).toBe(true)
    }
  })

  test.each([
    ['an endless info string', `\`\`\`${'x'.repeat(1000)}\n${code}\`\`\``],
    ['endless ticks', `${'`'.repeat(200)}\n${code}${'`'.repeat(200)}`],
    ['more ticks than a message', `${'`'.repeat(1000)}\n${code}`],
    [
      'a fence that ends with its item, and another one',
      `- a\n\n  ${'~'.repeat(22)}\n${`  ${'x'.repeat(60)}\n`.repeat(4)}b\n${'`'.repeat(22)}\n${`${'y'.repeat(40)}\n`.repeat(9)}`,
    ],
    ['a table as wide as a message', `| ${'x'.repeat(290)} |\n| --- |\n${'| y |\n'.repeat(200)}`],
  ])('%s still fits', (_name, text) => {
    const parts = split(text)
    expect(parts.map(({source}) => source).join('')).toBe(text)
    for (const {shown} of parts) expect(escapedLength(shown)).toBeLessThanOrEqual(MAX)
  })
})

describe('a table that goes on', () => {
  const header = '| Area | Calls |\n| --- | ---: |\n'
  const rows = Array.from({length: 40}, (_, index) => `| area ${index} | ${index} |\n`)

  test('repeats its header, and its rows stay whole', () => {
    const parts = split(`Before.\n\n${header}${rows.join('')}\nAfter.`)
    expect(parts.length).toBeGreaterThan(2)
    for (const {shown} of parts.slice(1)) expect(shown.startsWith(header)).toBe(true)
    const shown = parts.flatMap((part) =>
      part.shown.split('\n').filter((it) => it.includes('area')),
    )
    expect(shown).toEqual(rows.map((it) => it.trimEnd()))
  })

  test('what only looks like one does not', () => {
    const text = `| not a table\n${'| still not\n'.repeat(60)}`
    for (const {shown} of split(text).slice(1)) expect(shown.startsWith('| still not')).toBe(true)
  })
})

describe('a paragraph that goes on', () => {
  test('is no code, however far to the right its lines are', () => {
    const parts = split(`first\n${'      some more words\n'.repeat(50)}`)
    expect(parts.length).toBeGreaterThan(3)
    for (const {shown, source} of parts.slice(1)) expect(shown.trim()).toBe(source.trim())
    for (const {shown} of parts.slice(1)) expect(shown).toMatch(/^some.*\n {6}some/)
  })

  test('is no list where a number begins a line of it', () => {
    const lines = `${'word '.repeat(6)}and\n2) ${'word '.repeat(6)}and\n`
    for (const {shown} of split(lines.repeat(20))) expect(shown).not.toMatch(/^2\)/)
  })

  test.each([
    ['a heading', '> # '],
    ['words', '> '],
    ['words in an item', '> - '],
  ])('in a quote stays in it: %s', (_name, mark) => {
    const parts = split(mark + 'x'.repeat(1000))
    expect(parts.length).toBeGreaterThan(3)
    for (const {shown} of parts.slice(1)) expect(shown).toMatch(/^> x/)
  })

  test('as code that is indented stays code', () => {
    for (const {shown} of split(`    ${'x'.repeat(1000)}`)) expect(shown).toMatch(/^ {4}x/)
  })
})

describe('what a part reads like', () => {
  const inline = fc.constantFrom(
    ...['**two words**', '*so it is*', '`a b c`', '[a label](https://a.example/x)', 'plain'],
    ...['https://a.example/long/address', 'snake_case', '~~not this~~', '日本', '👨‍👩‍👧‍👦'],
  )
  const sentence = fc
    .array(inline, {minLength: 2, maxLength: 8})
    .map((list) => `${list.join(' ')}.`)
  const sentences = fc.array(sentence, {minLength: 1, maxLength: 3}).map((list) => list.join(' '))
  const code = fc.array(fc.constantFrom('if (a) {', '  b[0](c)', '}', ''), {maxLength: 12})
  const indent = (by: string, lines: readonly string[]) => lines.map((it) => by + it).join('\n')
  const block = fc.oneof(
    sentences,
    sentences.map((text) => `> ${text}`),
    fc.array(sentence, {minLength: 1, maxLength: 6}).map((list) => indent('> ', list)),
    fc
      .array(fc.tuple(fc.nat({max: 2}), sentence), {minLength: 1, maxLength: 8})
      .map((items) => items.map(([depth, text]) => `${'  '.repeat(depth)}- ${text}`).join('\n')),
    code.map((lines) => indent('', ['```ts', ...lines, '```'])),
    code.map((lines) => `- item\n\n${indent('  ', ['```ts', ...lines, '```'])}`),
    code.map((lines) => indent('> ', ['~~~', ...lines, '~~~'])),
  )
  const document = fc.array(block, {minLength: 1, maxLength: 7}).map((list) => list.join('\n\n'))
  const toReading = (text: string) => readMarkdown(text)

  test('all parts together read like the whole, each of them alone', () => {
    fc.assert(
      fc.property(document, (text) => {
        const parts = split(text).map(({shown}) => toReading(shown))
        expect(parts.join('')).toBe(toReading(text))
      }),
      {numRuns: 300},
    )
  })

  test('what is shown of a text that grows stays in its part', () => {
    const soFar = (text: string) => splitMarkdown(text, MAX, escapedLength, 'growing')
    fc.assert(
      fc.property(document, fc.nat(), (text, seed) => {
        let before: Part[] = []
        for (let length = 0; length < text.length; length += 1 + (seed % 40)) {
          const written = text.slice(0, length)
          const parts = soFar(written.slice(0, readableLength(written)))
          const kept = before.every((it, part) => parts[part]?.source.startsWith(it.source))
          expect(kept).toBe(true)
          before = parts
        }
      }),
      {numRuns: 200},
    )
  })

  test('nothing is cut that is one thing', () => {
    fc.assert(
      fc.property(document, (text) => {
        const links = (it: string) =>
          it.match(/\[a label\]\(https:\/\/a\.example\/x\)/g)?.length ?? 0
        const shown = split(text).map((part) => part.shown)
        expect(shown.reduce((sum, it) => sum + links(it), 0)).toBe(links(text))
      }),
      {numRuns: 100},
    )
  })

  test('a nested list that goes on is no code, and its quote stays a quote', () => {
    const items = Array.from({length: 30}, (_, index) => `      - nested item ${index}\n`).join('')
    for (const {shown} of split(`- a\n  - b\n    - c\n${items}- d`).slice(1, -1)) {
      expect(shown.startsWith('- nested item')).toBe(true)
    }
    for (const {shown} of split(`> ${'many words '.repeat(100)}`).slice(1)) {
      expect(shown.startsWith('> ')).toBe(true)
    }
  })

  test.each([
    [
      'a fence that ends because its item does',
      '- a\n\n  ```ts\n',
      '  const a = b[0]\n',
      'Behind it.',
    ],
    ['a list in a quote', '> - a\n>   - b\n', '>     - one more item\n', 'Behind it.'],
    ['a fence in an item of a quote', '> - a\n>   ~~~\n', '>   code()\n', '>   ~~~\n\nBehind it.'],
    ['words far to the right', '12) done\n\n', '    said again\n\n', '   and not there'],
  ])('%s reads as it did over all parts', (_name, before, unit, behind) => {
    const text = before + unit.repeat(60) + behind
    const parts = split(text).map(({shown}) => readMarkdown(shown))
    expect(parts.length).toBeGreaterThan(3)
    expect(parts.join('')).toBe(readMarkdown(text))
  })
})
