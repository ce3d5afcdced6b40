import {expect, onTestFinished, test} from 'vitest'
import {TryLater} from '../../src/inbox/try-later.ts'
import {type Handling, createWorker} from '../../src/inbox/worker.ts'
import type {Store} from '../../src/store/store.ts'
import {temporaryStore} from '../store/temporary-store.ts'
import {until} from '../support/until.ts'

interface Bench {
  store: Store
  add(key: string, lane?: string): Promise<void>
  failed: string[]
  logged: string[]
  /** Keys whose rows are closed. */
  closed(): Promise<string[]>
  stop(): Promise<void>
}

async function open(
  handle: (key: string, handling: Handling) => Promise<void>,
  options: Partial<Parameters<typeof createWorker>[0]> = {},
): Promise<Bench> {
  const store = await temporaryStore()
  const failed: string[] = []
  const logged: string[] = []
  const keys: string[] = []
  const worker = createWorker({
    inbox: store.inbox,
    teams: () => ['T1'],
    handle: (handling) => handle(handling.row.key, handling),
    onFailed: async ({row}) => {
      failed.push(row.key)
    },
    clock: {
      isOlder: async (sinceMs, thanMs) => (options.nowMs?.() ?? Date.now()) - sinceMs > thanMs,
    },
    log: {error: (_details, message) => void logged.push(message), debug: () => undefined},
    ...options,
  })
  onTestFinished(() => worker[Symbol.asyncDispose]())
  return {
    store,
    failed,
    logged,
    add: async (key, lane = key) => {
      keys.push(key)
      // What is handled for long is forgotten: a row of today must not look like one of 1970.
      const receivedAtMs = options.nowMs === undefined ? Date.now() : 0
      await store.inbox.add({team: 'T1', key, lane, body: `{"of": "${key}"}`}, receivedAtMs)
      worker.wake()
    },
    closed: async () => {
      const rows = await Promise.all(keys.map((key) => store.inbox.byKey(key)))
      return keys.filter((_key, index) => rows[index]?.body === '')
    },
    stop: async () => {
      await worker[Symbol.asyncDispose]()
    },
  }
}

/** Something to wait for that a test opens. */
const gate = () => Promise.withResolvers<undefined>()

test('what fails since the database is away for a moment is done once more, and not given up', async () => {
  const seen: string[] = []
  const away = [
    Object.assign(new Error('terminating connection due to administrator command'), {
      code: '57P01',
    }),
    new Error('Connection terminated unexpectedly'),
    Object.assign(new Error('database is locked'), {code: 'SQLITE_BUSY'}),
  ]
  const bench = await open(async (key) => {
    seen.push(key)
    const error = away.shift()
    if (error !== undefined) throw error
  })
  await bench.add('a')
  await until('it is done', async () => (await bench.closed()).length === 1)
  expect(seen).toEqual(['a', 'a', 'a', 'a'])
  expect(bench.failed).toEqual([])
  expect(bench.logged).toEqual([])
})

test('rows of one lane are handled one after the other, lanes side by side', async () => {
  const gates = new Map([
    ['a1', gate()],
    ['b1', gate()],
  ])
  const seen: string[] = []
  const bench = await open(async (key) => {
    seen.push(`${key} begins`)
    await gates.get(key)?.promise
    seen.push(`${key} ends`)
  })
  await bench.add('a1', 'a')
  await bench.add('a2', 'a')
  await bench.add('b1', 'b')
  await until('both lanes began', () => seen.length === 2)
  expect(seen).toEqual(['a1 begins', 'b1 begins'])
  gates.get('a1')?.resolve(undefined)
  await until('the lane went on', () => seen.includes('a2 ends'))
  expect(seen).toEqual(['a1 begins', 'b1 begins', 'a1 ends', 'a2 begins', 'a2 ends'])
  gates.get('b1')?.resolve(undefined)
  await bench.stop()
  expect(await bench.closed()).toEqual(['a1', 'a2', 'b1'])
})

test('many lanes are handled, though only some at once', async () => {
  let now = 0
  let most = 0
  const seen = new Set<string>()
  const bench = await open(async (key) => {
    now += 1
    most = Math.max(most, now)
    await new Promise<void>((resolve) => setImmediate(resolve))
    now -= 1
    seen.add(key)
  })
  await Promise.all(Array.from({length: 300}, (_, index) => bench.add(`k${index}`)))
  await until('all are handled', () => seen.size === 300)
  expect(most).toBeLessThanOrEqual(64)
})

