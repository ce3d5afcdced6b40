import {setTimeout as delay} from 'node:timers/promises'
import {expect, onTestFinished, test, vi} from 'vitest'
import {createIntake} from '../../src/inbox/intake.ts'
import {temporaryDatabase, temporaryStore} from '../store/temporary-store.ts'
import {holdWrites} from '../support/raw-database.ts'

const arrival = {team: 'T1', key: 'k', lane: 'l', body: {text: 'hello'}}

test('a delivery is a row before it is taken, and twice is once', async () => {
  const {inbox} = await temporaryStore()
  let added = 0
  const intake = createIntake({inbox, onAdded: () => (added += 1)})
  await intake(arrival)
  await intake({...arrival, body: {text: 'again'}})
  expect(added).toBe(2)
  expect(await inbox.byKey('k')).toMatchObject({lane: 'l', body: '{"text":"hello"}'})
})

test('what is delivered once more is taken at once, also while nothing can be written', async () => {
  const path = await temporaryDatabase()
  const {inbox} = await temporaryStore(path)
  const intake = createIntake({inbox, onAdded: () => undefined})
  await intake(arrival)
  const held = await holdWrites(path, 'inbox')
  await intake(arrival)
  await held[Symbol.asyncDispose]()
  expect(await inbox.due(Date.now(), ['T1'])).toHaveLength(1)
})

test('what somebody waits for is written before what has time', async () => {
  const {inbox, people} = await temporaryStore()
  const intake = createIntake({inbox, onAdded: () => undefined})
  const nobody = {platformUser: undefined, lookedAtMs: 0}
  const ends: string[] = []
  const others = Array.from({length: 3000}, async (_, index) => {
    await people.keepMatch({team: 'T1', user: `U${index}`}, undefined, nobody)
    ends.push('other')
  })
  await new Promise(setImmediate)
  const urgent = intake(arrival).then(() => ends.push('urgent'))
  await Promise.all([...others, urgent])
  expect(ends.indexOf('urgent')).toBeLessThan(ends.length / 2)
})

test('what the database cannot take while it starts again is written as soon as it can', async () => {
  const {inbox} = await temporaryStore()
  let failures = 2
  const add: typeof inbox.add = (...row) => {
    if (failures === 0) return inbox.add(...row)
    failures -= 1
    return Promise.reject(Object.assign(new Error('the system is starting up'), {code: '57P03'}))
  }
  await createIntake({inbox: {...inbox, add}, onAdded: () => undefined})(arrival)
  expect(await inbox.due(Date.now(), ['T1'])).toHaveLength(1)
})

test('it is tried again soon, and then less often, up to every 0.8 s; what is no such trouble is told at once', async () => {
  const {inbox} = await temporaryStore()
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(1)
  onTestFinished(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
  const triedMs: number[] = []
  const startMs = Date.now()
  const away = Object.assign(new Error('the system is starting up'), {code: '57P03'})
  const add: typeof inbox.add = async () => {
    triedMs.push(Date.now() - startMs)
    if (triedMs.length < 6) throw away
    throw new Error('a bug')
  }
  const taken = createIntake({inbox: {...inbox, add}, onAdded: () => undefined})(arrival)
  const failure = expect(taken).rejects.toThrow('a bug')
  await vi.advanceTimersByTimeAsync(2400)
  await failure
  expect(triedMs).toEqual([0, 100, 300, 700, 1500, 2300])
})

test('a row that cannot be written in 2.5 s is not acknowledged', async () => {
  const path = await temporaryDatabase()
  const {inbox} = await temporaryStore(path)
  const held = await holdWrites(path, 'inbox')
  let added = 0
  const intake = createIntake({inbox, onAdded: () => (added += 1)})
  const startMs = performance.now()
  // Timers of one process come in their order, however late a busy machine makes them.
  const first = Promise.race([intake(arrival), delay(2900, 'still waiting')])
  await expect(first).rejects.toThrow('could not be written in 2500 ms')
  expect(performance.now() - startMs).toBeGreaterThan(2450)
  expect(added).toBe(0)
  await held[Symbol.asyncDispose]()
  // Slack delivers it again, or the person asks again: nothing is done behind their back meanwhile.
  expect(await inbox.due(Date.now(), ['T1'])).toEqual([])
  await intake(arrival)
  expect(added).toBe(1)
  expect(await inbox.due(Date.now(), ['T1'])).toHaveLength(1)
})

test('what its sender does not wait for any more is not written behind their back', async () => {
  const path = await temporaryDatabase()
  const {inbox} = await temporaryStore(path)
  const held = await holdWrites(path, 'inbox')
  const intake = createIntake({inbox, onAdded: () => undefined})
  const hungUp = new AbortController()
  const taken = expect(intake(arrival, hungUp.signal)).rejects.toThrow('before its sender hung up')
  await delay(100)
  hungUp.abort()
  await taken
  await held[Symbol.asyncDispose]()
  expect(await inbox.due(Date.now(), ['T1'])).toEqual([])
})
