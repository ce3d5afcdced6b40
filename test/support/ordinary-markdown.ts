import fc from 'fast-check'

const word = fc.constantFrom(
  ...['fix', 'the', 'prices', 'which', 'http', 'we', 'rounded;', 'twice!', '(see', 'below)', '5'],
  ...[
    '価格',
    '人民币。',
    '한국어',
    'R&D',
    'a<b',
    '1<2',
    'x>y',
    '&lt;',
    'AT&T;',
    '—',
    '“so”',
    '2.5',
  ],
  ...['👩🏽‍💻', '🇩🇪🇫🇷', 'e\u0301', '✅', ':rocket:', '12:30', 'done:', '~5', '5 * 3', 'List<string>'],
  ...[
    'snake_case_name',
    'src/app/app.ts',
    '@jane',
    '#42',
    'a|b',
    'C#',
    'won’t',
    "it's",
    '100%',
    '- x',
    '\\*',
  ],
)
const address = fc.constantFrom(
  'https://example.com/a_b?c=d&e=f#g',
  'http://localhost:3000/x(y)',
  'https://a.example/b/c.html',
)
const code = fc.constantFrom('`x`', '`a_b(*c)`', '`<T>`', '`` ` ``', '`&lt;`', '`[a](b)`', '`价格`')
const phrase = fc.array(word, {minLength: 1, maxLength: 4}).map((list) => list.join(' '))
/** What stands between marks begins and ends with a letter, so that the marks are some. */
const inner = fc
  .tuple(phrase, fc.option(fc.oneof(code, phrase), {nil: ''}))
  .map(([first, more]) => `see ${first.replaceAll('*', '×')} ${more.replaceAll('*', '×')} it`)
/** A label that reads like another address is broken, and its own address is shown beside it. */
const label = inner.map((it) => it.replaceAll(/src\/app.ts|@jane/g, 'the file'))
const marked = fc
  .tuple(fc.constantFrom('**', '*', '_', '~~', '***', '__'), fc.oneof(inner, code, inner))
  .map(([mark, text]) => mark + text + mark)
const link = fc.oneof(
  fc.tuple(label, address).map(([words, target]) => `[${words}](${target})`),
  fc.tuple(code, address).map(([words, target]) => `[${words}](${target} "of it")`),
  address.map((target) => `![a picture](${target})`),
  address.map((target) => `<${target.replace('(y)', '')}>`),
  address,
  address.map((target) => `见${target}`),
  fc.tuple(label, address).map(([words, target]) => `**[${words}](${target})**`),
)
const piece = fc.oneof(
  {weight: 8, arbitrary: word},
  {weight: 2, arbitrary: marked},
  {weight: 1, arbitrary: code},
  {weight: 1, arbitrary: link},
)
const sentence = fc
  .tuple(
    fc.constantFrom(
      'So ',
      'The ',
      '价格，',
      '**Note**: ',
      '`x` ',
      '2024 was ',
      '[it](https://a.example) ',
    ),
    fc.array(piece, {minLength: 1, maxLength: 10}),
    fc.constantFrom('', '.', ':', '!', '。', ' …'),
  )
  .map(([start, pieces, end]) => `${start}${pieces.join(' ')}${end}`)
const paragraph = fc.array(sentence, {minLength: 1, maxLength: 3}).map((it) => it.join('\n'))
const heading = fc
  .tuple(fc.integer({min: 1, max: 6}), phrase)
  .map(([n, it]) => `${'#'.repeat(n)} ${it}`)
const source = fc.constantFrom(
  ...[
    'const a = b < c && d',
    '',
    '# no heading',
    '- no item',
    '| no | row |',
    '`tick`',
    '  ``',
    '"&amp;"',
  ],
  ...['[a](https://b)', '**x**', '\tindented', '"价格 👩🏽‍💻"', '~', '// https://a.example'],
)
const fence = fc
  .tuple(
    fc.constantFrom('```', '````', '~~~'),
    fc.constantFrom('', 'ts', 'python title="x"'),
    fc.array(source, {minLength: 1, maxLength: 6}),
  )
  .map(([ticks, info, lines]) => [ticks + info, ...lines, ticks].join('\n'))
const cell = fc.oneof(
  phrase.map((it) => it.replaceAll('|', '\\|')),
  code,
  marked.map((it) => it.replaceAll('|', '\\|')),
)
const table = fc
  .array(fc.tuple(cell, cell), {maxLength: 5})
  .map((rows) =>
    ['| Name | `x` |', '| :--- | ---: |', ...rows.map(([a, b]) => `| ${a} | ${b} |`)].join('\n'),
  )
const item = fc.tuple(
  fc.oneof(
    {weight: 5, arbitrary: sentence},
    {weight: 1, arbitrary: fc.tuple(sentence, fence).map((it) => it.join('\n\n'))},
    {weight: 1, arbitrary: fc.constantFrom('[ ] to do', '[x] is done', '**All**')},
  ),
  fc.option(fc.array(sentence, {minLength: 1, maxLength: 3}), {nil: []}),
)
const list = fc
  .tuple(fc.constantFrom('- ', '* ', '1. '), fc.array(item, {minLength: 1, maxLength: 4}))
  .map(([mark, items]) =>
    items
      .map(([first, nested]) => {
        const inside = ' '.repeat(mark.length)
        const lines = [first, ...nested.map((it) => `- ${it.replaceAll('\n', '\n  ')}`)]
        return mark + lines.join('\n').replaceAll('\n', `\n${inside}`)
      })
      .join('\n'),
  )
const quote = fc.oneof(paragraph, list, fence).map((it) => `> ${it.replaceAll('\n', '\n> ')}`)
const block = fc.oneof(
  {weight: 4, arbitrary: paragraph},
  {weight: 2, arbitrary: list},
  ...[heading, fence, table, quote, fc.constant('---')].map((it) => ({weight: 1, arbitrary: it})),
)

/** Markdown as agents write it. */
export const ordinaryMarkdown = fc
  .array(block, {minLength: 1, maxLength: 6})
  .map((blocks) => `${blocks.join('\n\n')}\n`)

/** A text that grows by fragments, as all of its states. */
export const growing = (text: fc.Arbitrary<string>): fc.Arbitrary<string[]> =>
  fc
    .tuple(text, fc.array(fc.integer({min: 1, max: 30}), {minLength: 1, maxLength: 40}))
    .map(([whole, sizes]) => {
      const states: string[] = []
      for (let end = 0, turn = 0; end < whole.length; turn += 1) {
        end += sizes[turn % sizes.length] ?? 1
        states.push(whole.slice(0, end))
      }
      return states
    })
