import {expect, test} from 'vitest'
import {defaultSeed} from '../../../local/platform/seed/default-seed.ts'
import {parseSeed} from '../../../local/platform/seed/seed.ts'
import {
  PlatformConflict,
  PlatformFolderNotFound,
  PlatformForbidden,
  PlatformInvalidRequest,
  PlatformModelRejected,
  PlatformPaidFeature,
  PlatformProjectNotFound,
  PlatformRateLimited,
  PlatformReviewRefused,
  PlatformTaskNotFound,
  PlatformThreadNotFound,
  PlatformUnauthorized,
} from '../../../src/platform/errors.ts'
import {createManualClock} from '../../local/platform/manual-clock.ts'
import type {KeyName} from '../../local/platform/client.ts'
import {sharedContract, startContract} from './contract.ts'
import {newCaptain, newRequestId, newThread} from './creations.ts'
import {SOME_WORDS} from './matchers.ts'
import {expectRefusal, refusalOf} from './refusal.ts'

const seed = parseSeed({...defaultSeed, unavailableFeatures: ['hyper', 'captain_image']}, 'here')
const contract = await sharedContract({seed})

const client = (key?: KeyName) => contract.client(key)

test('7.r1 InvalidRequest: 400 with a message', async () => {
  const wrong = {authorId: 'user_none'}
  await expectRefusal(PlatformInvalidRequest, {
    error: client().createThread(newThread(wrong), contract.signal),
    answer: contract.raw().post('/threads', newThread(wrong)),
    status: 400,
    body: {_tag: 'svc/InvalidRequest', message: SOME_WORDS},
  })
})

test('7.r2 ModelSelection.Rejected: 400 with candidates and health', async () => {
  const wanted = {model: {modelId: 'own-subscription'}}
  const candidates = [
    {entryId: 'standard', name: 'Standard', billingLabel: 'Included'},
    {entryId: 'swift', name: 'Swift', billingLabel: 'Included'},
  ]
  const rejection = 'not_connected'
  const health = {
    state: 'not_connected',
    kind: 'subscription',
    provider: 'example',
    action: 'connect',
  }
  const modelId = 'own-subscription'
  const refusal = await expectRefusal(PlatformModelRejected, {
    error: client().createCaptain(newCaptain(wanted), contract.signal),
    answer: contract.raw().post('/captains', newCaptain(wanted)),
    status: 400,
    body: {
      _tag: 'svc/ModelSelection.Rejected',
      message: SOME_WORDS,
      candidates,
      rejection,
      modelId,
      health,
    },
  })
  expect(refusal).toMatchObject({candidates, rejection, modelId, health})
})

test('7.r3 Unauthorized: 401', async () => {
  await using own = await startContract()
  own.platform.control.revokeKey(own.key('human'))
  await expectRefusal(PlatformUnauthorized, {
    error: own.client().listUsers(own.signal),
    answer: own.raw().get('/users'),
    status: 401,
    body: {_tag: 'svc/Unauthorized'},
  })
})

test('7.r4 PaidFeatureUnavailable: 402 with the feature', async () => {
  const avatar = {kind: 'preset', value: 'face-1', background: 'blue', image: 'mine.png'} as const
  const noImage = await expectRefusal(PlatformPaidFeature, {
    error: client().createCaptain(newCaptain({avatar}), contract.signal),
    answer: contract.raw().post('/captains', newCaptain({avatar})),
    status: 402,
    body: {_tag: 'svc/PaidFeatureUnavailable', feature: 'captain_image'},
  })
  expect(noImage.feature).toBe('captain_image')
  const noHyper = await expectRefusal(PlatformPaidFeature, {
    error: client().createThread(newThread({machineSize: 'hyper'}), contract.signal),
    answer: contract.raw().post('/threads', newThread({machineSize: 'hyper'})),
    status: 402,
    body: {_tag: 'svc/PaidFeatureUnavailable', feature: 'hyper'},
  })
  expect(noHyper.feature).toBe('hyper')
})

