import {describe, expect, test} from 'vitest'
import {faceOf, followTask, followThread} from '../../src/agents/follow.ts'
import {PlatformThreadNotFound, PlatformUnreachable} from '../../src/platform/errors.ts'
import {entrySchema, threadSchema} from '../../src/platform/model.ts'
import {temporaryStore} from '../store/temporary-store.ts'
import {budgetsOf} from '../support/budgets.ts'
import {openHouse} from '../support/open-house.ts'

const {signal} = new AbortController()
const ask = {...{team: 'T1', channel: 'C1', threadId: 't', connectionId: undefined, askedBy: 'U1'}}

async function setUp({thread = {}, hidden = false}: {thread?: object; hidden?: boolean} = {}) {
  const store = await temporaryStore()
  const shown: string[] = []
  const places: string[] = []
  let trouble: Error | undefined
  const client = {
    getThread: async () => {
      if (trouble !== undefined) throw trouble
      return threadSchema.parse({
        id: 't',
        projectId: 'p',
        title: 'Prices',
        status: 'idle',
        ...thread,
      })
    },
    getTask: async () => ({id: 'k', title: 'Part one', status: 'active'}),
    getProject: async () => ({id: 'p', name: 'web'}),
    listMessages: async function* (
      _id: string,
      _after: unknown,
      _signal: unknown,
      {limit = 2, onPage}: {limit?: number; onPage: (cursor: string | null) => void},
    ) {
      onPage('c1')
      for (const source of ['user', 'assistant'].slice(0, limit))
        yield entrySchema.parse({id: source, source, text: 'x'})
    },
  } as never
  const deps = {
    ...{
      ...store,
      clientOf: () => client,
      knowing: {
        ...openHouse,
        isHiddenFrom: async () => hidden,
        mayBring: async ({channel, user}: {channel: string; user: string}) =>
          channel !== 'C-shared' || user === 'U-admin',
      },
    },
    ...{attribute: async () => ({byKey: 'nobody'}) as const, budgets: budgetsOf(store)},
    ...{show: async (id: string) => void shown.push(id), nowMs: () => 1},
  }
  const makePlace = async (_of: unknown, headId: string) => {
    places.push(headId)
    return {ts: `${places.length}.0`}
  }
  return {
    ...{store, shown, places, deps, makePlace, client},
    fail: (error: Error) => void (trouble = error),
    follow: (more: object = {}) => followThread(deps, {...ask, ...more, client}, makePlace, signal),
  }
}

