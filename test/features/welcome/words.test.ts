import {expect, test} from 'vitest'
import {createWelcomeWords} from '../../../src/features/welcome/words.ts'
import type {Denial} from '../../../src/security/permits.ts'

type Options = Parameters<typeof createWelcomeWords>[0]

function atHome(denialOf: () => Promise<Denial | undefined>): Promise<string> {
  const settings = {isConnected: true, values: {projectId: 'p', projectName: 'Ledger'}}
  return createWelcomeWords({
    team: 'T1',
    access: {denialOf},
    settingsOf: async () => settings,
    choices: {of: async () => ({})},
  } as unknown as Options).atHome('U1')
}

test('who may begin work hears what it works on', async () => {
  expect(await atHome(async () => undefined)).toContain('*Ledger*')
})

test.each([
  ['a guest', 'guest' as const, 'Guests can’t give me tasks here'],
  ['who is not on the list', 'not-listed' as const, 'You can’t give me tasks here'],
  ['another company', 'external' as const, 'You can’t give me tasks here'],
])('%s hears that it is for others, and no name', async (_who, denial, says) => {
  const said = await atHome(async () => denial)
  expect(said).toContain(says)
  expect(said).not.toContain('Ledger')
})

test('nobody hears a name while Slack does not say who they are', async () => {
  expect(await atHome(() => Promise.reject(new Error('users.info')))).not.toContain('Ledger')
})
