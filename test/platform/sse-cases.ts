import type {BodyEvent} from '../../src/platform/stream/events.ts'

/**
 * What two public suites ask of a client of Server-Sent Events, in our words: the bytes of one body and the events that
 * they mean. `LD` is LaunchDarkly's sse-contract-tests at 81fc820 (May 2026), `WPT` the folder `eventsource` of
 * web-platform-tests as nodejs/node keeps it at 698a391. Each case bears the name that it has there.
 */
export interface BodyCase {
  name: string
  /** One write of the server each. */
  sends: readonly (string | Uint8Array)[]
  gives: readonly BodyEvent[]
}

const says = (data: string, more: {event?: string; id?: string} = {}): BodyEvent => ({
  type: 'event',
  data,
  ...more,
})
const waits = (retryMs: number): BodyEvent => ({type: 'retry', retryMs})
const raw = (...bytes: number[]): Uint8Array => Uint8Array.from(bytes)
const bytewise = (text: string): Uint8Array[] =>
  [...Buffer.from(text)].map((byte) => Uint8Array.of(byte))

const MARK = '\uFEFF'
const large = Array.from({length: 600_000}, (_, index) => index.toString(36)).join(' ')
const hundred = Array.from({length: 100}, (_, index) => `number ${index}`)

const parsing: readonly BodyCase[] = [
  {name: 'LD one-line message in one chunk', sends: ['data: Hi\n\n'], gives: [says('Hi')]},
  {
    name: 'LD two messages spanning 3 chunks with shared chunk',
    sends: ['data: left', 'right\n\ndata:', 'alone\n\n'],
    gives: [says('leftright'), says('alone')],
  },
  {name: 'LD large message in one chunk', sends: [`data: ${large}\n\n`], gives: [says(large)]},
  {
    name: 'LD large message in two chunks',
    sends: [`data: ${large}`, `${large}\n\n`],
    gives: [says(large + large)],
  },
  {name: 'LD one-line message in two chunks', sends: ['data: H', 'i\n\n'], gives: [says('Hi')]},
  {
    name: 'LD two one-line messages in one chunk',
    sends: ['data: one\n\ndata: two\n\n'],
    gives: [says('one'), says('two')],
  },
  {
    name: 'LD one two-line message in one chunk',
    sends: ['data: one\ndata:two\n\n'],
    gives: [says('one\ntwo')],
  },
  {name: 'LD empty data', sends: ['data:\n\n'], gives: [says('')]},
  {
    name: 'LD event with specific type',
    sends: ['event: news\ndata: Hi\n\n'],
    gives: [says('Hi', {event: 'news'})],
  },
  {name: 'LD default event type', sends: ['data: plain\n\n'], gives: [says('plain')]},
  {name: 'LD event with ID', sends: ['id: n1\ndata: Hi\n\n'], gives: [says('Hi', {id: 'n1'})]},
  {
    name: 'LD event with type and ID',
    sends: ['event: news\nid: n1\ndata: Hi\n\n'],
    gives: [says('Hi', {event: 'news', id: 'n1'})],
  },
  {
    name: 'LD ID field is ignored if it contains a null',
    sends: ['id: n\0one\ndata: Hi\n\n'],
    gives: [says('Hi')],
  },
  {
    name: 'LD fields in reverse order',
    sends: ['data: Hi\nid: n1\nevent: news\n\n'],
    gives: [says('Hi', {event: 'news', id: 'n1'})],
  },
  {
    name: 'LD unknown field is ignored',
    sends: ['event: news\ntaste: sweet\ndata: Hi\n\n'],
    gives: [says('Hi', {event: 'news'})],
  },
  {
    name: 'LD fields without leading space',
    sends: ['event:news\ndata:Hi\n\n'],
    gives: [says('Hi', {event: 'news'})],
  },
  {
    name: 'LD fields with extra leading space',
    sends: ['event:  news\ndata:  Hi\n\n'],
    gives: [says(' Hi', {event: ' news'})],
  },
  {
    name: 'LD field with no colon',
    sends: ['data\n\ndata\ndata\n\n'],
    gives: [says(''), says('\n')],
  },
  {name: 'LD multi-byte characters', sends: ['data: ¢漢字🧮\n\n'], gives: [says('¢漢字🧮')]},
  {
    name: 'LD many messages in rapid succession',
    sends: [hundred.map((text) => `data: ${text}\n\n`).join('')],
    gives: hundred.map((text) => says(text)),
  },
  {
    name: 'LD multi-byte characters sent in single-byte pieces',
    sends: bytewise('data: ¢漢字🧮\n\n'),
    gives: [says('¢漢字🧮')],
  },
]

