import {describe, expect, test} from 'vitest'
import {areWorkflowsLetIn, settle, standardProject} from '../../src/agents/channel-settings.ts'
import type {Settings} from '../../src/store/tables/channels/bindings.ts'

const standard = {projectId: 'of-environment'}
const OTHER: Settings = {
  ...{modelId: 'm', effort: 'high', modes: ['pro'], machineSize: 'large', followUps: 'mention'},
  ...{noise: 'quiet', allowed: {who: 'list', users: ['U1']}, guests: true, externals: true},
  ...{instructions: 'Be kind.', startsPerPerson: 2, startsPerChannel: 3, planFirst: true},
  ...{longReplies: 'canvas', fixPullRequests: true, workflows: true, rooms: 'always'},
  ...{budgetPerWork: 0, budgetPerPersonDay: 1, budgetPerPersonMonth: 2, budgetPerChannelDay: 3},
  budgetPerChannelMonth: 4,
}

describe('what holds in a channel', () => {
  test('is what it has chosen, else the workspace, and each setting says where it comes from', () => {
    for (const at of ['channel', 'workspace'] as const) {
      const held = settle({channel: undefined, workspace: undefined, standard, [at]: OTHER})
      expect(held.values).toMatchObject(OTHER)
      for (const name of Object.keys(OTHER)) expect(held.sources).toHaveProperty(name, at)
    }
    const both = settle({channel: {noise: 'verbose'}, workspace: OTHER, standard})
    expect(both.values).toMatchObject({...OTHER, noise: 'verbose'})
    expect(both.sources).toMatchObject({noise: 'channel', guests: 'workspace'})
  })

  test('is what is usual where nobody has said anything: nobody from outside, nothing by itself', () => {
    const {values, sources, isConnected} = settle({channel: {}, workspace: {}, standard: undefined})
    expect(values).toMatchObject({
      ...{followUps: 'everyone', noise: 'normal', allowed: {who: 'everyone'}, guests: false},
      ...{externals: false, planFirst: false, longReplies: 'file', fixPullRequests: false},
      ...{workflows: false, rooms: 'asked', projectId: undefined, instructions: undefined},
      ...{startsPerPerson: undefined, budgetPerWork: undefined, connectionId: undefined},
    })
    expect(new Set(Object.values(sources))).toEqual(new Set(['default', 'environment']))
    expect(sources).toMatchObject({connectionId: 'environment', projectId: 'default'})
    expect(isConnected).toBe(false)
  })

  test.each<[string, Settings, Settings, object, object]>([
    [
      'the environment gives both where nobody chose a key',
      {},
      {},
      {connectionId: undefined, projectId: 'of-environment'},
      {connectionId: 'environment', projectId: 'environment'},
    ],
    [
      'a project that was chosen for another key does not count',
      {connectionId: 'k1'},
      {connectionId: 'k2', projectId: 'p2', projectName: 'two'},
      {connectionId: 'k1', projectId: undefined, projectName: undefined},
      {connectionId: 'channel', projectId: 'default'},
    ],
    [
      'a nearer project goes with a key from further away',
      {projectId: 'p1'},
      {connectionId: 'k2', projectId: 'p2'},
      {connectionId: 'k2', projectId: 'p1'},
      {connectionId: 'workspace', projectId: 'channel'},
    ],
    [
      'the key of the environment can be chosen, too',
      {connectionId: null},
      {connectionId: 'k2', projectId: 'p2'},
      {connectionId: undefined, projectId: undefined},
      {connectionId: 'channel'},
    ],
  ])('%s', (_name, channel, workspace, values, sources) => {
    const held = settle({channel, workspace, standard})
    expect(held.values).toMatchObject(values)
    expect(held.sources).toMatchObject(sources)
    expect(held.isConnected).toBe(true)
  })

  test('may be none: an empty choice hides what is further away', () => {
    const none = {modelId: '', effort: '', machineSize: '', instructions: '', startsPerPerson: 0}
    expect(settle({channel: none, workspace: OTHER, standard}).values).toMatchObject({
      ...{modelId: undefined, effort: undefined, machineSize: undefined},
      ...{instructions: undefined, startsPerPerson: undefined, startsPerChannel: 3},
    })
  })
})

test.each<[Settings, string | undefined, object | undefined]>([
  [{projectId: 'p1'}, 'own', {projectId: 'p1', by: 'channel'}],
  [{}, 'own', {projectId: 'own', by: 'person'}],
  [{}, undefined, {projectId: 'of-environment', by: 'workspace'}],
])('a channel %o with a person of %s starts work in %o', (channel, own, project) => {
  expect(standardProject(settle({channel, workspace: {}, standard}), own)).toEqual(project)
})

test('without any project there is none', () => {
  const held = settle({channel: {}, workspace: {}, standard: undefined})
  expect(standardProject(held, undefined)).toBeUndefined()
})

test.each<[string, Settings, Settings, boolean, boolean]>([
  ['nobody has said so', {}, {}, false, false],
  ['the channel says so, whoever may use it', {workflows: true}, {}, true, true],
  ['the workspace says so', {}, {workflows: true}, false, true],
  ['the workspace says so, of a private channel', {}, {workflows: true}, true, false],
  [
    'the workspace says so, of a channel for few',
    {allowed: {who: 'list', users: ['U1']}},
    {workflows: true},
    ...([false, false] as const),
  ],
  ['the channel says no', {workflows: false}, {workflows: true}, false, false],
])('workflows start work where %s', (_name, channel, workspace, isPrivate, areLetIn) => {
  const held = settle({channel, workspace, standard})
  expect(areWorkflowsLetIn(held, isPrivate)).toBe(areLetIn)
})
