import type {ServerResponse} from 'node:http'
import {done, entry, row, sse} from './scripted-stream.ts'

/**
 * What the two suites of `sse-cases.ts` ask of connections, in our words: how the server answers one connection after
 * the other, and what the client is then seen to do. Where ours differs, `differs` says why.
 */
interface ConnectionCase {
  name: string
  answers: readonly (string | ((response: ServerResponse) => void))[]
  /** The cursor that the reader begins with. */
  after?: string
  /** Behind how long a silence the connection counts as dead. */
  silenceMs?: number
  sees: Partial<Seen>
  differs?: string
}

/** What can be seen of a client from outside. */
interface Seen {
  /** Entries by their ids, other frames by their types. */
  frames: readonly string[]
  requests: number
  /** `Last-Event-ID` of each connection. */
  cursors: readonly (string | undefined)[]
  urls: readonly string[]
  /** The class of each failure that was waited out. */
  troubles: readonly string[]
  /** The class of the error that ended it. */
  error: string | undefined
  waitsMs: readonly number[]
}

const open = (response: ServerResponse, type = 'text/event-stream'): ServerResponse =>
  response.writeHead(200, {'content-type': type})
const typed = (type: string) => (response: ServerResponse) => void open(response, type).end(done)
const status = (code: number, headers: Record<string, string> = {}) => {
  return (response: ServerResponse) => void response.writeHead(code, headers).end()
}
/** Says so much, and breaks off. */
const torn = (text: string) => (response: ServerResponse) => {
  open(response).write(text, () => response.destroy())
}
const silent = (text: string) => (response: ServerResponse) => void open(response).write(text)
const bare = (id: string) => sse('transcript', entry(id))

const KEY_STAYS =
  'a redirect is never followed: the key must not go where the operator did not send it (failure A15)'
const NOT_THE_PLATFORM =
  'only the platform ends a stream; what stands in front of it while it restarts may answer anything (failure A15)'
const CURSOR_STAYS =
  'an empty id names no entry to resume behind, and without a cursor all would be replayed (failure A30)'

const reconnection: readonly ConnectionCase[] = [
  {
    name: 'LD sends ID of last received event',
    answers: [torn(row('a')), done],
    sees: {frames: ['connected', 'a', 'connected', 'done'], cursors: [undefined, 'c-a']},
  },
  {
    name: 'LD sends ID of last received event that had an ID if later events did not',
    answers: [torn(row('a') + bare('b')), done],
    sees: {frames: ['connected', 'a', 'b', 'connected', 'done'], cursors: [undefined, 'c-a']},
  },
  {
    name: 'LD last event ID can be explicitly overridden with an empty value',
    answers: [torn(row('a') + sse('transcript', entry('b'), '')), done],
    sees: {cursors: [undefined, 'c-a']},
    differs: CURSOR_STAYS,
  },
  {
    name: 'LD last ID can be overridden by an empty value',
    answers: [torn(`${row('a')}event: transcript\nid: \ndata: ${JSON.stringify(entry('b'))}\n\n`)],
    sees: {frames: ['connected', 'a', 'b', 'connected', 'done'], cursors: [undefined, 'c-a']},
    differs: CURSOR_STAYS,
  },
  {
    name: 'LD last ID persists if not overridden by later event',
    answers: [torn(row('a')), torn(bare('b')), done],
    sees: {cursors: [undefined, 'c-a', 'c-a']},
  },
  {
    name: 'LD can set read timeout',
    answers: [silent(row('a')), done],
    silenceMs: 500,
    sees: {
      frames: ['connected', 'a', 'connected', 'done'],
      cursors: [undefined, 'c-a'],
      troubles: ['PlatformUnreachable'],
    },
  },
  {
    name: 'LD discards partial messages on retry',
    answers: [torn(row('a') + row('b').slice(0, -2)), row('c') + done],
    sees: {frames: ['connected', 'a', 'connected', 'c', 'done'], cursors: [undefined, 'c-a']},
  },
  {
    name: 'LD new connection established after breaking previous is functional',
    answers: [torn(row('a')), row('b'), done],
    sees: {
      frames: ['connected', 'a', 'connected', 'b', 'connected', 'done'],
      cursors: [undefined, 'c-a', 'c-b'],
    },
  },
  {
    name: 'LD sends Last-Event-Id in initial request if set',
    answers: [done],
    after: 'c-0',
    sees: {cursors: ['c-0']},
  },
  {
    name: 'WPT eventsource-reconnect',
    answers: ['', row('a') + done],
    sees: {frames: ['connected', 'connected', 'a', 'done'], requests: 2},
  },
  {
    name: 'WPT eventsource-reconnect: test reconnection events',
    answers: [`retry: 2\n\n${row('a')}`, row('b') + done],
    sees: {
      frames: ['connected', 'a', 'connected', 'b', 'done'],
      cursors: [undefined, 'c-a'],
      troubles: ['PlatformUnreachable'],
      waitsMs: [2],
    },
  },
  {
    name: 'WPT format-field-id',
    answers: [sse('transcript', entry('a'), '…'), done],
    sees: {cursors: [undefined, undefined], urls: [streamUrl(), streamUrl('?after=%E2%80%A6')]},
    differs: 'a header holds plain text alone, and the query takes the same cursor (section 4.3)',
  },
  {
    name: 'WPT format-field-id-2',
    answers: [row('a'), '', bare('b'), done],
    sees: {cursors: [undefined, 'c-a', 'c-a', 'c-a']},
  },
  {
    name: 'WPT format-field-id-3: lastEventId persists',
    answers: [row('a') + bare('b'), row('c') + bare('d'), done],
    sees: {cursors: [undefined, 'c-a', 'c-c']},
  },
  {
    name: 'WPT format-field-id-3: lastEventId resets',
    answers: [row('a') + sse('transcript', entry('b'), '') + bare('c'), done],
    sees: {frames: ['connected', 'a', 'b', 'c', 'connected', 'done'], cursors: [undefined, 'c-a']},
    differs: CURSOR_STAYS,
  },
  {
    name: 'WPT format-field-id-3: lastEventId resets (id without colon)',
    answers: [`${row('a')}id\nevent: transcript\ndata: ${JSON.stringify(entry('b'))}\n\n`, done],
    sees: {frames: ['connected', 'a', 'b', 'connected', 'done'], cursors: [undefined, 'c-a']},
    differs: CURSOR_STAYS,
  },
]