describe('a thread that was there before', () => {
  test('is shown from its last words on, with its name and what was said before', async () => {
    const {follow, store, shown} = await setUp({thread: {captain: {name: 'Ada'}}})
    const outcome = await follow()
    if (outcome.outcome !== 'followed') throw new Error(outcome.outcome)
    const link = await store.links.byId(outcome.link.id)
    expect(link).toMatchObject({
      ...{place: {team: 'T1', channel: 'C1', slackThread: '1.0'}, requestId: 'follow:T1:C1:1.0'},
      ...{threadId: 't', projectId: 'p', projectName: 'web', title: 'Prices', status: 'idle'},
      ...{state: 'open', startedBy: 'U1', face: {name: 'Ada'}, notes: {earlier: 1}, cursor: 'c1'},
    })
    expect(shown).toContain(link?.id)
  })

  test.each([
    ['as it was begun here', {begunAs: 'r1'}, {requestId: 'r1', notes: undefined}],
    ['as a review', {reviews: 'acme/web#1'}, {notes: {reviews: 'acme/web#1'}}],
  ])('is shown from its first words on %s', async (_how, more, told) => {
    const {follow} = await setUp()
    expect(await follow(more)).toMatchObject({
      ...{outcome: 'followed', link: {...told, cursor: undefined}},
    })
  })

  test('stands once in a channel, however often it is asked for, and anew once that has ended', async () => {
    const {follow, places, store, shown} = await setUp()
    const [first] = [await follow()]
    const again = await follow()
    expect(again).toMatchObject({outcome: 'standing', headId: places[0]})
    expect(places).toHaveLength(1)
    if (first.outcome !== 'followed') throw new Error(first.outcome)
    expect(shown.at(-1)).toBe(first.link.id)
    await store.links.change(first.link.id, {state: 'ended'})
    expect(await follow()).toMatchObject({outcome: 'followed'})
    expect(new Set(places).size).toBe(2)
  })

  test('that somebody else has brought meanwhile stands where they did', async () => {
    const {follow, store} = await setUp()
    const both = await Promise.all([follow(), follow()])
    expect(both.map(({outcome}) => outcome).toSorted()).toEqual(['followed', 'standing'])
    expect(await store.lists.openOfThread('t')).toHaveLength(1)
  })

  test.each<[string, object, object, string]>([
    ['hidden', {hidden: true}, {}, 'gone'],
    ['hidden, and begun here', {hidden: true}, {begunAs: 'r1'}, 'followed'],
    ['of another project', {}, {within: {projectId: 'q'}}, 'gone'],
    ['of the project', {}, {within: {projectId: 'p'}}, 'followed'],
    ['from elsewhere, where others read', {}, {channel: 'C-shared'}, 'shared'],
    ['that an admin wishes', {}, {channel: 'C-shared', askedBy: 'U-admin'}, 'followed'],
    [
      'that is told there, where others read',
      {},
      {channel: 'C-shared', isToldHere: true},
      'followed',
    ],
    ['reviewed before, elsewhere', {}, {channel: 'C-shared', reviews: 'a/b#1'}, 'shared'],
    ['begun here, where others read', {}, {channel: 'C-shared', begunAs: 'r1'}, 'followed'],
  ])('%s is followed, or not: %o %o %s', async (_what, of, more, expected) => {
    const {follow, places} = await setUp(of)
    const outcome = await follow(more)
    if (expected === 'followed') expect(outcome).toMatchObject({outcome: 'followed'})
    else expect([outcome, places]).toEqual([{outcome: 'declined', why: expected}, []])
  })

  test('is not there where the platform or Slack says so, and asked for again when nobody answers', async () => {
    const {follow, fail, deps, client} = await setUp()
    const nowhere = async () => ({code: 'not_in_channel'})
    expect(await followThread(deps, {...ask, client}, nowhere, signal)).toEqual({
      ...{outcome: 'no-place', code: 'not_in_channel'},
    })
    fail(new PlatformThreadNotFound('no', {status: 404}))
    expect(await follow()).toEqual({outcome: 'declined', why: 'gone'})
    fail(new PlatformUnreachable('gone', true))
    await expect(follow()).rejects.toMatchObject({name: 'TryLater'})
  })
})

test('a task is shown from its beginning on, beside its thread, once', async () => {
  const {deps, client, makePlace, follow} = await setUp()
  await follow()
  const task = {...ask, taskId: 'k', projectId: 'p', client}
  expect(await followTask(deps, task, makePlace, signal)).toMatchObject({
    outcome: 'followed',
    link: {taskId: 'k', threadId: 't', title: 'Part one', cursor: undefined, notes: undefined},
  })
  expect(await followTask(deps, task, makePlace, signal)).toMatchObject({outcome: 'standing'})
})

test('a captain has a face where it has one', () => {
  expect(faceOf({})).toBeUndefined()
  expect(faceOf({captain: {name: 'Ada', avatar: undefined}})).toEqual({name: 'Ada'})
  const avatar = {kind: 'preset', value: 'owl', background: 'blue', image: undefined, more: 1}
  expect(faceOf({captain: {name: 'Ada', avatar}})).toEqual({
    ...{name: 'Ada', avatar: {kind: 'preset', value: 'owl', background: 'blue', image: undefined}},
  })
})
