import {WebClient} from '@slack/web-api'
import {expect, test} from 'vitest'
import {TryLater} from '../../../src/inbox/try-later.ts'
import {createGroups} from '../../../src/slack/api/groups.ts'
import {createMembership} from '../../../src/slack/api/membership.ts'
import {SlackError} from '../../../src/once/slack-error.ts'

const answering = (info: () => Promise<unknown>) =>
  createMembership({conversations: {info}} as unknown as WebClient)

test.each([
  [{is_private: false}, 'public'],
  [{is_private: true}, 'private'],
  [{is_private: false, is_mpim: true}, 'private'],
  [{}, 'private'],
])('a channel that Slack describes as %j is %s', async (channel, visibility) => {
  expect(await answering(async () => ({ok: true, channel})).visibilityOf('C1')).toBe(visibility)
})

test.each([
  ['channel_not_found', 'private'],
  ['missing_scope', 'unknown'],
  ['token_revoked', 'unknown'],
  ['internal_error', 'unknown'],
])('a channel of which Slack says %s is %s', async (code, visibility) => {
  const refuse = async (): Promise<never> => {
    throw new SlackError('mistake', code)
  }
  expect(await answering(refuse).visibilityOf('C1')).toBe(visibility)
})

test.each([
  [{is_ext_shared: true}, true],
  [{is_pending_ext_shared: true}, true],
  [{is_org_shared: true, is_ext_shared: false}, false],
])(
  'of a channel that Slack describes as %j it is sure that others read it: %s',
  async (channel, isShared) => {
    const membership = answering(async () => ({ok: true, channel}))
    expect(await membership.isSurelyShared('C1')).toBe(isShared)
    expect(await membership.isShared('C1')).toBe(isShared)
  },
)

test.each([
  ['mistake', 'missing_scope', true],
  ['retry', 'internal_error', undefined],
  ['wait', 'ratelimited', undefined],
  ['dead', 'token_expired', undefined],
] as const)(
  'who else reads a channel of which Slack says %s (%s): %s',
  async (kind, code, isShared) => {
    const membership = answering(() => Promise.reject(new SlackError(kind, code)))
    const sure = await membership.isSurelyShared('C1').catch((error: unknown) => error)
    if (isShared === undefined) expect(sure).toBeInstanceOf(TryLater)
    else expect(sure).toBe(isShared)
    expect(await membership.isShared('C1')).toBe(true)
  },
)

test.each([
  ['mistake', 'missing_scope', 'unknown'],
  ['unusable', 'channel_not_found', 'private'],
  ['wait', 'ratelimited', undefined],
] as const)('what a channel is for who can wait, where Slack says %s (%s): %s', async (...told) => {
  const [kind, code, visibility] = told
  const membership = answering(() => Promise.reject(new SlackError(kind, code)))
  const sure = await membership.surelyVisibilityOf('C1').catch((error: unknown) => error)
  if (visibility === undefined) expect(sure).toBeInstanceOf(TryLater)
  else expect(sure).toBe(visibility)
})

test('a channel that was public is private once Slack says so with a message, until that is a minute ago', async () => {
  let nowMs = 0
  const info = async () => Promise.resolve({ok: true, channel: {is_private: false}})
  const client = {conversations: {info}} as unknown as WebClient
  const membership = createMembership(client, () => nowMs)
  expect(await membership.visibilityOf('C1')).toBe('public')
  membership.closed('C1')
  expect(await membership.visibilityOf('C1')).toBe('private')
  expect(await membership.visibilityOf('C2')).toBe('public')
  nowMs += 60_001
  expect(await membership.visibilityOf('C1')).toBe('public')
})

test('a direct message is private, and nobody is asked', async () => {
  expect(await answering(() => expect.unreachable()).visibilityOf('D1')).toBe('private')
})

test('somebody who is on none of very many pages is no member', async () => {
  let pages = 0
  const members = async () => {
    pages += 1
    const response_metadata = {next_cursor: `page-${pages}`}
    return {ok: true, members: ['U2'], response_metadata}
  }
  const client = {conversations: {members}} as unknown as WebClient
  expect(await createMembership(client).isMember('C1', 'U1')).toBe(false)
  expect(pages).toBeLessThan(1000)
})

test.each([
  ['wait', 'ratelimited', 'later'],
  ['retry', 'internal_error', 'later'],
  ['dead', 'token_revoked', 'later'],
  ['dead', 'invalid_auth', 'later'],
  ['unusable', 'channel_not_found', 'nobody'],
  ['mistake', 'missing_scope', 'nobody'],
] as const)('who is in a channel or a group, where Slack says %s (%s): %s', async (...told) => {
  const [kind, code, said] = told
  const list = () => Promise.reject(new SlackError(kind, code))
  const client = {conversations: {members: list}, usergroups: {users: {list}}}
  const slack = client as unknown as WebClient
  const asked = [createMembership(slack).isMember('C1', 'U1'), createGroups(slack).members('S1')]
  const answers = await Promise.all(asked.map((one) => one.catch((error: unknown) => error)))
  if (said === 'nobody') expect(answers).toEqual([false, []])
  else expect(answers.every((answer) => answer instanceof TryLater)).toBe(true)
})

test.for([
  ['is among its people', {ok: true, members: ['U1']}, true, false],
  ['is not', {ok: true, members: ['U2']}, false, true],
] as const)('somebody who %s has left or not', async ([, answer, isMember, hasLeft]) => {
  const client = {conversations: {members: async () => answer}} as unknown as WebClient
  const membership = createMembership(client)
  expect(await membership.isMember('C1', 'U1')).toBe(isMember)
  expect(await membership.hasLeft('C1', 'U1')).toBe(hasLeft)
})

test('of a channel that Slack does not show us nobody is known to be in it, nor to have left', async () => {
  const members = async () => Promise.reject(new SlackError('unusable', 'channel_not_found'))
  const client = {conversations: {members}} as unknown as WebClient
  const membership = createMembership(client)
  expect(await membership.isMember('C1', 'U1')).toBe(false)
  expect(await membership.hasLeft('C1', 'U1')).toBe(false)
})
