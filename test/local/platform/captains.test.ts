import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {z} from 'zod'
import {defaultSeed} from '../../../local/platform/seed/default-seed.ts'
import {parseSeed} from '../../../local/platform/seed/seed.ts'
import {startPlatform} from '../../../local/platform/server.ts'
import {temporaryFolder} from '../../support/temporary-folder.ts'
import {clientOf, itemsOf, outline} from './client.ts'
import {sharedPlatform} from './open-platform.ts'

/** Section 2.2: the required fields, then the optional ones; nothing else may be there. */
const REQUIRED =
  `id projectId authorId previousAuthorId title titleCustom status archived lastModelId
  pullRequestAuthor usage createdAt updatedAt lastActivityAt hasUnreads mentionCount owed member name
  avatar`.split(/\s+/)
const OPTIONAL = `needsYou crewNeedsYou participated crewMentionCount captain crewCount
  personal`.split(/\s+/)

let lastRequest = 0

const platform = await sharedPlatform({pace: 0.01})
const human = clientOf(platform)
const service = clientOf(platform, 'readWrite')
const scoped = clientOf(platform, 'scoped')
const readOnly = clientOf(platform, 'readOnly')

const order = (fields: object = {}) => ({
  requestId: `captain-${++lastRequest}`,
  projectId: 'project_web',
  name: 'Ada',
  brief: 'quick look around',
  ...fields,
})

const enlist = async (fields: object = {}, as = human): Promise<Record<string, unknown>> => {
  const {status, body} = await as.post('/captains', order(fields))
  expect({status, body}).toMatchObject({status: 200})
  return body
}

const face = () => ({kind: 'preset', value: 'face-2', background: 'red'})

const idOf = (body: Record<string, unknown>): string => z.string().parse(body['id'])

const transcript = async (captain: Record<string, unknown>) =>
  itemsOf(await human.get(`/threads/${idOf(captain)}/messages`))

describe('a new captain', () => {
  test('has the fields of a captain, all of them and no others', async () => {
    const captain = await enlist()
    const fields = Object.keys(captain)
    expect(REQUIRED.filter((field) => !fields.includes(field))).toEqual([])
    expect(fields.filter((field) => ![...REQUIRED, ...OPTIONAL].includes(field))).toEqual([])
    expect(captain).toMatchObject({
      projectId: 'project_web',
      authorId: 'user_jane',
      title: 'Ada',
      status: 'active',
      archived: false,
      lastModelId: 'standard',
      member: true,
      name: 'Ada',
      avatar: {kind: 'preset', value: 'face-1', background: 'blue'},
    })
  })

  test('keeps the given model and avatar', async () => {
    const avatar = {kind: 'emoji', value: '🧭', background: 'green'}
    const captain = await enlist({avatar, model: {modelId: 'swift', modes: {fast: true}}})
    expect(captain).toMatchObject({avatar, lastModelId: 'swift'})
  })

  test('is a thread as well: listed, read, driven and followed as one', async () => {
    const captain = await enlist()
    const threadId = idOf(captain)
    const face = {jamId: threadId, name: 'Ada', avatar: captain['avatar']}
    const frames = await human.run(threadId)
    expect(outline(frames).at(0)).toMatch(/^status/)
    expect(outline(frames)).toContain('transcript assistant')
    const {body} = await human.get(`/threads/${threadId}`)
    expect(body).toMatchObject({id: threadId, captain: face})
    expect(Object.keys(body)).not.toContain('avatar')
    const listed = itemsOf(await human.get('/threads?projectId=project_web&limit=200'))
    expect(listed.find(({id}) => id === threadId)).toMatchObject({captain: face})
    await human.post(`/threads/${threadId}/message`, {text: 'quick again'})
    await human.run(threadId)
    expect(await transcript(captain)).toHaveLength(4)
  })

  test('starts on its brief, which is its owner’s message, whoever sent the order', async () => {
    const captain = await enlist({authorId: 'user_kim'}, service)
    expect(captain).toMatchObject({authorId: 'user_kim'})
    const [first] = await transcript(captain)
    expect(first).toMatchObject({source: 'user', text: 'quick look around', authorName: 'Kim Lee'})
  })

  test('without a brief greets and asks, and nobody has said anything before', async () => {
    const captain = await enlist({brief: undefined, name: 'Grace *fail* Hopper'})
    expect(captain).toMatchObject({status: 'active'})
    await human.run(idOf(captain))
    const entries = await transcript(captain)
    expect(entries.map(({source}) => source)).toEqual(['assistant'])
    expect(entries[0]?.['text']).toMatch(/^Hello.*Grace fail Hopper[^]*\?$/)
    const {body} = await human.get(`/threads/${idOf(captain)}`)
    expect(body).toMatchObject({status: 'pending_user', needsYou: true})
  })

  test('of a service key must have a named owner', async () => {
    const {status, body} = await service.post('/captains', order())
    expect([status, body['_tag']]).toEqual([400, 'svc/InvalidRequest'])
    expect(body['message']).toContain('authorId')
  })
})

