import {expect, test} from 'vitest'
import {isSlip, nearestOne} from '../../src/agents/nearest-word.ts'

test.each([
  ['status', 'statsu', true],
  ['status', 'Stauts', true],
  ['automations', 'automtion', true],
  ['find', 'fnd', true],
  ['find', 'fix', false],
  ['mine', 'mend', false],
  ['tasks', 'test', false],
  ['audit', 'add', false],
])('%s may be meant by %s: %s', (name, word, isMeant) => {
  expect(isSlip(name, word)).toBe(isMeant)
})

test('what is offered alone may be further away than a slip', () => {
  expect(nearestOne(['find', 'status'], 'fix')).toBe('find')
})