test('7.r5 Forbidden: 403', async () => {
  await expectRefusal(PlatformForbidden, {
    error: client('readOnly').createThread(newThread(), contract.signal),
    answer: contract.raw('readOnly').post('/threads', newThread()),
    status: 403,
    body: {_tag: 'svc/Forbidden'},
  })
})

test('7.r6 ProjectNotFound: 404 with the projectId', async () => {
  const projectId = 'project_none'
  const refusal = await expectRefusal(PlatformProjectNotFound, {
    error: client().createThread(newThread({projectId}), contract.signal),
    answer: contract.raw().post('/threads', newThread({projectId})),
    status: 404,
    body: {_tag: 'svc/ProjectNotFound', projectId},
  })
  expect(refusal.projectId).toBe(projectId)
})

test('7.r7 ThreadNotFound: 404 with the threadId, as it was asked for', async () => {
  for (const threadId of ['thread_none', 'née/& 100%?#']) {
    const refusal = await expectRefusal(PlatformThreadNotFound, {
      error: client().getThread(threadId, contract.signal),
      answer: contract.raw().get(`/threads/${encodeURIComponent(threadId)}`),
      status: 404,
      body: {_tag: 'svc/ThreadNotFound', threadId},
    })
    expect(refusal.threadId).toBe(threadId)
  }
})

test('7.r8 TaskNotFound: 404 with the taskId', async () => {
  const taskId = 'task_none'
  const refusal = await expectRefusal(PlatformTaskNotFound, {
    error: client().getTask(taskId, contract.signal),
    answer: contract.raw().get(`/tasks/${taskId}`),
    status: 404,
    body: {_tag: 'svc/TaskNotFound', taskId},
  })
  expect(refusal.taskId).toBe(taskId)
})

test('7.r9 ReviewRefused: 422 with the reason', async () => {
  const review = {repo: 'acme/web', prNumber: 13, idempotencyKey: newRequestId()}
  const refusal = await expectRefusal(PlatformReviewRefused, {
    error: client().startReview(review, contract.signal),
    answer: contract.raw().post('/reviews', review),
    status: 422,
    body: {_tag: 'svc/ReviewRefused', reason: SOME_WORDS},
  })
  expect(refusal.reason).toEqual(SOME_WORDS)
})

test('7.r10 RateLimited: 429 with retryAfterSeconds and the header', async () => {
  const clock = createManualClock()
  // The client sits out a short wait by itself; this one is for its caller.
  await using own = await startContract({clock, rateLimit: {perMinute: 1, burst: 1}})
  const read = () => own.client().listUsers(own.signal)
  await read()
  clock.advance(15_000)
  const refusal = await expectRefusal(PlatformRateLimited, {
    error: read(),
    answer: own.raw().get('/users'),
    status: 429,
    body: {_tag: 'svc/RateLimited', retryAfterSeconds: 45},
  })
  expect(refusal.retryAfterMs).toBe(45_000)
  expect((await own.raw().get('/users')).headers.get('retry-after')).toBe('45')
  expect(await own.client('kim').listUsers(own.signal)).toHaveLength(3)
  clock.advance(45_000)
  expect(await read()).toHaveLength(3)
})

test('7.r11 Conflict: takeover that cannot be', async () => {
  const {id} = await client().createThread(newThread(), contract.signal)
  const error = await refusalOf(client('readWrite').takeOver(id, contract.signal))
  expect(error).toBeInstanceOf(PlatformConflict)
  const {status, body} = await contract.raw('readWrite').post(`/threads/${id}/takeover`)
  // Section 7 does not name its status.
  expect(status).toBeGreaterThanOrEqual(400)
  expect(body).toEqual({_tag: 'svc/Conflict', message: SOME_WORDS})
})

test('7.r12 ThreadOrganizationNotFound: filing into an absent folder', async () => {
  const {id} = await client().createThread(newThread(), contract.signal)
  const error = await refusalOf(client().fileThreads('folder_none', [id], contract.signal))
  expect(error).toBeInstanceOf(PlatformFolderNotFound)
  const raw = await contract.raw().post('/folders/folder_none/threads', {threadIds: [id]})
  expect(raw.body).toEqual({_tag: 'svc/ThreadOrganizationNotFound'})
})
