import {pathOf} from '../asking.ts'
import {expectRefusal, goodOf} from '../verdicts.ts'
import type {Rule} from './rule.ts'

const ABSENT = 'check-platform-absent'

/** Sections 5 and 7: keys, and answers that say no. */
export const refusalRules: readonly Rule[] = [
  {
    section: '5',
    name: 'the key opens the API',
    isFirst: true,
    bosun: 'nothing works: the doctor says that the key is refused',
    check: async ({ask}) => void goodOf(await ask('GET', '/projects')),
  },
  {
    section: '5',
    name: 'a request without a key answers 401',
    bosun: 'nothing: it always sends one. Whoever finds the address can do what it does',
    check: async ({ask}) =>
      expectRefusal(await ask('GET', '/projects', {key: null}), 'Unauthorized'),
  },
  {
    section: '5',
    name: 'a wrong key answers 401',
    bosun: 'a revoked key is not known as one, and nobody is told to store another',
    check: async ({ask}) =>
      expectRefusal(await ask('GET', '/projects', {key: ABSENT}), 'Unauthorized'),
  },
  {
    section: '7',
    name: 'an absent project answers ProjectNotFound',
    bosun: '`/captain new` says that something is gone, and not that it is the project',
    check: async ({ask}) =>
      expectRefusal(await ask('GET', pathOf('projects', ABSENT)), 'ProjectNotFound'),
  },
  {
    section: '7',
    name: 'an absent thread answers ThreadNotFound',
    bosun:
      'with another status, work that is gone looks refused, or the platform away; a message that waits there counts as lost',
    check: async ({ask}) =>
      expectRefusal(await ask('GET', pathOf('threads', ABSENT)), 'ThreadNotFound'),
  },
  {
    section: '7',
    name: 'an absent task answers TaskNotFound',
    bosun: 'with another status, a task that is gone looks refused, or the platform away',
    check: async ({ask}) =>
      expectRefusal(await ask('GET', pathOf('tasks', ABSENT)), 'TaskNotFound'),
  },
  {
    section: '7',
    name: 'a body without what is required answers InvalidRequest',
    bosun: 'a form cannot say below which input something is wrong',
    check: async ({ask, projectId}) =>
      expectRefusal(await ask('POST', '/threads', {body: {projectId}}), 'InvalidRequest'),
  },
  {
    section: '7',
    name: 'a body that is no JSON answers InvalidRequest',
    bosun: 'nothing: it sends none',
    check: async ({ask}) =>
      expectRefusal(await ask('POST', '/threads', {body: '{"requestId":'}), 'InvalidRequest'),
  },
]
