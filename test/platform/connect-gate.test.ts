import {describe, expect, test} from 'vitest'
import {createConnectGate} from '../../src/platform/connect-gate.ts'
import {createManualClock} from '../relay/manual-clock.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
const never = new AbortController().signal

describe('the gate', () => {
  test('lets one pass at once when nobody came lately', async () => {
    const clock = createManualClock()
    const gate = createConnectGate({clock})
    await gate.enter('again', never)
    expect(clock.pending()).toBe(0)
  })

  test('lets no second see more than its rate and its burst, and everybody pass in the end', async () => {
    const clock = createManualClock()
    const gate = createConnectGate({clock, perSecond: 140, burst: 20})
    let passed = 0
    for (let count = 0; count < 2000; count += 1) {
      void gate.enter('again', never).then(() => (passed += 1))
    }
    for (let second = 1; second <= 15; second += 1) {
      const before = passed
      for (let tick = 0; tick < 50; tick += 1) {
        clock.advance(20)
        await turn()
      }
      expect(passed - before).toBeLessThanOrEqual(160)
    }
    expect(passed).toBe(2000)
  })

  test('lets those who come first pass those who come again', async () => {
    const clock = createManualClock()
    const gate = createConnectGate({clock, perSecond: 10, burst: 1})
    const order: string[] = []
    for (const name of ['a', 'b', 'c']) {
      void gate.enter('again', never).then(() => order.push(name))
    }
    void gate.enter('first', never).then(() => order.push('new'))
    for (let count = 0; count < 4; count += 1) {
      await turn()
      clock.advance(110)
    }
    await turn()
    expect(order).toEqual(['a', 'new', 'b', 'c'])
  })

  test('keeps no place for those who no longer want to', async () => {
    const clock = createManualClock()
    const gate = createConnectGate({clock, perSecond: 10, burst: 1})
    await gate.enter('again', never)
    const stop = new AbortController()
    const waiting = gate.enter('again', stop.signal)
    const behind = gate.enter('again', never)
    stop.abort(new Error('no longer'))
    await expect(waiting).rejects.toThrow('no longer')
    await expect(gate.enter('again', stop.signal)).rejects.toThrow('no longer')
    clock.advance(110)
    await behind
  })
})
