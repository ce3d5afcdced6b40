import {describe, expect, test} from 'vitest'
import {pairEmphasis} from '../../src/markdown/emphasis.ts'
import {opaqueOf, readInlines} from '../../src/markdown/inlines.ts'

/** What is one thing in a text, as `kind:what it is`; of a link, its parts. */
const found = (text: string): string[] =>
  readInlines(text).found.map((it) => {
    const whole = text.slice(it.from, it.to)
    if (it.kind !== 'link') return `${it.kind}:${whole}`
    const label = text.slice(it.labelFrom, it.labelTo)
    const target = text.slice(it.targetFrom, it.targetTo)
    return `${it.isImage ? 'image' : 'link'}:${whole}:${label}:${target}:${it.title}`
  })

describe('what is one thing in words', () => {
  test.each<[string, ...string[]]>([
    ['a `b` c', 'code:`b`'],
    ['`` ` `` `', 'code:`` ` ``'],
    ['`a` `b`', 'code:`a`', 'code:`b`'],
    ['\\`a`'],
    ['`a\\`', 'code:`a\\`'],
    ['``a`'],
    ['`[a](b)`', 'code:`[a](b)`'],
    ['[`a](b)`', 'code:`a](b)`'],
    ['<https://a.example>', 'address:<https://a.example>'],
    ['<mailto:a@b.example> <a@b.example>', 'address:<mailto:a@b.example>', 'address:<a@b.example>'],
    ['a < b <T> <ftp://a> <https://a b>'],
    ['<https://a`> `b`', 'code:`> `'],
    ['[a](b)', 'link:[a](b):a:b:'],
    ['![a](b)', 'image:![a](b):a:b:'],
    ['x[](b)', 'link:[](b)::b:'],
    ['[a]()', 'link:[a]():a::'],
    ['[a] (b) [c]'],
    ['\\[a](b)'],
    ['[a\\](b)'],
    ['[[a](b)](c)', 'link:[a](b):a:b:'],
    ['[a [b] c](d)', 'link:[a [b] c](d):a [b] c:d:'],
    ['[`a`](b)', 'link:[`a`](b):`a`:b:', 'code:`a`'],
    ['[a](b) [c](d)', 'link:[a](b):a:b:', 'link:[c](d):c:d:'],
    // What stands behind the label.
    ['[a](  b  "t"  )', 'link:[a](  b  "t"  ):a:b:"t"'],
    ["[a](b 't')", "link:[a](b 't'):a:b:'t'"],
    ['[a](b (t))', 'link:[a](b (t)):a:b:(t)'],
    ['[a](b "t\\"u")', 'link:[a](b "t\\"u"):a:b:"t\\"u"'],
    ['[a](b"t")', 'link:[a](b"t"):a:b"t":'],
    ['[a](b "t)'],
    ['[a](b c)'],
    ['[a](\nb\n"t"\n)', 'link:[a](\nb\n"t"\n):a:b:"t"'],
    ['[a](\n\nb)'],
    ['[a](b\n \n"t")'],
    ['[a](<b>)', 'link:[a](<b>):a:b:'],
    ['[a](<b c>)', 'link:[a](<b c>):a:b c:'],
    ['[a](<b)c> "t")', 'link:[a](<b)c> "t"):a:b)c:"t"'],
    ['[a](<b\\>c>)', 'link:[a](<b\\>c>):a:b\\>c:'],
    ['[a](<>)', 'link:[a](<>):a::'],
    ['[a](b(c)d)', 'link:[a](b(c)d):a:b(c)d:'],
    ['[a](b(c)'],
    ['[a](b\\)c)', 'link:[a](b\\)c):a:b\\)c:'],
    ['[a](b\\))', 'link:[a](b\\)):a:b\\):'],
    ['[a](b\\(c)', 'link:[a](b\\(c):a:b\\(c:'],
    ['[a](b\\c)', 'link:[a](b\\c):a:b\\c:'],
    [
      `[a](${'('.repeat(32)}${')'.repeat(32)})`,
      `link:[a](${'('.repeat(32)}${')'.repeat(32)}):a:${'('.repeat(32)}${')'.repeat(32)}:`,
    ],
    [`[a](${'('.repeat(33)}${')'.repeat(33)})`],
  ])('%j', (text, ...things) => {
    expect(found(text)).toEqual(things)
  })

  test.each<[string, ...number[]]>([
    ['a `b', 2],
    ['\\``` a', 2],
    ['`` a `', 0, 5],
    ['a [b', 2],
    ['[a [b](c', 0],
    ['![a', 0],
    ['[a] b'],
    ['[[a](b) c'],
    ['[a](b'],
    ['`a` [b](c)'],
  ])('what might end behind %j begins at its place', (text, ...places) => {
    expect(readInlines(text).unclosed).toEqual(places)
  })

  test('marks are none in code, in addresses, and in all of a link but its label', () => {
    const text = '`a` [b](c "t") <https://d.example>'
    const taken = opaqueOf(readInlines(text).found).map(({from, to}) => text.slice(from, to))
    expect(taken).toEqual(['`a`', '](c "t")', '<https://d.example>'])
  })
})

describe('what is emphasised', () => {
  /** Each pair as what stands from its first mark to its last one. */
  const pairs = (text: string): string[] =>
    pairEmphasis(text, () => false).pairs.map(({openAt, closeAt, size}) =>
      text.slice(openAt, closeAt + size),
    )

  test.each<[string, ...string[]]>([
    ['*a*', '*a*'],
    ['**a**', '**a**'],
    ['***a***', '**a**', '***a***'],
    ['**a*', '*a*'],
    ['*a**', '*a*'],
    ['_a_ __b__', '_a_', '__b__'],
    ['~a~ ~~b~~', '~a~', '~~b~~'],
    ['~~~a~~~'],
    ['* a *'],
    ['*a *'],
    ['a*b*c', '*b*'],
    ['a_b_c'],
    ['_a_b'],
    ['a_b_'],
    ['(_a_)', '_a_'],
    ['"_a_"b', '_a_'],
    ['5 * 3 * 2'],
    ['\\*a*'],
    ['*a\\*'],
    ['*(a)*', '*(a)*'],
    ['a*(b)*c'],
    ['*a*"b"*c*', '*a*', '*c*'],
    ['*a _b* c_', '*a _b*', '_b* c_'],
    ['**a *b* c**', '*b*', '**a *b* c**'],
  ])('%j', (text, ...emphasised) => {
    expect(pairs(text)).toEqual(emphasised)
  })

  test.each<[string, ...number[]]>([
    ['a **b', 2],
    ['a **b*', 2],
    ['*a _b ~c', 0, 3, 6],
    ['*a*'],
    ['a*'],
    ['a * b'],
    ['~~~a'],
  ])('what is open in %j begins at its place', (text, ...places) => {
    expect(pairEmphasis(text, () => false).unclosed).toEqual(places)
  })

  test('is none by marks that are taken', () => {
    expect(pairEmphasis('*a* *b*', (at) => at === 2).pairs).toEqual([
      {openAt: 4, closeAt: 6, size: 1},
    ])
  })
})
