import {expect, test} from 'vitest'
import {createPlatformClient} from '../../../src/platform/client.ts'
import {
  PlatformConflict,
  PlatformForbidden,
  PlatformNotFound,
  PlatformProjectNotFound,
  PlatformThreadNotFound,
  PlatformUnauthorized,
} from '../../../src/platform/errors.ts'
import {Secret} from '../../../src/security/secret.ts'
import {createManualClock} from '../../local/platform/manual-clock.ts'
import {outline, type KeyName} from '../../local/platform/client.ts'
import {all, sharedContract, startContract} from './contract.ts'
import {createAutomation, createThread, newRequestId} from './creations.ts'
import {refusalOf} from './refusal.ts'

const contract = await sharedContract()

const createAs = (key: KeyName, projectId = 'project_web') =>
  createThread(contract, {projectId}, key)

/** Every address of the API, with ids that nothing has. */
const addresses = () =>
  contract.platform.routes.map(({method, path}) => ({method, path: path.replace(/:\w+/g, 'none')}))

const ask = async (method: string, path: string, authorization?: string) => {
  const response = await fetch(contract.platform.baseUrl + path, {
    method,
    headers: authorization === undefined ? {} : {authorization},
  })
  const body: unknown = await response.json()
  return {status: response.status, body}
}

/** Verification asks, and changes nothing. */
const isMutation = ({method, path}: {method: string; path: string}): boolean =>
  method !== 'GET' && path !== '/sessions/verify'

test('5.r1 every request carries a bearer key', async () => {
  for (const {method, path} of addresses()) {
    const answer = await ask(method, path)
    expect(answer, `${method} ${path}`).toEqual({status: 401, body: {_tag: 'svc/Unauthorized'}})
  }
  for (const scheme of ['Basic', 'Token', '']) {
    const {status} = await ask('GET', '/projects', `${scheme} ${contract.key('human')}`.trim())
    expect(status, scheme).toBe(401)
  }
  expect((await ask('GET', '/projects', `Bearer ${contract.key('human')}`)).status).toBe(200)
})

test('5.r2 keys have no scopes per endpoint: a key that may write may ask all', async () => {
  for (const key of ['human', 'readWrite', 'admin'] as const) {
    const refused = []
    for (const {method, path} of addresses()) {
      const {status} = await contract.raw(key).request(method, path)
      if (status === 401 || status === 403) refused.push(`${method} ${path}`)
    }
    expect(refused).toEqual([])
  }
})

test('5.r3 a read_only service key reads, and gets 403 on mutations', async () => {
  for (const {method, path} of addresses()) {
    const {status, body} = await contract.raw('readOnly').request(method, path)
    const isForbidden = status === 403 && body['_tag'] === 'svc/Forbidden'
    expect(isForbidden, `${method} ${path}`).toBe(isMutation({method, path}))
  }
  const {id} = await createAs('human')
  const reader = contract.client('readOnly')
  expect((await reader.getThread(id, contract.signal)).id).toBe(id)
  const archived = reader.archive(id, contract.signal)
  expect(await refusalOf(archived)).toBeInstanceOf(PlatformForbidden)
  expect(
    contract.platform.ledger.filter(({key, applied}) => key === 'readOnly' && applied),
  ).toEqual([])
})

test('5.r4 what is outside the project allowlist answers as absent', async () => {
  const {id} = await createAs('human', 'project_api')
  const {signal} = contract
  const client = contract.client('scoped')
  for (const asked of [
    client.getThread(id, signal),
    all(client.listMessages(id, undefined, signal)),
    all(client.listTasks(id, signal)),
    client.sendMessage(id, {text: 'quick', delivery: 'queue'}, signal),
    client.interrupt(id, signal),
    client.archive(id, signal),
    client.takeOver(id, signal),
    client.getSessionToken(id, signal),
  ]) {
    expect(await refusalOf(asked)).toBeInstanceOf(PlatformThreadNotFound)
  }
  expect(await refusalOf(createAs('scoped', 'project_api'))).toBeInstanceOf(PlatformProjectNotFound)
  const listed = await all(client.listThreads({}, signal))
  expect(new Set(listed.map(({projectId}) => projectId))).not.toContain('project_api')
})

