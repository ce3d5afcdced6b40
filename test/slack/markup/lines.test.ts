import {expect, test} from 'vitest'
import {whoChanged} from '../../../src/slack/markup/lines.ts'
import {NOBODY} from '../../../src/store/forget/blanking.ts'
import {OPERATOR} from '../../../src/store/tables/audit.ts'

test('nobody is mentioned who is no Slack user', () => {
  const told = ['U012', 'W345', OPERATOR, NOBODY, undefined].map(whoChanged)
  expect(told).toEqual(['<@U012>', '<@W345>', undefined, undefined, undefined])
})
