import {expect, test} from 'vitest'
import {parseInline, parseMrkdwn} from '../../../../local/slack/page/text/mrkdwn-parser.ts'

const text = (value: string) => ({kind: 'text', text: value})

test('bold, italic, strike and code are one mark on each side', () => {
  expect(parseInline('*a* _b_ ~c~ `d`')).toEqual([
    {kind: 'strong', children: [text('a')]},
    text(' '),
    {kind: 'emphasis', children: [text('b')]},
    text(' '),
    {kind: 'strike', children: [text('c')]},
    text(' '),
    {kind: 'code', text: 'd'},
  ])
})

test.each(['snake_case_name', '2 * 3 * 4', 'a*b*c', '* not bold *', 'src/_x', '~'])(
  'marks without word boundaries are text: %s',
  (written) => {
    expect(parseInline(written)).toEqual([text(written)])
  },
)

test('marks nest, and tokens stand inside of them', () => {
  expect(parseInline('*needs _you_, <@U1>*')).toEqual([
    {
      kind: 'strong',
      children: [
        text('needs '),
        {kind: 'emphasis', children: [text('you')]},
        text(', '),
        {kind: 'user', id: 'U1'},
      ],
    },
  ])
})

test('every kind of token is told apart', () => {
  expect(
    parseInline('<@U1><#C1|web><!here><!subteam^S1|@ops><https://a.example?x=1&amp;y=2|the label>'),
  ).toEqual([
    {kind: 'user', id: 'U1'},
    {kind: 'channel', id: 'C1', name: 'web'},
    {kind: 'broadcast', name: 'here'},
    {kind: 'broadcast', name: 'ops'},
    {kind: 'link', url: 'https://a.example?x=1&y=2', label: 'the label'},
  ])
})

test('a date token keeps its format, its link and its fallback', () => {
  expect(parseInline('<!date^1700000000^{time}^https://a.example|14:13>')).toEqual([
    {
      kind: 'date',
      unixSeconds: 1700000000,
      format: '{time}',
      url: 'https://a.example',
      fallback: '14:13',
    },
  ])
})

test('an escaped token is text', () => {
  expect(parseInline('&lt;@U1&gt; &amp;lt;')).toEqual([text('<@U1> &lt;')])
})

test('a bare address is a link without the full stop behind it', () => {
  expect(parseInline('see https://a.example/b_c.')).toEqual([
    text('see '),
    {kind: 'link', url: 'https://a.example/b_c', label: 'https://a.example/b_c'},
    text('.'),
  ])
})

test('quotes and fences are blocks of their own', () => {
  expect(parseMrkdwn('before\n&gt; one\n&gt; two\nafter\n```\na &lt; *b*\n```\nend')).toEqual([
    {kind: 'paragraph', children: [text('before')]},
    {kind: 'quote', children: [text('one\ntwo')]},
    {kind: 'paragraph', children: [text('after')]},
    {kind: 'preformatted', text: 'a < *b*'},
    {kind: 'paragraph', children: [text('end')]},
  ])
})
