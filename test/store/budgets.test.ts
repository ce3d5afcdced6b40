import {expect, test} from 'vitest'
import {newLink, place, temporaryStore} from './temporary-store.ts'

const subject = {threadId: 't', user: '', channel: ''}
const of = {team: 'T1', budget: 'budgetPerWork' as const, subject, period: ''}
const note = {...of, linkId: 'l', limitMicros: 5, moreMicros: 2, isLoud: true, round: 0}
const entry = {
  ...{team: 'T1', channel: 'C1', user: 'U1', act: 'budget per work', about: '5'},
  ...{outcome: 'done' as const, atMs: 1},
}

test('a note says all that it was made with, and is told once in its period', async () => {
  const {budgetNotes} = await temporaryStore()
  const made = await budgetNotes.near(note, 10)
  expect(made).toEqual({
    ...{...note, id: made?.id, kind: 'near', state: 'told', turn: 0, endedBy: undefined},
    ...{raisedMicros: undefined, madeAtMs: 10, changedAtMs: 10},
  })
  expect(await budgetNotes.byId(made?.id ?? '')).toEqual(made)
  expect(await budgetNotes.near(note, 11)).toBeUndefined()
  const others = [
    {...note, isLoud: false, team: 'T2'},
    {...note, isLoud: false, period: '2026-01'},
    {...note, isLoud: false, budget: 'budgetPerPersonDay' as const},
    {...note, isLoud: false, subject: {...subject, threadId: 'u'}},
    {...note, isLoud: false, subject: {...subject, user: 'U1'}},
    {...note, isLoud: false, subject: {...subject, channel: 'C1'}},
  ]
  for (const other of others) {
    expect(await budgetNotes.near(other, 12)).toMatchObject({...other, madeAtMs: 12})
  }
})

test('work that goes on after its stop is stopped again, once it had time to end', async () => {
  const {budgetNotes} = await temporaryStore()
  const first = await budgetNotes.stop(note, 10, 5)
  expect(first).toMatchObject({kind: 'stop', state: 'due', turn: 0})
  expect(await budgetNotes.ofLink('l')).toEqual([])
  expect(await budgetNotes.stop(note, 11, 5)).toEqual(first)
  const id = first?.id ?? ''
  await budgetNotes.settle(id, {state: 'told', entry}, 20)
  expect(await budgetNotes.ofLink('l')).toEqual([{...first, state: 'told', changedAtMs: 20}])
  expect(await budgetNotes.stop(note, 24, 5)).toBeUndefined()
  const again = await budgetNotes.stop(note, 25, 5)
  expect(again).toEqual({...first, state: 'due', turn: 1, changedAtMs: 25})
  await budgetNotes.settle(id, {state: 'past'}, 30)
  await budgetNotes.settle(id, {state: 'told', entry}, 31)
  expect(await budgetNotes.byId(id)).toMatchObject({state: 'past', changedAtMs: 30})
})

test('a budget is raised once for a note, and once in a round', async () => {
  const {budgetNotes} = await temporaryStore()
  const stop = await budgetNotes.stop(note, 10, 5)
  await budgetNotes.settle(stop?.id ?? '', {state: 'told', entry}, 11)
  expect(await budgetNotes.refuse(note, 12)).toMatchObject({id: stop?.id})
  const another = await budgetNotes.near(note, 13)
  const raised = await budgetNotes.raise(stop?.id ?? '', {user: 'U2', micros: 7, nowMs: 20})
  expect(raised).toMatchObject({state: 'raised', endedBy: 'U2', raisedMicros: 7, changedAtMs: 20})
  expect(await budgetNotes.byId(raised.id)).toEqual(raised)
  expect(await budgetNotes.raise(raised.id, {user: 'U3', micros: 9, nowMs: 21})).toEqual(raised)
  const late = await budgetNotes.raise(another?.id ?? '', {user: 'U3', micros: 9, nowMs: 22})
  expect(late).toMatchObject({state: 'raised', endedBy: 'U3', raisedMicros: undefined})
  expect(await budgetNotes.byId(late.id)).toEqual(late)
  expect(await budgetNotes.raised(of)).toEqual({micros: 7, rounds: 1})
  // In the next round it is another refusal.
  const next = await budgetNotes.refuse({...note, round: 1}, 30)
  expect(next).toMatchObject({kind: 'refusal', state: 'told', round: 1})
  expect(await budgetNotes.refuse({...note, round: 1}, 31)).toEqual(next)
  expect((await budgetNotes.ofLink('l')).map(({kind}) => kind)).toEqual(['stop', 'near'])
  await expect(budgetNotes.raise('none', {user: 'U1', micros: 1, nowMs: 1})).rejects.toThrow()
})

