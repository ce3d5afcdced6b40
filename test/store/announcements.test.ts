import {expect, onTestFinished, test} from 'vitest'
import {createLeaks} from '../../src/security/leaks.ts'
import {Secret} from '../../src/security/secret.ts'
import {openStore} from '../../src/store/store.ts'
import {newLink, place, temporaryDatabase, temporaryStore} from './temporary-store.ts'

const PROJECT = {projectId: 'p', connectionId: undefined}
const head = {
  ...{id: 'h', team: 'T1', channel: 'C1', threadId: 't', connectionId: undefined},
  words: {askedBy: 'U1'},
}

test('a head that Slack did not take is wanted once more when it is asked for again', async () => {
  const {announcements} = await temporaryStore()
  await announcements.open(head, 1)
  await announcements.move('h', 'intended')
  expect(await announcements.open({...head, words: {}}, 2)).toMatchObject({
    ...{state: 'intended', words: head.words, madeAtMs: 1},
  })
  await announcements.move('h', 'gone')
  const again = {...head, words: {askedBy: 'U2'}}
  expect(await announcements.open(again, 3)).toMatchObject({
    ...{state: 'wanted', words: again.words, madeAtMs: 3},
  })
})

test('an ending that changed while it was being shown is shown, too', async () => {
  const {announcements} = await temporaryStore()
  await announcements.open(head, 1)
  await announcements.move('h', 'placed', '1.0')
  await announcements.end('h', 'over')
  const [drawn] = await announcements.due('T1', 1e15)
  if (drawn === undefined) throw new Error('Nothing is due.')
  await announcements.end('h', 'U2', {answer: 'Yes.'})
  await announcements.close(drawn)
  const [changed] = await announcements.due('T1', 1e15)
  expect(changed).toMatchObject({state: 'placed', endedBy: 'U2', words: {answer: 'Yes.'}})
  await announcements.close(changed ?? drawn)
  expect(await announcements.due('T1', 1e15)).toEqual([])
  expect(await announcements.byId('h')).toMatchObject({state: 'over', endedBy: 'U2'})
})

test('what is answered before it is noted where it stands is shown as answered', async () => {
  const {announcements} = await temporaryStore()
  await announcements.open(head, 1)
  await announcements.move('h', 'intended')
  await announcements.end('h', 'U2')
  expect(await announcements.byId('h')).toMatchObject({state: 'intended', endedBy: undefined})
  await announcements.end('h', 'U2', {answer: 'Yes.', ts: '1.0'})
  const ended = {state: 'placed', ts: '1.0', endedBy: 'U2', words: {answer: 'Yes.'}}
  expect(await announcements.due('T1', 1e15)).toMatchObject([ended])
  // And then Slack's answer comes.
  await announcements.move('h', 'placed', '1.0')
  expect(await announcements.due('T1', 1e15)).toMatchObject([ended])
  await announcements.open({...head, id: 'refused'}, 1)
  await announcements.move('refused', 'gone')
  await announcements.end('refused', 'over')
  expect(await announcements.byId('refused')).toMatchObject({state: 'gone', endedBy: undefined})
})

test('what holds a secret that nobody knew of when it was written down comes to its end', async () => {
  const leaks = createLeaks()
  const store = await openStore({
    ...{path: await temporaryDatabase(), sealingKeys: []},
    omit: leaks.omit,
  })
  onTestFinished(() => store[Symbol.asyncDispose]())
  const {announcements} = store
  const title = 'use key_of_the_platform'
  const opened = await announcements.open({...head, words: {title}}, 1)
  leaks.learn(new Secret('key_of_the_platform'))
  expect(await announcements.intend(opened)).toBe(true)
  await announcements.move('h', 'placed', '1.0')
  await announcements.end('h', 'over')
  const other = await announcements.open({...head, id: 'i', words: {title}}, 1)
  expect(other.words.title).not.toBe(title)
  const drawn = (await announcements.due('T1', 1e15)).find(({id}) => id === 'h')
  await announcements.close(drawn ?? opened)
  expect(await announcements.byId('h')).toMatchObject({state: 'over'})
})

test('one that is over for good is forgotten after a week, and the wish to hear no more is not', async () => {
  const {announcements, sightings, watches} = await temporaryStore()
  await watches.add({team: 'T1', channel: 'C1', ...PROJECT, madeBy: 'U1'}, 0)
  const nothing = {changed: [], ended: new Map(), standing: new Map(), changedAtMs: new Map()}
  await sightings.record(PROJECT, nothing, () => true, 0)
  const failed = (threadId: string) => ({threadId, status: 'failed', times: 2})
  const standing = new Map(['a', 'b', 'c'].map((id) => [id, {status: 'failed', words: {}}]))
  const changed = ['a', 'b', 'c'].map(failed)
  await sightings.record(PROJECT, {...nothing, changed, standing}, () => true, 1)
  const found = await announcements.found()
  for (const {id} of found) await announcements.move(id, 'placed', '1.0')
  const [over, hushed, open] = found
  await announcements.end(over?.id ?? '', 'over')
  await announcements.end(hushed?.id ?? '', 'hushed')
  for (const drawn of await announcements.due('T1', 1e15)) await announcements.close(drawn)
  await sightings.record(PROJECT, nothing, () => true, 86_400_000)
  expect(await announcements.byId(over?.id ?? '')).toBeDefined()
  // All of it is looked through once an hour.
  const weekMs = 7 * 86_400_000
  for (const [atMs, isKept] of [
    [weekMs - 1, true],
    [weekMs + 60_000, true],
    [weekMs + 3_600_000, false],
  ] as const) {
    await sightings.record(PROJECT, nothing, () => true, atMs)
    expect((await announcements.byId(over?.id ?? '')) !== undefined, `${atMs}`).toBe(isKept)
  }
  for (const kept of [hushed, open]) {
    expect(await announcements.byId(kept?.id ?? '')).toBeDefined()
  }
})

