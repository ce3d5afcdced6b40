import {describe, expect, onTestFinished, test, vi} from 'vitest'
import type {Clock} from '../../src/async/clock.ts'
import {LATE, lookTwice} from '../../src/once/look-twice.ts'
import {type Next, makeOnce} from '../../src/once/make-once.ts'
import {SlackError} from '../../src/once/slack-error.ts'

interface Making {
  isAnswered?: boolean
  isPatient?: boolean
  canBePlain?: boolean
}
type Step = Next<string> | (() => Next<string>)

/** A clock on which every wait is over at once, and which knows how long each of them was. */
function hastyClock(): Clock & {waits: number[]; pass: (ms: number) => void} {
  const waits: number[] = []
  let nowMs = 0
  const after = (ms: number, end: () => void): (() => void) => {
    waits.push(ms)
    queueMicrotask(end)
    return () => undefined
  }
  return {waits, pass: (ms) => void (nowMs += ms), nowMs: () => nowMs, dateMs: () => 0, after}
}

/** Takes the steps one after the other, as a row would say them, and tells what happened meanwhile. */
function scene() {
  vi.spyOn(Math, 'random').mockReturnValue(1)
  onTestFinished(() => void vi.restoreAllMocks())
  const did: string[] = []
  const clock = hastyClock()
  const failed = {isAnswered: true}
  const stop = new AbortController()
  const failing = (kind: SlackError['kind'] | undefined, more = {}): void => {
    const code = kind === 'retry' ? 'internal_error' : 'no'
    if (kind !== undefined) throw new SlackError(kind, code, more)
  }
  const drop = async (): Promise<void> => void did.push('drop')
  const base = {
    isPatient: false,
    giveUp: async ({kind}: SlackError): Promise<string | undefined> => {
      did.push('give up')
      return `gave up: ${kind}`
    },
  }
  return {
    did,
    stop,
    failed,
    pass: clock.pass,
    waits: clock.waits,
    change: (kind?: SlackError['kind'], more = {}): Next<string> => ({
      ...{...base, ...more},
      change: async () => {
        did.push('change')
        failing(kind)
      },
    }),
    make: (
      kind?: SlackError['kind'],
      {isAnswered = false, ...more}: Making = {},
    ): Next<string> => ({
      ...{...base, drop, canBePlain: false, ...more},
      make: async (isPlain) => {
        did.push(isPlain ? 'make plain' : 'make')
        failing(kind, {isAnswered})
      },
    }),
    find: (found?: string): Next<string> => ({
      ...{...base, drop},
      confirm: async (ts) => void did.push(`confirm ${ts}`),
      find: async () => {
        did.push('find')
        return found
      },
    }),
    run: (...steps: Step[]) => {
      const left = [...steps]
      const next = async (): Promise<Next<string>> => {
        const step = left.shift() ?? {settled: 'done'}
        return typeof step === 'function' ? step() : step
      }
      const onTrouble = (error: SlackError): void => void did.push(`trouble ${error.kind}`)
      return makeOnce(next, {clock, signal: stop.signal, onTrouble})
    },
  }
}

describe('what nobody answered', () => {
  test('is tried again after longer and longer waits, up to half a minute', async () => {
    const {run, change, waits} = scene()
    expect(await run(...Array<Step>(7).fill(change('retry')))).toBe('done')
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  })

  test('is looked for at once and 15 s later, and was never made if it is at neither', async () => {
    const {run, make, find, waits, did} = scene()
    await run(make('retry'), find())
    expect(waits).toEqual([1000, 15_000])
    expect(did).toEqual(['make', 'trouble retry', 'find', 'find', 'drop'])
  })

  test('is looked for once more within a minute where it may appear late', async () => {
    const {run, make, find, waits, did} = scene()
    await run(make('retry', {isAnswered: true}), {...find(), looks: LATE})
    expect(waits).toEqual([15_000, 45_000])
    expect(did.slice(2)).toEqual(['find', 'find', 'find', 'drop'])
  })

  test('is confirmed where it is found, and looked for no more', async () => {
    const {run, find, did} = scene()
    await run(find('1.0'))
    expect(did).toEqual(['find', 'confirm 1.0'])
  })
})

test('what Slack itself says failed is looked for one second and five seconds after that', async () => {
  const {run, make, find, change, waits} = scene()
  await run(make('retry', {isAnswered: true}), find())
  expect(waits).toEqual([1000, 4000])
  // A change that fails in between says nothing of the message.
  await run(make('retry', {isAnswered: true}), change('retry'), find())
  expect(waits.slice(2)).toEqual([2000, 1000, 4000])
})