test('what a reading shows beyond the highest before it counts, on its day', async () => {
  const {spendings} = await temporaryStore()
  const read = (micros: number | undefined, change: object = {}) =>
    spendings.count({
      ...{
        team: 'T1',
        threadId: 't',
        channel: 'C1',
        user: 'U1',
        day: '2026-01-30',
        micros,
        nowMs: 1,
      },
      ...change,
    })
  expect(await read(10)).toBe(10)
  expect(await read(10)).toBe(0)
  expect(await read(4)).toBe(0)
  expect(await read(undefined)).toBe(0)
  expect(await read(13)).toBe(3)
  expect(await read(20, {day: '2026-01-31'})).toBe(7)
  expect(await read(100, {threadId: 'u', user: 'U2', channel: 'C2'})).toBe(100)
  expect(await read(1000, {team: 'T2'})).toBe(1000)
  const all = {team: 'T1', threadId: '', user: '', channel: ''}
  const spent = async (narrow: object, first?: string, last = '2026-01-31') =>
    spendings.spent({...all, ...narrow}, first === undefined ? undefined : {first, last})
  expect(await spent({})).toBe(120)
  expect(await spent({}, '2026-01-30')).toBe(120)
  expect(await spent({}, '2026-01-31')).toBe(7)
  expect(await spent({}, '2026-01-30', '2026-01-30')).toBe(113)
  expect(await spent({threadId: 't'})).toBe(20)
  expect(await spent({user: 'U2'})).toBe(100)
  expect(await spent({channel: 'C1'})).toBe(20)
  expect(await spent({channel: 'C1', user: 'U2'})).toBe(0)
})

test('work may cost something that goes on, was put away lately, or cost more lately', async () => {
  const {links, spendings} = await temporaryStore()
  const open = async (name: string, change: object, nowMs = 0) => {
    const there = {...place, slackThread: name}
    const {id} = await links.open({...newLink, place: there, requestId: name}, nowMs)
    await links.change(id, {state: 'open', threadId: name, ...change})
  }
  await open('works', {status: 'working'})
  await open('rests', {status: 'idle'})
  await open('no-thread', {status: 'working', threadId: undefined})
  await open('lately', {status: 'idle', state: 'archived', statusSinceMs: 50})
  await open('long-ago', {status: 'idle', state: 'archived', statusSinceMs: 49})
  await open('rose', {status: 'idle', state: 'archived', statusSinceMs: 1})
  const reading = {team: 'T1', channel: 'C1', user: 'U1', day: '2026-01-01', micros: 1}
  await spendings.count({...reading, threadId: 'rose', nowMs: 50})
  await spendings.count({...reading, threadId: 'long-ago', nowMs: 49})
  await spendings.count({...reading, threadId: 'works', nowMs: 60})
  const costing = async (...teams: string[]) => {
    const found = await spendings.costing(teams, {statuses: ['working'], putAwaySinceMs: 50})
    return found.map(({threadId}) => threadId)
  }
  expect(await costing('T1')).toEqual(['works', 'lately', 'rose'])
  expect(await costing('T2')).toEqual([])
  expect(await costing()).toEqual([])
})