test('the head of a Slack thread is forgotten where nothing was begun below it', async () => {
  const {announcements, links, retention} = await temporaryStore()
  for (const [id, ts] of [
    ['bare', '1.1'],
    ['begun', place.slackThread],
  ]) {
    await announcements.open({...head, id: id ?? '', words: {task: 'a task'}}, 1)
    await announcements.move(id ?? '', 'placed', ts)
  }
  await links.open(newLink, 1)
  expect(await retention.forgetAnnouncements(2)).toBe(1)
  expect(await announcements.byId('bare')).toBeUndefined()
  expect(await announcements.byId('begun')).toBeDefined()
})

test('what was found in a project is asked for by itself, and what was left behind by its age', async () => {
  const {announcements, watches, sightings} = await temporaryStore()
  const nothing = {changed: [], ended: new Map(), standing: new Map(), changedAtMs: new Map()}
  const [other, others] = [
    {...PROJECT, projectId: 'q'},
    {...PROJECT, connectionId: 'k'},
  ]
  for (const [project, threadId] of [
    [PROJECT, 'a'],
    [other, 'b'],
    [others, 'a'],
  ] as const) {
    const channel = `C${threadId}${project.connectionId ?? ''}`
    await watches.add({team: 'T1', channel, ...project, madeBy: 'U1'}, 0)
    await sightings.record(project, nothing, () => true, 0)
    const changed = [{threadId, status: 'failed', times: 2}]
    const standing = new Map([[threadId, {status: 'failed', words: {}}]])
    await sightings.record(project, {...nothing, changed, standing}, () => true, 5)
  }
  const of = async (project: typeof PROJECT | typeof others) =>
    (await announcements.found(project)).map((one) => [one.threadId, one.connectionId])
  expect(await of(PROJECT)).toEqual([['a', undefined]])
  expect(await of(other)).toEqual([['b', undefined]])
  expect([await announcements.leftBehind(5), await announcements.leftBehind(6)]).toMatchObject([
    [],
    await announcements.found(),
  ])
})

test('what is yet to be told comes before all that is over', async () => {
  const {announcements} = await temporaryStore()
  for (const [id, nowMs] of [
    ['old', 1],
    ['older', 0],
    ['new', 2],
  ] as const) {
    const head = {id, team: 'T1', channel: 'C1', threadId: id, connectionId: undefined}
    await announcements.open({...head, words: {}}, nowMs)
    if (id === 'new') continue
    await announcements.move(id, 'placed', '1.0')
    await announcements.end(id, 'unwatched')
  }
  const due = await announcements.due('T1', 9)
  expect(due.map(({id}) => id)).toEqual(['new', 'older', 'old'])
})

test('what has ended is forgotten also where nobody is left who could say so there', async () => {
  const {announcements, retention, watches, sightings} = await temporaryStore()
  await watches.add({team: 'T1', channel: 'C1', ...PROJECT, madeBy: 'U1'}, 0)
  const nothing = {changed: [], ended: new Map(), standing: new Map(), changedAtMs: new Map()}
  await sightings.record(PROJECT, nothing, () => true, 0)
  const changed = [{threadId: 'a', status: 'failed', times: 2}]
  const standing = new Map([['a', {status: 'failed', words: {}}]])
  await sightings.record(PROJECT, {...nothing, changed, standing}, () => true, 1)
  const [told] = await announcements.found()
  await announcements.move(told?.id ?? '', 'placed', '1.0')
  expect(await retention.forgetAnnouncements(2)).toBe(0)
  await announcements.end(told?.id ?? '', 'over')
  expect(await retention.forgetAnnouncements(2)).toBe(1)
})

test('a place is welcomed once, for good, unless Slack did not take it or work was begun there', async () => {
  const {announcements, links, retention} = await temporaryStore()
  const there = {team: 'T1', channel: 'C2'}
  const wanted = await announcements.welcome(there, {}, 1)
  expect(wanted).toMatchObject({state: 'wanted', status: 'welcome', channel: 'C2'})
  const {id = ''} = wanted ?? {}
  await announcements.move(id, 'gone')
  expect(await announcements.welcome(there, {isShared: true}, 2)).toMatchObject({
    ...{id, state: 'wanted', words: {isShared: true}},
  })
  await announcements.move(id, 'over', '1.0')
  expect(await announcements.welcome(there, {}, 3)).toBeUndefined()
  expect(await retention.forgetAnnouncements(1e15)).toBe(0)
  expect(await announcements.welcome(there, {}, 4)).toBeUndefined()

  await links.open(newLink, 1)
  expect(await announcements.welcome(place, {}, 5)).toBeUndefined()
  expect(await announcements.due('T1', 1e15)).toEqual([])
})
