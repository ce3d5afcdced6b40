import {expect, test} from 'vitest'
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
