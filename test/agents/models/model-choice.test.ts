import fc from 'fast-check'
import {expect, test} from 'vitest'
import {settle, standardWishes} from '../../../src/agents/channel-settings.ts'
import {
  readEffort,
  readModel,
  readModes,
  settleModel,
  settleWishes,
  toSelection,
} from '../../../src/agents/models/model-choice.ts'

const alias = (name: string, modelId: string, effort?: string, modes: string[] = []) => ({
  ...{id: name, team: 'T1', connectionId: undefined, changedBy: 'U1', changedAtMs: 1},
  ...{name, modelId, effort, modes},
})
const ALIASES = [
  alias('Best', 'gpt-5', 'high', ['pro']),
  alias('fast', 'swift'),
  alias('odd', 'Best'),
]

test('a word is an alias in any case, else the id of a model', () => {
  const best = {modelId: 'gpt-5', effort: 'high', modes: ['pro'], alias: 'Best'}
  expect(readModel('BEST', ALIASES)).toEqual(best)
  expect(readModel('gpt-5', ALIASES)).toEqual({modelId: 'gpt-5'})
  // An alias names a model, whatever else has that name.
  expect(readModel('odd', ALIASES)).toEqual({modelId: 'Best', alias: 'odd'})
})

test.each([
  ['nothing is said', [{}, {}], undefined],
  ['an effort without a model is nothing', [{effort: 'low', modes: ['fast']}], undefined],
  ['the nearest model wins', [{}, {model: 'a'}, {model: 'b'}], {modelId: 'a'}],
  ['an empty one is none', [{model: ''}, {model: 'b', effort: ''}], {modelId: 'b'}],
  [
    'an effort may come from further away',
    [{model: 'a'}, {effort: 'low'}, {modes: ['fast']}],
    {modelId: 'a', effort: 'low', modes: ['fast']},
  ],
  [
    'what is said beside an alias goes before it',
    [{model: 'best', effort: 'low', modes: []}],
    {modelId: 'gpt-5', alias: 'Best', effort: 'low'},
  ],
  [
    'an alias goes before what is further away, and behind what is nearer',
    [{modes: ['fast']}, {model: 'best'}, {effort: 'max'}],
    {modelId: 'gpt-5', alias: 'Best', effort: 'high', modes: ['fast']},
  ],
  ['default names none, whatever else is chosen', [{model: 'Default'}, {model: 'b'}], undefined],
  ['an alias that does not hold says nothing', [{model: 'a'}, {model: 'best'}], {modelId: 'a'}],
])('%s', (_name, wishes, choice) => {
  expect(settleModel(wishes, ALIASES)).toEqual(choice)
})

test('the channel goes before the person, and the person before the workspace', () => {
  const standard = {projectId: 'p'}
  const workspace = {modelId: 'of-workspace', effort: 'low', machineSize: 'small'}
  const own = {model: 'own', modes: ['pro'], size: 'large'}
  const held = (channel: object) => standardWishes(settle({channel, workspace, standard}), own)
  const inOrder = held({modelId: 'of-channel', modes: ['fast']})
  expect(settleModel(inOrder, [])).toEqual({modelId: 'of-channel', effort: 'low', modes: ['fast']})
  expect(inOrder.find(({size}) => size)?.size).toBe('large')
  expect(settleModel(held({}), [])).toEqual({modelId: 'own', effort: 'low', modes: ['pro']})
  // The channel has chosen none.
  expect(settleModel(held({modelId: ''}), [])?.modelId).toBe('own')
  expect(settleModel(standardWishes(settle({channel: {}, workspace, standard}), {}), [])).toEqual({
    modelId: 'of-workspace',
    effort: 'low',
  })
})

test('efforts and modes are words of few, in any case', () => {
  expect(readEffort('HIGH')).toBe('high')
  expect(readEffort('hgih')).toEqual({name: 'effort', wrong: 'hgih', near: 'high'})
  expect(readEffort('colourless')).toMatchObject({near: undefined})
  expect(readModes('Ultrafast,FAST')).toEqual(['fast', 'ultrafast'])
  expect(readModes('none')).toEqual([])
  expect(readModes('fast,fats')).toEqual({name: 'modes', wrong: 'fats', near: 'fast'})
})

test('whatever was kept, the platform is told words of its own alone', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string()), (effort, modes) => {
      const selection = toSelection({modelId: 'm', effort, modes: [...modes, 'pro']})
      expect(selection).toMatchObject({modelId: 'm', modes: {pro: true}})
      expect(Object.keys(selection.modes ?? {})).toEqual(
        ['fast', 'pro', 'ultrafast'].filter((mode) => mode === 'pro' || modes.includes(mode)),
      )
    }),
  )
  expect(toSelection({modelId: 'm', effort: 'high', alias: 'best'})).toEqual({
    ...{modelId: 'm', reasoningMode: 'high'},
  })
})

test('each part of a choice says which wish it comes from', () => {
  expect(settleWishes([{}, {effort: 'low'}], [])).toEqual({
    ...{choice: undefined, effort: 'low', modes: undefined},
    at: {model: -1, effort: 1, modes: -1},
  })
  expect(settleWishes([{model: 'a'}, {modes: []}], []).at).toEqual({model: 0, effort: -1, modes: 1})
  expect(settleWishes([{}, {model: 'best'}], ALIASES).at).toEqual({model: 1, effort: 1, modes: 1})
})
