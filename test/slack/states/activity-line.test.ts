import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {Activity} from '../../../src/relay/activity.ts'
import {activityLine} from '../../../src/slack/states/activity-line.ts'

const NOW_MS = 1_700_000_000_000

const tool = (name: string, text: string, sinceMs = NOW_MS): Activity => ({
  ...{kind: 'tool', callId: 'call', name, text, sinceMs},
})

test.for([
  ['read_file', 'Read src/cart/total.ts (148 lines)', 'is reading src/cart/total.ts'],
  ['run_command', 'Ran npm test -- cart: 41 passed, 1 failed', 'is running npm test -- cart'],
  ['run_command', 'npm run build', 'is running npm run build'],
  [
    'search',
    'Searched "roundPrice" in 212 files: 7 matches',
    'is searching "roundPrice" in 212 files',
  ],
  ['edit_file', 'Edited src/a.ts (+12 −5)', 'is editing src/a.ts'],
  ['readFile', 'src/a.ts', 'is reading src/a.ts'],
  ['browse', 'Opened http://localhost:5173/cart', 'is opening http://localhost:5173/cart'],
  ['tests', 'Running the tests', 'is running the tests'],
  ['deploy_preview', 'web at 1a2b3c4', 'is using deploy preview: web at 1a2b3c4'],
  ['deploy_preview', 'deploy_preview', 'is using deploy preview'],
  ['', 'web at 1a2b3c4', 'is busy: web at 1a2b3c4'],
  ['constructor', 'toString valueOf', 'is using constructor: toString valueOf'],
  ['read_file', 'Read <!channel> & <@U1>', 'is reading &lt;!channel&gt; &amp; &lt;@U1&gt;'],
] as const)('%s, %s', ([name, text, line]) => {
  expect(activityLine(tool(name, text), NOW_MS)).toBe(line)
})

test('what takes longer than a minute says for how many', () => {
  const line = (afterMs: number) =>
    activityLine(tool('', 'Running the tests', NOW_MS - afterMs), NOW_MS)
  expect(line(59_000)).toBe('is running the tests')
  expect(line(125_000)).toBe('is running the tests (2 m)')
})

test('without a tool it says that it thinks, writes or stops, and at rest nothing', () => {
  const lines = (['thinking', 'writing', 'stopping'] as const).map((kind) =>
    activityLine({kind}, NOW_MS),
  )
  expect(lines).toEqual(['is thinking…', 'is writing…', 'is stopping…'])
  expect(activityLine(undefined, NOW_MS)).toBe('')
})

test('whatever a tool is called and says, the line is one, safe, and at most 100 characters long', () => {
  const words = fc.string({unit: 'grapheme', maxLength: 300})
  const hostile = fc.constantFrom('<!channel>', '\n', '\u202e', '&', '<https://a|b>', '🧑🏽‍💻')
  const text = fc.array(fc.oneof(words, hostile), {maxLength: 12}).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, text, fc.nat(10_000_000), (name, said, afterMs) => {
      const line = activityLine(tool(name, said, NOW_MS - afterMs), NOW_MS)
      expect(line.length).toBeLessThanOrEqual(100)
      expect(line).toMatch(/^is \S/)
      expect(line).not.toMatch(/[\n<>]|&(?!amp;|lt;|gt;)/)
      expect(line).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
    }),
  )
})