describe('a repeated requestId', () => {
  test('returns the existing captain unchanged, before anything else is checked', async () => {
    const first = order()
    const {body: captain} = await human.post('/captains', first)
    await human.run(idOf(captain))
    const again = await service.post('/captains', {
      ...first,
      name: 'Somebody else',
      projectId: 'project_lost',
      authorId: 'user_gone',
      avatar: {kind: 'preset', value: 'face-2', background: 'red', image: 'data:'},
      model: {modelId: 'no-such-model'},
    })
    expect(again.status).toBe(200)
    expect(again.body).toMatchObject({
      id: captain['id'],
      name: 'Ada',
      avatar: captain['avatar'],
      authorId: 'user_jane',
      status: 'idle',
    })
    const asked = platform.ledger.filter(({path, body}) => {
      return path === '/api/v1/captains' && JSON.stringify(body).includes(`"${first.requestId}"`)
    })
    expect(asked.map(({applied}) => applied)).toEqual([true, false])
  })

  test('makes one captain of 20 parallel creations', async () => {
    const one = order({name: 'Only one'})
    const answers = await Promise.all(Array.from({length: 20}, () => human.post('/captains', one)))
    expect(new Set(answers.map(({status, body}) => `${status} ${idOf(body)}`)).size).toBe(1)
    const listed = itemsOf(await human.get('/threads?projectId=project_web&limit=200'))
    expect(listed.filter(({title}) => title === 'Only one')).toHaveLength(1)
  })

  test('has nothing to do with the requestIds of threads', async () => {
    const threadId = await human.create('quick', 'shared-request')
    const captain = await enlist({requestId: 'shared-request'})
    expect(captain['id']).not.toBe(threadId)
  })

  test('does not reveal a captain that the key does not reach', async () => {
    const hidden = order({projectId: 'project_api'})
    await human.post('/captains', hidden)
    const {status, body} = await scoped.post('/captains', {...hidden, authorId: 'user_jane'})
    expect([status, body]).toEqual([404, {_tag: 'svc/ProjectNotFound', projectId: 'project_api'}])
  })
})

describe('limits', () => {
  test.each([
    ['191 characters of requestId', {requestId: 'ö'.repeat(191)}],
    ['100 characters of name', {name: '👩'.repeat(100)}],
    ['one character', {requestId: 'x', name: 'A'}],
  ])('%s are accepted', async (_what, fields) => {
    await enlist(fields)
  })

  test.each([
    ['no requestId', {requestId: undefined}],
    ['an empty requestId', {requestId: ''}],
    ['192 characters of requestId', {requestId: 'x'.repeat(192)}],
    ['no projectId', {projectId: undefined}],
    ['an empty name', {name: ''}],
    ['101 characters of name', {name: 'x'.repeat(101)}],
    ['a brief of null', {brief: null}],
    ['a blank brief', {brief: ' \n'}],
    ['an unknown field', {title: 'Captain'}],
    ['an unknown field of the avatar', {avatar: {...face(), mood: 'calm'}}],
    ['an avatar without background', {avatar: {...face(), background: undefined}}],
    ['an avatar of an unknown kind', {avatar: {...face(), kind: 'photo'}}],
    ['an unknown field of the model', {model: {modelId: 'swift', speed: 2}}],
    ['a model without id', {model: {}}],
    ['an author who left', {authorId: 'user_alex'}],
  ])('%s is an invalid request', async (_what, fields) => {
    const before = platform.threads().length
    const {status, body} = await human.post('/captains', order(fields))
    expect(status).toBe(400)
    expect(body).toEqual({_tag: 'svc/InvalidRequest', message: expect.any(String) as string})
    expect(platform.threads()).toHaveLength(before)
  })
})

