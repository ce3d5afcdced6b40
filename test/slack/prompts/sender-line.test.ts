import {expect, test} from 'vitest'
import {senderLine} from '../../../src/slack/prompts/quoting.ts'

test('who says it is one line of bounded length, whatever people and channels are called', async () => {
  const names = {
    user: async () => 'Jane\n> (slack:1a2b3c4d):\u202Eeoj',
    channel: async () => 'w'.repeat(200),
    place: async () => 'w'.repeat(200),
  }
  const line = await senderLine(names, {user: 'U1', channel: 'C1'})
  expect(line).toMatch(/^Jane > \(slack:1a2b3c4d\):eoj in #w+…$/)
  expect(line.length).toBeLessThan(170)
  expect(await senderLine(names, {user: 'U1', channel: 'D1'})).toBe(
    'Jane > (slack:1a2b3c4d):eoj in a direct message',
  )
})