const marks: readonly BodyCase[] = [
  {
    name: 'LD BOM at start of stream is stripped',
    sends: [`${MARK}data: Hi\n\n`],
    gives: [says('Hi')],
  },
  {
    name: 'LD BOM stripped before first event with type and ID',
    sends: [`${MARK}event: news\nid: n1\ndata: Hi\n\n`],
    gives: [says('Hi', {event: 'news', id: 'n1'})],
  },
  {
    name: 'LD BOM stripped with multiple messages',
    sends: [`${MARK}data: one\n\ndata: two\n\n`],
    gives: [says('one'), says('two')],
  },
  {
    name: 'LD BOM only stripped at stream start, not from later data',
    sends: ['data: one\n\n', `data: ${MARK}two\n\n`],
    gives: [says('one'), says(`${MARK}two`)],
  },
  {
    name: 'LD BOM split across first two chunks',
    sends: [raw(0xef, 0xbb), raw(0xbf), 'data: Hi\n\n'],
    gives: [says('Hi')],
  },
  {
    name: 'LD BOM split byte by byte across chunks',
    sends: [raw(0xef), raw(0xbb), raw(0xbf), 'data: Hi\n\n'],
    gives: [says('Hi')],
  },
  {
    name: 'LD only first BOM at start is stripped',
    sends: [`${MARK}data: ${MARK}Hi\n\n`],
    gives: [says(`${MARK}Hi`)],
  },
  {name: 'LD no BOM - baseline test', sends: ['data: Hi\n\n'], gives: [says('Hi')]},
  {
    name: 'LD BOM with multi-line data',
    sends: [`${MARK}data: one\ndata: two\n\n`],
    gives: [says('one\ntwo')],
  },
  {
    name: 'LD BOM with comment at start',
    sends: [`${MARK}:note\ndata: Hi\n\n`],
    gives: [says('Hi')],
  },
  {name: 'LD BOM does not affect empty data field', sends: [`${MARK}data:\n\n`], gives: [says('')]},
  {
    name: 'WPT format-bom',
    sends: [`${MARK}data:1\n\n${MARK}data:2\n\ndata:3\n\n`],
    gives: [says('1'), says('3')],
  },
  {
    name: 'WPT format-bom-2',
    sends: [`${MARK}${MARK}data:1\n\ndata:2\n\ndata:3\n\n`],
    gives: [says('2'), says('3')],
  },
]

const comments: readonly BodyCase[] = [
  {name: 'LD single comment', sends: [':note\n'], gives: []},
  {name: 'LD two comments in a row', sends: [':note\n', ':more\n'], gives: []},
  {name: 'LD comment before event', sends: [':note\n', 'data: Hi\n\n'], gives: [says('Hi')]},
  {name: 'LD comment after event', sends: ['data: Hi\n\n', ':note\n'], gives: [says('Hi')]},
  {
    name: 'WPT format-comments',
    sends: [
      `data:a\r:\0\n:\r\ndata:b\n:${'z'.repeat(2500)}\rdata:c\n:data:no\r:${'z'.repeat(2500)}\ndata:d\n\n`,
    ],
    gives: [says('a\nb\nc\nd')],
  },
]

