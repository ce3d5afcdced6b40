import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest'
import {createPoster} from '../../src/once/poster.ts'

interface Item {
  id: string
  key: string
}

const MINUTE_MS = 60_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A table of items, and a Slack that takes each of them when it is told to. */
function open(more: {nextDueAtMs?: () => Promise<number | undefined>} = {}) {
  const rows: Item[] = []
  const looks: number[] = []
  const made: string[] = []
  const failures: unknown[] = []
  const waiting = new Map<
    string,
    {end: (result: string | undefined) => void; fail: (why: Error) => void}
  >()
  let signal: AbortSignal | undefined
  let broken: Error | undefined
  const poster = createPoster<Item, string>({
    due: async () => {
      looks.push(Date.now())
      if (broken !== undefined) throw broken
      return [...rows]
    },
    keyOf: ({key}) => key,
    makeOnce: (item, given) => {
      signal = given
      made.push(item.id)
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          waiting.delete(item.id)
          if (rows.includes(item)) rows.splice(rows.indexOf(item), 1)
        }
        waiting.set(item.id, {
          end: (result) => {
            leave()
            resolve(result)
          },
          fail: reject,
        })
      })
    },
    onFailure: (error) => void failures.push(error),
    ...more,
  })
  const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0)
  return {
    ...{poster, rows, looks, made, failures, settled},
    signal: () => signal,
    breakTable: (error: Error | undefined) => void (broken = error),
    end: async (id: string) => {
      await settled()
      waiting.get(id)?.end(`${id} stands`)
      await settled()
    },
    /** The signal came first. */
    leave: async (id: string) => {
      await settled()
      waiting.get(id)?.end(undefined)
      await settled()
    },
    fail: async (id: string) => {
      await settled()
      waiting.get(id)?.fail(new Error(id))
      await settled()
    },
    wake: async () => {
      poster.wake()
      await settled()
    },
  }
}

const item = (id: string, key = id): Item => ({id, key})
const forever = (): AbortSignal => new AbortController().signal

test('what is due is brought to Slack, those of one key one after the other', async () => {
  const {rows, wake, made, end} = open()
  rows.push(item('a', 'x'), item('b', 'x'), item('c', 'y'))
  await wake()
  expect(made).toEqual(['a', 'c'])
  await end('a')
  expect(made).toEqual(['a', 'c', 'b'])
})

test('whoever asks for what is under way hears of the same', async () => {
  const {poster, rows, wake, made, end} = open()
  const one = item('a')
  rows.push(one)
  await wake()
  const both = Promise.all([poster.settle(one, forever()), poster.settle(one, forever())])
  await end('a')
  expect(await both).toEqual(['a stands', 'a stands'])
  expect(made).toEqual(['a'])
  const again = poster.settle(one, forever())
  await end('a')
  expect(await again).toBe('a stands')
  expect(made).toEqual(['a', 'a'])
})

test('who waits no longer is told so, and it is brought there all the same', async () => {
  const {poster, made, signal} = open()
  const stop = new AbortController()
  const late = poster.settle(item('a'), stop.signal)
  stop.abort()
  expect(await late).toBe('late')
  expect(made).toEqual(['a'])
  expect(signal()?.aborted).toBe(false)
})

test('it is looked again for what was not read in one go, and not where nothing came of it', async () => {
  const {rows, wake, looks, end, leave} = open()
  rows.push(item('a'), item('b'))
  await wake()
  await leave('a')
  await end('b')
  expect(looks).toHaveLength(2)
  rows.push(item('c'))
  await wake()
  await leave('c')
  expect(looks).toHaveLength(3)
})

test('what happens to one that is under way is seen when it is there', async () => {
  const {poster, rows, wake, looks, end} = open()
  const one = item('a')
  rows.push(one)
  const asked = poster.settle(one, forever())
  await wake()
  await wake()
  expect(looks).toHaveLength(2)
  await end('a')
  await asked
  expect(looks).toHaveLength(3)
  const unseen = poster.settle(item('b'), forever())
  await end('b')
  await unseen
  expect(looks).toHaveLength(3)
})

describe('a failure of our own', () => {
  test('is told, and half a minute later it is tried again', async () => {
    const {poster, made, looks, failures, fail} = open()
    const late = poster.settle(item('a'), forever())
    await fail('a')
    expect(await late).toBe('late')
    expect(failures).toEqual([new Error('a')])
    expect(made).toEqual(['a'])
    await vi.advanceTimersByTimeAsync(29_999)
    expect(looks).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(looks).toHaveLength(1)
  })

  test('of the table is one too', async () => {
    const {wake, looks, failures, breakTable} = open()
    breakTable(new Error('full'))
    await wake()
    breakTable(undefined)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(failures).toEqual([new Error('full')])
    expect(looks).toHaveLength(2)
  })
})

describe('what is held back', () => {
  test('is looked for when it is due, and not before', async () => {
    const dueAtMs = Date.now() + 20_000
    const {wake, looks} = open({
      nextDueAtMs: async () => (Date.now() < dueAtMs ? dueAtMs : undefined),
    })
    await wake()
    await vi.advanceTimersByTimeAsync(19_999)
    expect(looks).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(looks).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(10 * MINUTE_MS)
    expect(looks).toHaveLength(2)
  })

  test('is looked for every minute, as the clock may be set', async () => {
    const {wake, looks} = open({nextDueAtMs: async () => Date.now() + 90 * MINUTE_MS})
    await wake()
    await vi.advanceTimersByTimeAsync(MINUTE_MS - 1)
    expect(looks).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(looks).toHaveLength(2)
    // Each look begins the minute anew.
    await vi.advanceTimersByTimeAsync(MINUTE_MS / 2)
    await wake()
    await vi.advanceTimersByTimeAsync(MINUTE_MS - 1)
    expect(looks).toHaveLength(3)
  })

  test('and overdue already does not keep the machine busy', async () => {
    const {wake, looks} = open({nextDueAtMs: async () => Date.now() - MINUTE_MS})
    await wake()
    await vi.advanceTimersByTimeAsync(10)
    expect(looks).toHaveLength(11)
  })
})

describe('at the end', () => {
  test('what is under way hears of it and is waited for, and nothing begins any more', async () => {
    const {poster, rows, wake, looks, end, signal} = open({
      nextDueAtMs: async () => Date.now() + 1000,
    })
    const asked = poster.settle(item('x'), forever())
    await wake()
    let isOver = false
    const over = poster[Symbol.asyncDispose]().then(() => void (isOver = true))
    await vi.advanceTimersByTimeAsync(0)
    expect(signal()?.aborted).toBe(true)
    expect(isOver).toBe(false)
    await end('x')
    await over
    await asked
    rows.push(item('y'))
    await wake()
    expect(vi.getTimerCount()).toBe(0)
    await vi.advanceTimersByTimeAsync(2 * MINUTE_MS)
    expect(looks).toHaveLength(1)
  })

  test('a look that has begun is waited for', async () => {
    const {poster, rows, wake, end} = open()
    rows.push(item('a'))
    await wake()
    let isOver = false
    const over = poster[Symbol.asyncDispose]().then(() => void (isOver = true))
    await vi.advanceTimersByTimeAsync(0)
    expect(isOver).toBe(false)
    await end('a')
    await over
  })

  test('a failure is told to nobody, and nobody waits for it', async () => {
    const {poster, failures, fail} = open()
    const asked = poster.settle(item('a'), forever())
    await vi.advanceTimersByTimeAsync(0)
    const over = poster[Symbol.asyncDispose]()
    await fail('a')
    await Promise.all([asked, over])
    expect(failures).toEqual([])
  })
})
