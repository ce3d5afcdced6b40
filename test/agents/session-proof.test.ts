import {describe, expect, test} from 'vitest'
import {createSessionProof} from '../../src/agents/session-proof.ts'
import {
  PlatformForbidden,
  PlatformNotFound,
  PlatformRateLimited,
  PlatformRefused,
  PlatformTaskNotFound,
  PlatformUnauthorized,
  PlatformUnreachable,
} from '../../src/platform/errors.ts'
import {taskSchema} from '../../src/platform/model.ts'
import {Secret} from '../../src/security/secret.ts'
import {FRESH_LINK} from '../support/fresh-link.ts'

const {signal} = new AbortController()
const token = new Secret('token-of-a-session')
const link = {...FRESH_LINK, threadId: 't1', projectId: 'p1'}
const taskOf = (id: string) => taskSchema.parse({id, taskPath: '1', status: 'idle'})
const DENIED = {outcome: 'denied', isExpired: false}

/** `answers`: of each key, what it says of the token. */
function setUp(
  answers: Record<string, () => unknown>,
  {tasks = ['task-1'], elsewhere = ['task-9']} = {},
) {
  const learnt: string[] = []
  const asked: string[] = []
  const proof = createSessionProof({
    clientOf: ({connectionId = 'env'}) => ({
      verifySession: async () => {
        asked.push(connectionId)
        return (await answers[connectionId]?.()) as never
      },
      getTask: async (id) => {
        asked.push(id)
        if (![...tasks, ...elsewhere].includes(id)) {
          throw new PlatformTaskNotFound('no', {status: 404})
        }
        return taskOf(id)
      },
      listTasks: async function* () {
        asked.push('tasks')
        for (const id of tasks) yield taskOf(id)
      } as never,
    }),
    learn: (one) => void learnt.push(one.reveal()),
  })
  return {proof, learnt, asked}
}

const proves = (threadId: string, projectId: string | undefined = 'p1') => ({
  env: () => ({valid: true, threadId, projectId}),
})

describe('a token', () => {
  test.each<[string, object, boolean]>([
    ['of the thread', proves('t1'), true],
    ['of a task of it', proves('task-1'), true],
    ['of a task of other work', proves('task-9'), false],
    ['of another thread', proves('t2'), false],
    ['of another project', proves('t1', 'p2'), false],
    ['of no project', {env: () => ({valid: true, threadId: 't1'})}, false],
    ['of no thread', {env: () => ({valid: true, projectId: 'p1'})}, false],
  ])('%s', async (_of, answers, isProven) => {
    const {proof, learnt} = setUp(answers as never)
    const proven = await proof.prove(token, [link], signal)
    expect(proven).toEqual(isProven ? link : DENIED)
    // It is one of a session all the same: nobody may read it.
    expect(learnt).toEqual(['token-of-a-session'])
  })

  test('of a session without a project is that of work without one', async () => {
    const {proof} = setUp({env: () => ({valid: true, threadId: 't1'})})
    const aimless = {...link, projectId: ''}
    expect(await proof.prove(token, [aimless], signal)).toEqual(aimless)
  })

  test.each([
    ['expired', true],
    ['invalid', false],
    [undefined, false],
  ])('that is %s is denied', async (reason, isExpired) => {
    const {proof, learnt} = setUp({env: () => ({valid: false, reason})})
    expect(await proof.prove(token, [link], signal)).toEqual({outcome: 'denied', isExpired})
    expect(learnt).toEqual([])
  })

  test('whose task was found is not sought again', async () => {
    const {proof, asked} = setUp(proves('task-1'))
    await proof.prove(token, [link], signal)
    await proof.prove(token, [link], signal)
    expect(asked).toEqual(['env', 'task-1', 'tasks', 'env'])
    expect(await proof.prove(token, [{...link, threadId: 't2'}], signal)).toEqual(DENIED)
  })

  test('is judged by the first key that may ask, of three at most, each asked once', async () => {
    const no = () => Promise.reject(new PlatformForbidden('no', {status: 403}))
    const gone = () => Promise.reject(new PlatformUnauthorized('no', {status: 401}))
    const {proof, asked} = setUp({a: no, b: gone, c: proves('t1').env, d: proves('t1').env})
    const links = ['a', 'a', 'b', 'c', 'd'].map((connectionId, at) => ({
      ...{...link, connectionId, id: `l${at}`},
    }))
    expect(await proof.prove(token, links, signal)).toMatchObject({id: 'l3'})
    expect(asked).toEqual(['a', 'b', 'c'])
    const late = setUp({a: no, b: gone, c: no, d: proves('t1').env})
    expect(await late.proof.prove(token, links, signal)).toEqual(DENIED)
    expect(late.asked).toEqual(['a', 'b', 'c'])
  })

  test.each([
    [new PlatformNotFound('no', {status: 404}), {outcome: 'no-verification'}],
    [new PlatformUnreachable('no', true, {status: 501}), {outcome: 'no-verification'}],
    [new PlatformRateLimited('slow', 7000), {outcome: 'busy', retryAfterMs: 7000}],
    [new PlatformUnreachable('gone', true), {outcome: 'busy', retryAfterMs: 2000}],
    [new PlatformRefused('no', {status: 400}), DENIED],
  ])('to which the platform says %s is %o', async (error, outcome) => {
    const {proof} = setUp({env: () => Promise.reject(error)})
    expect(await proof.prove(token, [link], signal)).toEqual(outcome)
  })

  test('is told to come again where sixteen are asked about, or twelve of its thread', async () => {
    let answer: () => void = () => undefined
    const waits = new Promise<void>((resolve) => void (answer = resolve))
    const {proof} = setUp({
      env: () => waits.then(() => ({valid: true, threadId: 't1', projectId: 'p1'})),
    })
    const prove = (threadId: string) => proof.prove(token, [{...link, threadId}], signal)
    const BUSY = {outcome: 'busy', retryAfterMs: 2000}
    const first = Array.from({length: 12}, () => prove('t1'))
    expect(await prove('t1')).toEqual(BUSY)
    const others = Array.from({length: 4}, (_, at) => prove(`other${at}`))
    expect(await prove('t2')).toEqual(BUSY)
    answer()
    expect(await Promise.all(first)).toEqual(Array.from({length: 12}, () => link))
    expect(await Promise.all(others)).toEqual(Array.from({length: 4}, () => DENIED))
    expect(await prove('t1')).toEqual(link)
  })
})

describe('whether a platform verifies tokens', () => {
  test('is asked once of each key, and again where it could not say', async () => {
    let says = (): unknown => Promise.reject(new PlatformUnreachable('gone', true))
    const {proof, asked} = setUp({env: () => says(), other: () => ({valid: false})})
    expect(await proof.isOffered({connectionId: undefined}, signal)).toBe(false)
    says = () => ({valid: false})
    expect(await proof.isOffered({connectionId: undefined}, signal)).toBe(true)
    says = () => Promise.reject(new PlatformNotFound('no', {status: 404}))
    expect(await proof.isOffered({connectionId: undefined}, signal)).toBe(true)
    expect(await proof.isOffered({connectionId: 'other'}, signal)).toBe(true)
    expect(asked).toEqual(['env', 'env', 'other'])
  })

  test('is not asked again where it has no such endpoint', async () => {
    const none = () => Promise.reject(new PlatformNotFound('no', {status: 404}))
    const {proof, asked} = setUp({env: none})
    expect(await proof.isOffered({connectionId: undefined}, signal)).toBe(false)
    expect(await proof.isOffered({connectionId: undefined}, signal)).toBe(false)
    expect(asked).toEqual(['env'])
  })
})
