import {expect, test} from 'vitest'
import type {LinkKeeper} from '../../src/relay/link-keeper.ts'
import type {KnownPullRequests} from '../../src/relay/pull-requests.ts'
import {createNaming} from '../../src/relay/posts/pull-request.ts'
import {createTimeline, fold} from '../../src/relay/timeline/timeline.ts'
import {openView} from '../../src/relay/view.ts'
import type {Link} from '../../src/store/tables/work/link.ts'
import type {Notification} from '../../src/store/tables/work/notifications.ts'
import {FRESH_LINK} from '../support/fresh-link.ts'

type Options = Parameters<typeof openView>[0]

const SHAPING = {shapes: new Map(), noFiles: false}

/** A view of a link, and what our tables say beside it. */
async function open() {
  let link: Link = FRESH_LINK
  let timeline = createTimeline({...link, drafts: []})
  const tables = {
    news: [] as KnownPullRequests['news'],
    called: [] as Partial<Notification>[],
    isLate: false,
  }
  const late: string[] = []
  const keeper = {link: () => link, note: () => undefined} as unknown as LinkKeeper
  const none = async () => []
  const sends = {unsure: none, waiting: none, held: none, hasLate: async () => tables.isLate}
  const notifications = {ofLink: async () => tables.called}
  const view = await openView({
    ...{keeper, naming: createNaming(keeper), timeline: () => timeline},
    sends: sends as unknown as Options['sends'],
    notifications: notifications as unknown as Options['notifications'],
    splitRule: {maxCost: 1000, costOf: (text) => text.length},
    hasStatusLine: () => false,
    onLate: ({id}) => void late.push(id),
    budgetOf: async () => ({perWorkMicros: undefined, notes: []}),
    pullRequestBook: {of: async () => ({states: new Map(), news: tables.news})},
  })
  const says = (text: string): void => {
    const frame = {type: 'assistant', callId: 'A', text} as const
    timeline = fold(timeline, frame, {nowMs: 0, isOurs: false})
  }
  const become = (change: Partial<Link>): void => {
    link = {...link, ...change}
  }
  return {view, tables, late, says, become}
}

const news = (version: number): KnownPullRequests['news'] => [
  {team: 'T1', linkId: 'l1', key: 'acme/web#1', version},
]

test('the posts are the same for as long as nothing that they are made of has changed', async () => {
  const {view, says, become} = await open()
  const first = view.posts(SHAPING, true)
  expect(view.posts(SHAPING, true)).toBe(first)
  says('Well. ')
  const grown = view.posts(SHAPING, true)
  expect(grown).not.toBe(first)
  expect(view.posts(SHAPING, true)).toBe(grown)
  become({title: 'Another'})
  const renamed = view.posts(SHAPING, true)
  expect(renamed).not.toBe(grown)
  await view.reload()
  expect(view.posts(SHAPING, true)).not.toBe(renamed)
})

test('news of pull requests are told once, when posts that say them were asked for', async () => {
  const {view, tables} = await open()
  tables.news = news(1)
  await view.reload()
  expect(view.toldOf()).toEqual([])
  view.posts(SHAPING, true)
  expect(view.toldOf()).toEqual(news(1))
  view.posts(SHAPING, true)
  expect(view.toldOf()).toEqual([])
})

test('news that come while others are shown are told after those', async () => {
  const {view, tables} = await open()
  tables.news = news(1)
  await view.reload()
  view.posts(SHAPING, true)
  tables.news = news(2)
  await view.reload()
  expect(view.toldOf()).toEqual(news(1))
  view.posts(SHAPING, true)
  expect(view.toldOf()).toEqual(news(2))
})

test('a call is open until it has ended, and a stop that came too late is told of', async () => {
  const {view, tables, late} = await open()
  expect([view.hasOpenCall(), late]).toEqual([false, []])
  const words = {}
  tables.called = [{id: 'n1', kind: 'done', state: 'open', reminders: 0, words}]
  tables.isLate = true
  await view.reload()
  expect([view.hasOpenCall(), late]).toEqual([true, ['l1']])
  tables.called = [{id: 'n1', kind: 'done', state: 'over', reminders: 0, words}]
  await view.reload()
  expect(view.hasOpenCall()).toBe(false)
})

test('nobody is called while nobody knows whether that is still so, and what stands of it stays', async () => {
  const {view, tables} = await open()
  const words = {}
  const call = {id: 'n1', kind: 'needs-you', reminders: 1, words} as const
  const made = (mayCall: boolean) =>
    view
      .posts(SHAPING, mayCall)
      .filter(({key}) => key.startsWith('ping:'))
      .map(({isCreated}) => isCreated)
  tables.called = [{...call, state: 'open'}]
  await view.reload()
  expect([made(false), made(true), made(false)]).toEqual([
    [false, false],
    [false, true],
    [false, false],
  ])
})
