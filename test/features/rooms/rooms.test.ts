import {expect, test} from 'vitest'
import {setPlan} from '../../../src/agents/sends/plan-words.ts'
import {contextBar} from '../../../src/features/rooms/context-bar.ts'
import {canMove} from '../../../src/features/rooms/opening.ts'
import {createRoomSupport} from '../../../src/features/rooms/support.ts'
import {createPacer} from '../../../src/relay/pace/pacer.ts'
import {TryLater} from '../../../src/inbox/try-later.ts'
import {systemClock} from '../../../src/async/clock.ts'
import {wantedPosts} from '../../../src/relay/posts/posts.ts'
import {createTimeline} from '../../../src/relay/timeline/timeline.ts'
import {SlackError} from '../../../src/once/slack-error.ts'
import {slackBudgets} from '../../../src/slack/api/budgets.ts'
import type {Store} from '../../../src/store/store.ts'
import {temporaryStore} from '../../store/temporary-store.ts'
import {FRESH_LINK} from '../../support/fresh-link.ts'

const TEAM = 'T1'
const ORIGIN = 'C1'
const ROOM = 'C0ROOM'

/** Work that rests in a Slack thread of a channel, and its room. */
async function openRoom(store: Store) {
  const place = {team: TEAM, channel: ORIGIN, slackThread: '1.0'}
  const made = {place, requestId: 'r', projectId: 'p', startedBy: 'U1', threadId: 'thread'}
  const {id: linkId} = await store.links.open(made, 1)
  const of = {team: TEAM, threadId: 'thread'}
  await store.rooms.begin({...of, linkId, origin: ORIGIN}, 1)
  await store.rooms.made(of, ROOM)
  await store.rooms.open(of, '2.0')
  return {linkId, of}
}

test('work moves once, from where it was, and is its starter’s in one place', async () => {
  const store = await temporaryStore()
  const {linkId} = await openRoom(store)
  expect((await store.links.byId(linkId))?.room).toEqual({channel: ROOM, ts: '2.0', isMoved: false})
  expect((await store.links.inRoom({team: TEAM, channel: ROOM}))?.id).toBe(linkId)
  const first = await store.rooms.move(linkId, 'cursor', 2)
  const again = await store.rooms.move(linkId, 'later', 3)
  expect(again?.id).toBe(first?.id)
  expect(again).toMatchObject({
    cursor: 'cursor',
    threadId: 'thread',
    startedBy: 'U1',
    place: {team: TEAM, channel: ROOM, slackThread: '2.0', isRoom: true},
  })
  expect((await store.links.byId(linkId))?.room?.isMoved).toBe(true)
  const own = await store.links.ofStarter({team: TEAM, user: 'U1'}, 0)
  expect(own.map(({id}) => id)).toEqual([first?.id])
  const called = await store.notifications.placeOf({team: TEAM, threadId: 'thread'})
  expect(called).toBe(first?.id)
})

test('a plan moves with its work, and what becomes of it is known in both places', async () => {
  const store = await temporaryStore()
  const {linkId} = await openRoom(store)
  await store.links.change(linkId, {plan: 'planned'})
  const moved = await store.rooms.move(linkId, undefined, 2)
  expect(moved?.plan).toBe('planned')
  const before = await store.links.byId(linkId)
  if (before === undefined) throw new Error('The link is gone.')
  await setPlan({links: store.links, show: async () => undefined}, before, 'approved')
  expect((await store.links.byId(linkId))?.plan).toBe('approved')
  expect((await store.links.byId(moved?.id ?? ''))?.plan).toBe('approved')
})

test('what an agent’s machine asks to have shown once is not shown again where the work has moved', async () => {
  const store = await temporaryStore()
  const {linkId} = await openRoom(store)
  const limit = {most: 20, sinceMs: 0}
  const add = (of: string, more: object = {}) => {
    const post = {linkId: of, key: 'k', digest: 'd', text: 'Built', file: undefined, ...more}
    return store.agentPosts.add(post, limit, 1)
  }
  const first = await add(linkId)
  const room = (await store.rooms.move(linkId, undefined, 2))?.id ?? ''
  expect(await store.agentPosts.expect({linkId: room, key: 'k'}, limit)).toBe('known')
  expect(await add(room)).toEqual(first)
  expect(await add(room, {digest: 'other'})).toEqual({outcome: 'other'})
  expect(await add(room, {key: 'new'})).toMatchObject({outcome: 'added', post: {linkId: room}})
  // Of other work the key says nothing.
  const place = {team: TEAM, channel: ORIGIN, slackThread: '3.0'}
  const made = {place, requestId: 'r2', projectId: 'p', startedBy: 'U1', threadId: 'another'}
  const {id: other} = await store.links.open(made, 3)
  expect(await add(other)).toMatchObject({outcome: 'added', post: {linkId: other}})
})

