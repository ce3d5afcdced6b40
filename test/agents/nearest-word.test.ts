import {expect, test} from 'vitest'
import {isSlip, nearest, nearestOne} from '../../src/agents/nearest-word.ts'

test.each([
  ['status', 'statsu', true],
  ['status', 'Stauts', true],
  ['automations', 'automtion', true],
  ['find', 'fnd', true],
  ['find', 'fix', false],
  ['mine', 'mend', false],
  ['tasks', 'test', false],
  ['audit', 'add', false],
  ['add', 'ad', true],
  ['add', 'a', false],
  ['ab', 'ba', true],
  ['users', 'xusersx', false],
  ['workflows', 'xworkflowsx', true],
  ['workflow', 'wrkflw', true],
  ['workflow', 'wrkfl', false],
])('%s may be meant by %s: %s', (name, word, isMeant) => {
  expect(isSlip(name, word)).toBe(isMeant)
})

test('what is offered alone may be further away than a slip', () => {
  expect(nearestOne(['find', 'status'], 'fix')).toBe('find')
})

test('three are offered, each once, in the order of the letters where they are as near', () => {
  expect(nearest(['bb', 'ba', 'ca', 'bc', 'ba'], 'b')).toEqual(['ba', 'bb', 'bc'])
  expect(nearest(['web', 'webs', 'elsewhere'], 'web', 9)).toEqual(['web', 'webs'])
  expect(nearest(['far', 'farther', 'f'], 'zzzzzzzzz', 1)).toEqual(['f'])
})
