import {beforeEach, expect, test} from 'vitest'
import {deliverWebhook} from '../../../src/platform/endpoints/webhook.ts'
import {Secret} from '../../../src/security/secret.ts'
import {createManualClock, type ManualClock} from '../../local/platform/manual-clock.ts'
import {openContract, type Contract} from './contract.ts'
import {
  createAutomation,
  HOURLY,
  readAutomation,
  runsOf,
  threadsMadeBy,
  WEBHOOK,
} from './creations.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let clock: ManualClock
let contract: Contract

const start = async (startMs: number): Promise<void> => {
  clock = createManualClock(startMs)
  contract = await openContract({clock, pace: 0})
}
beforeEach(() => start(Date.UTC(2026, 0, 5, 12, 30)))

test('3.4.r1 disable removes the schedule and shows enabled false', async () => {
  const {id} = await createAutomation(contract, {triggers: [HOURLY], enabled: true})
  clock.advance(HOUR_MS)
  expect(await runsOf(contract, {id})).toBe(1)
  const disabled = await contract.client().disableAutomation(id, contract.signal)
  expect(disabled).toMatchObject({id, enabled: false})
  const made = await threadsMadeBy(contract, async () => clock.advance(3 * HOUR_MS))
  expect(made).toEqual([])
  expect(await readAutomation(contract, id)).toMatchObject({enabled: false, runCount: 1})
})

test('3.4.r2 enable shows enabled true and schedules again', async () => {
  const {id} = await createAutomation(contract, {triggers: [HOURLY], enabled: false})
  clock.advance(2 * HOUR_MS)
  expect(await runsOf(contract, {id})).toBe(0)
  const enabled = await contract.client().enableAutomation(id, contract.signal)
  expect(enabled).toMatchObject({id, enabled: true})
  clock.advance(HOUR_MS)
  expect(await readAutomation(contract, id)).toMatchObject({enabled: true, runCount: 1})
})

test('3.4.r3 delete shows deleted true and nothing runs any more', async () => {
  const {id} = await createAutomation(contract, {triggers: [HOURLY]})
  const deleted = await contract.client().deleteAutomation(id, contract.signal)
  expect(deleted).toMatchObject({id, deleted: true})
  const made = await threadsMadeBy(contract, async () => clock.advance(3 * HOUR_MS))
  expect(made).toEqual([])
  expect(await readAutomation(contract, id)).toMatchObject({deleted: true, runCount: 0})
})

test('3.4.r4 restore shows deleted false, and what was enabled runs again', async () => {
  const {id} = await createAutomation(contract, {triggers: [HOURLY], enabled: true})
  await contract.client().deleteAutomation(id, contract.signal)
  const restored = await contract.client().restoreAutomation(id, contract.signal)
  expect(restored).toMatchObject({id, deleted: false, enabled: true})
  clock.advance(HOUR_MS)
  expect(await runsOf(contract, {id})).toBe(1)
})

test('3.4.r5 a new automation is enabled when so requested', async () => {
  for (const enabled of [true, false]) {
    const {id, ...created} = await createAutomation(contract, {triggers: [HOURLY], enabled})
    expect(created.enabled).toBe(enabled)
    expect((await readAutomation(contract, id)).enabled).toBe(enabled)
  }
})

/** Nine in the morning, on the days around a change of the clocks. */
test.each([
  ['UTC', '2026-03-28', [9, 9, 9]],
  ['Europe/Berlin', '2026-03-28', [8, 7, 7]],
  ['Europe/Berlin', '2026-10-24', [7, 8, 8]],
  ['America/New_York', '2026-03-07', [14, 13, 13]],
  ['Asia/Kolkata', '2026-03-28', [3.5, 3.5, 3.5]],
])('4.7.r7 a schedule runs at its moments in its time zone: %s %s', async (...example) => {
  const [timezone, firstDay, hours] = example
  const midnightMs = Date.parse(`${firstDay}T00:00:00Z`)
  await start(midnightMs)
  const {id} = await createAutomation(contract, {
    triggers: [{type: 'schedule', cron: '0 9 * * *', timezone}],
  })
  for (const [day, hour] of hours.entries()) {
    clock.advance(midnightMs + (day + 1) * DAY_MS - clock.nowMs())
    const {runCount, lastTriggeredAt} = await readAutomation(contract, id)
    const dueMs = midnightMs + day * DAY_MS + hour * HOUR_MS
    expect({runCount, lastTriggeredAt}).toEqual({
      runCount: day + 1,
      lastTriggeredAt: new Date(dueMs).toISOString(),
    })
  }
})

test('4.7.r7 a schedule runs the prompt in a thread of its own', async () => {
  await createAutomation(contract, {triggers: [HOURLY], prompt: 'quick look at the stock'})
  const made = await threadsMadeBy(contract, async () => clock.advance(2 * HOUR_MS))
  expect(made).toHaveLength(2)
  for (const id of made) {
    await contract.finish(id)
    const [kickoff, reply] = await contract.transcript(id)
    expect(kickoff).toMatchObject({source: 'user', text: 'quick look at the stock'})
    expect(reply?.source).toBe('assistant')
  }
})

test('4.7.r8 maxRunsPerDay is a daily cap', async () => {
  const {id} = await createAutomation(contract, {triggers: [HOURLY], maxRunsPerDay: 2})
  clock.advance(11 * HOUR_MS)
  expect(await readAutomation(contract, id)).toMatchObject({
    runCount: 2,
    lastTriggeredAt: '2026-01-05T14:00:00.000Z',
  })
  clock.advance(DAY_MS)
  expect(await runsOf(contract, {id})).toBe(4)
})

test('4.7.r8 maxRunsPerDay is a daily cap for a webhook too', async () => {
  const triggers = [WEBHOOK]
  const {id, webhookUrl: url} = await createAutomation(contract, {triggers, maxRunsPerDay: 2})
  if (!(url instanceof Secret)) throw new Error('The creation answered no address.')
  const deliver = async (idempotencyKey: string): Promise<unknown> =>
    // What is answered above the cap is not documented.
    deliverWebhook({url, body: {}, idempotencyKey}, contract.signal).catch(() => undefined)
  for (const key of ['one', 'two', 'three']) await deliver(key)
  expect(await runsOf(contract, {id})).toBe(2)
  clock.advance(DAY_MS)
  await deliver('four')
  expect(await runsOf(contract, {id})).toBe(3)
})
