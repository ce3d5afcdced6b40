import {expect, test} from 'vitest'
import {alertOfRow, beginRowOf} from '../../src/inbox/rule-rows.ts'

const row = beginRowOf('alert-1', {team: 'T1', lane: 'C1 1.0'})

test('work that a rule begins has one row, in the lane of its Slack thread', () => {
  expect(row).toMatchObject({team: 'T1', lane: 'C1 1.0'})
  expect(beginRowOf('alert-1', {team: 'T1', lane: 'elsewhere'}).key).toBe(row.key)
  const keys = [row, beginRowOf('alert-2', row), beginRowOf('alert-1', {...row, team: 'T2'})]
  expect(new Set(keys.map(({key}) => key)).size).toBe(3)
})

test('it is told from what people did', () => {
  expect(alertOfRow(row)).toBe('alert-1')
  expect(alertOfRow({...row, key: '["T1","C1","1.0"]'})).toBeUndefined()
  expect(alertOfRow({...row, body: '{"type":"message","team":"T1","alert":"a"}'})).toBeUndefined()
  expect(alertOfRow({...row, body: ''})).toBeUndefined()
})
