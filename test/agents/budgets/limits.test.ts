import {expect, test} from 'vitest'
import {createLimits} from '../../../src/agents/budgets/limits.ts'
import {settle} from '../../../src/agents/channel-settings.ts'
import {temporaryStore} from '../../store/temporary-store.ts'

const HOUR_MS = 3_600_000
const standard = {projectId: 'p1'}
const settings = settle({
  channel: {startsPerPerson: 2, startsPerChannel: 3},
  workspace: undefined,
  standard,
})

async function setUp(held = settings) {
  const store = await temporaryStore()
  let now = 100 * HOUR_MS
  const limits = createLimits({uses: store.uses, nowMs: () => now})
  const begin = (requestId: string, user: string, channel = 'C1', team = 'T1') =>
    limits.admit({requestId, user, channel, team}, held)
  const stands = (requestId: string, user: string) =>
    store.links.open(
      {
        ...{place: {team: 'T1', channel: 'C1', slackThread: requestId}, requestId},
        ...{projectId: 'p1', startedBy: user, ask: {message: 'x'}},
      },
      now,
    )
  const pass = (ms: number): void => void (now += ms)
  return {begin, stands, limits, pass, now: () => now}
}

test('of those who begin at once, no more may than there are places', async () => {
  const {begin} = await setUp()
  const all = await Promise.all(['1', '2', '3', '4'].map((id) => begin(id, 'U1')))
  expect(all.map((full) => full?.scope)).toEqual([
    ...[undefined, undefined],
    ...['person-here', 'person-here'],
  ])
  expect(await begin('5', 'U2')).toBeUndefined()
  expect(await begin('6', 'U2')).toMatchObject({scope: 'channel', limit: 3, used: 3})
})

test('what is asked for again counts once, what did not begin does not count, and a day later nothing does', async () => {
  const {begin, stands, limits, pass, now} = await setUp()
  expect(await begin('1', 'U1')).toBeUndefined()
  await stands('1', 'U1')
  const firstMs = now()
  expect(await begin('1', 'U1')).toBeUndefined()
  expect(await begin('2', 'U1')).toBeUndefined()
  limits.release('2')
  pass(HOUR_MS)
  expect(await begin('3', 'U1')).toBeUndefined()
  await stands('3', 'U1')
  expect(await begin('4', 'U1')).toMatchObject({used: 2, freeAtMs: firstMs + 24 * HOUR_MS})
  pass(23 * HOUR_MS)
  expect(await begin('4', 'U1')).toBeUndefined()
})

test('a person’s limit counts in the channel that has set it, and else in the whole workspace', async () => {
  const here = await setUp()
  for (const id of ['1', '2']) await here.begin(id, 'U1')
  expect(await here.begin('3', 'U1', 'C2')).toBeUndefined()
  expect(await here.begin('4', 'U1', 'C1', 'T2')).toBeUndefined()

  const anywhere = await setUp(
    settle({channel: undefined, workspace: {startsPerPerson: 2}, standard}),
  )
  for (const [id, channel] of [
    ['1', 'C1'],
    ['2', 'C2'],
  ] as const) {
    expect(await anywhere.begin(id, 'U1', channel)).toBeUndefined()
  }
  expect(await anywhere.begin('3', 'U1', 'C3')).toMatchObject({scope: 'person-anywhere', used: 2})
  expect(await anywhere.begin('3', 'U1', 'C3', 'T2')).toBeUndefined()
})

test('a place is kept for ten minutes for what has not begun', async () => {
  const {begin, pass} = await setUp()
  for (const id of ['1', '2']) await begin(id, 'U1')
  pass(600_000)
  expect(await begin('3', 'U1')).toMatchObject({used: 2})
  // It is let go when somebody else begins.
  pass(1)
  expect(await begin('4', 'U2')).toBeUndefined()
  expect(await begin('5', 'U1')).toBeUndefined()
})

test('of two limits the one is named that is in the way for longer', async () => {
  const {begin, stands, pass, limits, now} = await setUp()
  await begin('1', 'U2')
  await stands('1', 'U2')
  pass(HOUR_MS)
  for (const id of ['2', '3']) {
    await begin(id, 'U1')
    await stands(id, 'U1')
  }
  expect(await begin('4', 'U1')).toMatchObject({
    scope: 'person-here',
    freeAtMs: now() + 24 * HOUR_MS,
  })
  const usage = await limits.usage({user: 'U1', channel: 'C1', team: 'T1'}, settings)
  expect(usage).toMatchObject([
    {scope: 'person-here', limit: 2, used: 2},
    {scope: 'channel', limit: 3, used: 3, freeAtMs: now() + 23 * HOUR_MS},
  ])
})
