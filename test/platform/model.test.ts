import {inspect} from 'node:util'
import {describe, expect, test} from 'vitest'
import {receiptSchema} from '../../src/platform/endpoints/messages.ts'
import {
  automationSchema,
  captainSchema,
  entrySchema,
  filterRuleSchema,
  reviewRuleSchema,
  taskSchema,
  threadSchema,
} from '../../src/platform/model.ts'

const totals = {llmCredits: 1.5, imageCredits: 0, vmCredits: 2, totalCredits: 3.5}
const thread = {
  id: 't',
  projectId: 'p',
  authorId: 'u1',
  previousAuthorId: 'u2',
  title: 'A title',
  titleCustom: true,
  status: 'pending_user',
  archived: false,
  lastModelId: 'm1',
  pullRequestAuthor: 'svc',
  usage: totals,
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
  lastActivityAt: '2026-01-02T03:04:05.678Z',
  hasUnreads: true,
  mentionCount: 2,
  owed: false,
  member: true,
  needsYou: true,
  crewNeedsYou: 1,
  participated: true,
  crewMentionCount: 3,
  captain: {
    jamId: 'j1',
    name: 'Ada',
    avatar: {kind: 'preset', value: 'one', background: 'blue', image: 'data:,'},
  },
  crewCount: 4,
}
const automation = {
  id: 'a',
  projectId: 'p',
  name: 'Nightly',
  description: '',
  prompt: 'Go.',
  triggers: [
    {type: 'schedule', cron: '0 3 * * *', timezone: 'UTC'},
    {type: 'incoming_webhook', filters: [{field: 'a.b', values: [1]}]},
  ],
  model: {modelId: 'm1', reasoningMode: 'beyond', modes: {fast: true, pro: false}},
  repos: [{repo: 'acme/web', branch: 'main'}],
  threadMode: 'new',
  chatImpersonation: false,
  singleJamId: 'j1',
  mcpOverrides: {enabled_server_keys: ['one'], disabled_server_keys: []},
  maxRunsPerDay: 3,
  machineSize: 'small',
  organize: {pin: true, folders: ['d'], tags: ['nightly']},
  enabled: false,
  deleted: false,
  disabledReason: 'run_as_unavailable',
  runAsKind: 'human',
  runAsId: 'u1',
  runCount: 7,
  lastTriggeredAt: '2026-01-02T03:04:05.678Z',
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
}
const reviewRule = {
  id: 'l',
  body: 'Use tabs.',
  scopes: [{repo: 'acme/web', paths: ['a'], codehostRepoId: 1, covered: true, heldByCaller: false}],
  file: {repo: 'acme/web', path: 'RULES.md', codehostRepoId: 1, covered: true},
  status: 'active',
  source: 'app',
  sourceRef: 'x',
  createdByUserId: 'u1',
  createdByName: 'Jane Doe',
  firedCount: 2,
  lastFired: {repo: 'acme/web', prNumber: 12, at: '2026-01-02T03:04:05.678Z'},
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
}
const filterRule = {
  id: 'f',
  repo: 'acme/web',
  codehostRepoId: 1,
  conditions: [{field: 'label', not: true, values: ['wip']}],
  source: 'hand',
  createdByUserId: 'u1',
  createdByName: 'Jane Doe',
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
}
const task = {id: 'k', taskPath: '1.2', status: 'done', archived: true, title: 'T', usage: totals}
const captain = {...thread, name: 'Ada', avatar: thread.captain.avatar, personal: true}

const records = {
  thread: {schema: threadSchema, full: thread, least: {id: 't', status: 'idle'}},
  captain: {
    schema: captainSchema,
    full: captain,
    least: {id: 't', status: 'idle', name: 'Ada', avatar: {kind: 'emoji', value: '🦊'}},
  },
  task: {schema: taskSchema, full: task, least: {id: 'k', taskPath: '1', status: 'idle'}},
  automation: {schema: automationSchema, full: automation, least: {id: 'a'}},
  reviewRule: {schema: reviewRuleSchema, full: reviewRule, least: {id: 'l'}},
  filterRule: {schema: filterRuleSchema, full: filterRule, least: {id: 'f'}},
}

