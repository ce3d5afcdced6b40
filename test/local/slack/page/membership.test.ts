import {expect, test} from 'vitest'
import {absenceOf, isForApp} from '../../../../local/slack/page/live/membership.ts'
import {workspace as bare} from './workspace.ts'

const bosun = {id: 'A0BOSUN', name: 'Bosun', userId: 'U0BOSUN', botId: 'B0BOSUN'}
const workspace = {
  ...bare,
  apps: [{...bosun, hasHome: false, isAgent: false, commands: [], shortcuts: [], steps: []}],
}
const [web, random] = workspace.channels

test('a mention alone is no task: the app answers it where it stands', () => {
  const isTask = (text: string) => isForApp(workspace, {channel: 'C0WEB', text})
  expect(isTask('<@U0BOSUN> fix the cart')).toBe(true)
  expect(isTask('fix the cart, <@U0BOSUN>')).toBe(true)
  expect(isTask('<@U0BOSUN>')).toBe(false)
  expect(isTask(' <@U0BOSUN> <@U0BOSUN> ')).toBe(false)
  expect(isTask('fix the cart')).toBe(false)
  expect(isForApp(workspace, {channel: 'D0JANE', text: 'fix the cart'})).toBe(true)
  expect(isForApp(workspace, {channel: 'C0RANDOM', text: '<@U0BOSUN> fix it'})).toBe(false)
})

test('who mentions an app that is not there hears so, and what to do', () => {
  if (!web || !random) throw new Error('The workspace has these channels.')
  expect(absenceOf(workspace, random, '<@U0BOSUN> fix it')).toMatch(/not in #random.*Add Bosun/)
  expect(absenceOf(workspace, random, 'hello')).toBeUndefined()
  expect(absenceOf(workspace, web, '<@U0BOSUN> fix it')).toBeUndefined()
})
