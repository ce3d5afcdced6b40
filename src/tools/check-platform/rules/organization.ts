import {pathOf} from '../asking.ts'
import {itemsOf} from '../probe.ts'
import {Untried, expect, expectRefusal, expectSomeRefusal, goodOf} from '../verdicts.ts'
import type {Rule} from './rule.ts'

/** Sections 4.5, 4.6 and 4.10: projects, users, folders, usage. */
export const organizationRules: readonly Rule[] = [
  {
    section: '4.5',
    name: 'projects are listed, the one of this check among them',
    bosun: 'nobody can choose a project by its name',
    check: async ({get, shapes, projectId}) => {
      const items = itemsOf(await get('/projects'))
      for (const item of items) shapes.look('project', item)
      const ids = items.map(({id}) => id)
      expect(`the project ${projectId}`, ids.includes(projectId), ids)
    },
  },
  {
    section: '4.5',
    name: 'a project reads back by its id',
    bosun: 'cards show the id of the project in place of its name',
    check: async ({get, shapes, projectId}) => {
      const project = await get(pathOf('projects', projectId))
      shapes.look('project', project)
      expect(`the project ${projectId}`, project['id'] === projectId, project)
    },
  },
  {
    section: '4.5',
    name: 'users are listed',
    bosun: 'work is attributed to the key instead of the person who asked for it',
    check: async ({get, shapes}) => {
      const items = itemsOf(await get('/users'))
      for (const item of items) shapes.look('user', item)
      expect('at least one active member', items.length > 0, items)
    },
  },
  {
    section: '4.6',
    name: 'an absent folder is refused',
    bosun: 'threads seem to be filed, and are not',
    check: async ({ask, resting}) => {
      const body = {threadIds: [await resting()]}
      const path = pathOf('folders', 'check-platform-absent', 'threads')
      expectRefusal(await ask('POST', path, {body}), 'ThreadOrganizationNotFound')
    },
  },
  {
    section: '4.6',
    name: 'filing tells what became of each thread',
    bosun: '[File in a folder] says that it failed',
    check: async ({post, resting, folderId}) => {
      if (folderId === undefined) throw new Untried('name a folder with --folder')
      const threadIds = [await resting(), 'check-platform-absent']
      const path = pathOf('folders', folderId, 'threads')
      for (const time of ['first', 'second']) {
        const {outcomes} = await post(path, {threadIds})
        const wanted = [
          {threadId: threadIds[0], outcome: 'ok'},
          {threadId: threadIds[1], outcome: 'not_found'},
        ]
        const isRight = JSON.stringify(sorted(outcomes)) === JSON.stringify(sorted(wanted))
        expect(`ok and not_found, the ${time} time`, isRight, outcomes)
      }
    },
  },
  {
    section: '4.10',
    name: 'usage reports the current month',
    bosun: '`/bosun usage` fails',
    check: async ({ask}) => void goodOf(await ask('GET', '/usage')),
  },
  {
    section: '4.10',
    name: 'usage reports another window',
    bosun: '`/bosun usage` of another month fails',
    check: async ({ask}) => {
      const query = {from: '2026-01-01T00:00:00.000Z', to: '2026-01-31T23:59:59.999Z'}
      goodOf(await ask('GET', '/usage', {query}))
    },
  },
  {
    section: '4.10',
    name: 'a window that is none is refused',
    bosun: 'a mistyped month shows the sums of another one',
    check: async ({ask}) =>
      expectSomeRefusal(await ask('GET', '/usage', {query: {from: 'not a moment'}})),
  },
]

function sorted(outcomes: unknown): unknown[] {
  return (Array.isArray(outcomes) ? outcomes : [])
    .map(({threadId, outcome}: {threadId: unknown; outcome: unknown}) => [
      String(threadId),
      outcome,
    ])
    .toSorted(([one = ''], [other = '']) => String(one).localeCompare(String(other)))
}
