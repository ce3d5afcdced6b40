import {expect, test} from 'vitest'
import {createHelp} from '../../../src/slack/gate/help.ts'

test.each<['everyone' | 'mention', string]>([
  ['everyone', '*In its Slack thread* every reply goes to the agent'],
  ['mention', '*In its Slack thread* every reply that mentions me goes to the agent'],
])('help says what goes to the agent where that is %s', async (followUps, says) => {
  const help = createHelp({
    people: {seemsAdmin: async () => false},
    settingsOf: async () => ({isConnected: true, values: {followUps}}),
    ...{unconnected: {}, startEmoji: undefined, lines: {}, linesForAdmins: {}},
  } as never)
  const {text} = await help.all('/bosun', {team: 'T1', channel: 'C1', user: 'U1'})
  expect(text).toContain(says)
})
