import {expect, test} from 'vitest'
import {createSettings} from '../../../src/agents/channel-settings.ts'
import {createConnectActs} from '../../../src/features/connect/connect.ts'
import {connect as feature} from '../../../src/features/connect/index.ts'
import {ACTIONS, HOME} from '../../../src/slack/ids.ts'
import type {Press} from '../../../src/slack/incoming/press.ts'
import {temporaryStore} from '../../store/temporary-store.ts'
import {createPresses} from '../../support/presses.ts'

const home = {id: 'V1', callbackId: HOME, metadata: '', hash: ''}

test.for<[string, Partial<Press>, object]>([
  [
    'of the channel that it names',
    {channel: 'D1', value: 'C2'},
    {channel: 'C2', isElsewhere: true},
  ],
  ['of the channel that it stands in', {channel: 'C1', value: ''}, {channel: 'C1'}],
  ['of one’s own direct messages', {channel: 'D1', value: 'D1'}, {channel: 'D1'}],
  ['of the workspace, for all direct messages', {channel: 'D1', value: 'everywhere'}, {}],
  ['of the workspace, for those of somebody else', {channel: 'D1', value: 'D2'}, {}],
  ['of the workspace, in App Home', {channel: undefined, value: '', view: home}, {}],
])('[Connect] opens the form %s', async ([, press, place]) => {
  const store = await temporaryStore()
  const opened: string[] = []
  const presses = createPresses(feature.permits)
  const acts = createConnectActs({
    ...{
      act: presses.act,
      deps: store,
      settingsOf: createSettings(store.bindings, {projectId: undefined}),
    },
    checks: {member: {name: 'member', look: async () => Promise.resolve(undefined)}},
    forms: {
      open: async (_trigger: string, view: {private_metadata: string}) => {
        opened.push(view.private_metadata)
        return Promise.resolve('V2')
      },
    },
  } as never)
  await presses.press(acts, {actionId: ACTIONS.connect, ...press})
  expect(opened.map((one) => JSON.parse(one) as unknown)).toEqual([place])
})
