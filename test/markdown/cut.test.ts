import {describe, expect, test} from 'vitest'
import {START} from '../../src/markdown/blocks.ts'
import {cutAt, surelyBefore} from '../../src/markdown/cut.ts'
import {readLines} from '../../src/markdown/paragraphs.ts'

/** A window of a hundred characters, which is cut behind its eightieth where it can be, and else in its second half. */
const FULL = 100
const FROM = 80
/** So many characters of words, the last one a space. */
const words = (length: number): string => 'word '.repeat(FULL).slice(-length)
/** So many with no space among them. */
const solid = (length: number): string => 'x'.repeat(length)

const cut = (text: string): string => {
  const window = text.slice(0, FULL)
  return window.slice(0, cutAt(window, readLines(window, START, 'at a line'), FROM))
}

describe('a full window is cut', () => {
  test.each<[string, string, string]>([
    ['behind a paragraph', `${words(85)}\n\n`, 'a\nb. c d'],
    ['behind the last of them', `${words(82)}\n\na\n \n`, 'a\nb. c d'],
    ['behind a line', `${words(85)}\n`, 'b. c d e'],
    ['behind a sentence', `${words(85)}b. `, 'c d e f'],
    ['behind a question in quotes', `${words(85)}b?") `, 'c d e f'],
    ['behind a sentence that no space follows', `${words(85)}格。`, 'c d e f'],
    ['behind a word', words(95), ''],
    ['behind a word where a paragraph ends too early', `${words(78)}\n\n${words(15)}`, ''],
    ['in its second half', words(60), ''],
    ['late in its second half', `${words(50)}${solid(10)} `, ''],
    ['at its last character', solid(99), ''],
    ['in front of a fence', `${words(85)}\n\n`, '```\na\nb\n'],
    ['in front of a list', `${words(85)}\n\n`, '- a'],
    ['in front of a list that ends a paragraph', `${words(85)}\n`, '- a'],
    ['in front of a heading', `${words(60)}\n`, `# ${words(30)}`],
    ['in front of a row', `| a |\n| - |\n| ${words(45)}|\n`, `| ${words(30)}`],
    ['in front of a rule', `${words(60)}\n`, '* '.repeat(20)],
    ['in front of a table', `${words(50)}\n\n`, `| a |\n|${' '.repeat(30)}:-|${' '.repeat(9)}`],
    ['behind a line of code, blank ones or not', `\`\`\`\n${words(79)}\n\na\n`, words(10)],
    ['inside a line of code', `    ${words(85)}`, ''],
  ])('%s', (_what, before, behind) => {
    expect(cut((before + behind).padEnd(FULL, 'x'))).toBe(before)
  })
})

describe('what stands behind a cut reads as it did: none', () => {
  test.each<[string, string, string]>([
    ['in front of what makes a heading', `${words(60)}\n`, `${words(24)}\n${'='.repeat(20)}`],
    ['where the next line may make one', `${words(60)}\n${words(30)}`, `${solid(8)}\n`],
    ['in front of what would be one', `${words(60)}\n`, `${words(24)}---\n${'='.repeat(20)}`],
    ['in front of what would be an item', `${words(60)}\n${words(24)}\n2) `, ''],
    [
      'in front of what would be a rule',
      `${words(60)}\n${words(24)}`,
      `${solid(4)} ${'-'.repeat(20)}`,
    ],
    ['in front of an item in a quote', `> ${words(58)}\n> ${words(20)}\n> 2) `, ''],
    ['in front of what would be a heading', `${words(85)}# `, ''],
    ['between a mark and its words', `${words(76)}\n\n`, `>${' '.repeat(4)}`],
  ])('%s', (_what, before, behind) => {
    expect(cut((before + behind).padEnd(FULL, 'x'))).toBe(before)
  })
})

describe('what is one thing', () => {
  test.each<[string, string, string]>([
    ['code', words(60), `\`${words(30)}\``],
    ['code that is still open', words(60), `\`${words(30)}`],
    ['a link', words(60), `[${words(20)}](https://a.example/b)`],
    ['a link without its address', words(60), `[${words(38)}]`],
    ['a link whose address goes on', words(60), `[${words(20)}](https://a.e`],
    ['an address', words(60), '价https://a.example/价。'.slice(1)],
    ['what is emphasised', words(60), `**${words(30)}b**`],
    ['what is emphasised and open', words(60), `**${words(30)}`],
    ['code as long as half a window', words(51), `\`${words(40)}`],
    ['a grapheme', solid(96), '🇩🇪🇫🇷'],
    ['an entity', solid(95), '&amp;'],
    ['code without a space', solid(95), '`abc`'],
    ['code without a space, in front of one too long', solid(60), `\`${solid(38)}\``],
  ])('stays whole: %s', (_what, before, behind) => {
    expect(cut((before + behind).padEnd(FULL, 'x'))).toBe(before)
  })

  test.each<[string, string, string]>([
    ['of code', `${words(70)}\`${words(15)}\` `, ''],
    ['of code without a space', `${solid(94)}\`abc\``, ''],
    ['of an address', `${words(70)}https://a.example/价。`, '<b'],
    ['of what is emphasised', `${words(70)}**${words(10)}b** `, ''],
  ])('is no reason not to cut behind it: %s', (_what, before, behind) => {
    expect(cut((before + behind).padEnd(FULL, 'x'))).toBe(before)
  })

  test('is cut if it alone is longer than half a window', () => {
    expect(cut(`${words(50)}\`${words(45)}xxxx`)).toBe(`${words(50)}\`${words(45)}`)
    expect(cut(`${words(20)}[${words(70)}](b) x`)).toBe(`${words(20)}[${words(70)}](b) `)
  })

  test('that is open is longer than it is so far', () => {
    expect(cut(`${words(50)}\`${words(45)}xxx`)).toBe(`${words(50)}\`${words(45)}`)
  })

  test('stays whole in the first half too, where a cut may be there', () => {
    const window = `${words(35)}\`a\nb\` ${words(58)}x`
    const at = cutAt(window, readLines(window, START, 'at a line'), 30)
    expect(window.slice(0, at)).toBe(window.slice(0, -1))
  })

  test('is cut if it is too long, rather than what is short behind it', () => {
    const long = `a \`${words(60)}`
    expect(cut(`${long}b\`x\`${words(30)}xxx`)).toBe(long)
  })

  test('is cut as words rather than as code or a link, where one of them has to be', () => {
    expect(cut(`${solid(55)}**${words(20)}\`${words(20)}xx`)).toBe(`${solid(55)}**${words(20)}`)
  })
})

test('where a window that is not full yet will surely be cut is behind its last good place', () => {
  const sure = (text: string): string =>
    text.slice(0, surelyBefore(text, readLines(text, START, 'at a line'), 20))
  expect(sure(`${words(40)}b`)).toBe(words(40))
  expect(sure(`${words(25)}\n\n${words(10)}b`)).toBe(`${words(25)}\n\n`)
  expect(sure(solid(40))).toBe(solid(20))
  expect(sure(`${words(30)}\`${words(20)}`)).toBe(words(30))
})
