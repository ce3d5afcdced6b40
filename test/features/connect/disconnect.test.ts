import {expect, test} from 'vitest'
import {createSettings} from '../../../src/agents/channel-settings.ts'
import {createDisconnectActs} from '../../../src/features/connect/disconnect.ts'
import {connect as feature} from '../../../src/features/connect/index.ts'
import {connectTexts} from '../../../src/features/connect/texts.ts'
import {ACTIONS} from '../../../src/slack/ids.ts'
import {temporaryStore} from '../../store/temporary-store.ts'
import {createPresses} from '../../support/presses.ts'

const words = connectTexts.disconnect
const BY = {user: 'U1', sinceMs: undefined}

/** A channel and the workspace, each with a project of its own; the environment gives a key. */
async function setUp() {
  const store = await temporaryStore()
  for (const [channel, projectName] of [
    ['C1', 'web'],
    ['', 'api'],
  ] as const) {
    const settings = {connectionId: null, projectId: projectName, projectName}
    await store.bindings.replace({team: 'T1', channel}, settings, {...BY, nowMs: 1})
  }
  const presses = createPresses(feature.permits)
  const standard = {projectId: 'own'}
  const acts = createDisconnectActs({
    ...{act: presses.act, deps: store, settingsOf: createSettings(store.bindings, standard)},
    checks: {member: {name: 'member', look: async () => Promise.resolve(undefined)}},
    keys: {drop: async () => Promise.reject(new Error('There is none'))},
  } as never)
  const press = async (value: string) => {
    await presses.press(acts, {actionId: ACTIONS.disconnect, value})
    return presses.said.at(-1)
  }
  return {store, press}
}

test('what was changed since it was asked about is not taken away', async () => {
  const {store, press} = await setUp()
  const {changedAtMs: sinceMs = 0} = (await store.bindings.read('T1', 'C1')) ?? {}
  const settings = {connectionId: null, projectId: 'app', projectName: 'app'}
  const place = {team: 'T1', channel: 'C1'}
  await store.bindings.replace(place, settings, {...BY, user: 'U2', sinceMs, nowMs: 2})
  expect(await press(`channel..${sinceMs.toString(36)}`)).toBe(words.changed)
  expect(await store.bindings.of('T1', 'C1')).toEqual(settings)
})

test('whoever takes the workspace’s settings away hears that those of the channel stay', async () => {
  const {store, press} = await setUp()
  const {changedAtMs = 0} = (await store.bindings.read('T1', '')) ?? {}
  const stays = `${words.doneAll} ${connectTexts.ownStays}`
  expect(await press(`workspace..${changedAtMs.toString(36)}`)).toBe(stays)
  expect(await press('channel.')).toBe(`${words.doneHere} ${words.nowFrom('own')}`)
})
