import {expect, test} from 'vitest'
import {acceptBlocks} from '../../../../local/slack/blocks/blocks.ts'
import {drawTried} from '../../../../src/features/rules/views/tried.ts'
import {messageOf, ruleOf} from '../stage.ts'

test('what a rule would have made of many long messages is read to its end', () => {
  const words =
    'The checkout of the shop has failed & nobody knows why, as it did before & after that'
  const tried = Array.from({length: 30}, (_, at) => ({
    message: messageOf(`17000000${at + 10}.000100`, {text: `${at} ${words}`}),
    decision: 'duplicate' as const,
  }))
  const {text, blocks} = drawTried(ruleOf('errors'), tried, 40)
  acceptBlocks(JSON.parse(JSON.stringify(blocks)))
  const shown = JSON.stringify(blocks)
  for (const {message} of tried.slice(10)) expect(shown).toContain(`· ${message.text.slice(0, 30)}`)
  expect(shown).toContain('and 10 more that it fits')
  expect(text).toContain('10 other messages')
})
