import {expect, onTestFinished, test, vi} from 'vitest'
import type {Standing} from '../../src/agents/budgets/budgets.ts'
import {openMeasures} from '../../src/app/vitals/measures.ts'
import {SILENT_LOG} from '../support/silent-log.ts'

const MICROS = 1_000_000

/** What is counted of budgets, and how the fullest of each kind is told. */
async function open() {
  vi.useFakeTimers({toFake: ['Date'], now: Date.UTC(2026, 0, 30, 12)})
  onTestFinished(() => void vi.useRealTimers())
  const opened = new AsyncDisposableStack()
  onTestFinished(() => opened.disposeAsync())
  const config = {host: '127.0.0.1', port: 0, token: undefined}
  const {onCounted, scrape} = await openMeasures(config, {opened, log: SILENT_LOG})
  const told = async (): Promise<Record<string, number>> => {
    const {body = ''} = (await scrape?.()) ?? {}
    const lines = body.matchAll(/^bosun_budget_use_ratio\{budget="(\w+)"\} (.+)$/gm)
    return Object.fromEntries([...lines].map(([, budget = '', value]) => [budget, Number(value)]))
  }
  const count = (of: Pick<Standing, 'budget' | 'period'>, who: string, spent: number, limit = 10) =>
    onCounted(0, [
      {
        ...{...of, team: 'T1', subject: {threadId: who, user: '', channel: ''}, round: 0},
        ...{spentMicros: spent * MICROS, limitMicros: limit * MICROS, moreMicros: 10 * MICROS},
      },
    ])
  return {count, told}
}

test('the fullest budget of each kind is told as it stands now, also once it was raised', async () => {
  const {count, told} = await open()
  const day = {budget: 'budgetPerChannelDay', period: '2026-01-30'} as const
  count(day, 'a', 9)
  count(day, 'b', 5)
  count({budget: 'budgetPerChannelMonth', period: '2026-01'}, 'a', 2)
  expect(await told()).toEqual({budgetPerChannelDay: 0.9, budgetPerChannelMonth: 0.2})
  count(day, 'a', 9, 20)
  expect(await told()).toMatchObject({budgetPerChannelDay: 0.5})
  // Of nothing all is used from the start.
  count(day, 'c', 0, 0)
  expect(await told()).toMatchObject({budgetPerChannelDay: 1})
})

test('it is told of until its period is over, and of work for ten minutes behind the last count', async () => {
  const {count, told} = await open()
  count({budget: 'budgetPerChannelDay', period: '2026-01-30'}, 'a', 9)
  count({budget: 'budgetPerChannelMonth', period: '2026-01'}, 'a', 2)
  const work = {budget: 'budgetPerWork', period: ''} as const
  count(work, 'over', 10)
  vi.setSystemTime(Date.now() + 300_000)
  count(work, 'on', 4)
  expect(await told()).toMatchObject({budgetPerWork: 1})
  vi.setSystemTime(Date.now() + 300_001)
  expect(await told()).toMatchObject({budgetPerWork: 0.4})
  vi.setSystemTime(Date.UTC(2026, 0, 31))
  expect(await told()).toEqual({budgetPerChannelMonth: 0.2})
  vi.setSystemTime(Date.UTC(2026, 1, 1))
  expect(await told()).toEqual({})
})

test('of many holders those that were counted last are remembered', async () => {
  const {count, told} = await open()
  const day = {budget: 'budgetPerPersonDay', period: '2026-01-30'} as const
  count(day, 'first', 9)
  for (let n = 0; n < 10_000; n += 1) count(day, `u${n}`, 1)
  expect(await told()).toEqual({budgetPerPersonDay: 0.1})
})