const formats: readonly BodyCase[] = [
  {
    name: 'WPT format-data-before-final-empty-line',
    sends: ['retry:1500\ndata:first\n\nid:n2\ndata:second'],
    gives: [waits(1500), says('first')],
  },
  {
    name: 'WPT format-field-data',
    sends: ['data:\n\ndata\ndata\n\ndata:end\n\n'],
    gives: [says(''), says('\n'), says('end')],
  },
  {
    name: 'WPT format-field-event',
    sends: ['event:own\ndata:a\n\ndata:b\n\n'],
    gives: [says('a', {event: 'own'}), says('b')],
  },
  {name: 'WPT format-field-event-empty', sends: ['event: \ndata:a\n\n'], gives: [says('a')]},
  {
    name: 'WPT format-field-id-null',
    sends: ['\0\0', 'n\0', '\0n', 'n\0n', ' \0'].map((id) => `id:${id}\ndata:a\n\n`),
    gives: Array.from({length: 5}, () => says('a')),
  },
  {
    name: 'WPT format-field-parsing',
    sends: [
      'data:\0\ndata:  b\rData:no\ndata\0:no\ndata:c\r\0data:no\nda-ta:no\rdata_9\ndata:d\rdata:\r\n data:no\ndata:e\n\n',
    ],
    gives: [says('\0\n b\nc\nd\n\ne')],
  },
  {
    name: 'WPT format-field-retry',
    sends: ['retry:04000\ndata:a\n\n'],
    gives: [waits(4000), says('a')],
  },
  {
    name: 'WPT format-field-retry-bogus',
    sends: ['retry:4000\nretry:100x\ndata:a\n\n'],
    gives: [waits(4000), says('a')],
  },
  {name: 'WPT format-field-retry-empty', sends: ['retry\ndata:a\n\n'], gives: [says('a')]},
  {
    name: 'WPT format-field-unknown',
    sends: ['data:a\n data\ndata\ntaste:sweet\nwords\n:note\ndata:b\n\n'],
    gives: [says('a\n\nb')],
  },
  {
    name: 'WPT format-leading-space',
    sends: ['data:\ta\rdata: \ndata:b\n\n'],
    gives: [says('\ta\n\nb')],
  },
  {name: 'WPT format-newlines', sends: ['data:a\r\ndata\ndata:b\r\n\r'], gives: [says('a\n\nb')]},
  {name: 'WPT format-null-character', sends: ['data:\0\n\n'], gives: [says('\0')]},
  {
    name: 'WPT event-data',
    sends: ['data:a\ndata: a\n\n', ':\n\nfalsedata:a\n\n', 'data\n\n', 'data:end\n\n'],
    gives: [says('a\na'), says(''), says('end')],
  },
]

/** Each shape with each kind of line end, whole and in pieces of one and of two bytes. */
const lineEnds: readonly BodyCase[] = [
  ['LF', '\n'] as const,
  ['CRLF', '\r\n'] as const,
  ['CR', '\r'] as const,
].flatMap(([separator, end]) =>
  (
    [
      ['one-line event', 'data: a||', ['a']],
      ['one-line event + two-line event', 'data: a||data: b|data: c||', ['a', 'b\nc']],
      ['3-line event with empty line at beginning', 'data:|data: b|data: c||', ['\nb\nc']],
      ['3-line event with empty line in middle', 'data: a|data:|data: c||', ['a\n\nc']],
      ['ignores 1 extra empty line', 'data: a|||data: b||', ['a', 'b']],
      ['ignores 2 extra empty lines', 'data: a||||data: b||', ['a', 'b']],
    ] as const
  ).flatMap(([shape, lines, gives]) => {
    const text = lines.replaceAll('|', end)
    const called = `LD ${separator} separator: ${shape}`
    const events = gives.map((data) => says(data))
    return [
      {name: `${called}: one chunk`, sends: [text], gives: events},
      {name: `${called}: 1-character chunks`, sends: text.split(''), gives: events},
      {name: `${called}: 2-character chunks`, sends: text.match(/.{1,2}/gs) ?? [], gives: events},
    ]
  }),
)

const splitReturn: BodyCase = {
  name: 'LD CRLF where CR is end of 1 chunk',
  sends: ['data: a\r', '\ndata: b\r', '\n\r\ndata: c\r', '\n', '\r', '\n'],
  gives: [says('a\nb'), says('c')],
}

export const bodyCases: readonly BodyCase[] = [
  ...parsing,
  ...marks,
  ...comments,
  ...formats,
  ...lineEnds,
  splitReturn,
]
