import {afterEach, expect, test, vi} from 'vitest'
import {unlessLocked, waitForTurn} from '../../src/store/database/waits.ts'

afterEach(() => void vi.restoreAllMocks())

/** Timers may be late, and round down. */
async function tookMs(act: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now()
  await act()
  return performance.now() - beganMs + 2
}

test.each([
  ['half of it at least', 0, 40],
  ['all of it at most', 1 - Number.EPSILON, 80],
])('a wait takes %s', async (_, random, leastMs) => {
  vi.spyOn(Math, 'random').mockReturnValue(random)
  expect(await tookMs(() => waitForTurn(30, 80))).toBeGreaterThanOrEqual(leastMs)
})

test('whoever finds a lock again and again waits longer each time', async () => {
  let tries = 0
  const act = (): string => {
    tries += 1
    if (tries <= 8) throw Object.assign(new Error('locked'), {code: 'SQLITE_BUSY'})
    return 'done'
  }
  // Half of 1 + 2 + 4 + … + 128.
  expect(await tookMs(async () => expect(await unlessLocked(act)).toBe('done'))).toBeGreaterThan(
    127,
  )
})

test('what is no lock is not waited for', async () => {
  let tries = 0
  const act = (): never => {
    tries += 1
    throw new Error('broken')
  }
  await expect(unlessLocked(act)).rejects.toThrow('broken')
  expect(tries).toBe(1)
})