test('a room has the settings of the channel that it was opened from, and no others', async () => {
  const store = await temporaryStore()
  await openRoom(store)
  const by = {user: 'U1', nowMs: 1}
  await store.bindings.change({team: TEAM, channel: ORIGIN}, {planFirst: true}, by)
  expect(await store.bindings.of(TEAM, ROOM)).toEqual({planFirst: true})
  await store.bindings.change({team: TEAM, channel: ROOM}, {planFirst: false}, by)
  expect(await store.bindings.of(TEAM, ORIGIN)).toEqual({planFirst: false})
  expect(await store.bindings.of('T2', ROOM)).toBeUndefined()
})

test('a link that moved wants its card, and none of what is said since', () => {
  const room = {channel: ROOM, ts: '2.0', isMoved: true}
  const timeline = createTimeline({
    ...FRESH_LINK,
    drafts: [{delivery: 'd', text: 'x'}],
    isDone: false,
  })
  const beside = {
    ...{unsure: [], waiting: [], held: [], notifications: []},
    ...{budget: {perWorkMicros: undefined, notes: []}, pullRequests: {states: new Map()}},
  }
  const rule = {maxCost: 1000, costOf: (text: string) => text.length}
  const keys = (link: typeof FRESH_LINK) =>
    wantedPosts(link, timeline, beside, rule).map(({key}) => key)
  expect(keys({...FRESH_LINK, room})).toEqual(['card'])
  expect(keys({...FRESH_LINK, room: {...room, isMoved: false}}).length).toBeGreaterThan(1)
})

test('only work that stands where it was begun can move', () => {
  expect(canMove(FRESH_LINK)).toBe(true)
  const {place} = FRESH_LINK
  expect(canMove({...FRESH_LINK, requestId: 'follow:T1:C1:1.0'})).toBe(false)
  expect(canMove({...FRESH_LINK, place: {...place, channel: 'D1'}})).toBe(false)
  expect(canMove({...FRESH_LINK, place: {...place, isRoom: true}})).toBe(false)
  expect(canMove({...FRESH_LINK, state: 'archived'})).toBe(false)
  expect(canMove({...FRESH_LINK, taskId: 'task'})).toBe(false)
})

test('the bar says what is known, and no more than Slack takes', () => {
  const pullRequest = 'https://github.com/acme/web/pull/7'
  const link = {...FRESH_LINK, projectName: 'x'.repeat(200), pullRequest, credits: 1200}
  const bar = contextBar(link, {states: new Map()})
  expect(bar.map(({key}) => key)).toEqual(['project', 'pull-request', 'cost'])
  expect(bar.every(({label}) => label.length <= 128)).toBe(true)
  expect(bar[1]?.url).toBe(pullRequest)
  expect(contextBar({...FRESH_LINK, credits: Infinity}, {states: new Map()})).toHaveLength(1)
})

test('the context bar names a pull request in plain words, and leads to it by an address of its own', () => {
  const itemOf = (pullRequest: string) =>
    contextBar({...FRESH_LINK, pullRequest}, {states: new Map()})[1]
  const url = 'https://github.com/acme/web/pull/7'
  expect(itemOf(url)).toMatchObject({label: 'acme/web#7', url})
  const long = `https://github.com/acme/${'w'.repeat(200)}/pull/7`
  expect(itemOf(long)?.label).toHaveLength(128)
  const odd = 'https://git.example.com/a?b=1&c=2'
  expect(itemOf(odd)).toMatchObject({label: odd, url: odd})
})

test.each([
  ['feature_disabled', false],
  ['unknown_method', false],
  ['missing_scope', false],
  ['channel_not_found', true],
  ['not_agent_channel', true],
])('Slack is asked once a day, and %s is an answer', async (code, expected) => {
  const store = await temporaryStore()
  let [asked, nowMs] = [0, 1]
  const client = {
    apiCall: async () => {
      asked += 1
      throw new SlackError('refused', code)
    },
  }
  const pacer = createPacer({budgets: slackBudgets(1000), clock: systemClock})
  const parts = {client: client as never, rooms: store.rooms, pacer, team: TEAM, nowMs: () => nowMs}
  const {signal} = new AbortController()
  expect(await createRoomSupport(parts).hasRooms(signal)).toBe(expected)
  expect(await createRoomSupport(parts).hasRooms(signal)).toBe(expected)
  expect(asked).toBe(1)
  nowMs += 86_400_001
  await createRoomSupport(parts).hasRooms(signal)
  expect(asked).toBe(2)
})

test('a token that Slack refuses says nothing of whether there are rooms, and nothing of it is kept', async () => {
  const store = await temporaryStore()
  const codes = ['token_revoked', 'feature_disabled']
  const client = {apiCall: async () => Promise.reject(new SlackError('dead', codes.shift() ?? ''))}
  const pacer = createPacer({budgets: slackBudgets(1000), clock: systemClock})
  const parts = {client: client as never, rooms: store.rooms, pacer, team: TEAM, nowMs: () => 1}
  const support = createRoomSupport(parts)
  const {signal} = new AbortController()
  await expect(support.hasRooms(signal)).rejects.toBeInstanceOf(TryLater)
  expect(await store.rooms.support(TEAM)).toBeUndefined()
  expect(await support.offersRooms(signal)).toBe(false)
})
