import {createRandom} from '../../local/random.ts'

/** Texts as an agent would write them that somebody has talked into mischief. The same seed makes the same texts. */
interface HostileTexts {
  /** A text of some `pieces` pieces. */
  next(pieces: number): string
  /** A whole number below `limit`. */
  below(limit: number): number
}

export function createHostileTexts(seed: number): HostileTexts {
  const random = createRandom(seed)
  const below = (limit: number): number => Math.floor(random() * limit)
  const pick = (list: readonly string[]): string => list[below(list.length)] ?? ''
  const piece = (depth: number): string => {
    const kind = below(14)
    if (kind < 3) return pick(WORDS)
    if (kind < 5) return pick(MENTIONS)
    if (kind < 7) return link(depth)
    if (kind < 9) return pick(MARKS)
    if (kind === 9) return `${pick(TICKS)}${piece(depth + 1)}${pick(TICKS)}`
    if (kind === 10) return fence(depth)
    if (kind === 11) return pick(ODDITIES)
    if (kind === 12) return below(6) === 0 ? pick(UNITS).repeat(1 + below(80)) : pick(WORDS)
    return below(3) === 0 ? table(depth) : list(depth)
  }
  const some = (depth: number): string =>
    depth > 3
      ? pick(WORDS)
      : Array.from({length: 1 + below(3)}, () => piece(depth + 1)).join(pick(GAPS))
  const link = (depth: number): string => {
    const label = below(4) === 0 ? some(depth + 1) : pick(LABELS)
    const target = pick(TARGETS)
    return pick(LINKS)
      .replace('LABEL', () => label)
      .replace('TARGET', () => target)
  }
  const fence = (depth: number): string => {
    const before = pick(['', '', '  ', '> ', '- ', '    ', '1. '])
    const within = before === '> ' ? '> ' : ' '.repeat(before.length)
    const mark = pick(['```', '~~~', '````', '``', '```` '])
    const lines = Array.from({length: below(5)}, () => `${within}${some(depth + 2)}`)
    return [
      '\n',
      `${before}${mark}${pick(['', 'ts', 'js x', '[a](b)'])}`,
      ...lines,
      `${within}${pick([mark, mark, '', '```'])}`,
      '',
    ].join('\n')
  }
  const table = (depth: number): string => {
    const rows = Array.from(
      {length: below(6)},
      () => `${pick(['|', ''])} ${piece(depth + 2)} | ${pick(WORDS)} |`,
    )
    return ['\n', '| a | b |', '| --- | :-: |', ...rows, ''].join('\n')
  }
  const list = (depth: number): string =>
    '\n' +
    Array.from(
      {length: 1 + below(4)},
      () =>
        `${'  '.repeat(below(4))}${pick(['- ', '* ', '1. ', '12) ', '> ', '- > '])}${some(depth + 2)}\n`,
    ).join('')
  return {
    below,
    next: (pieces) => {
      let text = ''
      for (let index = 0; index < pieces; index += 1) text += piece(0) + pick(GAPS)
      return text
    },
  }
}

