import {expect, test} from 'vitest'
import {makeOldDatabase} from '../../support/old-database.ts'
import {temporaryPath, temporaryStore} from '../temporary-store.ts'

const NEXT = `'p', '', 'bosun-run:0123456789abcdef', 1, '[{"cron":"0 9 * * *","zone":"UTC"}]'`
const COLUMNS = `id, team, channel, hook_id, automation_id, name,
  project_id, connection_id, reference, is_private, schedules, begun_at_ms, due_at_ms, thread_id`

test('schedules of before go on at the run that was expected next, once for each, and hide nothing that was found', async () => {
  const path = temporaryPath()
  await makeOldDatabase(path, '0023-runs', (database) => {
    database.exec(`
      insert into runs (${COLUMNS}) values
        ('found', 'T1', 'G1', '', 'a1', 'Nightly', ${NEXT}, 100, null, 'thread'),
        ('next', 'T1', 'G1', '', 'a1', 'Nightly', ${NEXT}, 200, 180, null),
        ('between', 'T1', 'G1', '', 'a2', 'Weekly', ${NEXT}, 300, 300, 'other'),
        ('left', 'T2', 'G2', '', 'a3', 'Gone', ${NEXT}, 300, null, null);
      insert into private_beginnings values ('next', 'p', 200), ('another', 'p', 1)`)
  })
  const {timetables, runs, origins} = await temporaryStore(path)
  expect(await timetables.ofChannel('T1', 'G1')).toMatchObject([
    {automationId: 'a1', momentMs: 200, looks: 0, isPrivate: true, followedBy: undefined},
    {automationId: 'a2', momentMs: 300, schedules: [{cron: '0 9 * * *', zone: 'UTC'}]},
  ])
  expect(await timetables.ofChannel('T2', 'G2')).toEqual([])
  expect(await runs.byId('next')).toBeUndefined()
  expect(await runs.byId('found')).toMatchObject({threadId: 'thread', channel: 'G1'})
  expect(await runs.due(['T1'], 1000)).toMatchObject([{id: 'between', threadId: 'other'}])
  expect((await origins.underway(250)).map(({begunAtMs}) => begunAtMs)).not.toContain(100)
  expect(await origins.underway(-100_000)).toMatchObject([{projectId: 'p', begunAtMs: 1}])
})
