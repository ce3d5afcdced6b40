import {expect, test} from 'vitest'
import {openRaw} from '../support/raw-database.ts'
import {newLink, place, temporaryDatabase, temporaryStore} from './temporary-store.ts'

test('what somebody asked to start is acted on by one press, however often it is handled', async () => {
  const {starts} = await temporaryStore()
  const asked = {requestId: 'r', team: 'T1', user: 'U1', request: {words: 'a'}}
  const start = await starts.open(asked, 1)
  expect(start).toEqual({...asked, id: start.id})
  expect(await starts.open({...asked, request: {words: 'b'}}, 2)).toEqual(start)
  expect(await starts.take(start.id, 'one')).toBe(true)
  expect(await starts.take(start.id, 'one')).toBe(true)
  expect(await starts.take(start.id, 'two')).toBe(false)
  await starts.release(start.id)
  expect(await starts.take(start.id, 'two')).toBe(true)
  expect(await starts.take('none', 'two')).toBe(false)
  await starts.keepRequest(start.id, {words: 'c'})
  expect(await starts.byId(start.id)).toEqual({...start, request: {words: 'c'}})
  expect(await starts.byId('none')).toBeUndefined()
})

test('a state that has led back from Slack works once', async () => {
  const {usedStates} = await temporaryStore()
  expect(await usedStates.use('a', 1)).toBe(true)
  expect(await usedStates.use('a', 2)).toBe(false)
  expect(await usedStates.use('b', 2)).toBe(true)
})

test('of such a state only its hash is kept, as every version writes it', async () => {
  const path = await temporaryDatabase()
  const {usedStates} = await temporaryStore(path)
  await usedStates.use('abc', 1)
  await using raw = await openRaw(path)
  expect(await raw.all('select * from used_states')).toEqual([
    {
      // https://www.di-mgt.com.au/sha_testvectors.html
      state_hash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      used_at_ms: 1,
    },
  ])
})

test('a link is shown in the newest few messages, and by what its preview shows', async () => {
  const {unfurls} = await temporaryStore()
  const link = {url: 'https://a.example', about: 'pr'}
  const message = {team: 'T1', channel: 'C1', ts: '0'}
  for (let index = 0; index < 12; index += 1) {
    await unfurls.note({...message, ts: `${index}`}, [link], index)
  }
  const of = async (ts: string) => unfurls.of({...message, ts})
  expect(await unfurls.ofTeam('T1', 0)).toHaveLength(10)
  expect([await of('0'), await of('1')]).toEqual([[], []])
  const [second] = await of('2')
  expect(second).toEqual({...message, ...link, ts: '2', shown: undefined, notedAtMs: 2})
  // It may come again.
  await unfurls.note({...message, ts: '2'}, [link], 20)
  expect(await of('2')).toEqual([second])
  if (second === undefined) throw new Error('It is not there')
  await unfurls.shown([{...second, shown: 'x'}])
  expect(await of('2')).toEqual([{...second, shown: 'x'}])
  expect((await of('3'))[0]?.shown).toBeUndefined()
  expect(await unfurls.about('T1', ['pr', 'other'], 10)).toHaveLength(2)
  expect(await unfurls.about('T1', ['other'], 0)).toEqual([])
  expect(await unfurls.about('T2', ['pr'], 0)).toEqual([])
  await unfurls.drop([second])
  expect(await of('2')).toEqual([])
  expect(await unfurls.ofTeam('T1', 3)).toHaveLength(9)
})

test('what was put away is found by the projects that it is in, and there by its thread', async () => {
  const {links, lists} = await temporaryStore()
  const open = async (requestId: string, change: object, more: object = {}) => {
    const there = {...place, slackThread: requestId}
    const {id} = await links.open({...newLink, place: there, requestId, ...more}, 0)
    await links.change(id, change)
    return id
  }
  const one = await open('1', {state: 'archived', threadId: 't'})
  const other = await open('2', {state: 'archived', threadId: 'u'}, {connectionId: 'k'})
  await open('3', {state: 'open', threadId: 'v'})
  await open('4', {state: 'archived', threadId: 'w'}, {taskId: 'w.1'})
  await open('5', {state: 'archived', threadId: 'x'})
  const project = {projectId: 'p', connectionId: undefined}
  const sealed = {projectId: 'p', connectionId: 'k'}
  expect(await lists.archives(['T1'])).toEqual([project, sealed])
  const threadIds = ['t', 'u', 'v', 'w']
  const among = (at: typeof project | typeof sealed, teams = ['T1']) =>
    lists.archivedOf({teams, project: at, threadIds})
  expect(await among(project)).toEqual([{id: one, threadId: 't'}])
  expect(await among(sealed)).toEqual([{id: other, threadId: 'u'}])
  for (const teams of [['T2'], []]) {
    expect(await lists.archives(teams)).toEqual([])
    expect(await among(project, teams)).toEqual([])
  }
})
