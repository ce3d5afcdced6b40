import {expect, test} from 'vitest'
import {acceptBlocks} from '../../../local/slack/blocks/blocks.ts'
import {drawRuleForm} from '../../../src/features/rules/views/form.ts'
import {field, option} from '../../../src/slack/draw/form.ts'

test('what stands in a field is cut between characters', () => {
  const shown = JSON.stringify(field('name', 'Name', {value: 'abc😀', max: 4}))
  expect(shown).toContain('"initial_value":"abc"')
})

test.each([
  ['  ', '–'],
  ['\u200B\u2060', '–'],
  ['<!channel>\nweb', '<!channel> web'],
  ['👩\u200D🚀', '👩\u200D🚀'],
])('an entry that is called %j reads as %j', (name, text) => {
  expect(option(name, 'id').text.text).toBe(text)
})

test('a menu of as many apps as Slack takes gives way to a field: another one would be too many', () => {
  const apps = (count: number) =>
    Array.from({length: count}, (_, at) => ({id: `A${at}`, name: `App ${at}`}))
  for (const count of [99, 100]) {
    const {blocks} = drawRuleForm({metadata: {}, rule: undefined, apps: apps(count)})
    acceptBlocks(JSON.parse(JSON.stringify(blocks)))
  }
})
