import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest'
import {forgetOld, startRetention} from '../../src/inbox/retention.ts'

type Options = Parameters<typeof forgetOld>[0]

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NOW_MS = 1000 * DAY_MS

/** A store that notes what it is to forget; `batches`: how often it says of something that there was more. */
function open({batches = 0, days = 30, trouble = (): string | undefined => undefined} = {}) {
  const asked: string[] = []
  const logged: string[] = []
  const left = new Map<string, number>()
  const forget = async (what: string, beforeMs: number): Promise<number> => {
    asked.push(`${what} ${(NOW_MS - beforeMs) / DAY_MS}`)
    const more = left.get(what) ?? batches
    left.set(what, more - 1)
    return Math.max(0, more)
  }
  const inParts = async function* (what: string, beforeMs: number): AsyncGenerator<string[]> {
    for (let count = 1; count > 0;) {
      count = await forget(what, beforeMs)
      if (count > 0) yield Array.from({length: count}, (_, at) => `l${count}-${at}`)
    }
  }
  const retention = new Proxy({} as Options['retention'], {
    get: (_, name) => (beforeMs: number) => {
      const what = String(name).replace('forget', '')
      return IN_PARTS.includes(what) ? inParts(what, beforeMs) : forget(what, beforeMs)
    },
  })
  const log = (message: unknown): void => void logged.push(String(message))
  const forgotten: string[] = []
  const options: Options = {
    retention,
    ...{days, nowMs: () => NOW_MS},
    clock: {trouble: async () => trouble() as never},
    isClosed: async () => false,
    onForgotten: async (id) => void forgotten.push(id),
    log: {
      info: (details, message) => log(`${message} ${JSON.stringify(details)}`),
      warn: (_, message) => log(message),
      error: (_, message) => log(message),
    },
  }
  return {asked, logged, forgotten, options}
}

const IN_PARTS = ['Links', 'Runs', 'Spendings', 'PullRequests']

const live = (): AbortSignal => new AbortController().signal
/** Days, as docs/privacy.md has them. */
const ALWAYS = [
  ...['Inbox 2', 'Handovers 2', 'Starts 7', 'AgentPosts 7', 'Executions 30', 'Digests 40'],
  ...['Unfurls 8', 'Audit 400', 'DeadLetters 30', 'Alerts 8', 'Receipts 30', 'Deliveries 7'],
]
const LAST = ['Spendings 62', 'PullRequests 30']

test('everything is kept as long as the page on privacy says, and work as long as is set', async () => {
  const {asked, options, logged} = open()
  expect(await forgetOld(options, live())).toBe(true)
  expect(asked).toEqual([...ALWAYS, 'Links 30', 'Announcements 30', 'Runs 30', ...LAST])
  expect(logged).toEqual([])
})

test('with 0 work is kept for ever, and with 1 for a day', async () => {
  const forever = open({days: 0})
  await forgetOld(forever.options, live())
  expect(forever.asked).toEqual([...ALWAYS, ...LAST])
  const short = open({days: 1})
  await forgetOld(short.options, live())
  expect(short.asked).toContain('Links 1')
})

test('what is deleted in parts is deleted until nothing is left, and others hear of the work', async () => {
  const {asked, options, forgotten, logged} = open({batches: 2})
  await forgetOld(options, live())
  for (const some of ['Audit 400', 'Runs 30']) {
    expect(asked.filter((one) => one === some)).toHaveLength(3)
  }
  expect(asked.filter((one) => one === 'Starts 7')).toHaveLength(1)
  expect(forgotten).toEqual(['l2-0', 'l2-1', 'l1-0'])
  expect(logged).toEqual(['Finished work was forgotten {"links":3,"days":30}'])
  const one = open({batches: 1})
  await forgetOld(one.options, live())
  expect(one.logged).toEqual(['Finished work was forgotten {"links":1,"days":30}'])
})

test('a clock that goes wrong leaves the rest, and a stop too', async () => {
  let looks = 0
  const wrong = open({trouble: () => ((looks += 1) > 2 ? 'off' : undefined)})
  expect(await forgetOld(wrong.options, live())).toBe(false)
  expect(wrong.asked).toHaveLength(2)
  expect(wrong.logged).toEqual(['Nothing is deleted by its age'])
  const stopped = open()
  expect(await forgetOld(stopped.options, AbortSignal.abort())).toBe(true)
  expect(stopped.asked).toEqual([])
})

describe('it is cleaned up', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const rounds = ({asked}: {asked: string[]}): number =>
    asked.filter((one) => one.startsWith('Inbox')).length

  test('soon behind the start, and every day after that', async () => {
    const all = open()
    const running = startRetention(all.options)
    await vi.advanceTimersByTimeAsync(4999)
    expect(rounds(all)).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(rounds(all)).toBe(1)
    await vi.advanceTimersByTimeAsync(DAY_MS - 1)
    expect(rounds(all)).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(rounds(all)).toBe(2)
    await running[Symbol.asyncDispose]()
  })

  test.each([
    ['the clock is not right', {trouble: () => 'off'}, 'Nothing is deleted by its age'],
    [
      'the store fails',
      {
        trouble: () => {
          throw new Error('no disk')
        },
      },
      'Old rows could not be deleted',
    ],
  ])('ten minutes later where %s', async (_why, broken, message) => {
    const {options, logged} = open(broken)
    const running = startRetention(options)
    await vi.advanceTimersByTimeAsync(5000 + 600_000 - 1)
    expect(logged).toEqual([message])
    await vi.advanceTimersByTimeAsync(1)
    expect(logged).toEqual([message, message])
    await running[Symbol.asyncDispose]()
  })

  test('not any more once it has ended, which waits for what has begun', async () => {
    const gate = Promise.withResolvers<undefined>()
    const all = open()
    const clock = {trouble: async () => gate.promise}
    const running = startRetention({...all.options, clock})
    await vi.advanceTimersByTimeAsync(5000)
    let isOver = false
    const over = running[Symbol.asyncDispose]().then(() => void (isOver = true))
    await vi.advanceTimersByTimeAsync(0)
    expect(isOver).toBe(false)
    gate.resolve(undefined)
    await over
    expect(vi.getTimerCount()).toBe(0)
    const rested = startRetention(all.options)
    await rested[Symbol.asyncDispose]()
    expect(vi.getTimerCount()).toBe(0)
  })
})