test('a workspace with many rows that take long keeps no other one waiting', async () => {
  const {promise: isOpen, resolve: openAll} = gate()
  const seen: string[] = []
  const bench = await open(
    async (key) => {
      seen.push(key)
      if (key.startsWith('slow')) await isOpen
    },
    {teams: () => ['T1', 'T2']},
  )
  await Promise.all(Array.from({length: 300}, (_, index) => bench.add(`slow${index}`)))
  await until('some are being handled', () => seen.length >= 16)
  const others = {team: 'T2', lane: 'theirs', body: '{}'}
  await bench.store.inbox.add({...others, key: 'theirs'}, Date.now())
  await bench.add('slow last')
  await until('the other workspace is served', () => seen.includes('theirs'))
  expect(seen).toHaveLength(17)
  openAll(undefined)
  await until('all are handled', () => seen.length === 302)
})

test('what cannot be done now is tried again later, and its lane waits for it', async () => {
  let nowMs = 0
  const seen: string[] = []
  const bench = await open(
    async (key) => {
      seen.push(key)
      if (seen.length === 1) throw new TryLater(new Error('not there'), 5000)
    },
    {nowMs: () => nowMs},
  )
  await bench.add('a1', 'a')
  await bench.add('a2', 'a')
  await until('it was tried', () => seen.length === 1)
  await bench.add('b1', 'b')
  await until('another lane went on', () => seen.length === 2)
  expect(seen).toEqual(['a1', 'b1'])
  expect(await bench.store.inbox.nextDueAtMs(0, ['T1'])).toBe(5000)
  nowMs = 5000
  await bench.add('c1', 'c')
  await until('the lane went on', () => seen.includes('a2'))
  expect(seen.filter((key) => key.startsWith('a'))).toEqual(['a1', 'a1', 'a2'])
  expect(bench.failed).toEqual([])
})

test('what is read while it is being handled is not handled once more', async () => {
  const {inbox} = await temporaryStore()
  const seen: string[] = []
  const [first, second] = [Promise.withResolvers<true>(), Promise.withResolvers<true>()]
  let looks = 0
  // Of a server, what was read may arrive after what was written later.
  const due: typeof inbox.due = async (nowMs) => {
    const rows = await inbox.due(nowMs, ['T1'])
    looks += 1
    if (looks === 2) {
      first.resolve(true)
      await second.promise
    }
    return rows
  }
  await using worker = createWorker({
    inbox: {...inbox, due},
    teams: () => ['T1'],
    handle: async ({row}) => {
      seen.push(row.key)
      await first.promise
    },
    onFailed: async () => undefined,
    clock: {isOlder: async () => false},
    log: {error: () => undefined, debug: () => undefined},
  })
  await inbox.add({team: 'T1', key: 'a', lane: 'l', body: '{}'}, Date.now())
  worker.wake()
  await until('it is being handled', () => seen.length === 1)
  worker.wake()
  await until('it is looked for', () => looks === 2)
  while ((await inbox.byKey('a'))?.body !== '') await new Promise(setImmediate)
  await new Promise(setImmediate)
  second.resolve(true)
  await until('it is looked for anew', () => looks >= 3)
  expect(seen).toEqual(['a'])
})

test('what is tried again waits longer each time', async () => {
  let nowMs = 0
  let tries = 0
  const bench = await open(
    async () => {
      tries += 1
      throw new TryLater(new Error('not there'))
    },
    {nowMs: () => nowMs},
  )
  await bench.add('a')
  const waits: number[] = []
  for (let round = 1; round <= 8; round += 1) {
    await until('it was tried', () => tries === round)
    let dueMs: number | undefined
    while (dueMs === undefined || dueMs <= nowMs)
      dueMs = await bench.store.inbox.nextDueAtMs(nowMs, ['T1'])
    waits.push(Math.round(dueMs - nowMs))
    nowMs = dueMs
    await bench.add(`wake${round}`, 'a')
  }
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(250)
  expect(Math.max(...waits)).toBeLessThanOrEqual(15_000)
  for (const [round, waitMs] of waits.entries()) {
    expect(waitMs).toBeLessThanOrEqual(Math.max(250, 1000 * 2 ** round))
  }
})

test('what could not be done is not given up by a clock that may be wrong', async () => {
  const bench = await open(
    async () => {
      throw new TryLater(undefined)
    },
    {nowMs: () => 500 * 24 * 3_600_000, clock: {isOlder: async () => false}},
  )
  await bench.add('a')
  await until('it is put off', async () => (await bench.store.inbox.byKey('a'))?.attempts === 1)
  expect(bench.failed).toEqual([])
})

