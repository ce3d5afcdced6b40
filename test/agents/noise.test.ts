import {expect, test} from 'vitest'
import {createNoiseOf, createSettings} from '../../src/agents/channel-settings.ts'
import {temporaryStore} from '../store/temporary-store.ts'

test('work calls as its starter has chosen, else as its channel has', async () => {
  const {bindings, choices} = await temporaryStore()
  const noiseOf = createNoiseOf(choices, createSettings(bindings, undefined))
  const place = {team: 'T1', channel: 'C1', slackThread: '1.1'}
  const heard = async () => [
    await noiseOf({place, startedBy: 'U1'}),
    await noiseOf({place, startedBy: 'U2'}),
  ]
  expect(await heard()).toEqual(['normal', 'normal'])
  await choices.change({team: 'T1', user: 'U1'}, {noise: 'verbose'})
  expect(await heard()).toEqual(['verbose', 'normal'])
  await bindings.change({team: 'T1', channel: 'C1'}, {noise: 'quiet'}, {user: 'U3', nowMs: 0})
  expect(await heard()).toEqual(['verbose', 'quiet'])
})
