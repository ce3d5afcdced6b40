import type {Dice} from '../../local/platform/agent/dice.ts'
import type {Platform} from '../../local/platform/server.ts'

type Rule = Parameters<Platform['control']['faults']['add']>[0]
type Fault = Rule['fault']

/** Something that goes wrong with one request to the platform. */
export interface PlatformFault {
  name: string
  /** How often, beside the others. */
  weight: number
  rule: (dice: Dice) => Rule
}

const STREAM = '/threads/[^/]+/stream'
const HTML = '<html><body><h1>502 Bad Gateway</h1></body></html>'
const REFUSED = {_tag: 'svc/InvalidRequest', message: 'The cursor is not valid.'}
const RATE_LIMITED = {_tag: 'svc/RateLimited', retryAfterSeconds: 1}

const frame = (event: string, data: string): string => `event: ${event}\ndata: ${data}\n\n`

/** Frames that no client needs, or that it must not stumble over. */
const STRANGE_FRAMES = {
  'an unknown event': frame('weather', '{"sun":true}'),
  'unknown fields': frame('heartbeat', '{"mood":"good","nested":{"a":[1]}}'),
  'missing fields': frame('tool_call', '{}'),
  'a null text': frame('assistant', '{"callId":"call_of_nobody","text":null}'),
  'data that is no JSON': frame('turn', '{"phase":'),
  'data that is no object': frame('status', '[1,2]'),
  'a comment': ': still here\n\n',
  'an empty id': 'event: weather\nid:\ndata: {}\n\n',
  'another retry time': 'retry: 1500\n\n',
  'an event without data': 'event: transcript\n\n',
  'a heartbeat too many': frame('heartbeat', '{}'),
} as const

export const STREAM_FAULTS: readonly PlatformFault[] = [
  stream('cut', 20, (dice) => ({kind: 'cut', afterBytes: offset(dice)})),
  stream('reset', 14, (dice) => ({kind: 'cut', afterBytes: offset(dice), reset: true})),
  stream('cut at the first byte', 2, () => ({kind: 'cut', afterBytes: 0})),
  stream('1 to 3 bytes at a time', 6, (dice) => ({kind: 'chunks', bytes: dice.int(1, 3)})),
  stream('CRLF', 4, () => ({kind: 'crlf'})),
  stream('byte-order mark', 3, () => ({kind: 'bom'})),
  stream('all frames twice', 3, () => ({kind: 'duplicate'})),
  stream('rows twice', 5, () => ({kind: 'duplicate', event: 'transcript'})),
  stream('status and run twice', 2, () => ({kind: 'duplicate', event: 'run'})),
  stream('late answer', 3, (dice) => ({kind: 'delay', ms: dice.int(50, 1500)})),
  stream('no heartbeats', 1, () => ({kind: 'noHeartbeat'})),
  ...Object.entries(STRANGE_FRAMES).map(([name, text]) =>
    stream(name, 2, (dice): Fault => ({kind: 'inject', frame: text, every: dice.int(1, 5)})),
  ),
  stream('a frame over the cap', 1, () => ({
    kind: 'inject',
    frame: frame('weather', `{"sun":"${'x'.repeat(1_200_000)}"}`),
    every: 40,
  })),
  stream('error frame: stream_unavailable', 4, (dice) => errorFrame(dice, 'stream_unavailable')),
  stream('error frame: internal', 4, (dice) => errorFrame(dice, 'internal')),
  stream('error frame: unknown code', 3, (dice) => errorFrame(dice, 'gremlins')),
  stream('connection lost', 6, () => ({kind: 'lost', applied: false})),
  ...[500, 502, 503, 504].map((status) =>
    stream(`${status} with a page`, 3, () => answer(status, HTML)),
  ),
  stream('500 with JSON', 2, () => answer(500, {_tag: 'svc/Internal'})),
  stream('204', 2, () => answer(204, undefined)),
  stream('200 with JSON', 2, () => answer(200, {items: []})),
  stream('200 with a page', 2, () => answer(200, HTML)),
  stream('429', 4, () => answer(429, RATE_LIMITED, {'retry-after': '1'})),
  stream('429 without Retry-After', 2, () => answer(429, RATE_LIMITED)),
  {
    name: 'stream: cursor refused, full replay',
    weight: 4,
    rule: () => ({
      match: {method: 'GET', path: STREAM, header: {name: 'last-event-id'}},
      fault: answer(400, REFUSED),
    }),
  },
]

/** What can happen to requests that are no streams. */
export const REQUEST_FAULTS: readonly PlatformFault[] = [
  ...requests('POST', '/threads$', 'creation'),
  ...requests('POST', '/message$', 'message'),
  ...requests('POST', '/(cancel|send-now|interrupt|archive|unarchive)$', 'change'),
  ...requests('GET', '/threads/[^/?]+$', 'thread'),
  ...requests('GET', '/messages', 'transcript'),
]

function requests(method: 'GET' | 'POST', path: string, what: string): PlatformFault[] {
  const of = (name: string, weight: number, fault: (dice: Dice) => Fault): PlatformFault => ({
    name: `${what}: ${name}`,
    weight,
    rule: (dice) => ({match: {method, path}, fault: fault(dice)}),
  })
  const failed = of('500 before it is applied', 2, () => answer(500, HTML))
  const limited = of('429', 2, () => answer(429, RATE_LIMITED, {'retry-after': '1'}))
  const late = of('late answer', 2, (dice) => ({kind: 'delay', answerMs: dice.int(100, 2000)}))
  const lost = of('lost before it is applied', 2, () => ({kind: 'lost', applied: false}))
  if (method === 'GET') return [failed, limited, late, lost]
  return [
    ...[failed, limited, late, lost],
    of('lost after it is applied', 3, () => ({kind: 'lost', applied: true})),
    of('500 after it is applied', 2, () => ({...answer(500, HTML), applied: true})),
  ]
}

function stream(name: string, weight: number, fault: (dice: Dice) => Fault): PlatformFault {
  return {
    name: `stream: ${name}`,
    weight,
    rule: (dice) => ({match: {method: 'GET', path: STREAM}, fault: fault(dice)}),
  }
}

/** Most cuts come early: a stream that resumes has little to say. */
function offset(dice: Dice): number {
  return dice.int(1, dice.pick([60, 300, 1500, 6000] as const))
}

function errorFrame(dice: Dice, code: string): Fault {
  const data = JSON.stringify({code, message: 'Try again.'})
  return {kind: 'inject', frame: frame('error', data), every: dice.int(2, 12)}
}

function answer(
  status: number,
  body: Extract<Fault, {kind: 'answer'}>['body'],
  headers: Record<string, string> = {},
): Extract<Fault, {kind: 'answer'}> {
  return {kind: 'answer', status, headers, applied: false, ...(body !== undefined && {body})}
}