test('what could not be done for a day is given up', async () => {
  const bench = await open(
    async () => {
      throw new TryLater(new Error('not there'))
    },
    {nowMs: () => 24 * 3_600_000 + 1},
  )
  await bench.add('old')
  await until('it is given up', () => bench.failed.length === 1)
  const isGone = async () => (await bench.store.inbox.byKey('old')) === undefined
  await until('it is closed, and may be asked anew', isGone)
  expect([bench.failed, bench.logged]).toEqual([['old'], ['An inbox row is given up']])
})

test('what fails is told once, logged, and may be asked again', async () => {
  let tries = 0
  const bench = await open(async () => {
    tries += 1
    if (tries === 1) throw new Error('a bug')
  })
  await bench.add('k')
  await until('it failed', () => bench.failed.length === 1)
  await until('its key is free', () => tries === 1)
  expect(bench.logged).toEqual(['An inbox row is given up'])
  let isAdded = false
  while (!isAdded)
    isAdded = await bench.store.inbox.add({team: 'T1', key: 'k', lane: 'k', body: '{}'}, 0)
  await bench.add('other')
  await until('it was asked again', () => tries === 3)
  expect(bench.failed).toEqual(['k'])
})

test('a key that is released is free, one that is not stays taken', async () => {
  const handled: string[] = []
  const bench = await open(async (key, handling) => {
    if (key === 'declined') handling.release()
    handled.push(key)
  })
  await bench.add('declined')
  await bench.add('done')
  await until('both are handled', () => handled.length === 2)
  await bench.stop()
  const ask = (key: string) => bench.store.inbox.add({team: 'T1', key, lane: 'x', body: '{}'}, 0)
  expect(await ask('declined')).toBe(true)
  expect(await ask('done')).toBe(false)
})

test('something is told once, however often a row is handled', async () => {
  let nowMs = 0
  const told: boolean[] = []
  const bench = await open(
    async (_key, handling) => {
      told.push(await handling.mayTell('outcome'))
      if (told.length < 3) throw new TryLater(new Error('not there'))
    },
    {nowMs: () => nowMs},
  )
  await bench.add('k')
  for (let round = 1; round < 3; round += 1) {
    await until('it was handled', () => told.length === round)
    while ((await bench.store.inbox.nextDueAtMs(nowMs, ['T1'])) === undefined)
      await Promise.resolve()
    nowMs += 60_000
    await bench.add(`wake${round}`, 'k')
  }
  await until('it was handled', () => told.length >= 3)
  expect(told.slice(0, 3)).toEqual([true, false, false])
})

test('a row that a stop interrupts stays for the next start', async () => {
  const began = gate()
  const bench = await open(async (_key, {signal}) => {
    began.resolve(undefined)
    await new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('stopped')), {once: true})
    })
  })
  await bench.add('k')
  await began.promise
  await bench.stop()
  expect(bench.failed).toEqual([])
  expect((await bench.store.inbox.due(Date.now(), ['T1'])).map(({key}) => key)).toEqual(['k'])
})

test('what has become somebody else’s while it was looked for is left to them', async () => {
  const {inbox} = await temporaryStore()
  await inbox.add({team: 'T1', key: 'a', lane: 'a', body: '{}'}, Date.now())
  await inbox.add({team: 'T2', key: 'b', lane: 'b', body: '{}'}, Date.now())
  const seen: string[] = []
  await using worker = createWorker({
    inbox,
    teams: () => ['T1', 'T2'],
    inboxOf: (team) => (team === 'T2' ? inbox : undefined),
    handle: async ({row}) => void seen.push(row.key),
    onFailed: async () => undefined,
    clock: {isOlder: async () => false},
    log: {error: () => undefined, debug: () => undefined},
  })
  worker.wake()
  await until('the other is done', async () => !(await inbox.isOpen('b')))
  expect(seen).toEqual(['b'])
  expect(await inbox.isOpen('a')).toBe(true)
})

test('what nobody told of is found by itself, where others may have died before they could', async () => {
  const {inbox} = await temporaryStore()
  const seen: string[] = []
  await using worker = createWorker({
    inbox,
    teams: () => ['T1'],
    handle: async ({row}) => void seen.push(row.key),
    onFailed: async () => undefined,
    clock: {isOlder: async () => false},
    atLeastEveryMs: 20,
    log: {error: () => undefined, debug: () => undefined},
  })
  worker.wake()
  await inbox.add({team: 'T1', key: 'a', lane: 'a', body: '{}'}, Date.now())
  await until('it is found', () => seen.length === 1)
})
