import {expect, test} from 'vitest'
import {checkKey} from '../../src/agents/key-check.ts'
import type {PlatformClient} from '../../src/platform/client.ts'
import {
  PlatformForbidden,
  PlatformRateLimited,
  PlatformRefused,
  PlatformUnauthorized,
  PlatformUnreachable,
} from '../../src/platform/errors.ts'
import {projectSchema} from '../../src/platform/model.ts'

const {signal} = new AbortController()
const project = projectSchema.parse({id: 'p', name: 'web'})
const check = (answer: () => unknown) =>
  checkKey({listProjects: async () => answer()} as unknown as PlatformClient, signal)
const fail = (error: Error) => check(() => Promise.reject(error))

test('a key is good for the projects that it reaches', async () => {
  expect(await check(() => [project])).toEqual({outcome: 'good', projects: [project]})
  expect(await check(() => [])).toEqual({outcome: 'bad', why: 'no-projects', detail: ''})
})

test.each([
  ['unreachable', new PlatformUnreachable('gone', true), ''],
  ['refused', new PlatformUnauthorized('no', {status: 401}), ''],
  ['no-projects', new PlatformForbidden('no', {status: 403}), ''],
  ['busy', new PlatformRateLimited('slow', 1001), '2'],
  ['busy', new PlatformRateLimited('slow', 0), '1'],
  ['declined', new PlatformRefused('no', {status: 409, fields: {message: 'Not now'}}), 'Not now'],
])('else it is %s: %s', async (why, error, detail) => {
  expect(await fail(error)).toEqual({outcome: 'bad', why, detail})
})

test('what is no answer of the platform is no verdict on a key', async () => {
  await expect(fail(new TypeError('ours'))).rejects.toThrow('ours')
})
