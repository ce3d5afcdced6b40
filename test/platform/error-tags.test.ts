import {describe, expect, test} from 'vitest'
import {
  PlatformConflict,
  PlatformError,
  PlatformFolderNotFound,
  PlatformForbidden,
  PlatformInvalidRequest,
  PlatformModelRejected,
  PlatformNotFound,
  PlatformPaidFeature,
  PlatformProjectNotFound,
  PlatformRateLimited,
  PlatformRefused,
  PlatformReviewRefused,
  PlatformStreamUnavailable,
  PlatformTaskNotFound,
  PlatformThreadNotFound,
  PlatformUnauthorized,
  PlatformUnreachable,
  reasonOf as saidBy,
} from '../../src/platform/errors.ts'
import {answerJson, clientTo, reasonOf, serve} from './http-server.ts'

const {signal} = new AbortController()

async function errorOf(status: number, body: unknown): Promise<PlatformError> {
  const {origin} = await serve((response) => answerJson(response, status, body))
  const error = await reasonOf(clientTo(origin, {retries: 0}).getThread('t', signal))
  if (error instanceof PlatformError) return error
  throw new Error(`It is no error of the platform: ${String(error)}`)
}

const candidate = {entryId: 'n1', name: 'A model', billingLabel: 'per token'}
const health = {
  state: 'usage_exhausted',
  kind: 'subscription',
  provider: 'somebody',
  action: 'reconnect',
  resetsAt: '2026-01-02T03:04:05.678Z',
}
const rejected = {candidates: [candidate], rejection: 'not_connected', modelId: 'm1', health}

interface Row {
  status: number
  tag: string
  fields: object
  kind: new (...details: never[]) => PlatformError
  family: new (...details: never[]) => PlatformError
  /** What the error has besides its fields. */
  has?: object
}

const section7: Row[] = [
  {
    status: 400,
    tag: 'InvalidRequest',
    fields: {message: 'No such thing.'},
    kind: PlatformInvalidRequest,
    family: PlatformRefused,
  },
  {
    status: 400,
    tag: 'ModelSelection.Rejected',
    fields: {message: 'Not connected.', service: 'some service', ...rejected},
    kind: PlatformModelRejected,
    family: PlatformRefused,
    has: {service: 'some service', ...rejected},
  },
  {
    status: 401,
    tag: 'Unauthorized',
    fields: {},
    kind: PlatformUnauthorized,
    family: PlatformUnauthorized,
  },
  {
    status: 402,
    tag: 'PaidFeatureUnavailable',
    fields: {feature: 'captain_image'},
    kind: PlatformPaidFeature,
    family: PlatformRefused,
    has: {feature: 'captain_image'},
  },
  {status: 403, tag: 'Forbidden', fields: {}, kind: PlatformForbidden, family: PlatformForbidden},
  {
    status: 404,
    tag: 'ProjectNotFound',
    fields: {projectId: 'p'},
    kind: PlatformProjectNotFound,
    family: PlatformNotFound,
    has: {projectId: 'p'},
  },
  {
    status: 404,
    tag: 'ThreadNotFound',
    fields: {threadId: 't'},
    kind: PlatformThreadNotFound,
    family: PlatformNotFound,
    has: {threadId: 't'},
  },
  {
    status: 404,
    tag: 'TaskNotFound',
    fields: {taskId: 'k'},
    kind: PlatformTaskNotFound,
    family: PlatformNotFound,
    has: {taskId: 'k'},
  },
  {
    status: 422,
    tag: 'ReviewRefused',
    fields: {reason: 'A draft.'},
    kind: PlatformReviewRefused,
    family: PlatformRefused,
    has: {reason: 'A draft.'},
  },
  {
    status: 429,
    tag: 'RateLimited',
    fields: {retryAfterSeconds: 7},
    kind: PlatformRateLimited,
    family: PlatformRateLimited,
    has: {retryAfterMs: 7000},
  },
  // The statuses of the last three are not documented.
  ...[400, 409, 412, 422, 423].map((status) => ({
    status,
    tag: 'Conflict',
    fields: {message: 'Taken over already.'},
    kind: PlatformConflict,
    family: PlatformRefused,
  })),
  ...[400, 404, 409, 410, 422].map((status) => ({
    status,
    tag: 'ThreadOrganizationNotFound',
    fields: {},
    kind: PlatformFolderNotFound,
    family: PlatformNotFound,
  })),
  ...[404, 409, 500, 503].map((status) => ({
    status,
    tag: 'StreamUnavailable',
    fields: {},
    kind: PlatformStreamUnavailable,
    family: PlatformUnreachable,
  })),
]

