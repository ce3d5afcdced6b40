import {beforeAll, expect, test} from 'vitest'
import {z} from 'zod'
import {PlatformInvalidRequest} from '../../../src/platform/errors.ts'
import type {Thread} from '../../../src/platform/model.ts'
import {createManualClock} from '../../local/platform/manual-clock.ts'
import type {KeyName} from '../../local/platform/client.ts'
import {all, sharedContract} from './contract.ts'
import {createThread} from './creations.ts'
import {refusalOf} from './refusal.ts'

const JANUARY_MS = Date.UTC(2026, 0, 31, 23, 59)
const FEBRUARY_MS = Date.UTC(2026, 1, 10, 12)

const clock = createManualClock(JANUARY_MS)
const contract = await sharedContract({clock, pace: 0})

/** Threads of several members, models and projects, with tasks and with images. */
const work = async (): Promise<void> => {
  for (const [message, projectId, modelId, key] of [
    ['quick', 'project_web', 'standard', 'human'],
    ['fan out', 'project_web', 'swift', 'kim'],
    ['a screenshot', 'project_api', 'standard', 'readWrite'],
  ] as const) {
    const {id} = await createThread(contract, {projectId, message, model: {modelId}}, key)
    await contract.finish(id)
  }
}

beforeAll(async () => {
  await work()
  clock.advance(FEBRUARY_MS - JANUARY_MS)
  await work()
})

/** The document does not name the fields of the report: these are the embedded platform's. */
const bill = {
  llmDollars: z.number(),
  imageDollars: z.number(),
  machineDollars: z.number(),
  totalDollars: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  totalTokens: z.number(),
}
const reportSchema = z.object({
  ...bill,
  byMember: z.array(z.object({userId: z.string().nullable(), ...bill})),
  byModel: z.array(z.object({modelId: z.string(), ...bill})),
  byImageEndpoint: z.array(z.object({imageEndpoint: z.string(), ...bill})),
})

const report = async (period: {from?: string; to?: string} = {}, key: KeyName = 'human') =>
  reportSchema.parse(await contract.client(key).getUsage(period, contract.signal))

const EVER = {from: '2026-01-01T00:00:00.000Z', to: '2027-01-01T00:00:00.000Z'}

const CREDITS = ['llmCredits', 'imageCredits', 'vmCredits', 'totalCredits'] as const

/** In dollars: a credit is $0.001. */
const sumOf = (threads: readonly Thread[]): number[] =>
  CREDITS.map((name) => threads.reduce((sum, {usage}) => sum + (usage?.[name] ?? NaN), 0) / 1000)

test('4.10.r1 without a query usage reports the current month, with from and to another window', async () => {
  const thisMonth = await report()
  const lastMonth = await report({from: EVER.from, to: '2026-02-01T00:00:00.000Z'})
  expect(thisMonth.totalDollars).toBeGreaterThan(0)
  expect(lastMonth.totalDollars).toBeGreaterThan(0)
  const both = await report(EVER)
  expect(both.totalDollars).toBeCloseTo(thisMonth.totalDollars + lastMonth.totalDollars, 9)
  const before = await report({from: '2025-01-01T00:00:00.000Z', to: EVER.from})
  expect(before.totalDollars).toBe(0)
})

test('4.10.r1 with from alone the window reaches until now', async () => {
  expect((await report({from: EVER.from})).totalDollars).toBe((await report(EVER)).totalDollars)
})

test('4.10.r1 a window of anything but ISO timestamps is refused', async () => {
  for (const period of [{from: 'yesterday'}, {to: '1767225600000'}, {from: ''}]) {
    expect(await refusalOf(report(period))).toBeInstanceOf(PlatformInvalidRequest)
  }
})

test('4.10.r2 the totals equal the sum of the threads', async () => {
  for (const key of ['human', 'scoped'] as const) {
    const threads = await all(contract.client(key).listThreads({}, contract.signal))
    const {llmDollars, imageDollars, machineDollars, totalDollars} = await report(EVER, key)
    const [llm = NaN, image = NaN, machine = NaN, total = NaN] = sumOf(threads)
    expect(llmDollars).toBeCloseTo(llm, 9)
    expect(imageDollars).toBeCloseTo(image, 9)
    expect(machineDollars).toBeCloseTo(machine, 9)
    expect(totalDollars).toBeCloseTo(total, 9)
    expect(totalDollars).toBeCloseTo(llm + image + machine, 9)
    expect(totalDollars).toBeGreaterThan(0)
  }
})

test('4.10.r3 the report splits by member, by model and by image endpoint', async () => {
  const {byMember, byModel, byImageEndpoint, ...totals} = await report(EVER)
  expect(new Set(byMember.map(({userId}) => userId))).toEqual(
    new Set(['user_jane', 'user_kim', null]),
  )
  expect(new Set(byModel.map(({modelId}) => modelId))).toEqual(new Set(['standard', 'swift']))
  expect(byImageEndpoint.length).toBeGreaterThan(0)
  for (const split of [byMember, byModel]) {
    const sum = (name: keyof typeof bill) => split.reduce((so, row) => so + row[name], 0)
    expect(sum('totalDollars')).toBeCloseTo(totals.totalDollars, 9)
    expect(sum('totalTokens')).toBe(totals.totalTokens)
  }
  const images = byImageEndpoint.reduce((so, row) => so + row.imageDollars, 0)
  expect(images).toBeCloseTo(totals.imageDollars, 9)
  expect(totals.totalTokens).toBe(totals.inputTokens + totals.outputTokens)
})
