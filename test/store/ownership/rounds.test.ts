import {expect, onTestFinished, test} from 'vitest'
import {createRounds} from '../../../src/store/ownership/rounds.ts'

const nothing = async (): Promise<void> => undefined

test('what is held is touched while the database takes its time with what is taken', async () => {
  let touches = 0
  let takes = 0
  const taking = Promise.withResolvers<number>()
  const rounds = createRounds({
    pool: {executeSql: async () => ({rows: [{names: 9, free: 9, living: 1, rank: 0}]})},
    member: {start: nothing, stop: nothing},
    holdings: {
      touch: async () => void (touches += 1),
      take: () => {
        takes += 1
        return taking.promise
      },
      giveBack: nothing,
      working: () => [],
      leaving: () => 0,
      heldLong: () => [],
      loseSilent: () => undefined,
    },
    instance: 'one',
    failed: () => undefined,
  })
  onTestFinished(async () => {
    taking.resolve(0)
    await rounds.end()
  })
  rounds.begin({take: nothing, leave: nothing})
  await expect.poll(() => touches).toBeGreaterThan(2)
  expect(takes).toBe(1)
})
