import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {PlatformError} from '../../src/platform/errors.ts'
import {everyMethod} from './every-method.ts'
import {clientTo, serve} from './http-server.ts'

const {signal} = new AbortController()

interface Answer {
  status: number
  type: string
  body: string
}

const words = ['id', 'items', 'cursor', 'status', 'token', 'valid', 'outcome', 'retryAfterSeconds']
const odd = fc.oneof(
  fc.jsonValue({depthSize: 'small'}),
  fc.dictionary(fc.constantFrom(...words, '_tag', '__proto__', 'toString'), fc.jsonValue()),
)

/** An answer in which something at some depth is of another kind. */
function bend(value: unknown): fc.Arbitrary<unknown> {
  if (Array.isArray(value)) return fc.oneof(fc.tuple(...value.map(bend)), odd)
  if (typeof value !== 'object' || value === null) return fc.oneof(fc.constant(value), odd)
  const fields = Object.entries(value).map(([name, field]) => [name, bend(field)])
  const record = Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>
  return fc.oneof(fc.record(record, {requiredKeys: []}), odd)
}

const tags = ['InvalidRequest', 'ModelSelection.Rejected', 'RateLimited', 'Conflict', 'Novelty']
const error = fc.record({
  _tag: fc.oneof(fc.constantFrom(...tags.map((tag) => `svc/${tag}`)), odd),
  candidates: odd,
  health: odd,
  error: odd,
  message: odd,
})

const answerLike = (good: unknown): fc.Arbitrary<Answer> =>
  fc.record({
    status: fc.oneof(
      fc.constant(200),
      fc.constantFrom(201, 202, 204, 302, 400, 401, 402, 403, 404, 409, 422, 429, 500, 503),
    ),
    type: fc.constantFrom('application/json', 'text/html', 'text/plain', ''),
    body: fc.oneof(
      bend(good).map((value) => JSON.stringify(value)),
      error.map((value) => JSON.stringify(value)),
      fc.string({unit: 'binary'}),
      fc.nat(200).map((length) => JSON.stringify(good).slice(0, length)),
      fc.constantFrom('[{"a":'.repeat(5000), '['.repeat(5000) + ']'.repeat(5000)),
    ),
  })

describe('whatever is answered, a method gives something or throws a PlatformError', () => {
  test.each(Object.entries(everyMethod))('%s', async (_name, {call, answer}) => {
    let next: Answer = {status: 200, type: '', body: ''}
    const {origin} = await serve((response) => {
      response.writeHead(next.status, next.type === '' ? {} : {'content-type': next.type})
      response.end(next.body)
    })
    const client = clientTo(origin, {retries: 0})
    const outcomeOf = (): Promise<unknown> =>
      call(client, signal).then(
        () => 'given',
        (reason: unknown) => (reason instanceof PlatformError ? 'refused' : reason),
      )
    await fc.assert(
      fc.asyncProperty(answerLike(answer), async (generated) => {
        next = generated
        expect(['given', 'refused']).toContain(await outcomeOf())
      }),
      {numRuns: 60},
    )
  })
})
