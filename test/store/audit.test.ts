import {expect, test} from 'vitest'
import {auditCsv} from '../../src/store/tables/audit.ts'
import {temporaryStore} from './temporary-store.ts'

test('the audit is told page by page, newest first, and as a table', async () => {
  const {audit} = await temporaryStore()
  const entry = {team: 'T1', channel: 'C1', user: 'U1', act: 'stop', about: 't'}
  const bare = {...entry, channel: undefined, about: undefined}
  await audit.add({...entry, outcome: 'done', atMs: 1000})
  await audit.add({...bare, outcome: 'refused', atMs: 2000})
  await audit.add({...entry, team: 'T2', outcome: 'done', atMs: 3000})
  const of = async (page: object) =>
    (await audit.ofTeam('T1', {limit: 9, ...page})).map(({atMs}) => atMs)
  expect(await of({})).toEqual([2000, 1000])
  expect(await of({limit: 1})).toEqual([2000])
  expect(await of({fromMs: 2000})).toEqual([2000])
  expect(await of({beforeMs: 2000})).toEqual([1000])
  const [newest] = await audit.ofTeam('T1', {limit: 1})
  expect(newest).toEqual({...bare, id: newest?.id, outcome: 'refused', atMs: 2000})
  expect(await of({beforeId: newest?.id})).toEqual([1000])
  let table = ''
  for await (const piece of auditCsv(audit, 'T1')) table += piece
  expect(table.trim().split(/\r?\n/)).toEqual([
    'time,workspace,channel,user,act,about,outcome',
    '1970-01-01T00:00:02.000Z,T1,,U1,stop,,refused',
    '1970-01-01T00:00:01.000Z,T1,C1,U1,stop,t,done',
  ])

  const again = {...entry, outcome: 'done' as const, atMs: 4000}
  expect(await audit.addOnce(again, 999)).toBe(false)
  expect(await audit.addOnce(again, 1000)).toBe(true)
  expect(await audit.addOnce({...again, channel: 'C2'}, 0)).toBe(true)
  expect(await audit.addOnce({...again, about: 'u'}, 0)).toBe(true)
  expect(await audit.addOnce({...again, act: 'mute'}, 0)).toBe(true)
  expect(await audit.addOnce({...again, team: 'T3'}, 0)).toBe(true)
})

test('an audit longer than a page is told to its end', async () => {
  const all = Array.from({length: 2000}, (_, at) => ({
    ...{id: 2000 - at, team: 'T1', channel: 'C1', user: 'U1', act: 'stop', about: `t${2000 - at}`},
    ...{outcome: 'done' as const, atMs: 0},
  }))
  const pages: (number | undefined)[] = []
  const audit = {
    ofTeam: async (
      _: string,
      {limit, beforeId}: {limit: number; beforeId?: number | undefined},
    ) => {
      pages.push(beforeId)
      return all.filter(({id}) => beforeId === undefined || id < beforeId).slice(0, limit)
    },
  }
  let lines = 0
  for await (const piece of auditCsv(audit, 'T1')) lines += piece.trim().split('\n').length
  expect(lines).toBe(2001)
  expect(pages).toEqual([undefined, 1001, 1])
})
