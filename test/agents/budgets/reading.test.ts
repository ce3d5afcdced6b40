import {expect, onTestFinished, test, vi} from 'vitest'
import {createUsageReader} from '../../../src/agents/budgets/reading.ts'
import type {PlatformClient} from '../../../src/platform/client.ts'
import {PlatformRateLimited} from '../../../src/platform/errors.ts'
import type {Link} from '../../../src/store/tables/work/link.ts'
import {FRESH_LINK} from '../../support/fresh-link.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'
import {until} from '../../support/until.ts'

const EVERY_MS = 200

function open(links: readonly Link[], answer: (threadId: string) => number, everyMs = EVERY_MS) {
  const asked: {threadId: string; atMs: number}[] = []
  const counted: (readonly [string, number | undefined])[] = []
  const client = {
    getThread: async (threadId: string) => {
      asked.push({threadId, atMs: performance.now()})
      return {id: threadId, status: 'active', usage: {totalCredits: answer(threadId)}}
    },
  } as unknown as PlatformClient
  const reader = createUsageReader({
    teams: () => ['T1'],
    costing: async () => [...links],
    isLimited: async ({channel}) => channel !== 'C-FREE',
    clientOf: () => client,
    countOf:
      () =>
      async (link, {credits}) =>
        void counted.push([link.threadId ?? '', credits]),
    onFigure: async () => undefined,
    everyMs,
    log: SILENT_LOG,
  })
  onTestFinished(() => reader[Symbol.asyncDispose]())
  return {asked, counted, reader}
}

const link = (id: string, more: Partial<Link> = {}): Link => ({
  ...FRESH_LINK,
  id,
  threadId: id,
  ...more,
})
const readings = (asked: readonly {threadId: string}[], id: string): number =>
  asked.filter(({threadId}) => threadId === id).length

test('work is read again and again where there is a budget, and nowhere else', async () => {
  const free = link('free', {place: {...FRESH_LINK.place, channel: 'C-FREE'}})
  const links = ['a', 'b', 'c'].map((id) => link(id))
  const {asked, counted} = open([...links, free], () => 7)
  await until('all are read three times', () => links.every(({id}) => readings(asked, id) >= 3))
  expect(readings(asked, 'free')).toBe(0)
  expect(counted[0]?.[1]).toBe(7)
  for (const {id} of links) {
    const times = asked.filter(({threadId}) => threadId === id).map(({atMs}) => atMs)
    // Timers may be late, and never early.
    const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThan(EVERY_MS / 2)
  }
})

test('what was not read here yet is read soon, however rarely it is read again', async () => {
  const links = Array.from({length: 20}, (_, index) => link(String(index)))
  const {asked} = open(links, () => 7, 600_000)
  await until('each is read', () => links.every(({id}) => readings(asked, id) === 1))
})

test('a key that is told to wait waits, and no other one', async () => {
  const links = [link('waits', {connectionId: 'limited'}), link('goes on')]
  const {asked} = open(links, (threadId) => {
    if (threadId === 'waits') throw new PlatformRateLimited('slow down', 600_000)
    return 1
  })
  await until('the other one is read', () => readings(asked, 'goes on') >= 5)
  expect(readings(asked, 'waits')).toBe(1)
})

test('work is read on where somebody sets the clock back', async () => {
  const {asked} = open([link('a')], () => 7)
  await until('it is read', () => readings(asked, 'a') > 0)
  const {now} = Date
  const back = vi.spyOn(Date, 'now').mockImplementation(() => now() - 5 * 3_600_000)
  onTestFinished(() => back.mockRestore())
  const before = readings(asked, 'a')
  await expect.poll(() => readings(asked, 'a')).toBeGreaterThan(before + 2)
})

test('what somebody else has read is counted, and read later', async () => {
  const {counted, reader} = open([link('a')], () => 1)
  reader.heard(link('a'), {credits: 42, isAtWork: false})
  await until('it is counted', () => counted.some(([, credits]) => credits === 42))
})