describe('every tag of section 7 is a class in the family of its status', () => {
  test.each(section7)('$tag with $status', async ({status, tag, fields, kind, family, has}) => {
    const error = await errorOf(status, {_tag: `svc/${tag}`, ...fields})
    expect(error).toBeInstanceOf(kind)
    expect(error).toBeInstanceOf(family)
    expect(error).toMatchObject({_tag: `svc/${tag}`, status, fields, name: kind.name, ...has})
  })

  test.each(section7)('$tag with $status, of any maker, without its fields', async (row) => {
    const error = await errorOf(row.status, {_tag: `Some-Maker.io/${row.tag}`})
    expect(error).toBeInstanceOf(row.kind)
  })

  test.each(section7)('$tag with $status and fields of other types', async (row) => {
    const fields = {...row.fields, ...row.has, resetsAt: 1}
    const odd = Object.fromEntries(Object.keys(fields).map((name) => [name, [{}, 7, null]]))
    const error = await errorOf(row.status, {_tag: `svc/${row.tag}`, ...odd})
    expect(error).toBeInstanceOf(row.kind)
    expect(error.fields).toEqual(odd)
  })
})

describe('a tag whose status says something else falls to the family of the status', () => {
  test.each<[number, string, string]>([
    [401, 'ThreadNotFound', 'PlatformUnauthorized'],
    [403, 'InvalidRequest', 'PlatformForbidden'],
    [404, 'InvalidRequest', 'PlatformNotFound'],
    [404, 'Conflict', 'PlatformNotFound'],
    [409, 'ProjectNotFound', 'PlatformRefused'],
    [422, 'RateLimited', 'PlatformRefused'],
    [429, 'StreamUnavailable', 'PlatformRateLimited'],
    [500, 'Conflict', 'PlatformUnreachable'],
    [503, 'InvalidRequest', 'PlatformUnreachable'],
    [400, 'Novelty', 'PlatformRefused'],
    [404, 'toString', 'PlatformNotFound'],
  ])('%i %s is %s', async (status, tag, name) => {
    const error = await errorOf(status, {_tag: `svc/${tag}`})
    expect(error.name).toBe(name)
    expect(error).toMatchObject({status, _tag: `svc/${tag}`})
  })

  test.each([[7], [null], [{}], [['svc/Conflict']]])('%j is no tag', async (_tag) => {
    const error = await errorOf(409, {_tag})
    expect(error).toMatchObject({name: 'PlatformRefused', _tag: undefined})
  })
})

describe('what a rejected model may name is kept, and what is broken of it left out', () => {
  test('one broken candidate does not hide the others', async () => {
    const candidates = [7, candidate, {name: 'Only a name', entryId: 3}, null]
    const error = await errorOf(400, {_tag: 'svc/ModelSelection.Rejected', candidates})
    expect(error).toMatchObject({candidates: [candidate, {name: 'Only a name'}]})
  })

  test('nothing but the tag leaves no candidates', async () => {
    expect(await errorOf(400, {_tag: 'svc/ModelSelection.Rejected'})).toMatchObject({
      candidates: [],
      rejection: undefined,
      health: undefined,
    })
  })
})

describe('the platform’s own words are told', () => {
  test.each<[string, unknown, string]>([
    ['a message', {_tag: 'svc/Conflict', message: 'Taken.'}, 'Taken.'],
    ['a reason', {_tag: 'svc/ReviewRefused', reason: 'A draft.'}, 'A draft.'],
    ['a tag alone', {_tag: 'svc/Conflict'}, 'svc/Conflict'],
    ['the retired envelope', {error: {code: 'x', message: 'Old words.'}}, 'Old words.'],
    ['a broken envelope', {error: {message: 7}}, 'GET /threads/t was answered with 409'],
    ['an envelope that is a word', {error: 'no'}, 'GET /threads/t was answered with 409'],
    ['a long message', {message: 'x'.repeat(900)}, 'x'.repeat(200)],
  ])('%s', async (_name, body, said) => {
    expect(saidBy(await errorOf(409, body))).toBe(said)
  })
})