const GAPS = ['', '', ' ', ' ', ' ', '\n', '\n\n', '. ', '\n> ', '\n    ']
const WORDS = [
  'fix the prices',
  'bank.com',
  'R&D',
  'a<b',
  '価格。',
  'e\u0301',
  'src/app/app.ts',
  'x',
  '5 * 3',
  'snake_case',
  'done!',
  '**bold**',
  '*it*',
  '~~no~~',
  'www.a.example',
  'www.a.example ',
  'https://a.example/x?y=1&lt=2',
  'https://a.example/x?y=1&lt=2 ',
  'https://a.example/`x`',
  'a@b.example',
  '🇩🇪',
  '👩🏽‍💻',
]
const MENTIONS = [
  '<!channel>',
  '<!here|x>',
  '<!everyone>',
  '<@U1>',
  '<@U1',
  '!channel>',
  '<!subteam^S1>',
  '<#C1>',
  '<',
  '>',
  '<!',
  '&lt;!here&gt;',
  '&#60;!channel&#62;',
  '&amp;lt;@U1&gt;',
  '<https://evil.example|bank.com>',
  '<mailto:a@b.c|bank.com>',
  '<https://evil.example>',
  '<https://evil.example/`x`>',
  '<a@b.example>',
  '<a href="https://evil.example">bank.com</a>',
  '<!-- x',
  '<b>',
]
const LABELS = [
  'bank.com',
  'https://bank.com',
  'docs',
  'www.bank.com',
  'bank。com',
  'bank&#46;com',
  'bank%2Ecom',
  'b\u200Bank.com',
  '\u202Emoc.knab',
  '**bank**.com',
  '`bank.com`',
  '![bank.com](https://i.example)',
  'pay@bank.com',
  'bаnk.com',
  'a [b] c',
  'README.md',
  'evil.example',
  '',
  ' ',
  'see https://bank.com now',
  'bank\\.com',
  '```',
  '- x',
  '[',
  ']',
  '\\]',
  'javascript:1',
  '<https://bank.com>',
  '1. x',
  '# x',
  'bank.com\n',
  'a|b',
]
const TARGETS = [
  'https://evil.example',
  'https://evil.example/README.md',
  'http://evil.example/a_(b)',
  'javascript:alert(1)',
  'JaVaScRiPt:1',
  'data:text/html,x',
  'slack://x',
  'docs/a.md',
  'https://bank.com@evil.example',
  'https://evil.example bank.com',
  '<https://evil.example>',
  '<https://evil.example/a b>',
  'https://evil.example "bank"',
  'https://evil.example\n"x"',
  '//evil.example',
  'mailto:a@evil.example',
  'https://evil.example/](https://x.example',
  'https://evil.example?a&amp;b',
  'https://bank.com',
  'vbscript:x',
  '#here',
  '',
  'https://evil.example|bank.com',
  'https://evil.example/\\)x',
  'https://evil.example/`x`',
  'https://evil.example/`',
  '<https://evil.example/`a b>',
  'https://evil.example "`"',
  'https://evil.example "x](y"',
]
const LINKS = [
  '[LABEL](TARGET)',
  '[LABEL](TARGET)',
  '[LABEL](TARGET)',
  '![LABEL](TARGET)',
  '[LABEL] (TARGET)',
  '[LABEL]( TARGET )',
  '[LABEL][r]\n\n[r]: TARGET\n',
  '\n[LABEL]: TARGET\n',
  '[LABEL](TARGET',
  '[[LABEL](TARGET)](TARGET)',
  '[![LABEL](TARGET)](TARGET)',
  '[LABEL](\nTARGET)',
  '[LABEL\n](TARGET)',
  '[a [LABEL](TARGET)',
  '\\[LABEL](TARGET)',
  '[LABEL]\\(TARGET)',
  '\n> [LABEL]: TARGET\n',
  '\n\n[^LABEL]: TARGET\n',
  '[LABEL][]',
]
const MARKS = [
  '*',
  '**',
  '_',
  '~',
  '~~',
  '`',
  '``',
  '```',
  '[',
  ']',
  '(',
  ')',
  '](',
  '!',
  '|',
  '#',
  '\n# ',
  '\n> ',
  '\n- ',
  '\n1. ',
  '\n---\n',
  '\n===\n',
  '\\',
  '\n```\n',
  '\n~~~\n',
  '\n\n',
  '\n\t',
  '\n    ',
  ':',
  '\n|-|\n',
]
const TICKS = ['`', '`', '``', '```']
const ODDITIES = [
  '\u202E',
  '\u2066',
  '\u200B',
  '\u200D',
  '\0',
  '\ud83d',
  '\udc00',
  '\u001b[31m',
  '\r\n',
  '\t',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '&copy;',
  '&#0;',
  '&',
  '&amp',
  '%',
  '\v',
  '👨‍👩‍👧‍👦',
  'ﷺ',
  '\u0301',
]
const UNITS = [
  'x',
  '日',
  '🇩🇪',
  '👩🏽‍💻',
  '&',
  '<',
  '>',
  '[',
  '`',
  '*a ',
  '&lt;',
  'e\u0301',
  '_',
  '!',
  '](',
  ' ',
  '\n',
  '\\',
  '> ',
  '- ',
]
