import {describe, expect, test} from 'vitest'
import {START, readLine} from '../../src/markdown/blocks.ts'
import {layOut, readLines} from '../../src/markdown/paragraphs.ts'

/** Each line as `> - kind:content`: what is open behind it, what it is, with a `+` where its words go on, and what it holds. */
const outline = (text: string): string[] =>
  layOut(text).lines.map(({kind, goesOn, after, from, at, to}) => {
    const around = after.containers.map((it) => (it.kind === 'quote' ? '> ' : '- ')).join('')
    return `${around}${kind}${goesOn === true ? '+' : ''}:${text.slice(from + at, to).trimEnd()}`
  })

const deep = (count: number): string => `${'>'.repeat(count)} # a`

describe('a line is read as the standard says', () => {
  test.each<[string, ...string[]]>([
    ['a\nb', 'text:a', 'text+:b'],
    ['a\n\nb', 'text:a', 'blank:', 'text:b'],
    ['   a', 'text:a'],
    ['a\n    b', 'text:a', 'text+:b'],
    ['a\n\tb', 'text:a', 'text+:b'],
    // Headings and rules.
    ['# a', 'heading:# a'],
    ['#', 'heading:#'],
    ['###### a', 'heading:###### a'],
    ['####### a', 'text:####### a'],
    ['#a', 'text:#a'],
    ['#\ta', 'heading:#\ta'],
    ['a\n# b\nc', 'text:a', 'heading:# b', 'text:c'],
    ['a\n===', 'text:a', 'underline:==='],
    ['a\n-', 'text:a', 'underline:-'],
    ['a\n--- ', 'text:a', 'underline:---'],
    ['a\r\n---\r\nb\r', 'text:a', 'underline:---', 'text:b'],
    ['===', 'text:==='],
    ['a\n= =', 'text:a', 'text+:= ='],
    ['a\n    ---', 'text:a', 'text+:---'],
    ['---', 'rule:---'],
    ['* * *', 'rule:* * *'],
    ['_____\na', 'rule:_____', 'text:a'],
    ['a\n***\nb', 'text:a', 'rule:***', 'text:b'],
    ['--', 'text:--'],
    ['-*-', 'text:-*-'],
    // Code.
    ['    a', 'code:a'],
    ['      a', 'code:  a'],
    ['\ta', 'code:a'],
    ['  \ta', 'code:a'],
    ['    a\n\n    b', 'code:a', 'blank:', 'code:b'],
    ['    a\nb', 'code:a', 'text:b'],
    ['# a\n    b', 'heading:# a', 'code:b'],
    // Fences.
    ['```ts\na\n```\nb', 'fence:```ts', 'code:a', 'fence:```', 'text:b'],
    ['```\n    a', 'fence:```', 'code:    a'],
    ['  ```\n    a\n a', 'fence:```', 'code:  a', 'code:a'],
    ['```\na\n   ```\nb', 'fence:```', 'code:a', 'fence:```', 'text:b'],
    ['```\na\n    ```\nb', 'fence:```', 'code:a', 'code:    ```', 'code:b'],
    ['```\n````\nb', 'fence:```', 'fence:````', 'text:b'],
    ['````\n```\nb', 'fence:````', 'code:```', 'code:b'],
    ['```\n~~~\nb', 'fence:```', 'code:~~~', 'code:b'],
    ['```\n``` x\nb', 'fence:```', 'code:``` x', 'code:b'],
    ['```\n``` \nb', 'fence:```', 'fence:```', 'text:b'],
    ['``` a`\nb', 'text:``` a`', 'text+:b'],
    ['~~~ a`\nb', 'fence:~~~ a`', 'code:b'],
    ['``\nb', 'text:``', 'text+:b'],
    ['a\n```\nb', 'text:a', 'fence:```', 'code:b'],
    ['    ```\nb', 'code:```', 'text:b'],
    ['```\n\n# a', 'fence:```', 'code:', 'code:# a'],
    // Quotes.
    ['> a\n> b', '> text:a', '> text+:b'],
    ['>a\n>b', '> text:a', '> text+:b'],
    ['> a\nb', '> text:a', '> text+:b'],
    ['> a\n    b', '> text:a', '> text+:b'],
    ['> a\n\nb', '> text:a', 'blank:', 'text:b'],
    ['> a\n>\n> b', '> text:a', '> blank:', '> text:b'],
    ['> a\n---', '> text:a', 'rule:---'],
    ['> a\n===', '> text:a', '> text+:==='],
    ['> a\n# b', '> text:a', 'heading:# b'],
    ['> # a\nb', '> heading:# a', 'text:b'],
    ['>     a', '> code:a'],
    ['>    a', '> text:a'],
    ['>\ta', '> text:a'],
    ['> a\n>\n>     b', '> text:a', '> blank:', '> code:b'],
    ['> a\n>\n>    b', '> text:a', '> blank:', '> text:b'],
    ['   > a\n   > b', '> text:a', '> text+:b'],
    ['> a\n    > b', '> text:a', '> text+:> b'],
    ['    > a', 'code:> a'],
    ['> ```\n> a\nb', '> fence:```', '> code:a', 'text:b'],
    ['> ```\n```\nb', '> fence:```', 'fence:```', 'code:b'],
    ['> > a\n> b\nc', '> > text:a', '> > text+:b', '> > text+:c'],
    ['>> a', '> > text:a'],
    // Items.
    ['- a\n- b', '- text:a', '- text:b'],
    ['- a\n  b', '- text:a', '- text+:b'],
    ['- a\nb', '- text:a', '- text+:b'],
    ['- a\n\n  b', '- text:a', '- blank:', '- text:b'],
    ['- a\n\n b', '- text:a', '- blank:', 'text:b'],
    ['- a\n  - b', '- text:a', '- - text:b'],
    ['- - a', '- - text:a'],
    ['-   a\n\n    b', '- text:a', '- blank:', '- text:b'],
    ['-   a\n\n   b', '- text:a', '- blank:', 'text:b'],
    ['-     a', '- code:a'],
    ['-    a', '- text:a'],
    ['- a\n\n      b', '- text:a', '- blank:', '- code:b'],
    ['1. a\n\n   b', '- text:a', '- blank:', '- text:b'],
    ['12) a\n\n   b', '- text:a', '- blank:', 'text:b'],
    ['123456789. a', '- text:a'],
    ['1234567890. a', 'text:1234567890. a'],
    ['-a', 'text:-a'],
    ['1.a', 'text:1.a'],
    ['+ a\n* b', '- text:a', '- text:b'],
    ['2. a', '- text:a'],
    ['a\n- b', 'text:a', '- text:b'],
    ['a\n1. b', 'text:a', '- text:b'],
    ['a\n2. b', 'text:a', 'text+:2. b'],
    ['a\n*', 'text:a', 'text+:*'],
    ['a\n1.', 'text:a', 'text+:1.'],
    ['*\n  a', '- blank:', '- text:a'],
    ['-\n\n  a', '- blank:', 'blank:', 'text:a'],
    ['- a\n\n\n  b', '- text:a', '- blank:', '- blank:', '- text:b'],
    ['- > a\n  > b', '- > text:a', '- > text+:b'],
    ['> - a\n>   b', '> - text:a', '> - text+:b'],
    ['> -\n>\n>   a', '> - blank:', '> blank:', '> text:a'],
    ['- # a\n  b', '- heading:# a', '- text:b'],
    ['- ```\n  a\n  ```\nb', '- fence:```', '- code:a', '- fence:```', 'text:b'],
    ['- ```\n  a\nb', '- fence:```', '- code:a', 'text:b'],
    ['-\ta\n\n    b', '- text:a', '- blank:', '- text:b'],
    ['- * * *', '- rule:* * *'],
    [' - a\n   b', '- text:a', '- text+:b'],
    // Tables.
    ['a | b\n-- | -\nc', 'text:a | b', 'delimiter:-- | -', 'row:c'],
    ['| a |\n| - |\n| b |\n\nc', 'text:| a |', 'delimiter:| - |', 'row:| b |', 'blank:', 'text:c'],
    ['| a |\n| :-: |\n# b', 'text:| a |', 'delimiter:| :-: |', 'heading:# b'],
    ['| a |\n| - |\n> b', 'text:| a |', 'delimiter:| - |', '> text:b'],
    ['| a |\n| - |\n- b', 'text:| a |', 'delimiter:| - |', '- text:b'],
    ['| a |\n| - |\n---', 'text:| a |', 'delimiter:| - |', 'rule:---'],
    ['| a | b |\n| - |', 'text:| a | b |', 'text+:| - |'],
    ['| a |\n| - | - |', 'text:| a |', 'text+:| - | - |'],
    ['| a | b |\n| : | : |', 'text:| a | b |', 'text+:| : | : |'],
    ['a | b\nc-d | e', 'text:a | b', 'text+:c-d | e'],
    ['a | b\n| - | - |', 'text:a | b', 'delimiter:| - | - |'],
    ['a b c\n:-', 'text:a b c', 'delimiter::-'],
    ['| a | b | \n| - | - |', 'text:| a | b |', 'delimiter:| - | - |'],
    ['| a | b\n| - | - |', 'text:| a | b', 'delimiter:| - | - |'],
    ['| a \\| b | c |\n| - | - |', 'text:| a \\| b | c |', 'delimiter:| - | - |'],
    ['\\| a | b\n-- | -', 'text:\\| a | b', 'delimiter:-- | -'],
    ['a | b\n- | -', 'text:a | b', '- text:| -'],
    ['    a | b\n-- | -', 'code:a | b', 'text:-- | -'],
    ['x\n    a | b\n-- | -', 'text:x', 'text+:a | b', 'text+:-- | -'],
    ['> | a |\n| - |', '> text:| a |', '> text+:| - |'],
    ['> | a |\n> | - |\n> b', '> text:| a |', '> delimiter:| - |', '> row:b'],
  ])('%j', (text, ...lines) => {
    expect(outline(text)).toEqual(lines)
  })

  test('marks are words below a depth that nobody means', () => {
    expect(readLine(START, deep(24)).kind).toBe('heading')
    expect(readLine(START, deep(25)).kind).toBe('text')
  })
})