describe('what Slack itself says failed each time', () => {
  test('is tried at its pace, then ever more rarely', async () => {
    const {run, make, find, waits, failed} = scene()
    await run(...[1, 2, 3, 4].flatMap(() => [make('retry', failed), find()]))
    const looks = [1000, 4000]
    expect(waits).toEqual([...looks, ...looks, 16_000, ...looks, 30_000, ...looks])
  })

  test('is tried without its blocks after five minutes of that, and of nothing else', async () => {
    const {run, make, find, did, failed, pass} = scene()
    const trying = {...failed, canBePlain: true}
    const later = (ms: number, step: Next<string>) => (): Next<string> => (pass(ms), step)
    const made = () => did.filter((one) => one.startsWith('make'))
    await run(
      ...[make('retry', trying), find()],
      ...[later(299_000, make('retry', trying)), find()],
      ...[later(1000, make('retry', trying)), find()],
    )
    expect(made()).toEqual(['make', 'make', 'make plain'])
    did.length = 0
    // No answer in between says nothing of it.
    const silent = make('retry', {canBePlain: true})
    await run(make('retry', trying), find(), silent, find(), later(300_000, make('retry', trying)))
    expect(made()).toEqual(['make', 'make', 'make'])
  })
})

test('the first look waits for nothing, and the shortest time is a wait', async () => {
  const clock = hastyClock()
  const {signal} = new AbortController()
  await lookTwice({firstMs: 0, gapMs: 1}, async () => undefined, {clock, signal})
  expect(clock.waits).toEqual([1])
})

describe('a message that Slack refuses', () => {
  test('is made once more without its blocks, and given up after that', async () => {
    const {run, make, did} = scene()
    const refused = make('refused', {canBePlain: true})
    expect(await run(refused, refused)).toBe('gave up: refused')
    expect(did.filter((one) => !one.startsWith('trouble'))).toEqual([
      ...['make', 'drop', 'make plain', 'drop', 'give up'],
    ])
  })

  test('has its blocks again the next time', async () => {
    const {run, make, did} = scene()
    await run(make('refused', {canBePlain: true}), make(), make())
    expect(did.filter((one) => one.startsWith('make'))).toEqual(['make', 'make plain', 'make'])
  })

  test.each(['refused', 'gone'] as const)(
    'is given up at once where that is of no use: %s',
    async (kind) => {
      const {run, make} = scene()
      expect(await run(make(kind, {canBePlain: kind !== 'refused'}))).toBe(`gave up: ${kind}`)
    },
  )

  test('is given up at once where it stands already and only changes', async () => {
    const {run, change} = scene()
    expect(await run(change('refused', {canBePlain: true}))).toBe('gave up: refused')
  })

  test('is asked for again where its row says so', async () => {
    const {run, change, did} = scene()
    const giveUp = async (): Promise<undefined> => undefined
    expect(await run(change('gone', {giveUp}), change())).toBe('done')
    expect(did).toEqual(['change', 'trouble gone', 'change'])
  })
})

describe('what only an operator can mend', () => {
  test.each(['dead', 'mistake'] as const)('is waited for, a minute each time: %s', async (kind) => {
    const {run, make, change, waits, did} = scene()
    const isPatient = true
    expect(await run(make(kind, {isPatient}), change(kind, {isPatient}))).toBe('done')
    expect(waits).toEqual([60_000, 60_000])
    expect(did).toEqual(['make', `trouble ${kind}`, 'drop', 'change', `trouble ${kind}`])
  })

  test('is not waited for by who has no time', async () => {
    const {run, change} = scene()
    expect(await run(change('dead'))).toBe('gave up: dead')
  })

  test('is not what Slack refuses', async () => {
    const {run, change} = scene()
    expect(await run(change('gone', {isPatient: true}))).toBe('gave up: gone')
  })
})

test('who is told to wait waits for its turn alone, and nothing was made', async () => {
  const {run, make, waits, did} = scene()
  expect(await run(make('wait'))).toBe('done')
  expect(waits).toEqual([])
  expect(did).toEqual(['make', 'trouble wait', 'drop'])
})

test('an error that is not Slack’s is nobody’s to repeat', async () => {
  const {run, change} = scene()
  const broken = async (): Promise<void> => Promise.reject(new Error('a bug'))
  await expect(run({...(change() as object), change: broken} as Next<string>)).rejects.toThrow(
    'a bug',
  )
})

describe('the signal', () => {
  test('ends everything before the next step', async () => {
    const {run, change, stop, did} = scene()
    stop.abort()
    expect(await run(change())).toBeUndefined()
    expect(did).toEqual([])
  })

  test('ends a search without a word on what was not found', async () => {
    const {run, find, stop, did} = scene()
    const ended = (): Next<string> => ({
      ...find(),
      find: async () => {
        did.push('find')
        stop.abort()
        return undefined
      },
    })
    expect(await run(ended)).toBeUndefined()
    expect(did).toEqual(['find'])
  })
})

test('of an error that says no more nothing more is known', () => {
  expect(new SlackError('retry', 'no_answer')).toMatchObject({
    ...{retryAfterMs: 0, isAnswered: false, hints: []},
  })
})