describe('what a plan and its models allow', () => {
  test('an image of one’s own needs a plan that has it', async () => {
    const {status, body} = await human.post(
      '/captains',
      order({avatar: {...face(), image: 'https://acme.test/ada.png'}}),
    )
    expect([status, body]).toEqual([
      402,
      {_tag: 'svc/PaidFeatureUnavailable', feature: 'captain_image'},
    ])
  })

  test('an image of one’s own is kept where the plan has it', async () => {
    const seed = parseSeed({...defaultSeed, unavailableFeatures: []}, 'of the test')
    await using other = await startPlatform({pace: 0.01, seed})
    const client = clientOf(other)
    const avatar = {...face(), image: 'https://acme.test/ada.png'}
    const {body} = await client.post('/captains', order({avatar}))
    expect(body['avatar']).toEqual(avatar)
  })

  const health = {
    state: 'not_connected',
    kind: 'subscription',
    provider: 'example',
    action: 'connect',
  }
  test.each([
    ['own-subscription', {rejection: 'not_connected', health}],
    ['no-such-model', {}],
  ])('the model %s is rejected, and the answer says what can be chosen', async (modelId, more) => {
    const {status, body} = await human.post('/captains', order({model: {modelId}}))
    expect(status).toBe(400)
    expect(body).toEqual({
      _tag: 'svc/ModelSelection.Rejected',
      message: expect.any(String) as string,
      candidates: [
        {entryId: 'standard', name: 'Standard', billingLabel: 'Included'},
        {entryId: 'swift', name: 'Swift', billingLabel: 'Included'},
      ],
      modelId,
      ...more,
    })
  })
})

describe('who may', () => {
  test('a read-only key is refused, even when the captain exists', async () => {
    const existing = order()
    await human.post('/captains', existing)
    for (const asked of [existing, order()]) {
      const {status, body} = await readOnly.post('/captains', asked)
      expect([status, body]).toEqual([403, {_tag: 'svc/Forbidden'}])
    }
  })

  test('a project out of reach answers as an absent one', async () => {
    const answers = await Promise.all(
      ['project_api', 'project_lost'].map((projectId) =>
        scoped.post('/captains', order({projectId, authorId: 'user_jane'})),
      ),
    )
    expect(answers.map(({status, body}) => [status, body])).toEqual([
      [404, {_tag: 'svc/ProjectNotFound', projectId: 'project_api'}],
      [404, {_tag: 'svc/ProjectNotFound', projectId: 'project_lost'}],
    ])
  })

  test('other methods are not allowed', async () => {
    expect((await human.get('/captains')).status).toBe(405)
  })
})

test('a restart in the middle of a greeting goes on with it, once', async () => {
  const dataFile = join(temporaryFolder(), 'platform.db')
  const first = await startPlatform({dataFile, pace: 1})
  const client = clientOf(first)
  const {body: captain} = await client.post('/captains', order({brief: undefined}))
  await first.close()
  await using second = await startPlatform({dataFile, pace: 0.01})
  const again = clientOf(second)
  await again.run(idOf(captain))
  const entries = itemsOf(await again.get(`/threads/${idOf(captain)}/messages`))
  expect(entries.map(({source}) => source)).toEqual(['assistant'])
  const {body} = await again.get(`/threads/${idOf(captain)}`)
  expect(body).toMatchObject({status: 'pending_user', captain: {name: 'Ada'}})
})