describe.each(Object.entries(records))('%s', (_name, {schema, full, least}) => {
  test('keeps every field of section 2, and those that are new', () => {
    const newer = {...full, novelty: {a: [1]}}
    expect(schema.parse(newer)).toEqual(newer)
  })

  test('takes null for what is not set, and nothing for what is missing', () => {
    const unset = Object.fromEntries(Object.keys(full).map((name) => [name, null]))
    expect(schema.parse({...unset, ...least})).toMatchObject(least)
    expect(schema.parse(least)).toMatchObject(least)
  })

  test('takes what is not as documented for unset, where it can do without', () => {
    const odd = {createdAt: 1_767_323_045_678, usage: 'none', archived: 'no', deleted: 0}
    const lists = {triggers: ['daily'], repos: {}, scopes: [null], conditions: 'none'}
    const none = {triggers: [], repos: [], scopes: [], conditions: []}
    const unset = {createdAt: undefined, usage: undefined, archived: false, deleted: false, ...none}
    const parsed = schema.parse({...full, ...odd, ...lists, ...least})
    const isField = ([name]: [string, unknown]): boolean => name in full && !(name in least)
    expect(parsed).toMatchObject(least)
    expect(parsed).toMatchObject(Object.fromEntries(Object.entries(unset).filter(isField)))
  })

  test.each(Object.keys(least))('is none without its %s', (name) => {
    expect(schema.safeParse({...full, [name]: undefined}).success).toBe(false)
  })
})

test('one of a list that is not as documented costs no other one', () => {
  const [schedule] = automation.triggers
  const parsed = automationSchema.parse({...automation, triggers: [null, schedule, {type: 7}]})
  expect(parsed.triggers).toEqual([schedule])
})

test.each<[unknown, number]>([
  [0.001, 0.001],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
  ['NaN', NaN],
  ['1234.5', 1234.5],
])('%j credits are a number', (wire, credits) => {
  const usage = {...totals, totalCredits: wire}
  expect(threadSchema.parse({...thread, usage}).usage?.totalCredits).toBe(credits)
})

test.each(['1e3', '', 'infinity', {}, null, undefined])(
  '%j are no credits, and cost no other figure',
  (wire) => {
    const usage = {...totals, llmCredits: wire}
    const parsed = threadSchema.parse({...thread, usage})
    expect(parsed.usage).toEqual({...totals, llmCredits: undefined})
  },
)

describe('the address of a webhook', () => {
  test('comes as a secret, once', () => {
    const {webhookUrl} = automationSchema.parse({...automation, webhookUrl: 'https://x/hook/s1'})
    expect(webhookUrl?.reveal()).toBe('https://x/hook/s1')
    expect(inspect({webhookUrl}) + JSON.stringify({webhookUrl})).not.toContain('s1')
  })

  test('is null on a replay, and later not there at all', () => {
    expect(automationSchema.parse({...automation, webhookUrl: null}).webhookUrl).toBeNull()
    expect(automationSchema.parse(automation).webhookUrl).toBeUndefined()
    expect(automationSchema.parse({...automation, webhookUrl: 7}).webhookUrl).toBeUndefined()
  })
})

test.each([
  ['attachments', {a: 1}, [{a: 1}]],
  ['attachments', 'chart.png', ['chart.png']],
  ['attachments', 3, [3]],
  ['attachments', null, null],
  ['model', {name: 'm'}, undefined],
  ['authorName', {first: 'Jane'}, undefined],
  ['tool', [], undefined],
  ['callId', 7, undefined],
  ['createdAt', {}, undefined],
])('an entry whose %s is %j keeps its text', (field, value, read) => {
  const entry = entrySchema.parse({id: 'e1', source: 'assistant', text: 'words', [field]: value})
  expect(entry).toMatchObject({id: 'e1', text: 'words'})
  expect(entry[field]).toEqual(read)
})

test('a receipt says whether the message was known, as far as that is documented', () => {
  for (const [deduped, told] of [
    [true, true],
    ['yes', undefined],
    [null, undefined],
  ]) {
    expect(receiptSchema.parse({id: 'e1', deduped}).deduped).toBe(told)
  }
})

test.each([
  ['2026-07-01T10:00:00.000', '2026-07-01T10:00:00.000Z'],
  ['2026-07-01 10:00:00', '2026-07-01T10:00:00Z'],
  ['2026-07-01T10:00:00Z', '2026-07-01T10:00:00Z'],
  ['2026-07-01T10:00:00+02:00', '2026-07-01T10:00:00+02:00'],
  ['2026-07-01T10:00-0530', '2026-07-01T10:00-0530'],
  ['2026-07-01', '2026-07-01'],
  ['Wed, 01 Jul 2026 10:00:00 GMT', 'Wed, 01 Jul 2026 10:00:00 GMT'],
])('a moment of the platform is UTC where it names no zone: %s', (text, moment) => {
  expect(threadSchema.parse({id: 't', status: 'idle', createdAt: text}).createdAt).toBe(moment)
})