test('5.r4 what is outside the allowlist is outside for automations, reviews and filters', async () => {
  const {signal} = contract
  const client = contract.client('scoped')
  const {id} = await createAutomation(contract, {projectId: 'project_api'})
  expect(await refusalOf(client.deleteAutomation(id, signal))).toBeInstanceOf(PlatformNotFound)
  const filters = await client.listReviewFilters(signal)
  expect(filters.map(({repo}) => repo)).not.toContain('acme/api')
  const refusals = []
  for (const repo of ['acme/api', 'acme/nowhere']) {
    const review = {repo, prNumber: 7, idempotencyKey: newRequestId()}
    const {status, _tag, fields} = await refusalOf(client.startReview(review, signal))
    refusals.push({status, _tag, fields})
  }
  expect(refusals[0]).toEqual(refusals[1])
})

test('5.r5 a service key acts for nobody: its threads have no author unless it names one', async () => {
  const thread = await createAs('readWrite')
  expect(thread.authorId).toBeUndefined()
  const refusal = await refusalOf(contract.client('readWrite').takeOver(thread.id, contract.signal))
  expect(refusal).toBeInstanceOf(PlatformConflict)
})

test('5.r6 missing and wrong keys answer 401', async () => {
  for (const wrong of ['nobody', `${contract.key('human')}x`, contract.key('human').slice(0, -1)]) {
    const apiKey = new Secret(wrong)
    const client = createPlatformClient({transport: contract.transport, apiKey})
    const refusal = await refusalOf(client.listProjects(contract.signal))
    expect(refusal).toBeInstanceOf(PlatformUnauthorized)
    expect(refusal).toMatchObject({status: 401, _tag: 'svc/Unauthorized', fields: {}})
    expect(JSON.stringify(refusal) + refusal.message).not.toContain(wrong)
  }
})

test('5.r6 a revoked key answers 401, and so does the key of a member who has left', async () => {
  await using own = await startContract()
  const {control} = own.platform
  control.revokeKey(own.key('readWrite'))
  control.setActive('user_kim', false)
  for (const key of ['readWrite', 'kim'] as const) {
    const refusal = await refusalOf(own.client(key).listProjects(own.signal))
    expect(refusal).toBeInstanceOf(PlatformUnauthorized)
  }
  expect(await own.client().listProjects(own.signal)).toHaveLength(2)
})

test('5.r7 a key revoked during a stream closes it with unauthorized within the interval', async () => {
  const clock = createManualClock()
  await using own = await startContract({clock})
  const {id} = await own.begin('quick')
  await own.finish(id)
  await using revoked = own.follow({threadId: id})
  await using other = await own.raw('readWrite').stream(id)
  await revoked.until('the transcript', (frames) => frames.length >= 4)
  clock.advance(7000)
  own.platform.control.revokeKey(own.key('human'))
  clock.advance(15_000)
  await expect(revoked.ended()).rejects.toBeInstanceOf(PlatformUnauthorized)
  expect(revoked.frames.filter(({type}) => type === 'done')).toEqual([])
  // The stream of the other key goes on.
  await other.until('a heartbeat', (frames) => frames.at(-1)?.event === 'heartbeat')
})

test('5.r7 a key that is disabled during a stream closes it with an error frame', async () => {
  const clock = createManualClock()
  await using own = await startContract({clock})
  const {id} = await own.begin('quick')
  await using stream = await own.raw('kim').stream(id)
  await stream.until('a frame', (frames) => frames.length > 0)
  own.platform.control.setActive('user_kim', false)
  clock.advance(15_000)
  await stream.ended()
  expect(outline(stream.frames).at(-1)).toBe('error unauthorized')
  expect(Object.keys(stream.frames.at(-1)?.data ?? {})).toEqual(['code', 'message'])
})

test('5.r9 a human key needs no attribution: its threads are its own', async () => {
  expect((await createAs('human')).authorId).toBe('user_jane')
  expect((await createAs('kim')).authorId).toBe('user_kim')
})