const types: readonly ConnectionCase[] = [
  {
    name: 'WPT format-mime-trailing-semicolon',
    answers: [typed('text/event-stream;')],
    sees: {frames: ['connected', 'done'], requests: 1},
  },
  {
    name: 'WPT format-utf-8',
    answers: [
      (response) =>
        void open(response, 'text/event-stream;charset=windows-1252').end(row('a…') + done),
    ],
    sees: {frames: ['connected', 'a…', 'done']},
  },
  ...['x bogus', 'text/x-bogus'].map((type): ConnectionCase => ({
    name: `WPT ${type === 'x bogus' ? 'format-mime-bogus' : 'format-mime-valid-bogus'}`,
    answers: [typed(type), done],
    sees: {
      frames: ['connected', 'done'],
      troubles: ['PlatformUnreachable'],
      error: undefined,
      requests: 2,
    },
    differs: NOT_THE_PLATFORM,
  })),
]

const redirects: readonly ConnectionCase[] = [
  ...[301, 307].map((code) => ({suite: 'LD', code, name: `client follows ${code} redirect`})),
  ...[301, 302, 303, 307].map((code) => ({suite: 'WPT', code, name: `request-redirect (${code})`})),
].map(({suite, code, name}) => ({
  name: `${suite} ${name}`,
  answers: [status(code, {location: '/api/v1/threads/other/stream'}), done],
  sees: {
    frames: ['connected', 'done'],
    troubles: ['PlatformUnreachable'],
    urls: [streamUrl(), streamUrl()],
  },
  differs: KEY_STAYS,
}))

const lostRedirects: readonly ConnectionCase[] = [301, 307].flatMap((code) =>
  (['empty', 'missing'] as const).map((what) => ({
    name: `LD client handles ${what} Location header with ${code} status`,
    answers: [status(code, what === 'empty' ? {location: ''} : {}), done],
    sees: {frames: ['connected', 'done'], troubles: ['PlatformUnreachable'], requests: 2},
  })),
)

const statuses: readonly ConnectionCase[] = [
  {
    name: 'LD 204 halts re-connection attempts',
    answers: [status(204), done],
    sees: {frames: ['connected', 'done'], troubles: ['PlatformUnreachable']},
    differs: NOT_THE_PLATFORM,
  },
  ...[204, 205, 210, 299, 503].map((code) => ({
    name: `WPT request-status-error (${code})`,
    answers: [status(code), done],
    sees: {frames: ['connected', 'done'], troubles: ['PlatformUnreachable']},
    differs: NOT_THE_PLATFORM,
  })),
  {
    name: 'WPT request-status-error (404)',
    answers: [status(404)],
    sees: {frames: [], requests: 1, error: 'PlatformNotFound'},
  },
  {
    name: 'WPT request-status-error (410)',
    answers: [status(410)],
    sees: {frames: [], requests: 1, error: 'PlatformRefused'},
  },
]

/** The address of the thread that is followed, with what may stand behind it. */
function streamUrl(query = ''): string {
  return `/api/v1/threads/t%2F1/stream${query}`
}

export const connectionCases: readonly ConnectionCase[] = [
  ...reconnection,
  ...types,
  ...redirects,
  ...lostRedirects,
  ...statuses,
]

/** Cases that ask for what this client has no use for. */
export const leftOut: Readonly<Record<string, string>> = {
  'LD custom headers': 'a stream bears no headers of a caller',
  'LD POST request': 'streams are read with GET alone (section 4.3)',
  'LD REPORT request': 'streams are read with GET alone (section 4.3)',
  'LD resends request body if any when reconnecting': 'a GET has no body',
  'LD caller can trigger a restart': 'whoever wants to begin anew follows anew',
  'WPT eventsource-constructor-*': 'there is no EventSource object to construct',
  'WPT eventsource-url, eventsource-prototype, eventsource-eventtarget, interfaces':
    'there is no EventSource object to look at',
  'WPT eventsource-onopen, eventsource-onmessage*': 'frames are iterated, not listened to',
  'WPT eventsource-cross-origin*, request-credentials': 'there are no origins and no cookies',
  'WPT eventsource-bfcache': 'there is no page to put aside',
  'WPT eventsource-from-readable-stream*': 'a proposal; bytes come from our own transport',
  'WPT dedicated-worker/*, shared-worker/*': 'there are no workers of a page',
}
