import {expect, test} from 'vitest'
import {checkRule} from '../../../src/features/rules/entry.ts'
import {ruleTexts} from '../../../src/features/rules/texts.ts'
import type {Form} from '../../../src/slack/incoming/form.ts'

const entered = {
  ...{name: 'Errors', app: 'A0SENTRY Sentry', pattern: 'error', does: 'start', task: 'look at it'},
  ...{windowMinutes: '60', perHour: '5', perDay: '20'},
}
const wrongIn = (change: Partial<typeof entered>) =>
  checkRule({values: new Map(Object.entries({...entered, ...change}))} as unknown as Form)

test('a rule has a name and a task, and blanks are neither', () => {
  expect(wrongIn({})).toBeUndefined()
  expect(wrongIn({name: '  '})).toEqual({name: ruleTexts.form.nameMissing})
  expect(wrongIn({task: ' \n'})).toEqual({task: ruleTexts.form.taskMissing})
})
