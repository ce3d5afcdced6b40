import {createDice, type Dice} from '../../local/platform/agent/dice.ts'
import {createPool} from './known-ids.ts'
import {chance, makeBody, type Source} from './platform-bodies.ts'

/** One request as HTTP clients can send it, or bytes that no client would. */
type AnyRequest = HttpRequest | {bytes: Buffer}

export interface HttpRequest {
  method: string
  /** From the origin on. */
  path: string
  headers: Record<string, string>
  body?: string
}

/** Makes requests of all kinds: right ones, almost right ones and garbage. The same seed makes the same ones. */
interface Requests {
  next(): AnyRequest
  /** Takes ids, cursors and addresses out of an answer, to be used later. */
  learn(answer: unknown): void
}

interface RequestsOptions {
  seed: string
  /** Below `/api/v1`. */
  routes: readonly {method: string; path: string}[]
  keys: readonly string[]
}

export function createRequests({seed, routes, keys}: RequestsOptions): Requests {
  const dice = createDice(seed)
  const known = createPool()
  const [firstRoute, ...otherRoutes] = routes
  const [firstKey = '', ...otherKeys] = keys
  if (firstRoute === undefined) throw new Error('There are no routes to send requests to.')
  const source: Source = {dice, known}
  return {
    next: () => {
      if (dice.int(1, 40) === 1) return {bytes: makeNoise(dice)}
      if (dice.int(1, 25) === 1) return makeDelivery(source)
      const route = dice.pick([firstRoute, ...otherRoutes])
      const method = chance(dice, 4) ? dice.pick(METHODS) : route.method
      const request = {
        method,
        path: `/api/v1${fillPath(source, route.path)}${makeQuery(source)}`,
        headers: makeHeaders(source, dice.pick([firstKey, ...otherKeys])),
      }
      return method === 'GET' || method === 'HEAD'
        ? request
        : {...request, body: makeBody(source, route.path)}
    },
    learn: (answer) => known.learn(answer),
  }
}

const METHODS = ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD'] as const

/** The prefix of the ids that a parameter takes, where its name does not say it. */
const PREFIXES: Readonly<Record<string, string>> = {eventId: 'msg', id: 'filter'}

function fillPath({dice, known}: Source, path: string): string {
  return path.replace(/:(\w+)/g, (_parameter, name: string) => {
    const prefix = PREFIXES[name] ?? name.replace(/Id$/, '')
    const value = chance(dice, 85) ? known.pick(dice, prefix) : undefined
    return encodeURIComponent(value ?? dice.pick(STRANGE_NAMES))
  })
}

const STRANGE_NAMES = [
  'none',
  '12',
  'WEB-12',
  '__proto__',
  'constructor',
  '..',
  ' ',
  '%',
  '\0',
  "'; drop table threads; --",
  '🧾',
  'x'.repeat(2000),
] as const

function makeQuery({dice, known}: Source): string {
  if (chance(dice, 60)) return ''
  const cursor = known.pick(dice, 'cursor') ?? 'none'
  const value = (): string =>
    dice.pick(['1', '3', '0', '-1', '1e9', 'run', 'idle', '', cursor, '%'])
  const pairs = Array.from({length: dice.int(1, 2)}, () => {
    const name = dice.pick([
      'limit',
      'cursor',
      'after',
      'until',
      'status',
      'projectId',
      'from',
      'to',
    ])
    return `${name}=${encodeURIComponent(name === 'projectId' ? 'project_web' : value())}`
  })
  return `?${pairs.join('&')}`
}

function makeHeaders({dice, known}: Source, key: string): Record<string, string> {
  const isOdd = chance(dice, 5)
  return {
    ...(!(isOdd && chance(dice, 50)) && {authorization: `Bearer ${isOdd ? 'wrong' : key}`}),
    'content-type': chance(dice, 95)
      ? 'application/json'
      : dice.pick(['text/plain', 'application/json; charset=latin1', ';', 'multipart/form-data']),
    ...(chance(dice, 10) && {'last-event-id': known.pick(dice, 'cursor') ?? 'none'}),
    ...(chance(dice, 10) && {'idempotency-key': `key-${dice.int(1, 50)}`}),
  }
}

/** A delivery to a webhook. Section 4.9. */
function makeDelivery(source: Source): HttpRequest {
  const {dice, known} = source
  const url = known.pick(dice, 'webhookUrl') ?? 'http://x/webhooks/automations/none'
  const body = makeBody(source, 'a webhook')
  return {method: 'POST', path: new URL(url).pathname, headers: makeHeaders(source, ''), body}
}

function makeNoise(dice: Dice): Buffer {
  const line = dice.pick([
    'GET / HTTP/1.1\r\nhost: x\r\n\r\n',
    'POST /api/v1/threads HTTP/1.1\r\nhost: x\r\ncontent-length: 99\r\n\r\n{',
    'POST /api/v1/threads HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n0\r\n\r\n',
    'GET /api/v1/users HTTP/9.9\r\n\r\n',
    `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
    'OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n',
  ])
  const bytes = Buffer.from(line)
  for (let count = dice.int(0, 4); count > 0; count -= 1) {
    bytes[dice.int(0, bytes.length - 1)] = dice.int(0, 255)
  }
  return bytes.subarray(0, chance(dice, 80) ? bytes.length : dice.int(1, bytes.length))
}
