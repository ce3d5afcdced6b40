import {describe, expect, onTestFinished, test, vi} from 'vitest'
import {TryLater} from '../../src/inbox/try-later.ts'
import {type Handling, createWorker} from '../../src/inbox/worker.ts'
import type {InboxRow} from '../../src/store/tables/inbox.ts'
import {until} from '../support/until.ts'

type Options = Parameters<typeof createWorker>[0]

const NOW_MS = 1_700_000_000_000

/** An inbox in memory, and what a worker makes of it. */
function open(handle: (handling: Handling) => Promise<void>, more: Partial<Options> = {}) {
  const rows = new Map<number, InboxRow>()
  const did: string[] = []
  const close = (how: string) => async (id: number) => {
    did.push(`${how} ${id}`)
    rows.delete(id)
  }
  const inbox = {
    due: async () => [...rows.values()],
    nextDueAtMs: async () => undefined,
    ...{done: close('done'), fail: close('free')},
    postpone: async (id: number, atMs: number) => {
      did.push(`later ${id} ${atMs - NOW_MS}`)
      rows.delete(id)
    },
    tell: async (id: number, what: string) => {
      did.push(`tell ${id} ${what}`)
      return true
    },
  } as unknown as Options['inbox']
  const worker = createWorker({
    ...{inbox, handle, teams: () => ['T1', 'T2'], nowMs: () => NOW_MS},
    onTaken: ({id}) => void did.push(`taken ${id}`),
    onHandled: (outcome) => void did.push(`handled ${outcome}`),
    onFailed: async ({row}) => void did.push(`failed ${row.id}`),
    clock: {isOlder: async () => false},
    log: {error: () => undefined, debug: () => undefined},
    ...more,
  })
  onTestFinished(() => worker[Symbol.asyncDispose]())
  const add = (id: number, {team = 'T1', attempts = 0} = {}): void => {
    rows.set(id, {id, team, lane: `l${id}`, attempts, receivedAtMs: NOW_MS} as InboxRow)
    worker.wake()
  }
  return {worker, did, add, rows}
}

const trouble = () => Promise.reject(new TryLater(undefined))

test('what is taken up, and what comes of each attempt, is heard', async () => {
  const bench = open(async ({row}) => {
    if (row.id === 2) throw new Error('a bug')
    if (row.id === 3) await trouble()
  })
  vi.spyOn(Math, 'random').mockReturnValue(0)
  onTestFinished(() => void vi.restoreAllMocks())
  bench.add(1)
  await until('one', () => bench.did.length === 3)
  bench.add(2)
  await until('two', () => bench.did.length === 7)
  bench.add(3, {attempts: 1})
  await until('three', () => bench.did.length === 9)
  expect(bench.did).toEqual([
    ...['taken 1', 'done 1', 'handled done'],
    ...['taken 2', 'handled given_up', 'failed 2', 'free 2'],
    ...['handled later', 'later 3 250'],
  ])
})

test('it waits longer each time, up to a quarter of a minute, and as long as it was told', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1)
  onTestFinished(() => void vi.restoreAllMocks())
  const bench = open(({row}) =>
    row.id < 6 ? trouble() : Promise.reject(new TryLater(undefined, 20_000)),
  )
  for (const id of [0, 1, 2, 3, 4, 5, 6]) bench.add(id, {attempts: id})
  await until('all were tried', () => bench.rows.size === 0)
  const waits = bench.did.flatMap((one) => (one.startsWith('later') ? one.split(' ')[2] : []))
  expect(waits.map(Number).toSorted((a, b) => a - b)).toEqual([
    ...[1000, 2000, 4000, 8000, 15_000, 15_000, 20_000],
  ])
})

test('what could not be done for a day is given up', async () => {
  const asked: number[] = []
  const isOlder = async (sinceMs: number, thanMs: number): Promise<boolean> => {
    asked.push(sinceMs, thanMs)
    return true
  }
  const bench = open(trouble, {clock: {isOlder}})
  bench.add(1)
  await until('it is given up', () => bench.did.includes('free 1'))
  expect(asked).toEqual([NOW_MS, 24 * 3_600_000])
})

test('what is told and what is begun are noted apart', async () => {
  const bench = open(async (handling) => {
    await handling.mayTell('wait')
    await handling.mayBegin()
  })
  bench.add(1)
  await until('it is done', () => bench.did.includes('done 1'))
  expect(bench.did).toEqual([
    ...['taken 1', 'tell 1 wait', 'tell 1 begun', 'done 1', 'handled done'],
  ])
})

describe('of rows in hand', () => {
  const inHand = (more: Partial<Options> = {}) => {
    const began: number[] = []
    const ended: number[] = []
    const bench = open(async ({row, signal}) => {
      began.push(row.id)
      await new Promise((resolve) => signal.addEventListener('abort', resolve, {once: true}))
      await new Promise(setImmediate)
      ended.push(row.id)
      throw new Error('ended')
    }, more)
    return {...bench, began, ended}
  }

  test.each([
    ['64 at most', ['T1'], 64],
    ['16 at most of each workspace, where there are others', ['T1', 'T2'], 32],
    ['64 at most of all', ['T1', 'T2', 'T3', 'T4', 'T5'], 64],
  ])('there are %s', async (_what, teams, most) => {
    const {add, began} = inHand({teams: () => teams})
    for (const [at, team] of teams.entries()) {
      for (let id = 0; id < 70; id += 1) add(at * 100 + id, {team})
    }
    await until('they began', () => began.length >= most)
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
    expect(began).toHaveLength(most)
  })

  test('those of a workspace that is somebody else’s now are let go, and others are not', async () => {
    const {worker, add, began, ended, did} = inHand()
    add(1, {team: 'T1'})
    add(2, {team: 'T2'})
    await until('they began', () => began.length === 2)
    await worker.leave('T2')
    expect(ended).toEqual([2])
    expect(did.filter((one) => !one.startsWith('taken'))).toEqual([])
  })

  test('whoever has been left tells nothing any more: it is told by who goes on', async () => {
    const told: unknown[] = []
    const {worker, add, did} = open(async (handling) => {
      const {signal} = handling
      await new Promise((resolve) => signal.addEventListener('abort', resolve, {once: true}))
      await handling.mayTell('outcome').then(
        (may) => told.push(may),
        () => told.push('not here'),
      )
      signal.throwIfAborted()
    })
    add(1)
    await until('it began', () => did.length > 0)
    await worker.leave('T1')
    expect(told).toEqual(['not here'])
    expect(new Set(did)).toEqual(new Set(['taken 1']))
  })

  test('of a workspace that is nobody’s any more those that are spared go on', async () => {
    const {worker, add, began, ended} = inHand()
    for (const id of [1, 2]) add(id)
    await until('they began', () => began.length === 2)
    await worker.leave('T1', (lane) => lane.includes('1'))
    expect(ended).toEqual([2])
  })

  test('a stop waits for all', async () => {
    const {worker, add, began, ended} = inHand()
    add(1)
    await until('it began', () => began.length === 1)
    await worker[Symbol.asyncDispose]()
    expect(ended).toEqual([1])
  })
})

test('what cannot be done now waits, if nothing else is said, for somebody who does not answer', () => {
  expect(new TryLater('why')).toMatchObject({
    ...{name: 'TryLater', afterMs: 0, why: 'silence', cause: 'why'},
  })
})
