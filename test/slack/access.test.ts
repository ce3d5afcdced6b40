import {expect, test} from 'vitest'
import {settle} from '../../src/agents/channel-settings.ts'
import type {Role} from '../../src/security/permits.ts'
import {createAccess} from '../../src/slack/access.ts'

function accessOf({role = 'member', isMember = false, hasLeft = false}: Partial<Scene>) {
  return createAccess({
    team: 'T1',
    people: {roleOf: async () => role},
    groups: {members: async () => []},
    membership: {isMember: async () => isMember, hasLeft: async () => hasLeft},
    settingsOf: async () =>
      settle({channel: {}, workspace: undefined, standard: {projectId: undefined}}),
  } as unknown as Parameters<typeof createAccess>[0])
}

interface Scene {
  role: Role
  isMember: boolean
  hasLeft: boolean
}

const who = {team: 'T1', user: 'U1', userTeam: undefined}

test.for([
  [true, {hasLeft: true}, undefined],
  ['before', {hasLeft: true}, 'outside'],
  // Slack may not show us the channel at all.
  ['before', {isMember: false}, undefined],
  [false, {isMember: false}, 'outside'],
  [false, {isMember: true}, undefined],
] as const)('what came from the channel (%s) is judged where %j: %s', async (scene) => {
  const [isFromThere, members, denial] = scene
  const wanted = {permit: 'use', channel: 'C1', isFromThere} as const
  expect(await accessOf(members).denialOf(who, wanted)).toBe(denial)
})

test.for([
  ['admin', true, true, false],
  ['member', true, true, false],
  ['colleague', false, true, false],
  ['guest', false, true, true],
  ['external', false, false, true],
] as const)(
  '%s: looks into every public channel: %s, is of the company: %s, a visitor: %s',
  async ([role, isFull, isOfCompany, isVisitor]) => {
    const access = accessOf({role})
    const told = [await access.isFullMember('U1'), await access.isOfCompany('U1')]
    expect([...told, await access.isVisitor('U1')]).toEqual([isFull, isOfCompany, isVisitor])
  },
)