describe('what stands behind a cut in a line', () => {
  const behind = (before: string, text: string): string[] => {
    const {after} = readLine(START, before)
    return readLines(text, after, 'inside a line').map(
      ({kind, goesOn, from, at, to}) =>
        `${kind}${goesOn === true ? '+' : ''}:${text.slice(from + at, to)}`,
    )
  }
  test.each<[string, string, ...string[]]>([
    ['words', '# no heading\n# a heading', 'text+:# no heading', 'heading:# a heading'],
    ['words', '    no code', 'text+:    no code'],
    ['words', '  \n- a', 'blank:', 'text:a'],
    ['words', 'more\nand more', 'text+:more', 'text+:and more'],
    ['# a heading', 'that goes on', 'text+:that goes on'],
    ['```', '```\n```', 'code:```', 'fence:```'],
    ['    code', '- a\n    b', 'code:- a', 'code:b'],
  ])('%s: %j', (before, text, ...lines) => {
    expect(behind(before, text)).toEqual(lines)
  })
})

describe('the words of a text', () => {
  test.each<[string, ...string[]]>([
    ['a\nb\n\nc', 'a\nb', 'c'],
    ['# a\nb', '# a', 'b'],
    ['a\n===\nb', 'a', 'b'],
    ['> a\n> b\nc', 'a\nb\nc'],
    ['- a\n  b\n- c', 'a\nb', 'c'],
    ['a\n---\n***\n\n```\nx\n```\n    y', 'a'],
    ['a\n    b', 'a\nb'],
    ['a | b\n-- | -\nc|d', 'a ', ' b', 'c', 'd'],
    ['a|b|c\n-|-|-\nd', 'a', 'b', 'c', 'd'],
    ['| a | b |\n| - | - |\nc', '| a ', ' b ', 'c'],
    ['| a | b | c |\n| - | - | - |', '| a ', ' b ', ' c '],
    ['a \\| b | c\n-- | -', 'a \\| b ', ' c'],
    ['x\na | b\n-- | -', 'x', 'a ', ' b'],
  ])('%j', (text, ...words) => {
    expect(layOut(text).words.map((it) => it.text)).toEqual(words)
  })

  test.each<[string, ...string[]]>([
    ['a\n\n    b\n    c\n\nd', 'b\n', 'c\n'],
    ['```\na\n\n```\nb', 'a\n', '\n'],
    ['> ```\n> a', 'a'],
    ['`a`'],
  ])('and its code, with its line ends: %j', (text, ...codes) => {
    expect(layOut(text).code.map(({from, to}) => text.slice(from, to))).toEqual(codes)
  })
})
