import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {offersIn} from '../../src/markdown/offers.ts'

const list = '1. Postgres\n2. MySQL'
const long = (length: number): string => 'x'.repeat(length)
const ten = Array.from({length: 10}, (_, at) => `${at + 1}. ${at}${long(149)}`)

describe('the answers that an agent’s last words offer', () => {
  test.each<[string, string, string[]]>([
    ['right below', `Which one?\n${list}`, ['1. Postgres', '2. MySQL']],
    ['below a blank line', `Which one?\n\n${list}\n`, ['1. Postgres', '2. MySQL']],
    ['letters', 'Which one?\n\na) this\nb) that\nc) both', ['a) this', 'b) that', 'c) both']],
    ['capitals', 'Which one?\n\nA. this\nB. that', ['A. this', 'B. that']],
    ['numbers in brackets', 'Which one?\n1) this\n2) that', ['1) this', '2) that']],
    ['apart', 'Which one?\n\n1. this\n\n2. that', ['1. this', '2. that']],
    ['behind other words', `I looked.\n\nIt is slow. Which one?\n${list}`, list.split('\n')],
    ['of a bold question', `**Which one?**\n\n${list}`, list.split('\n')],
    ['of a heading', `## Which one?\n\n${list}`, list.split('\n')],
    ['of a quoted word', `Which is “it”, and why “that?”\n${list}`, list.split('\n')],
    ['with a line below', `Which one?\n\n${list}\n\nI would take 1.`, list.split('\n')],
    ['with Windows’ line ends', `Which one?\r\n\r\n1. a\r\n2. b\r\n`, ['1. a', '2. b']],
    ['in another language', `Welche soll ich nehmen?\n\n${list}`, list.split('\n')],
    [
      'with marks',
      'Which?\n1. **Postgres**: fast\n2. `mysql`',
      ['1. **Postgres**: fast', '2. `mysql`'],
    ],
    ['or', `Shall I use one of these, or ask Jane?\n${list}`, list.split('\n')],
    [
      'ten of them',
      `Which?\n${Array.from({length: 10}, (_, at) => `${at + 1}. is ${at}`).join('\n')}`,
      Array.from({length: 10}, (_, at) => `${at + 1}. is ${at}`),
    ],
    ['of a question as long as one may be', `${long(399)}?\n${list}`, list.split('\n')],
    ['as long as one may be', `Which?\n1. ${long(150)}\n2. b`, [`1. ${long(150)}`, '2. b']],
    ['a line below as long as one may be', `Which?\n${list}\n\n${long(100)}`, list.split('\n')],
    ['behind a line of any length', `${long(9000)}\nWhich one?\n${list}`, list.split('\n')],
    ['all of it as long as may be', `${long(399)}?\n\n${ten.join('\n\n')}\n\n${long(100)}`, ten],
    [
      'with space inside and below',
      `${long(399)}?\n\n${ten.map((it) => it.replace(' ', ' '.repeat(40))).join('\n\n')}\n\n${long(100)}`,
      ten,
    ],
  ])('%s', (_what, text, offers) => {
    expect(offersIn(text)).toEqual(offers)
  })

  test.each<[string, string]>([
    ['no question', `These are the two.\n${list}`],
    ['a question before other words', `Which one? I can do both.\n\n${list}`],
    ['a colon behind the question', `Which one? My options:\n${list}`],
    ['nothing above', list],
    ['one answer', 'Which one?\n1. this'],
    ['eleven', `Which?\n${Array.from({length: 11}, (_, at) => `${at + 1}. is ${at}`).join('\n')}`],
    ['a gap', 'Which one?\n1. a\n3. b'],
    ['a late start', 'Which one?\n2. a\n3. b'],
    ['two kinds of marks', 'Which one?\n1. a\n2) b'],
    ['all ones', 'Which one?\n1. a\n1. b'],
    ['bullets', 'Which one?\n- a\n- b'],
    ['the same twice', 'Which one?\n1. Yes\n2. yes'],
    ['a long one', `Which one?\n1. a\n2. ${'b'.repeat(151)}`],
    ['a question that is too long', `${long(400)}?\n${list}`],
    ['a long question with its list far below', `${long(500)}?\n1.${' '.repeat(3700)}a\n2. b`],
    ['a line below that is too long', `Which?\n${list}\n\n${long(101)}`],
    ['a line that goes on', 'Which one?\n1. a\n   and more\n2. b'],
    ['a lazy line', 'Which one?\n1. a\nand more\n2. b'],
    ['a lazy last line', 'Which one?\n1. a\n2. b\nand more'],
    ['a nested list', 'Which one?\n1. a\n   - deep\n2. b'],
    ['indented', 'Which one?\n  1. a\n  2. b'],
    ['two lines below', `Which one?\n${list}\n\nOr not.\n\nTell me.`],
    ['a long line below', `Which one?\n${list}\n\n${'so '.repeat(40)}`],
    ['a list below', `Which one?\n${list}\n\n- and this`],
    ['a quote below', `Which one?\n${list}\n\n> and this`],
    ['in a fence', `Which one?\n\`\`\`\n${list}\n\`\`\``],
    ['behind a fence', `\`\`\`\nx\n\`\`\`\nWhich one?\n${list}`],
    ['far away', `Which one?\n\n\n${list}`],
    ['in a quote', `> Which one?\n${list}`],
    ['below a quote’s words', `> I asked\nWhich one?\n${list}`],
    ['below a list’s words', `- I asked\nWhich one?\n${list}`],
    ['boxes', 'What is left?\n1. [ ] a\n2. [x] b'],
    ['parts', 'Which one?\n1. The first:\n2. The second:'],
    ['steps', 'Shall I go on with these steps?\n1. Delete it\n2. Make it anew'],
    ['steps in bold', '**Is that right?**\n1. Delete it\n2. Make it anew'],
    ['steps behind other words', 'I have a plan. Can I begin?\n1. Delete it\n2. Make it'],
    ['nothing', ''],
    ['blank lines', '\n\n\n'],
  ])('are none: %s', (_what, text) => {
    expect(offersIn(text)).toBeUndefined()
  })

  const word = fc.stringMatching(/^[a-z]{1,12}( [a-z]{1,12}){0,4}$/)
  interface Form {
    before: string[]
    question: string
    gap: string
    style: string
    items: string[]
    between: string
    closing: string | undefined
  }
  const form: fc.Arbitrary<Form> = fc.record({
    before: fc.array(word, {maxLength: 3}),
    question: word.filter((words) => !/^(?:sh|do|di|ma|ca|co|w|i|a|h|o|r)/.test(words)),
    gap: fc.constantFrom('\n', '\n\n'),
    style: fc.constantFrom('1.', '1)', 'a)', 'a.', 'A)', 'A.'),
    items: fc.uniqueArray(word, {minLength: 2, maxLength: 10}),
    between: fc.constantFrom('\n', '\n\n'),
    closing: fc.option(word, {nil: undefined}),
  })
  const marker = (style: string, at: number): string =>
    (style.startsWith('1') ? `${at + 1}` : String.fromCharCode(style.charCodeAt(0) + at)) +
    style.slice(1)
  const linesOf = ({style, items}: {style: string; items: string[]}): string[] =>
    items.map((item, at) => `${marker(style, at)} ${item}`)
  const toText = (of: Form, lines = linesOf(of)): string => {
    const below = of.closing === undefined ? '' : `\n\n${of.closing}`
    const above = of.before.map((words) => `${words}\n\n`).join('')
    return `${above}${of.question}?${of.gap}${lines.join(of.between)}${below}`
  }

  test('are what was offered, in every form that is meant', () => {
    fc.assert(
      fc.property(form, (of) => {
        expect(offersIn(toText(of))).toEqual(linesOf(of))
      }),
    )
  })

  test('are none as soon as one thing about the form is not so', () => {
    const breaks: ((lines: string[], at: number) => string[])[] = [
      (lines, at) => lines.map((line, it) => (it === at ? ` ${line}` : line)),
      (lines, at) => lines.map((line, it) => (it === at ? `- ${line}` : line)),
      (lines, at) => lines.map((line, it) => (it === at ? `${line} ${'x'.repeat(150)}` : line)),
      (lines, at) => lines.map((line, it) => (it === at ? `${line}\nand more` : line)),
      (lines, at) => lines.map((line, it) => (it === at ? `${line}\n\n\n> quoted` : line)),
      (lines, at) => lines.map((line, it) => (it === at ? line.replace(/[.)]/, ':') : line)),
      (lines, at) => [...lines.slice(0, at), '```', ...lines.slice(at)],
      (lines) => lines.toReversed(),
      (lines) => lines.slice(1),
      (lines) => lines.slice(0, 1),
    ]
    fc.assert(
      fc.property(form, fc.constantFrom(...breaks), fc.nat(), (of, breaking, seed) => {
        const lines = linesOf(of)
        const broken = breaking(lines, seed % lines.length)
        expect(offersIn(toText(of, broken))).toBeUndefined()
      }),
    )
  })

  test('stand in the text line by line, whatever the text', () => {
    const piece = fc.oneof(
      fc.constantFrom('Which?', '1. a', '2. b', 'a) c', 'b) d', '', '\n', '> q', '```', ' ', '- x'),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(piece, {maxLength: 12}), (pieces) => {
        const text = pieces.join('\n')
        const offers = offersIn(text)
        if (offers === undefined) return
        const lines = text.split(/\r\n|\r|\n/).map((line) => line.replace(/[ \t]+/, ' ').trim())
        for (const offer of offers) expect(lines).toContain(offer.replace(/[ \t]+/, ' ').trim())
        expect(offers.length).toBeGreaterThanOrEqual(2)
        expect(offers.length).toBeLessThanOrEqual(10)
      }),
      {numRuns: 2000},
    )
  })
})
