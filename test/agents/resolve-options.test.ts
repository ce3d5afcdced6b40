import {expect, test} from 'vitest'
import {resolve} from '../../src/agents/resolve-options.ts'
import type {StartOptions} from '../../src/agents/start-options.ts'

const project = (id: string, name: string, code: string, ...repos: string[]) => ({
  ...{id, name, code, description: '', createdAt: undefined, updatedAt: undefined},
  repos: repos.map((repoFullName) => ({repoFullName, baseBranch: 'main'})),
})
const PROJECTS = [
  project('project_web', 'web', 'WEB', 'acme/web', 'acme/shared'),
  project('project_api', 'api', 'API', 'acme/api', 'acme/shared'),
  project('p1', 'Tools', 'TL1', 'acme/tools'),
  project('p2', 'Tools', 'TL2', 'other/tools'),
]
const read = (options: StartOptions) => resolve(options, PROJECTS, 'project_web')

test.each<[StartOptions, string]>([
  [{}, 'project_web'],
  [{project: 'API'}, 'project_api'],
  [{project: 'tl2'}, 'p2'],
  [{project: 'project_api'}, 'project_api'],
  [{repo: 'acme/api'}, 'project_api'],
  [{repo: 'https://github.com/Acme/API.git'}, 'project_api'],
  [{repo: 'api'}, 'project_api'],
  // Several hold it: the standard one comes first.
  [{repo: 'acme/shared'}, 'project_web'],
  [{project: 'api', repo: 'acme/shared'}, 'project_api'],
  [{project: 'tools', repo: 'other/tools'}, 'p2'],
])('%o is the project %s', (options, projectId) => {
  expect(read(options)).toEqual({projectId, model: {}})
})

test('a wrong value is asked for, the nearest ones first', () => {
  expect(read({project: 'wbe'})).toMatchObject({
    ...{name: 'project', wrong: 'wbe', why: 'unknown'},
    offers: [{label: 'web', value: 'project_web'}],
  })
  expect(read({repo: 'acme/wbe'})).toMatchObject({
    name: 'repo',
    offers: [{value: 'acme/web'}, {value: 'acme/api'}, {value: 'acme/shared'}],
  })
  expect(read({project: 'tools'})).toMatchObject({
    why: 'several',
    offers: [
      {label: 'Tools (TL1)', value: 'p1'},
      {label: 'Tools (TL2)', value: 'p2'},
    ],
  })
  expect(read({size: 'giant'})).toMatchObject({name: 'size', wrong: 'giant'})
  expect(read({plan: 'later'})).toMatchObject({
    ...{name: 'plan', wrong: 'later'},
    offers: [{value: 'yes'}, {value: 'no'}],
  })
  expect(read({effort: 'high'})).toMatchObject({name: 'effort', why: 'needs-model'})
  expect(read({modes: 'fast'})).toMatchObject({name: 'modes', why: 'needs-model'})
  expect(read({model: 'default', effort: 'high'})).toMatchObject({why: 'needs-model'})
  expect(read({model: 'm', effort: 'hihg'})).toEqual({
    ...{name: 'effort', wrong: 'hihg', why: 'unknown', isNear: true},
    offers: [{label: 'high', value: 'high'}],
  })
  expect(read({model: 'm', effort: 'zzzzzzzzz'})).toMatchObject({offers: {length: 8}})
  // The others stay as they were said.
  expect(read({model: 'm', modes: 'fast,por'})).toMatchObject({
    ...{name: 'modes', wrong: 'por'},
    offers: [{label: 'pro', value: 'fast,pro'}],
  })
  expect(resolve({project: 'web'}, [], 'p')).toMatchObject({why: 'unknown', offers: []})
})

test('what is right goes into the creation', () => {
  expect(read({model: 'fast', effort: 'HIGH', size: 'Large', title: 'A'})).toEqual({
    projectId: 'project_web',
    ...{machineSize: 'large', title: 'A', model: {model: 'fast', effort: 'high'}},
  })
  expect(read({model: 'fast', modes: 'Pro,fast'})).toMatchObject({
    model: {model: 'fast', modes: ['fast', 'pro']},
  })
  expect(read({model: 'fast', modes: 'none'})).toMatchObject({model: {modes: []}})
  // Where a model holds anyway, an effort goes with that.
  expect(resolve({effort: 'low', modes: 'pro'}, PROJECTS, 'project_web', 'best')).toEqual({
    projectId: 'project_web',
    model: {effort: 'low', modes: ['pro']},
  })
})

test('a plan comes first where that is said, and not where the opposite is', () => {
  expect(read({plan: 'Yes'})).toMatchObject({plan: true})
  expect(read({plan: 'no'})).toMatchObject({plan: false})
  expect(read({})).not.toHaveProperty('plan')
})

test('where nothing is known, every project is offered', () => {
  expect(resolve({}, PROJECTS, undefined)).toMatchObject({
    why: 'none',
    offers: [{label: 'web'}, {label: 'api'}, {label: 'Tools (TL1)'}, {label: 'Tools (TL2)'}],
  })
})
