import {expect, test} from 'vitest'
import {createSettings} from '../../../src/agents/channel-settings.ts'
import {Secret} from '../../../src/security/secret.ts'
import {REMOVED} from '../../../src/security/leaks.ts'
import {createModelLookup, toOptions} from '../../../src/slack/gate/model-lookup.ts'
import {ACTIONS} from '../../../src/slack/ids.ts'
import {keyNamed} from '../../tools/sealed-database.ts'
import {temporaryStore} from '../../store/temporary-store.ts'

const alias = (name: string, modelId: string) => ({
  ...{id: name, team: 'T1', connectionId: undefined, changedBy: 'U1', changedAtMs: 1},
  ...{name, modelId, effort: 'high', modes: ['fast']},
})
const ALIASES = [alias('best', 'gpt-5')]
const KNOWN = [{modelId: 'swift', name: 'Swift', billingLabel: 'Included'}, {modelId: 'gpt-5'}]
const offered = (typed: string) =>
  toOptions(typed, ALIASES, KNOWN).map(({text, value}) => [text.text, value])
const BEST = ['best · gpt-5, high, fast', 'best']
const SWIFT = ['swift · Swift · Included', 'swift']
const GPT = ['gpt-5', 'gpt-5']

test.each([
  ['', [BEST, SWIFT, GPT]],
  ['SWIFT', [SWIFT, ['Use “SWIFT”', 'SWIFT']]],
  ['  BES ', [BEST, ['Use “BES”', 'BES']]],
  ['gpt', [BEST, GPT, ['Use “gpt”', 'gpt']]],
  // What is there already need not be offered as it was typed.
  ['Best', [BEST]],
  ['swift', [SWIFT]],
  ['gpt-9', [GPT, ['Use “gpt-9”', 'gpt-9']]],
])('of "%s" are offered %j', (typed, options) => {
  expect(offered(typed).toSorted()).toEqual(options.toSorted())
  if (options.length > 1) expect(offered(typed).at(-1)).toEqual(options.at(-1))
})

test('what Slack would not take is not offered', () => {
  expect(offered('x'.repeat(151)).map(([, value]) => value)).not.toContain('x'.repeat(151))
  expect(offered(REMOVED).some(([text]) => text?.includes(REMOVED))).toBe(false)
  const many = Array.from({length: 200}, (_, index) => ({modelId: `m${index}`}))
  const options = toOptions('m', [], [...many, {modelId: 'm'.repeat(200)}])
  expect(options).toHaveLength(100)
  expect(options.at(-1)?.value).toBe('m')
  for (const {text} of options) expect(text.text.length).toBeLessThanOrEqual(75)
})

test('a form tells the models of its own key, to who opened it, in its workspace', async () => {
  const store = await temporaryStore(undefined, [keyNamed('k1')])
  const key = new Secret('a-key-of-the-platform')
  const {id: connectionId} = await store.connections.add(
    {team: 'T1', label: 'one', key, madeBy: 'U1'},
    1,
  )
  const settingsOf = createSettings(store.bindings, {projectId: 'p'})
  const lookup = createModelLookup({...store, settingsOf})
  await store.models.meet({team: 'T1', connectionId}, [{modelId: 'of-one'}], 1)
  await store.models.meet({team: 'T1', connectionId: undefined}, [{modelId: 'of-env'}], 1)
  const by = {user: 'U1', nowMs: 1}
  await store.bindings.change({team: 'T1', channel: 'C1'}, {connectionId}, by)
  const request = {requestId: 'r1', channel: 'C1', task: '', options: {}, files: [], forwarded: []}
  const start = await store.starts.open({requestId: 'r1', team: 'T1', user: 'U1', request}, 1)
  const ask = async (
    metadata: object,
    who: {team?: string; user?: string; actionId?: string; typed?: string} = {},
  ) => {
    const view = {id: 'V1', hash: '', callbackId: 'f', metadata: JSON.stringify(metadata)}
    const asked = {
      team: 'T1',
      user: 'U1',
      userTeam: undefined,
      actionId: 'model',
      typed: '',
      ...who,
    }
    return (await lookup({...asked, view})).map(({value}) => value)
  }
  expect(await ask({connectionId})).toEqual(['of-one'])
  expect(await ask({connectionId: null})).toEqual(['of-env'])
  expect(await ask({start: start.id, channel: 'C2'})).toEqual(['of-one'])
  expect(await ask({channel: 'C2'})).toEqual(['of-env'])
  expect(await ask({connectionId}, {team: 'T2'})).toEqual([])
  expect(await ask({start: start.id}, {user: 'U2'})).toEqual([])
  expect(await ask({start: start.id}, {team: 'T2'})).toEqual([])
  expect(await ask({start: 'none'})).toEqual([])
  expect(await ask({connectionId: 'none'})).toEqual([])
  expect(await ask({connectionId: 7})).toEqual([])
  // App Home is of the whole workspace, and what is chosen there can be taken back there.
  const actionId = ACTIONS.homeModel
  expect(await ask({}, {actionId})).toEqual(['default', 'of-env'])
  expect(await ask({}, {actionId, typed: 'of-e'})).toEqual(['of-env', 'of-e'])
  const by100 = Array.from({length: 100}, (_, index) => ({modelId: `m${index}`}))
  await store.models.meet({team: 'T1', connectionId: undefined}, by100, 2)
  expect(await ask({}, {actionId})).toHaveLength(100)
  await store.bindings.change({team: 'T1', channel: ''}, {connectionId}, by)
  expect(await ask({}, {actionId})).toEqual(['default', 'of-one'])
  expect(await ask({}, {actionId: ACTIONS.homeSize})).toEqual([])
})
