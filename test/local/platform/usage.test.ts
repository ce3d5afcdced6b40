import fc from 'fast-check'
import {beforeAll, describe, expect, test} from 'vitest'
import {z} from 'zod'
import {openDatabase} from '../../../local/platform/database.ts'
import {createOrganization} from '../../../local/platform/organization/organization.ts'
import {defaultSeed} from '../../../local/platform/seed/default-seed.ts'
import {parseSeed} from '../../../local/platform/seed/seed.ts'
import {createThreads} from '../../../local/platform/threads/threads.ts'
import {createUsageReports} from '../../../local/platform/usage/report.ts'
import {createUsage, type Cost} from '../../../local/platform/usage/usage.ts'
import {clientOf, itemsOf, type Client} from './client.ts'
import {createManualClock} from './manual-clock.ts'
import {sharedPlatform} from './open-platform.ts'

const bill = {
  llmDollars: z.number(),
  imageDollars: z.number(),
  machineDollars: z.number(),
  totalDollars: z.number(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  totalTokens: z.int(),
}
const reportSchema = z.strictObject({
  from: z.iso.datetime({precision: 3}),
  to: z.iso.datetime({precision: 3}),
  ...bill,
  byMember: z.array(z.strictObject({userId: z.string().nullable(), ...bill})),
  byModel: z.array(z.strictObject({modelId: z.string(), ...bill})),
  byImageEndpoint: z.array(z.strictObject({imageEndpoint: z.string(), ...bill})),
})
type Report = z.infer<typeof reportSchema>

const usageSchema = z.object({
  llmCredits: z.number(),
  imageCredits: z.number(),
  vmCredits: z.number(),
  totalCredits: z.number(),
})

const START_MS = Date.UTC(2026, 2, 10, 9, 30)
const HOUR_MS = 3_600_000

const clock = createManualClock(START_MS)
const platform = await sharedPlatform({pace: 0, clock})
const human = clientOf(platform)
const scoped = clientOf(platform, 'scoped')

/** Threads of several members, models and projects; the clock stands still meanwhile. */
const work = async (): Promise<void> => {
  const authors = ['user_jane', 'user_kim', undefined] as const
  const messages = ['quick', 'open a pull request', 'ask me', 'fail', 'repair the cart', 'tasks']
  const threads = await Promise.all(
    messages.map(async (message, index) => {
      const {body} = await human.post('/threads', {
        requestId: `usage-${index}`,
        projectId: index % 2 === 0 ? 'project_web' : 'project_api',
        message,
        model: {modelId: index % 3 === 0 ? 'swift' : 'standard'},
        authorId: authors[index % authors.length],
      })
      return z.string().parse(body['id'])
    }),
  )
  await Promise.all(threads.map((threadId) => human.run(threadId)))
}

beforeAll(work)

const reportOf = async (client: Client, query = ''): Promise<Report> => {
  const {status, body} = await client.get(`/usage${query}`)
  expect({status, body}).toMatchObject({status: 200})
  return reportSchema.parse(body)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
const credits = (dollars: number): number => Math.round(dollars * 1000)

/** The totals of all threads that the key lists, in the words of a report. */
const totalsOf = async (client: Client) => {
  const usages = itemsOf(await client.get('/threads?limit=200')).map(({usage}) =>
    usageSchema.parse(usage),
  )
  return {
    llm: sum(usages.map(({llmCredits}) => llmCredits)),
    image: sum(usages.map(({imageCredits}) => imageCredits)),
    machine: sum(usages.map(({vmCredits}) => vmCredits)),
    total: sum(usages.map(({totalCredits}) => totalCredits)),
  }
}

const creditsOf = (report: Omit<Report, 'from' | 'to'> | Report['byModel'][number]) => ({
  llm: credits(report.llmDollars),
  image: credits(report.imageDollars),
  machine: credits(report.machineDollars),
  total: credits(report.totalDollars),
})

describe('a usage report', () => {
  test('without a query covers the current UTC month through now', async () => {
    const {from, to} = await reportOf(human)
    expect([from, to]).toEqual(['2026-03-01T00:00:00.000Z', '2026-03-10T09:30:00.000Z'])
  })

  test('equals the sum of the threads that the key reaches', async () => {
    for (const client of [human, scoped]) {
      const report = await reportOf(client)
      expect(report.totalDollars).toBeGreaterThan(0)
      expect(creditsOf(report)).toEqual(await totalsOf(client))
    }
    expect((await reportOf(scoped)).totalDollars).toBeLessThan((await reportOf(human)).totalDollars)
  })

  test('splits the same money by member and by model', async () => {
    const report = await reportOf(human)
    expect(report.byMember.map(({userId}) => userId)).toEqual(['user_jane', 'user_kim'])
    expect(report.byModel.map(({modelId}) => modelId)).toEqual(['standard', 'swift'])
    for (const parts of [report.byMember, report.byModel]) {
      expect(sum(parts.map(({totalDollars}) => credits(totalDollars)))).toBe(
        credits(report.totalDollars),
      )
      expect(sum(parts.map(({totalTokens}) => totalTokens))).toBe(report.totalTokens)
    }
    expect(report.totalTokens).toBe(report.inputTokens + report.outputTokens)
  })

  test('of another window counts only what was billed in it, both ends included', async () => {
    const whole = await reportOf(human)
    const at = new Date(START_MS).toISOString()
    const before = new Date(START_MS - 1).toISOString()
    const after = new Date(START_MS + 1).toISOString()
    expect(await reportOf(human, `?from=${at}&to=${at}`)).toEqual({...whole, from: at, to: at})
    expect(await reportOf(human, `?to=${before}`)).toMatchObject({totalDollars: 0, byModel: []})
    expect(await reportOf(human, `?from=${after}&to=2027-01-01T00:00:00Z`)).toMatchObject({
      to: '2027-01-01T00:00:00.000Z',
      totalDollars: 0,
      totalTokens: 0,
      byMember: [],
    })
  })

  test.each([
    ['?to=2026-02-11', '2026-02-01T00:00:00.000Z', '2026-02-11T00:00:00.000Z'],
    ['?from=2026-02-11&to=2026-02-12', '2026-02-11T00:00:00.000Z', '2026-02-12T00:00:00.000Z'],
    ['?to=2026-02-11T01:00:00%2B02:00', '2026-02-01T00:00:00.000Z', '2026-02-10T23:00:00.000Z'],
  ])('%s is a window from %s to %s', async (query, from, to) => {
    expect(await reportOf(human, query)).toMatchObject({from, to, totalDollars: 0})
  })

  test.each([
    ['from', 'yesterday'],
    ['from', ''],
    ['to', '2026-02-30T00:00:00Z'],
    ['to', '2026-3-10'],
    ['to', '1773135000000'],
    ['from', '2026-03-11T00:00:00Z'],
  ])('%s=%s is an invalid request', async (name, value) => {
    const {status, body} = await human.get(`/usage?${name}=${value}`)
    expect([status, body['_tag']]).toEqual([400, 'svc/InvalidRequest'])
  })

  test('with the ends in the wrong order is an invalid request', async () => {
    const query = 'from=2026-03-02T00:00:00.001Z&to=2026-03-02T00:00:00.000Z'
    expect((await human.get(`/usage?${query}`)).status).toBe(400)
  })

  test('may be read by a read-only key', async () => {
    const client = clientOf(platform, 'readOnly')
    expect((await reportOf(client)).totalDollars).toBeGreaterThan(0)
  })
})

const cost = fc.record({
  threadId: fc.constantFrom('thread_a', 'thread_b', 'thread_c'),
  taskId: fc.constantFrom(null, 'task_1', 'task_2'),
  modelId: fc.constantFrom('standard', 'swift'),
  llmCredits: fc.nat(100_000),
  imageCredits: fc.nat(100_000),
  vmCredits: fc.nat(100_000),
  inputTokens: fc.nat(1_000_000),
  outputTokens: fc.nat(1_000_000),
  imageEndpoint: fc.constantFrom(null, 'images/small', 'images/large'),
})

/** Three threads with these costs, an hour apart; answers their usage and the report over all. */
const billed = (costs: readonly Cost[]) => {
  const later = createManualClock(START_MS)
  const seed = parseSeed(defaultSeed, 'that is built in')
  const database = openDatabase(':memory:')
  createOrganization({database, clock: later, seed})
  const threads = createThreads({database, clock: later, vocabulary: 'guides'})
  const usage = createUsage(database, later)
  const ids = ['thread_a', 'thread_b', 'thread_c']
  for (const [index, id] of ids.entries()) {
    threads.insert({
      ...{id, requestId: null, projectId: 'project_web', personal: 0, title: id, titleCustom: 0},
      ...{modelId: 'standard', machineSize: null, authorId: index === 0 ? null : 'user_kim'},
    })
  }
  for (const each of costs) {
    later.advance(HOUR_MS)
    usage.add(each)
  }
  const everything = {projectIds: null, userId: null}
  const report = (fromMs: number, toMs: number): Report =>
    reportSchema.parse(
      createUsageReports(database).report(everything, {
        from: new Date(fromMs).toISOString(),
        to: new Date(toMs).toISOString(),
      }),
    )
  return {usages: ids.map((id) => usage.ofThread(id)), report, nowMs: later.nowMs()}
}

test('whatever is billed, in tasks or not, is counted once: in the total and in each split', () => {
  fc.assert(
    fc.property(fc.array(cost, {maxLength: 30}), (costs) => {
      const {usages, report, nowMs} = billed(costs)
      const whole = report(START_MS, nowMs)
      expect(creditsOf(whole)).toEqual({
        llm: sum(usages.map(({llmCredits}) => llmCredits)),
        image: sum(usages.map(({imageCredits}) => imageCredits)),
        machine: sum(usages.map(({vmCredits}) => vmCredits)),
        total: sum(usages.map(({totalCredits}) => totalCredits)),
      })
      expect(credits(whole.totalDollars)).toBe(
        sum(costs.map((each) => each.llmCredits + each.imageCredits + each.vmCredits)),
      )
      for (const parts of [whole.byMember, whole.byModel]) {
        expect(sum(parts.map(({totalDollars}) => credits(totalDollars)))).toBe(
          credits(whole.totalDollars),
        )
      }
      const images = costs.filter(({imageEndpoint}) => imageEndpoint !== null)
      expect(sum(whole.byImageEndpoint.map(({imageDollars}) => credits(imageDollars)))).toBe(
        sum(images.map(({imageCredits}) => imageCredits)),
      )
    }),
    {numRuns: 60},
  )
})

test('two windows that follow each other bill what one window over both does', () => {
  fc.assert(
    fc.property(fc.array(cost, {maxLength: 20}), fc.nat(20), (costs, hours) => {
      const {report, nowMs} = billed(costs)
      const cutMs = Math.min(nowMs, START_MS + hours * HOUR_MS)
      const whole = report(START_MS, nowMs + 1)
      const parts = [report(START_MS, cutMs), report(cutMs + 1, nowMs + 1)]
      expect(sum(parts.map(({totalDollars}) => credits(totalDollars)))).toBe(
        credits(whole.totalDollars),
      )
    }),
    {numRuns: 60},
  )
})
