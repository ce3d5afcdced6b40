import {expect, test} from 'vitest'
import {MAX_RULES} from '../../src/store/tables/rules/rules.ts'
import {temporaryStore} from './temporary-store.ts'

const there = {team: 'T1', channel: 'C1'}
const fields = {
  ...{name: 'Alarms', app: 'A1', pattern: 'down', does: 'start' as const, task: 'look'},
  ...{dedupeKey: undefined, windowMinutes: 5, perHour: 1, perDay: 2},
  ...{quiet: undefined, person: undefined},
}

test('a rule is off until somebody turns it on, and changed by who has seen it', async () => {
  const {rules} = await temporaryStore()
  const made = await rules.add('r', there, fields, {user: 'U1', nowMs: 10})
  const known = {changedBy: 'U1', changedAtMs: 10, isOn: false, appName: undefined}
  expect(made).toEqual({...fields, ...there, ...known, id: 'r'})
  expect(await rules.byId('r')).toEqual(made)
  expect(await rules.add('r', there, {...fields, name: 'B'}, {user: 'U1', nowMs: 11})).toEqual(made)
  expect(await rules.appsIn(there)).toEqual([])
  const turn = (isOn: boolean, user: string, sinceMs: number) =>
    rules.turn('r', isOn, {user, nowMs: 10, sinceMs})
  expect(await turn(true, 'U2', 9)).toEqual({outcome: 'stale', by: 'U1'})
  const on = {outcome: 'done', rule: {...(made as object), isOn: true, changedBy: 'U2'}}
  expect(await turn(true, 'U2', 10)).toMatchObject({...on, rule: {changedAtMs: 11}})
  expect(await turn(true, 'U2', 10)).toMatchObject({...on, rule: {changedAtMs: 11}})
  expect(await turn(false, 'U3', 10)).toEqual({outcome: 'stale', by: 'U2'})
  expect(await rules.appsIn(there)).toEqual(['A1'])
  expect(await rules.appsIn({...there, channel: 'C2'})).toEqual([])
  const quiet = {...fields, does: 'ask' as const, dedupeKey: 'k', person: 'U9', appName: 'App'}
  const by = {user: 'U1', nowMs: 20, sinceMs: 11}
  expect(await rules.change('r', quiet, by)).toMatchObject({
    ...{outcome: 'done', rule: {...quiet, isOn: true, changedBy: 'U1', changedAtMs: 20}},
  })
  expect(await rules.remove('r', 11)).toBe(false)
  expect(await rules.remove('r', 20)).toBe(true)
  expect(await rules.byId('r')).toBeUndefined()
})

test('a channel has so many rules at most, in the order in which they were made', async () => {
  const {rules} = await temporaryStore()
  const ids = Array.from({length: MAX_RULES}, (_, at) => `r${99 - at}`)
  for (const id of ids) await rules.add(id, there, fields, {user: 'U1', nowMs: 1})
  expect(await rules.add('more', there, fields, {user: 'U1', nowMs: 1})).toBe('full')
  expect(await rules.add('r99', there, fields, {user: 'U1', nowMs: 1})).toMatchObject({id: 'r99'})
  const other = await rules.add('other', {...there, channel: 'C2'}, fields, {user: 'U1', nowMs: 1})
  expect(other).toMatchObject({id: 'other'})
  expect((await rules.ofChannel(there)).map(({id}) => id)).toEqual(ids)
  expect(await rules.ofTeam('T1')).toHaveLength(MAX_RULES + 1)
})
