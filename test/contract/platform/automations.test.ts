import {expect, test} from 'vitest'
import {
  PlatformForbidden,
  PlatformNotFound,
  PlatformProjectNotFound,
} from '../../../src/platform/errors.ts'
import {Secret} from '../../../src/security/secret.ts'
import {itemsOf, type KeyName} from '../../local/platform/client.ts'
import {all, sharedContract} from './contract.ts'
import {createAutomation, HOURLY, newRequestId, readAutomation, WEBHOOK} from './creations.ts'
import {MOMENT} from './matchers.ts'
import {refusalOf} from './refusal.ts'

const contract = await sharedContract()

const newOrder = (projectId = 'project_web') => {
  return {requestId: newRequestId(), projectId, prompt: 'quick look', triggers: [HOURLY]}
}

const createAs = (key: KeyName, projectId?: string) =>
  contract.client(key).createAutomation(newOrder(projectId), contract.signal)

const listIds = async (key: KeyName, projectId?: string): Promise<string[]> => {
  const filter = projectId === undefined ? {} : {projectId}
  return (await all(contract.client(key).listAutomations(filter, contract.signal))).map(
    ({id}) => id,
  )
}

const CHANGES = [
  'disableAutomation',
  'enableAutomation',
  'deleteAutomation',
  'restoreAutomation',
] as const

test('4.7.r1 a human key and a read_write or admin service key may create automations', async () => {
  for (const key of ['human', 'readWrite', 'scoped', 'admin'] as const) {
    const created = await createAs(key)
    expect(created).toMatchObject({projectId: 'project_web', deleted: false})
    for (const change of CHANGES) {
      const changed = await contract.client(key)[change](created.id, contract.signal)
      expect(changed).toMatchObject({id: created.id})
    }
  }
})

test('4.7.r2 the project allowlist applies to the requested project', async () => {
  const refusal = await refusalOf(createAs('scoped', 'project_api'))
  expect(refusal).toBeInstanceOf(PlatformProjectNotFound)
  expect(refusal).toMatchObject({projectId: 'project_api'})
  expect(await createAs('scoped', 'project_web')).toMatchObject({projectId: 'project_web'})
})

test('4.7.r3 a read_only key lists, and is refused to change anything', async () => {
  const before = await createAs('human')
  const client = contract.client('readOnly')
  expect(await listIds('readOnly')).toContain(before.id)
  expect(await refusalOf(createAs('readOnly'))).toBeInstanceOf(PlatformForbidden)
  for (const change of CHANGES) {
    const refusal = await refusalOf(client[change](before.id, contract.signal))
    expect(refusal).toBeInstanceOf(PlatformForbidden)
  }
  expect(await readAutomation(contract, before.id)).toEqual(before)
})

test('4.7.r4 the list shows what the key can see, filtered by project', async () => {
  const web = await createAs('human', 'project_web')
  const api = await createAs('human', 'project_api')
  const both: unknown = expect.arrayContaining([web.id, api.id])
  expect(await listIds('human')).toEqual(both)
  expect(await listIds('readOnly')).toEqual(both)
  expect(await listIds('human', 'project_api')).toContain(api.id)
  expect(await listIds('human', 'project_api')).not.toContain(web.id)
  expect(await listIds('scoped')).toContain(web.id)
  expect(await listIds('scoped')).not.toContain(api.id)
})

test('4.7.r4 the list of a project out of reach answers as that of an absent one', async () => {
  for (const projectId of ['project_api', 'project_none']) {
    const refusal = await refusalOf(listIds('scoped', projectId))
    expect(refusal).toBeInstanceOf(PlatformProjectNotFound)
    expect(refusal).toMatchObject({projectId})
  }
})

test('4.7.r4 an automation out of reach answers as an absent one', async () => {
  const {id} = await createAs('human', 'project_api')
  for (const change of CHANGES) {
    for (const hidden of [id, 'automation_none']) {
      const refusal = await refusalOf(contract.client('scoped')[change](hidden, contract.signal))
      expect(refusal).toBeInstanceOf(PlatformNotFound)
    }
  }
  expect((await readAutomation(contract, id)).enabled).toBe(true)
})

