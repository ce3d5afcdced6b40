import type {PlatformClient} from '../../src/platform/client.ts'

// What section 2 of the API's document looks like on the wire, and requests with every field that they may have.

/** With every field that it may have, in all that it holds: one that is new is missed by the compiler. */
type Complete<Value> = Value extends readonly (infer Item)[]
  ? readonly Complete<Item>[]
  : Value extends object
    ? {readonly [Name in keyof Value]-?: Complete<Value[Name]>}
    : Value
/** What a method of the client sends. */
type Sent<Method extends keyof PlatformClient, At extends 0 | 1 = 0> = Complete<
  Parameters<PlatformClient[Method]>[At]
>

export const thread = {id: 't/1', status: 'idle', projectId: 'p', archived: false}
export const entry = {id: 'e1', source: 'assistant', text: 'Hello.', callId: 'c1'}
export const task = {id: 'k/1', taskPath: '1.2', status: 'working', archived: false}
export const project = {id: 'p 1', name: 'web', repos: []}
export const user = {id: 'u1', email: 'jane@example.com', firstName: 'Jane', lastName: 'Doe'}
export const automation = {id: 'a/1', projectId: 'p', triggers: [], repos: [], deleted: false}
export const round = {
  reviewId: 'v1',
  requestId: 'r1',
  threadId: 't9',
  headSha: '1a2b3c4',
  adopted: true,
  sourceRecorded: false,
}
export const rule = {id: 'l1', body: 'Use tabs.', scopes: [], status: 'active'}
export const filterRule = {id: 'f/1', repo: 'acme/web', conditions: []}
export const transfer = {
  repo: 'acme/web',
  billingOrgId: 'o1',
  offer: {fromOrgId: 'o2', toOrgId: 'o1', createdAt: '2026-01-02T03:04:05.678Z'},
}

const model = {
  modelId: 'm1',
  reasoningMode: 'high',
  modes: {fast: true, pro: false, ultrafast: false},
} as const
export const avatar = {kind: 'emoji', value: '🦊', background: 'blue', image: 'data:,'} as const
export const newThread = {
  requestId: 'r1',
  projectId: 'p',
  message: 'Fix it.',
  title: 'A fix',
  model,
  machineSize: 'large',
  authorId: 'u1',
} as const satisfies Sent<'createThread'>
export const newMessage = {
  text: 'And the tests.',
  delivery: 'steer',
  model,
} as const satisfies Sent<'sendMessage', 1>
export const newCaptain = {
  requestId: 'r1',
  projectId: 'p',
  name: 'Ada',
  brief: 'Keep watch.',
  model,
  avatar,
  authorId: 'u1',
} as const satisfies Sent<'createCaptain'>
export const newAutomation = {
  requestId: 'r1',
  projectId: 'p',
  name: 'Nightly',
  description: 'Every night',
  prompt: 'Go.',
  triggers: [
    {type: 'schedule', cron: '0 3 * * *', timezone: 'Europe/Berlin'},
    {type: 'incoming_webhook', filters: []},
  ],
  model,
  repos: [{repo: 'acme/web', branch: 'main'}],
  threadMode: 'new',
  chatImpersonation: false,
  singleJamId: 'j1',
  maxRunsPerDay: 3,
  mcpOverrides: {enabled_server_keys: ['one'], disabled_server_keys: []},
  machineSize: 'bigguy',
  organize: {pin: true, folders: ['d1'], tags: []},
  enabled: true,
  runAsKind: 'human',
  runAsId: 'u1',
} as const satisfies Sent<'createAutomation'>
export const newReview = {
  repo: 'acme/web',
  prNumber: 12,
  idempotencyKey: 'i1',
  forceRefresh: true,
  sourceThreadId: 't/1',
} as const satisfies Sent<'startReview'>
export const newRule = {
  body: 'Use tabs.',
  scopes: [{repo: 'acme/web', paths: ['src/**']}],
  file: {repo: 'acme/web', path: 'RULES.md'},
} as const satisfies Sent<'createReviewRule'>
export const period = {
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-02-01T00:00:00.000Z',
} satisfies Sent<'getUsage'>
