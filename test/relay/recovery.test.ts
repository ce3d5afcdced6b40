import {expect, onTestFinished, test, vi} from 'vitest'
import {createRecovery} from '../../src/relay/recovery.ts'
import type {Link} from '../../src/store/tables/work/link.ts'
import {sharedStore} from '../store/temporary-store.ts'
import {SILENT_LOG} from '../support/silent-log.ts'
import {until} from '../support/until.ts'
import {createManualClock} from './manual-clock.ts'

const store = await sharedStore()

const names = new Map<string, string>()
/** What somebody asked for, one after the other; each bears the name of its workspace and its number. */
async function openWork(team: string, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    const name = `${team} ${number}`
    const place = {team, channel: 'C1', slackThread: `${number}.0`}
    const ask = {place, requestId: name, projectId: 'p', startedBy: 'U1'}
    const {id} = await store.links.open(ask, number * 1000)
    names.set(id, name)
  }
}

/** A recovery whose starts end when the test says so. */
function openRecovery(isUnserved: (link: Link) => boolean = () => true) {
  const served: string[] = []
  const ends: (() => void)[] = []
  const stop = new AbortController()
  const recover = createRecovery({
    links: store.links,
    serve: (linkId) => {
      served.push(names.get(linkId) ?? 'nobody')
      return new Promise<void>((resolve) => void ends.push(resolve))
    },
    ...{isUnserved, clock: createManualClock(), log: SILENT_LOG, signal: stop.signal},
  })
  const end = async (count: number): Promise<void> => {
    for (let ended = 0; ended < count; ended += 1) {
      await until('one is served', () => ends.length > 0)
      ends.shift()?.()
    }
  }
  return {recover, served, end, stop}
}

test('workspaces take turns, each with what moved last', async () => {
  await openWork('TA', 12)
  await openWork('TB', 2)
  await openWork('TC', 1)
  const {recover, served, end} = openRecovery()
  const recovered = Promise.all(['TA', 'TB', 'TC'].map(recover))
  await end(15)
  await recovered
  const numbers = Map.groupBy(served, (it) => it.slice(0, 2))
  expect(numbers.get('TA')).toEqual(Array.from({length: 12}, (_, at) => `TA ${12 - at}`))
  expect(numbers.get('TB')).toEqual(['TB 2', 'TB 1'])
  expect(served.slice(9).every((it) => it.startsWith('TA'))).toBe(true)
})

test('a workspace that comes while another is served gets its turn', async () => {
  await openWork('TD', 12)
  await openWork('TE', 1)
  const {recover, served, end} = openRecovery()
  const first = recover('TD')
  await until('four are being served', () => served.length === 4)
  const second = recover('TE')
  await end(13)
  await Promise.all([first, second])
  expect(served.indexOf('TE 1')).toBeLessThan(served.indexOf('TD 1'))
})

test('what is served already, or is for somebody else to serve, is passed over', async () => {
  await openWork('TF', 3)
  const {recover, served, end} = openRecovery(({id}) => names.get(id) !== 'TF 2')
  const recovered = recover('TF')
  await end(2)
  await recovered
  expect(served).toEqual(['TF 3', 'TF 1'])
})

test('nothing is served any more once all ends', async () => {
  await openWork('TG', 9)
  const {recover, served, end, stop} = openRecovery()
  const recovered = recover('TG')
  await until('four are being served', () => served.length === 4)
  stop.abort()
  await end(4)
  await recovered
  expect(served).toHaveLength(4)
})

test('a workspace that comes when all before it were served is served like the first', async () => {
  await openWork('TH', 5)
  await openWork('TI', 5)
  const {recover, served, end} = openRecovery()
  for (const team of ['TH', 'TI']) {
    const count = served.length
    const recovered = recover(team)
    await until('four are being served', () => served.length === count + 4)
    await end(5)
    await recovered
  }
  expect(served.slice(5)).toEqual(['TI 5', 'TI 4', 'TI 3', 'TI 2', 'TI 1'])
})

test('links that could not be read are asked for again, after a second and then ever later', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1)
  onTestFinished(() => void vi.restoreAllMocks())
  const clock = createManualClock()
  let reads = 0
  const recover = createRecovery({
    links: {
      live: async () => {
        reads += 1
        if (reads <= 3) throw new Error('the database is away')
        return []
      },
    },
    ...{serve: async () => undefined, isUnserved: () => true, clock, log: SILENT_LOG},
    signal: new AbortController().signal,
  })
  const recovered = recover('TJ')
  for (const [failures, seconds] of [1, 2, 4].entries()) {
    await until('it waits', () => clock.pending() === 1)
    clock.advance(seconds * 1000 - 1)
    expect(clock.pending()).toBe(1)
    clock.advance(1)
    await until('it is asked again', () => reads === failures + 2)
  }
  await recovered
})
