import {expect, onTestFinished, test} from 'vitest'
import {createSettings} from '../../../src/agents/channel-settings.ts'
import {createDisconnectActs} from '../../../src/features/connect/disconnect.ts'
import {connect as feature} from '../../../src/features/connect/index.ts'
import {connectTexts} from '../../../src/features/connect/texts.ts'
import {createKeys} from '../../../src/agents/refused-keys.ts'
import {Secret} from '../../../src/security/secret.ts'
import {ACTIONS} from '../../../src/slack/ids.ts'
import type {Command} from '../../../src/slack/incoming/command.ts'
import type {Store} from '../../../src/store/store.ts'
import {newLink, temporaryStore} from '../../store/temporary-store.ts'
import {SEALING_KEYS} from '../../support/beside.ts'
import {createPresses} from '../../support/presses.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'

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
  const {acts, presses, said} = actsOf(store)
  const press = async (value: string) => {
    await presses.press(acts, {actionId: ACTIONS.disconnect, value})
    return said()
  }
  return {store, press}
}

function actsOf(store: Store) {
  const presses = createPresses(feature.permits)
  const standard = {projectId: 'own'}
  const keys = createKeys({
    ...{...store, log: SILENT_LOG, onNews: () => undefined},
    show: async () => Promise.resolve(),
  })
  onTestFinished(() => keys[Symbol.asyncDispose]())
  const acts = createDisconnectActs({
    ...{act: presses.act, deps: store, settingsOf: createSettings(store.bindings, standard), keys},
    checks: {member: {name: 'member', look: async () => Promise.resolve(undefined)}},
  } as never)
  return {acts, presses, said: () => presses.said.at(-1)}
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
  const stays = `${words.doneAll} ${connectTexts.ownStays()}`
  expect(await press(`workspace..${changedAtMs.toString(36)}`)).toBe(stays)
  expect(await press('channel.')).toBe(`${words.doneHere()} ${words.nowFrom('own')}`)
})

test('in a room the channel that it was opened from is meant, by name, with what becomes of its key', async () => {
  const store = await temporaryStore(undefined, SEALING_KEYS)
  const {id: linkId} = await store.links.open(newLink, 0)
  const room = {team: 'T1', threadId: 't'}
  await store.links.change(linkId, {state: 'open', threadId: 't'})
  await store.rooms.begin({...room, linkId, origin: 'C1'}, 1)
  await store.rooms.made(room, 'C9')
  const key = {label: 'web', key: new Secret('sk_a_key_of_the_platform'), madeBy: 'U1'}
  const {id: connectionId} = await store.connections.add({team: 'T1', ...key}, 1)
  const origin = {team: 'T1', channel: 'C1'}
  await store.bindings.replace(origin, {connectionId, projectId: 'p'}, {...BY, nowMs: 1})
  await store.links.setHome(origin, linkId)
  const {said, acts, presses} = actsOf(store)

  const command = {kind: 'command', command: '/bosun', word: 'disconnect', rest: ''}
  const by = {team: 'T1', user: 'U1', userTeam: 'T1', channel: 'C9', typed: 'disconnect'}
  await presses.run(acts, {...command, ...by, triggerId: 't', responseUrl: ''} as Command)
  const bound = await store.bindings.read('T1', 'C1')
  expect(said()).toContain('Disconnect <#C1> from *p* (*web')
  expect(said()).toContain('is used nowhere else, so it is deleted too')
  const value = `channel.${connectionId}.${bound?.changedAtMs.toString(36)}`
  await presses.press(acts, {actionId: ACTIONS.disconnect, value, channel: 'C9'})
  expect(said()).toMatch(/^✅ <#C1> is disconnected\. The key \*web.* was deleted\./)
  expect(await store.bindings.of('T1', 'C1')).toBeUndefined()
  expect(await store.links.homeOf(origin)).toBeUndefined()
})
