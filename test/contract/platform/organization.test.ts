import {expect, test} from 'vitest'
import {PlatformProjectNotFound} from '../../../src/platform/errors.ts'
import {itemsOf, type KeyName} from '../../local/platform/client.ts'
import {sharedContract} from './contract.ts'
import {createThread} from './creations.ts'
import {ANY_TEXT, MOMENT} from './matchers.ts'
import {refusalOf} from './refusal.ts'

const contract = await sharedContract()

const listProjectIds = async (key: KeyName): Promise<string[]> =>
  (await contract.client(key).listProjects(contract.signal)).map(({id}) => id)

const listUserIds = async (): Promise<string[]> =>
  (await contract.client().listUsers(contract.signal)).map(({id}) => id)

test('4.5.r1 projects are listed unpaged, those that the key can access', async () => {
  for (const key of ['human', 'readWrite', 'readOnly', 'admin'] as const) {
    expect(await listProjectIds(key)).toEqual(['project_web', 'project_api'])
  }
  expect(await listProjectIds('scoped')).toEqual(['project_web'])
  const {body} = await contract.raw().get('/projects?limit=1')
  expect(Object.keys(body)).toEqual(['items'])
  expect(body['items']).toHaveLength(2)
})

test('4.5.r1 projects have the fields of section 2.9, alone as in the list', async () => {
  const project = await contract.client().getProject('project_web', contract.signal)
  expect(project).toEqual({
    id: 'project_web',
    name: 'web',
    description: 'The shop in the browser',
    code: 'WEB',
    repos: [{repoFullName: 'acme/web', baseBranch: 'main'}],
    createdAt: MOMENT,
    updatedAt: MOMENT,
  })
  expect(await contract.client().listProjects(contract.signal)).toContainEqual(project)
})

test('4.5.r2 inaccessible and absent projects answer the same 404', async () => {
  for (const projectId of ['project_api', 'project_none']) {
    const refusal = await refusalOf(
      contract.client('scoped').getProject(projectId, contract.signal),
    )
    expect(refusal).toBeInstanceOf(PlatformProjectNotFound)
    const {status, body} = await contract.raw('scoped').get(`/projects/${projectId}`)
    expect({status, body}).toEqual({status: 404, body: {_tag: 'svc/ProjectNotFound', projectId}})
  }
})

test('4.5.r3 users lists the active members, each valid as an authorId', async () => {
  const ids = await listUserIds()
  expect(ids).toEqual(['user_jane', 'user_kim', 'user_sam'])
  for (const authorId of ids) {
    const thread = await createThread(contract, {authorId}, 'readWrite')
    expect(thread.authorId).toBe(authorId)
  }
})

test('4.5.r3 users have the fields of section 2.10, all strings', async () => {
  const users = itemsOf(await contract.raw('readOnly').get('/users'))
  for (const user of users) {
    expect(user).toEqual({id: ANY_TEXT, email: ANY_TEXT, firstName: ANY_TEXT, lastName: ANY_TEXT})
  }
})

test('4.5.r3 users are no more listed when they have left, and again when they are back', async () => {
  const {control} = contract.platform
  control.setActive('user_sam', false)
  expect(await listUserIds()).not.toContain('user_sam')
  control.setActive('user_sam', true)
  expect(await listUserIds()).toContain('user_sam')
})
