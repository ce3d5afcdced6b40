import {once} from 'node:events'
import {expect, test} from 'vitest'
import {temporaryPostgres} from '../../support/postgres.ts'
import {onServer} from '../../support/postgres-server.ts'
import {until} from '../../support/until.ts'
import {startOwnership, teams} from './ownerships.ts'
import {startProcess} from './processes.ts'

const NAMES = teams(300)

test('processes that join one with 300 names get even shares while each takes its time to leave, and whoever ends hands over all', async () => {
  const url = await temporaryPostgres()
  const first = await startProcess(url, {leaveMs: 100})
  const offering = await startOwnership(url, {beginsNow: false})
  await offering.ownership.offer(NAMES)
  await until('the first has all', () => first.held().length === NAMES.length)
  const joined = await Promise.all([1, 2].map(() => startProcess(url)))
  const all = [first, ...joined]
  await until('all have their share', () => all.every((one) => one.held().length === 100), {
    tell: () => all.map((one) => one.held().length).join(),
  })
  const handed = joined.flatMap(({said}) => said.filter(({word}) => word === 'taken'))
  expect(new Set(handed.map(({name}) => name)).size).toBe(200)

  first.child.kill('SIGTERM')
  await once(first.child, 'exit')
  // None was left to fall silent: what it had waits for others, or is theirs.
  const [row] = await onServer(
    `select count(*)::int as silent from bosun_jobs.job join claims on claims.name = singleton_key
      where state = 'active' and owner = '${first.said[0]?.instance ?? ''}'`,
    url,
  )
  expect(row?.['silent']).toBe(0)
  await until('the others have all', () => joined.every((one) => one.held().length === 150))
})
