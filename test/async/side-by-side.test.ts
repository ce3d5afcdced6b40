import {expect, test} from 'vitest'
import {sideBySide} from '../../src/async/side-by-side.ts'

test('a slow one holds up no other, and no more run than may at once', async () => {
  const slow = Promise.withResolvers<undefined>()
  const done: number[] = []
  let [running, most] = [0, 0]
  const all = Array.from({length: 40}, (_, index) => index)
  const over = sideBySide(all, async (one) => {
    running += 1
    most = Math.max(most, running)
    await (one === 0 ? slow.promise : Promise.resolve())
    running -= 1
    done.push(one)
    if (done.length === 39) slow.resolve(undefined)
  })
  await over
  expect(done.at(-1)).toBe(0)
  expect(most).toBe(8)
})

test('what fails for one is told when all are over', async () => {
  const done: number[] = []
  const over = sideBySide([1, 2, 3], async (one) => {
    await Promise.resolve()
    if (one === 1) throw new Error('no')
    done.push(one)
  })
  await expect(over).rejects.toThrow('no')
  expect(done).toEqual([2, 3])
})
