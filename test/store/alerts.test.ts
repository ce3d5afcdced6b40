import {expect, test} from 'vitest'
import type {RulePast} from '../../src/store/tables/rules/alerts.ts'
import {temporaryStore} from './temporary-store.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const NOW_MS = 100 * DAY_MS

async function open() {
  const {rules, alerts} = await temporaryStore()
  const fields = {
    ...{name: 'Alarms', app: 'A1', pattern: 'down', does: 'start' as const, task: 'look'},
    ...{dedupeKey: undefined, windowMinutes: 5, perHour: 9, perDay: 9},
    ...{quiet: undefined, person: undefined},
  }
  await rules.add('r', {team: 'T1', channel: 'C1'}, fields, {user: 'U1', nowMs: 1})
  const turned = await rules.turn('r', true, {user: 'U1', nowMs: 2, sinceMs: 1})
  if (turned.outcome !== 'done') throw new Error('The rule has changed.')
  const {rule} = turned
  let count = 0
  /** What was known when a message with this key came, so long ago. */
  const come = async (
    keyHash: string,
    agoMs: number,
    decision: 'start' | 'duplicate' | 'hour' = 'start',
  ): Promise<RulePast | undefined> => {
    let known: RulePast | undefined
    const judge = (past: RulePast) => {
      known = past
      return decision
    }
    const wish = {
      ...{rule: {id: 'r', name: 'Alarms', person: undefined}, task: 't', values: {}},
      ...{app: 'an app', text: 'down'},
    }
    const ts = `${(count += 1)}`
    await alerts.decide(
      {team: 'T1', channel: 'C1', ts},
      {
        ...{rule, keyHash, nowMs: NOW_MS - agoMs, judge, isAbout: () => false, wish, user: 'U1'},
        toRow: (id) => ({key: id, team: 'T1', lane: 'l', body: '{}'}),
      },
    )
    return known
  }
  return {come, alerts}
}

test('a message is the same as one with its key within the window, if that began something', async () => {
  const {come} = await open()
  expect(await come('a', 5 * MINUTE_MS)).toEqual({hasSame: false, inHour: 0, inDay: 0})
  await come('b', 4 * MINUTE_MS, 'duplicate')
  expect(await come('a', 1)).toMatchObject({hasSame: true})
  expect(await come('b', 0)).toMatchObject({hasSame: false})
})

test('what is as old as the window, the hour or the day counts no more', async () => {
  const {come} = await open()
  for (const agoMs of [DAY_MS, DAY_MS - 1, HOUR_MS, HOUR_MS - 1, 5 * MINUTE_MS]) {
    await come('a', agoMs)
  }
  await come('a', 3 * MINUTE_MS, 'hour')
  expect(await come('a', 0)).toEqual({hasSame: false, inHour: 2, inDay: 4})
})
