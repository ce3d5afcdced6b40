import fc from 'fast-check'
import {expect, test} from 'vitest'
import {inParts} from '../../src/store/database/in-parts.ts'
import {type InboxStore, LONGEST_WAIT_MS} from '../../src/store/tables/inbox.ts'
import {type RawDatabase, openRaw} from '../support/raw-database.ts'
import {openTemporary} from './temporary-store.ts'

/** The inbox as its interface tells it: nothing but a list. */
interface Known {
  id: number
  lane: string
  state: 'open' | 'done' | 'failed'
  dueAtMs: number
}

const dueIn = (rows: readonly Known[], nowMs: number): number[] => {
  const open = rows.filter(({state}) => state === 'open')
  const heads = open.filter(({lane}, at) => open.findIndex((row) => row.lane === lane) === at)
  return heads
    .filter(({dueAtMs}) => dueAtMs <= nowMs || dueAtMs > nowMs + LONGEST_WAIT_MS)
    .map(({id}) => id)
}

const nextIn = (rows: readonly Known[], nowMs: number): number | undefined => {
  const open = rows.filter(({state}) => state === 'open')
  const heads = open.filter(({lane}, at) => open.findIndex((row) => row.lane === lane) === at)
  const later = heads.map(({dueAtMs}) => dueAtMs).filter((dueAtMs) => dueAtMs > nowMs)
  return later.length === 0 ? undefined : Math.min(...later)
}

const NOW_MS = 10

const act = fc.oneof(
  {weight: 4, arbitrary: fc.record({what: fc.constant('add' as const), lane: fc.nat(3)})},
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constantFrom(
        'done' as const,
        'fail' as const,
        'postpone' as const,
        'reopen' as const,
      ),
      at: fc.nat(30),
      dueAtMs: fc.constantFrom(1, 5, 50, NOW_MS + LONGEST_WAIT_MS, NOW_MS + LONGEST_WAIT_MS + 1),
    }),
  },
  {weight: 1, arbitrary: fc.record({what: fc.constant('delete' as const), at: fc.nat(30)})},
)

test('the oldest open row of each lane is found, whatever becomes of the others', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, {maxLength: 40}), async (acts) => {
      await using opened = await openTemporary()
      const {inbox} = opened.store
      await using eraser = await openRaw(opened.path)
      const rows: Known[] = []
      let count = 0
      for (const it of acts) {
        if (it.what === 'add') {
          const lane = `lane ${it.lane}`
          count += 1
          await inbox.add({team: 'T1', key: `k${count}`, lane, body: '{}'}, 0)
          rows.push({id: count, lane, state: 'open', dueAtMs: 0})
        } else {
          const row = rows[it.at]
          if (row === undefined) continue
          await change(inbox, eraser, row, it)
          if (it.what === 'delete') rows.splice(it.at, 1)
        }
        expect((await inbox.due(NOW_MS, ['T1'])).map(({id}) => id)).toEqual(dueIn(rows, NOW_MS))
        expect(await inbox.nextDueAtMs(NOW_MS, ['T1'])).toBe(nextIn(rows, NOW_MS))
      }
    }),
    {numRuns: 25},
  )
})

async function change(
  inbox: InboxStore,
  eraser: RawDatabase,
  row: Known,
  it: Exclude<typeof act extends fc.Arbitrary<infer Act> ? Act : never, {what: 'add'}>,
): Promise<void> {
  if (it.what === 'delete') {
    // As a tool does that deletes what somebody wrote.
    await eraser.run('delete from inbox where id = ?', row.id)
  } else if (it.what === 'reopen') {
    if (row.state === 'done') Object.assign(row, {state: 'open', dueAtMs: 0})
    await inbox.reopen(row.id, '{}')
  } else if (it.what === 'postpone') {
    row.dueAtMs = it.dueAtMs
    await inbox.postpone(row.id, it.dueAtMs)
  } else {
    row.state = it.what === 'done' ? 'done' : 'failed'
    await inbox[it.what](row.id)
  }
}

test('what was postponed and is due comes in its turn, however much is open', async () => {
  await using opened = await openTemporary()
  const {inbox} = opened.store
  await inbox.add({team: 'T1', key: 'k', lane: 'first', body: '{}'}, 0)
  const postponed = await inbox.byKey('k')
  await inbox.postpone(postponed?.id ?? 0, NOW_MS)
  for (let at = 0; at < 250; at += 1) {
    await inbox.add({team: 'T1', key: `k${at}`, lane: `lane ${at}`, body: '{}'}, 0)
  }
  const due = await inbox.due(NOW_MS, ['T1'])
  expect(due.map(({id}) => id)).toEqual(Array.from({length: 200}, (_, at) => at + 1))
})

test('what is put off for longer than anything waits is due: the clock has gone back', async () => {
  await using opened = await openTemporary()
  const {inbox} = opened.store
  await inbox.add({team: 'T1', key: 'k', lane: 'l', body: '{}'}, 0)
  const row = await inbox.byKey('k')
  const dueAt = async (dueAtMs: number): Promise<number> => {
    await inbox.postpone(row?.id ?? 0, dueAtMs)
    return (await inbox.due(NOW_MS, ['T1'])).length
  }
  expect(await dueAt(NOW_MS + LONGEST_WAIT_MS)).toBe(0)
  expect(await dueAt(NOW_MS + LONGEST_WAIT_MS + 1)).toBe(1)
})

/** The quickest of many looks, in milliseconds: what it costs when nothing else gets in the way. */
async function costOfLook(inbox: InboxStore, nowMs: number): Promise<number> {
  let bestMs = Infinity
  for (let look = 0; look < 40; look += 1) {
    const beganMs = performance.now()
    await inbox.due(nowMs, ['T1'])
    await inbox.nextDueAtMs(nowMs, ['T1'])
    bestMs = Math.min(bestMs, performance.now() - beganMs)
  }
  return bestMs
}

const backlogs: [string, (at: number) => {lane: string; dueAtMs: number}][] = [
  ['each in a lane of its own', (at) => ({lane: `lane ${at}`, dueAtMs: 0})],
  ['all in one lane', () => ({lane: 'lane', dueAtMs: 0})],
  ['in many lanes', (at) => ({lane: `lane ${at % 500}`, dueAtMs: 0})],
  ['all postponed, and due', (at) => ({lane: `lane ${at}`, dueAtMs: 1 + (at % 1000)})],
  ['all postponed, and not due', (at) => ({lane: `lane ${at}`, dueAtMs: 100_000 + at})],
]

test.for(backlogs)(
  'a look costs the same with 300 open rows and with 30,000, %s',
  async ([, toRow]) => {
    const costs: number[] = []
    for (const count of [300, 30_000]) {
      await using opened = await openTemporary()
      const {inbox} = opened.store
      await using database = await openRaw(opened.path)
      const rows = Array.from({length: count}, (_, at) => ({at, ...toRow(at)}))
      for (const some of inParts(rows, 1000)) {
        const values = some.map(
          ({at, lane, dueAtMs}) => `('T1', 'k${at}', '${lane}', 'open', '{}', ${dueAtMs}, 0)`,
        )
        await database.run(
          `insert into inbox (team, key, lane, state, body, due_at_ms, received_at_ms) values ${values.join()}`,
        )
      }
      await database.run('analyze')
      costs.push(await costOfLook(inbox, 50_000))
    }
    const [few = 0, many = 0] = costs
    expect(many / few).toBeLessThan(5)
  },
)
