import {expect, test} from 'vitest'
import {createDoctorActs} from '../../../src/features/browse/doctor.ts'
import {browse} from '../../../src/features/browse/index.ts'
import type {Command} from '../../../src/slack/incoming/command.ts'
import {createPresses} from '../../support/presses.ts'

test('a channel in a finding leads there, and nothing else that stands in one', async () => {
  const presses = createPresses(browse.permits)
  const says =
    'Slack takes none in <#C0WEB> (is_archived), <!channel> <#D0JANE> <https://evil.example|ours>'
  const acts = createDoctorActs({
    act: presses.act,
    checks: {member: {name: 'member', look: async () => 'a member'}},
    examine: async () => [{name: 'Digests', state: 'wrong', says, fix: 'Invite me'}],
  } as never)
  const command = {
    kind: 'command',
    command: '/bosun',
    word: 'doctor',
    rest: '',
    team: 'T1',
    user: 'U1',
  }
  await presses.run(acts, {...command, channel: 'C1', responseUrl: ''} as unknown as Command)
  expect(presses.said[0]).toContain('<#C0WEB> (is_archived)')
  expect(presses.said[0]?.match(/<[^>]*>/g)).toEqual(['<#C0WEB>'])
})
