import {expect, test} from 'vitest'
import {meetCandidates, toRejected} from '../../../src/agents/models/rejected-model.ts'
import {PlatformModelRejected} from '../../../src/platform/errors.ts'

const rejected = (fields: object) =>
  new PlatformModelRejected('no', {status: 400, fields: fields as Record<string, unknown>})

test('what can be used is offered, the likeliest first, and what has no id is not', () => {
  const candidates = [
    {entryId: 'opus-5', name: 'Opus', billingLabel: 'Acme'},
    {entryId: 'gpt-5'},
    {entryId: ''},
    {name: 'nameless'},
    {entryId: 'x'.repeat(201)},
  ]
  expect(
    toRejected(rejected({candidates, modelId: 'told', rejection: 'disconnected'}), 'gpt-6'),
  ).toEqual({
    ...{modelId: 'gpt-6', rejection: 'disconnected'},
    candidates: [{modelId: 'gpt-5'}, {modelId: 'opus-5', name: 'Opus', billingLabel: 'Acme'}],
  })
})

test('what the platform says of a model is kept as far as anybody reads it', () => {
  const long = 'y'.repeat(300)
  const candidates = Array.from({length: 95}, (_, at) => ({entryId: `m${at}`, name: long}))
  const health = {state: 'down', action: long, other: 'z'}
  const told = toRejected(rejected({candidates, modelId: long, health}), undefined)
  expect(told).toMatchObject({modelId: 'y'.repeat(200)})
  expect(told.health).toEqual({state: 'down', action: 'y'.repeat(100)})
  expect(told.candidates).toHaveLength(90)
  expect(told.candidates[0]?.name).toBe('y'.repeat(100))
  expect(toRejected(rejected({}), undefined)).toEqual({candidates: []})
})

test('what can be used is remembered for the key of the work', async () => {
  const met: unknown[] = []
  const deps = {models: {meet: async (...all: unknown[]) => void met.push(all)}, nowMs: () => 7}
  const link = {place: {team: 'T1'}, connectionId: 'k'}
  await meetCandidates(deps, link, {candidates: []})
  await meetCandidates(deps, link, {candidates: [{modelId: 'm'}]})
  expect(met).toEqual([[{team: 'T1', connectionId: 'k'}, [{modelId: 'm'}], 7]])
})
