import {expect, test} from 'vitest'
import {createPacer} from '../../src/relay/pace/pacer.ts'
import {createManualClock} from './manual-clock.ts'

/** Of a burst a little is left for calls that arrive late. */
const FULL = 19

const budgets = {
  'chat.update': [{perMinute: 60, burst: 20, per: 'workspace' as const}],
  'chat.postMessage': [
    {perMinute: 600, burst: 50, per: 'workspace' as const},
    {perMinute: 60, burst: 3, per: 'channel' as const},
  ],
}
const ask = (method: string, team = 'T1') => ({
  ...{team, channel: 'C1', method, rank: 'final' as const, sinceMs: 0, notBeforeMs: 0},
})

/** How many may go at once. */
async function atOnce(pacer: ReturnType<typeof createPacer>, method: string, team?: string) {
  let count = 0
  for (;;) {
    const {granted, leave} = pacer.queue([ask(method, team)])
    leave()
    if ((await granted) === undefined) return count
    count += 1
  }
}

test('whose owner fell silent has left nothing, and what came back since', async () => {
  const clock = createManualClock()
  const pacer = createPacer({budgets, clock})
  expect(await atOnce(pacer, 'chat.update')).toBe(FULL)
  pacer.inherit('T1', {agoMs: 2000, left: undefined})
  expect(await atOnce(pacer, 'chat.update')).toBe(2)
  expect(await atOnce(pacer, 'chat.postMessage')).toBe(2)
  expect(await atOnce(pacer, 'chat.update', 'T2')).toBe(FULL)
})

test('who gave it back says what was left of a method; of one that was not used all is there', async () => {
  const clock = createManualClock()
  const pacer = createPacer({budgets, clock})
  pacer.inherit('T1', {agoMs: 1000, left: new Map([['chat.update', 4]])})
  expect(await atOnce(pacer, 'chat.update')).toBe(5)
})

test('no time can fill a budget beyond its burst', async () => {
  const clock = createManualClock()
  const pacer = createPacer({budgets, clock})
  pacer.inherit('T1', {agoMs: 60_000, left: new Map([['chat.update', 19]])})
  expect(await atOnce(pacer, 'chat.update')).toBe(FULL)
})

test('what an owner before has used is handed on by one that does not use it', async () => {
  const clock = createManualClock()
  const pacer = createPacer({budgets, clock})
  pacer.inherit('T1', {agoMs: 1000, left: new Map([['chat.update', 4]])})
  clock.advance(2000)
  expect(pacer.left('T1')).toEqual([expect.objectContaining({method: 'chat.update', tokens: 7})])
  pacer.inherit('T2', {agoMs: 2000, left: undefined})
  const left = pacer.left('T2').map(({method, tokens}) => [method, tokens])
  expect(left).toEqual([
    ['chat.update', 2],
    ['chat.postMessage', 20],
  ])
  clock.advance(60_000)
  expect(pacer.left('T2')).toEqual([])
})

test('nobody says what was left to a channel: as good as nothing', async () => {
  const clock = createManualClock()
  const pacer = createPacer({budgets, clock})
  pacer.inherit('T1', {agoMs: 1000, left: new Map([['chat.postMessage', 40]])})
  expect(await atOnce(pacer, 'chat.postMessage')).toBe(1)
})

test('what is left to the workspace is handed on, whichever of the budgets of a method is its own', async () => {
  const clock = createManualClock()
  const [ofTeam, ofChannel] = budgets['chat.postMessage']
  for (const both of [
    [ofTeam, ofChannel],
    [ofChannel, ofTeam],
  ]) {
    const pacer = createPacer({
      budgets: {'chat.postMessage': both.flatMap((it) => it ?? [])},
      clock,
    })
    expect(await atOnce(pacer, 'chat.postMessage')).toBe(2)
    // Of 50 what comes back in 0.9 s is kept for calls that arrive late.
    expect(pacer.left('T1')).toEqual([
      {method: 'chat.postMessage', tokens: 39, burst: 41, pausedMs: 0},
    ])
  }
})
