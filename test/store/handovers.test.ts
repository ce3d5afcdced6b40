import {expect, test} from 'vitest'
import {openRaw} from '../support/raw-database.ts'
import {newLink, place, temporaryDatabase, temporaryStore} from './temporary-store.ts'

async function open() {
  const path = await temporaryDatabase()
  const store = await temporaryStore(path)
  await using raw = await openRaw(path)
  for (const team of ['T1', 'T2']) {
    await raw.run(
      `insert into claims (name, epoch, owner, claimed_at_ms) values (?, 1, 'one', 1)`,
      team,
    )
  }
  return {...store, path}
}

test('what was left of Slack’s budgets is taken over once, with how long ago that was', async () => {
  const {handovers} = await open()
  const pace = {left: {'chat.update': 3}, newest: {C1: '1.0'}}
  expect(await handovers.takePace('T1')).toBeUndefined()
  await handovers.keepPace('T1', pace)
  await handovers.keepPace('T-nobody', pace)
  expect(await handovers.takePace('T2')).toBeUndefined()
  const {agoMs, ...taken} = (await handovers.takePace('T1')) ?? {}
  expect(taken).toEqual(pace)
  expect(agoMs).toBeGreaterThanOrEqual(0)
  expect(agoMs).toBeLessThan(60_000)
  expect(await handovers.takePace('T1')).toBeUndefined()
})

test('of one method’s silences the longest counts, until it is over', async () => {
  const {handovers} = await open()
  const keep = (method: string, forMs: number) => handovers.keepSilence('T1', {method, forMs})
  await keep('chat.update', 60_000)
  await keep('chat.update', 1000)
  await keep('chat.postMessage', 1000)
  await keep('chat.postMessage', 120_000)
  await keep('files.info', -1)
  const inSeconds = (await handovers.silences('T1'))
    .map(({method, forMs}) => [method, Math.ceil(forMs / 30_000) * 30])
    .toSorted()
  expect(inSeconds).toEqual([
    ['chat.postMessage', 120],
    ['chat.update', 60],
  ])
  expect(await handovers.silences('T2')).toEqual([])
})

test('what was done too late is told oldest first, until it has come to nothing', async () => {
  const {handovers} = await open()
  const call = (ts: string) => ({did: 'made' as const, channel: 'C1', ts})
  await handovers.confess('T1', call('2'), 2)
  await handovers.confess('T1', call('1'), 1)
  await handovers.confess('T2', call('3'), 3)
  const told = await handovers.confessions('T1')
  expect(told.map((one) => one.call)).toEqual([call('1'), call('2')])
  const [{id} = {id: ''}] = told
  await handovers.absolve('T2', id)
  expect(await handovers.confessions('T1')).toEqual(told)
  await handovers.absolve('T1', id)
  expect(await handovers.confessions('T1')).toEqual(told.slice(1))
  expect(await handovers.confessions('T2')).toHaveLength(1)
})

test('a message is kept that is somebody’s, in its own workspace and channel', async () => {
  const {handovers, links, posts, questions, announcements, path} = await open()
  const {id: linkId} = await links.open(newLink, 0)
  await posts.intend(linkId, {key: 'card', delivery: undefined, draft: undefined}, 0)
  const shown = {hash: 'h', final: true, draft: undefined}
  await posts.confirm(linkId, {...shown, key: 'card', ts: '2.0'})
  await questions.take({id: 'q', linkId}, {inboxKey: 'k', user: 'U1', answer: 'yes'}, 0)
  const told = {team: 'T1', channel: 'C1', threadId: 't', connectionId: undefined, words: {}}
  await announcements.open({...told, id: 'a'}, 0)
  await using raw = await openRaw(path)
  await raw.run(`update questions set ts = '3.0'`)
  await raw.run(`update announcements set ts = '4.0', state = 'intended'`)
  const {team, channel, slackThread} = place
  for (const ts of [slackThread, '2.0', '3.0', '4.0']) {
    const kept = [
      await handovers.isKept(team, {channel, ts}),
      await handovers.isKept('T2', {channel, ts}),
      await handovers.isKept(team, {channel: 'C2', ts}),
    ]
    expect([ts, kept]).toEqual([ts, [true, false, false]])
  }
  expect(await handovers.isKept(team, {channel, ts: '5.0'})).toBe(false)
  const isSought = async (): Promise<boolean[]> => [
    await handovers.isSought(team, {channel}),
    await handovers.isSought('T2', {channel}),
    await handovers.isSought(team, {channel: 'C2'}),
  ]
  expect(await isSought()).toEqual([true, false, false])
  await raw.run(`update announcements set state = 'placed'`)
  expect(await isSought()).toEqual([false, false, false])
})
