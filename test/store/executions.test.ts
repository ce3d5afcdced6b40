import {expect, test} from 'vitest'
import {temporaryStore} from './temporary-store.ts'

const HOUR_MS = 3_600_000
const FULL = {error: 'full'}

test('what was refused counts for nothing: a workflow that asks too often begins as much as it may, hour by hour', async () => {
  const {executions} = await temporaryStore()
  const take = (minute: number) => {
    const nowMs = 1000 * HOUR_MS + minute * 60_000
    const asked = {id: `Fx${minute}`, team: 'T1', channel: 'C1', requestId: `r${minute}`}
    return executions.take(asked, {most: 5, sinceMs: nowMs - HOUR_MS, full: FULL, nowMs})
  }
  const begun: number[] = []
  for (let minute = 0; minute < 180; minute += 1) {
    const {id, ending} = await take(minute)
    // One that is not let in, or says nothing.
    if (minute % 2 === 1) await executions.end(id, {error: 'no'})
    else if (ending === undefined) begun.push(minute)
  }
  const inHour = (hour: number) => begun.filter((minute) => Math.floor(minute / 60) === hour)
  expect([0, 1, 2].map((hour) => inHour(hour).length)).toEqual([5, 5, 5])
})

test('one that comes again finds what became of it, and the first ending stays', async () => {
  const {executions} = await temporaryStore()
  const limit = {most: 1, sinceMs: 0, full: FULL, nowMs: 1}
  const asked = {id: 'Fx1', team: 'T1', channel: 'C1', requestId: 'r1'}
  expect(await executions.take(asked, limit)).toMatchObject({ending: undefined, isTold: false})
  expect(await executions.take(asked, {...limit, nowMs: 9})).toMatchObject({ending: undefined})
  expect(await executions.take({...asked, id: 'Fx2'}, limit)).toMatchObject({ending: FULL})
  await executions.end('Fx1', {outputs: {outcome: 'done'}})
  await executions.end('Fx1', {error: 'late'})
  await executions.told('Fx2', 5)
  expect(await executions.untold('T1')).toMatchObject([{ending: {outputs: {outcome: 'done'}}}])
})

test('a clock that was years ahead, and is right again, keeps no workflow out', async () => {
  const {executions} = await temporaryStore()
  const take = (id: string, nowMs: number) => {
    const asked = {id, team: 'T1', channel: 'C1', requestId: id}
    return executions.take(asked, {most: 1, sinceMs: nowMs - HOUR_MS, full: FULL, nowMs})
  }
  await take('Fx1', 1_000_000 * HOUR_MS)
  expect((await take('Fx2', 1000 * HOUR_MS)).ending).toBeUndefined()
  expect((await take('Fx3', 997 * HOUR_MS)).ending).toEqual(FULL)
})
