import {expect, test} from 'vitest'
import {newLink, place, temporaryStore} from './temporary-store.ts'

test('a link keeps all that is changed of it, and lets go of what is taken back', async () => {
  const {links} = await temporaryStore()
  const {id} = await links.open(newLink, 0)
  const fresh = await links.byId(id)
  const change = {
    ...{state: 'open' as const, projectId: 'q', projectName: 'Shop', threadId: 't'},
    ...{title: 'Prices', status: 'working', statusSinceMs: 5, stoppedBy: 'U2', steps: 3},
    ...{credits: 1.5, cursor: 'c', newestTs: '2.0', pullRequest: 'https://a.example/pull/1'},
    ...{taskId: 'k', lastModelId: 'm', attempt: 2, muted: true, needsYou: true, runSinceMs: 6},
    ...{dismissed: 'd', model: {modelId: 'm', effort: 'high', modes: []}},
    plan: 'planned' as const,
  }
  await links.change(id, change)
  expect(await links.byId(id)).toMatchObject(change)
  const nothing = {
    ...{projectName: undefined, threadId: undefined, title: undefined, status: undefined},
    ...{stoppedBy: undefined, credits: undefined, cursor: undefined, newestTs: undefined},
    ...{pullRequest: undefined, taskId: undefined, lastModelId: undefined, runSinceMs: undefined},
    ...{dismissed: undefined, model: undefined, plan: undefined, muted: false, needsYou: false},
    ...{state: 'starting' as const, projectId: 'p', statusSinceMs: 0, steps: 0, attempt: 0},
  }
  await links.change(id, nothing)
  expect(await links.byId(id)).toEqual({...fresh, turn: expect.any(Number) as number})
})

test('of a link nothing is known that nobody has said, and its key is', async () => {
  const {links} = await temporaryStore()
  const bare = await links.open(newLink, 0)
  expect(Object.values(bare)).not.toContain(null)
  expect(bare.connectionId).toBeUndefined()
  const spot = {...place, slackThread: '2.0'}
  const asked = {requestId: 'r2', connectionId: 'k', notes: {passed: ['a.txt']}}
  const full = await links.open({...newLink, ...asked, place: spot}, 0)
  expect(await links.byId(full.id)).toMatchObject({connectionId: 'k', notes: asked.notes})
})

test('what was begun in private and that nobody has found yet is known', async () => {
  const {origins, timetables} = await temporaryStore()
  expect(await origins.begin({requestId: 'a', projectId: 'p', nowMs: 1})).toBe(true)
  expect(await origins.begin({requestId: 'a', projectId: 'p', nowMs: 2})).toBe(false)
  expect(await origins.begin({requestId: 'b', projectId: undefined, nowMs: 3})).toBe(true)
  const times = {schedules: [], connectionId: undefined, reference: 'r', name: 'n', projectId: 'q'}
  const made = {team: 'T1', channel: 'C1', ...times}
  // The platform's clock may be twenty seconds ahead.
  await timetables.add({...made, automationId: 'x', isPrivate: true, momentMs: 20_100})
  await timetables.add({...made, automationId: 'y', isPrivate: true, momentMs: 20_101})
  await timetables.add({...made, automationId: 'z', isPrivate: false, momentMs: 1})
  const underway = await origins.underway(100)
  expect(underway.toSorted((a, b) => a.begunAtMs - b.begunAtMs)).toEqual([
    {projectId: 'p', begunAtMs: 1, recurs: false},
    {projectId: undefined, begunAtMs: 3, recurs: false},
    {projectId: 'q', begunAtMs: 20_100, recurs: true},
  ])
  await origins.settle('a', 't')
  await origins.settle('b', undefined)
  expect(await origins.underway(0)).toEqual([])
  expect((await origins.of(['t', 'u'])).get('t')?.mark).toBe('private')
  expect((await origins.of(['u'])).size).toBe(0)
})

test('a thread is shown first where its conversation is', async () => {
  const {links, lists} = await temporaryStore()
  const open = async (requestId: string, change: object, nowMs = 0) => {
    const asked = {...newLink, place: {...place, slackThread: requestId}, requestId}
    const {id} = await links.open(asked, nowMs)
    await links.change(id, {state: 'open', threadId: 't', ...change})
    return id
  }
  const second = await open('2', {}, 2)
  const first = await open('1', {}, 1)
  await open('3', {state: 'archived'})
  await open('4', {taskId: 'k'})
  await open('5', {threadId: 'u'})
  expect((await lists.openOfThread('t')).map(({id}) => id)).toEqual([first, second])
})

test('what nobody said of a link is not there', async () => {
  const {links, posts} = await temporaryStore()
  const link = await links.open(newLink, 0)
  for (const name of ['connectionId', 'notes', 'taskId', 'ask', 'face', 'rule', 'room'] as const) {
    expect([name, link[name]]).toEqual([name, undefined])
  }
  const of = {...newLink, place: {...place, slackThread: '2.0'}, requestId: 'r2'}
  expect(await links.open({...of, connectionId: 'k', notes: {read: 2}}, 0)).toMatchObject({
    ...{connectionId: 'k', notes: {read: 2}},
  })
  await posts.intend(link.id, {key: 'card', delivery: undefined, draft: undefined}, 0)
  const [row] = await posts.unsettled(link.id)
  for (const name of ['delivery', 'ts', 'hash', 'draft', 'file'] as const) {
    expect([name, row?.[name]]).toEqual([name, undefined])
  }
})

test('what somebody has started is theirs to see while it goes on, and for some time afterwards', async () => {
  const {links} = await temporaryStore()
  const open = async (requestId: string, change: object, asked: object = {}) => {
    const of = {...newLink, ...asked, requestId}
    const {id} = await links.open({...of, place: {...place, slackThread: requestId}}, 0)
    await links.change(id, change)
    return id
  }
  const old = await open('1', {state: 'open', statusSinceMs: 1})
  const ended = await open('2', {state: 'ended', statusSinceMs: 10})
  const newest = await open('3', {state: 'archived', statusSinceMs: 20})
  await open('4', {state: 'archived', statusSinceMs: 9})
  await open('5', {state: 'open'}, {startedBy: 'U2'})
  const found = await links.ofStarter({team: 'T1', user: 'U1'}, 10)
  expect(found.map(({id}) => id)).toEqual([newest, ended, old])
  expect(await links.ofStarter({team: 'T2', user: 'U1'}, 10)).toEqual([])
})