test('4.7.r5 retrying a creation with the same requestId converges on one automation', async () => {
  const order = newOrder()
  const client = contract.client()
  const first = await client.createAutomation(order, contract.signal)
  const changed = {...order, name: 'Another', prompt: 'something else', triggers: []}
  const again = await client.createAutomation(changed, contract.signal)
  expect({...again, webhookUrl: undefined}).toEqual({...first, webhookUrl: undefined})
  expect((await listIds('human')).filter((id) => id === first.id)).toHaveLength(1)
})

test('4.7.r5 retrying is what the client does when the answer is lost', async () => {
  contract.platform.control.faults.add({
    match: {method: 'POST', path: '/automations$'},
    fault: {kind: 'lost', applied: true},
  })
  const before = await listIds('human')
  const {id} = await createAs('human')
  expect(await listIds('human')).toEqual([id, ...before])
})

test('4.7.r6 webhookUrl comes once: null on a replay, absent from later answers', async () => {
  const order = {...newOrder(), triggers: [WEBHOOK]}
  const client = contract.client()
  const {id, webhookUrl} = await client.createAutomation(order, contract.signal)
  expect(webhookUrl).toBeInstanceOf(Secret)
  expect((await client.createAutomation(order, contract.signal)).webhookUrl).toBeNull()
  for (const change of CHANGES) {
    expect(await client[change](id, contract.signal)).not.toHaveProperty('webhookUrl')
  }
  expect(await readAutomation(contract, id)).not.toHaveProperty('webhookUrl')
})

test('4.7.r6 webhookUrl comes with no automation that has no incoming_webhook', async () => {
  expect((await createAs('human')).webhookUrl ?? null).toBeNull()
})

test('4.7.r9 general updates have no public endpoint', async () => {
  const {id} = await createAs('human')
  const raw = contract.raw()
  for (const method of ['PUT', 'PATCH', 'POST', 'DELETE']) {
    const {status} = await raw.request(method, `/automations/${id}`, {name: 'New'})
    expect([404, 405]).toContain(status)
  }
  expect((await readAutomation(contract, id)).name).toBeUndefined()
})

test('4.7.r10 the list pages on behind its cursor, each automation once', async () => {
  for (let count = 0; count < 5; count += 1) await createAs('human')
  const whole = await listIds('human')
  const pages = contract.client().listAutomations({limit: 2}, contract.signal)
  expect((await all(pages)).map(({id}) => id)).toEqual(whole)
  const first = await contract.raw().get('/automations?limit=2')
  expect(itemsOf(first)).toHaveLength(2)
  expect(first.body['cursor']).toEqual(expect.any(String))
  const last = await contract.raw().get('/automations?limit=200')
  expect(last.body['cursor']).toBeNull()
})

test('4.7.r11 an automation answers with the fields of its creation, and whom it runs as', async () => {
  const fields = {
    name: 'Night watch',
    description: 'Looks after the shop',
    prompt: 'quick look at the night',
    triggers: [HOURLY],
    model: {modelId: 'swift', reasoningMode: 'low', modes: {fast: true}},
    repos: [{repo: 'acme/web', branch: 'main'}],
    threadMode: 'new',
    chatImpersonation: true,
    mcpOverrides: {enabled_server_keys: ['search'], disabled_server_keys: []},
    maxRunsPerDay: 3,
    machineSize: 'small',
    organize: {pin: false, folders: ['folder_later'], tags: ['night']},
    enabled: true,
  } as const
  const created = await createAutomation(contract, fields)
  expect(created).toMatchObject({
    ...fields,
    deleted: false,
    runAsKind: 'human',
    runAsId: 'user_jane',
    runCount: 0,
    createdAt: MOMENT,
    updatedAt: MOMENT,
  })
  expect(await readAutomation(contract, created.id)).toEqual(created)
})
