import {expect, test} from 'vitest'
import {keepBotsOut} from '../../../src/store/tool-store.ts'
import {barePostgres} from '../../support/postgres.ts'
import {onServer} from '../../support/postgres-server.ts'
import {tool} from '../../support/tool.ts'
import {FAULTLESS, verdict} from '../../support/verdict.ts'
import type {World} from '../../support/world.ts'
import {openWorld} from '../../world/open-world.ts'

type Context = Parameters<typeof openWorld>[0]

async function worldOnPostgres(context: Context): Promise<World & {database: string}> {
  const database = await barePostgres(context.onTestFinished)
  const world = await openWorld(context, {
    apart: true,
    pace: 0.5,
    settings: {DATABASE_URL: database},
  })
  return Object.assign(world, {database})
}

/** Ends the connections of a bot whose name is this, as an administrator may at any time. */
const cut = (database: string, name: string): Promise<unknown> =>
  onServer(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like '${name}'`,
    database,
  )

test('a bot whose connections are cut, and which is killed, says everything once', async (context) => {
  const world = await worldOnPostgres(context)
  const {database} = world
  const place = await world.say('@Bosun fix the rounding of the cart')
  await world.until('the reply grows', () => world.ours(place).length > 1)
  for (let times = 0; times < 3; times += 1) await cut(database, 'bosun')
  await world.bot.kill()
  await world.startBot()
  await cut(database, 'bosun')
  await world.settled(place)
  expect(verdict(world, place)).toEqual(FAULTLESS)
  await world.reply(place, 'and a quick look at the taxes')
  await world.until('it is answered', () =>
    world.transcriptIn(place).some(({text}) => text.includes('answer 2')),
  )
  await world.settled(place)
  expect(verdict(world, place)).toEqual(FAULTLESS)
})

test('one whose hold is cut off goes on, and ends with a line while a tool has the database', async (context) => {
  const world = await worldOnPostgres(context)
  const {database} = world
  const isHeld = async () =>
    (
      await onServer(
        `select pid from pg_stat_activity
        where datname = current_database() and application_name like 'bosun lock%'`,
        database,
      )
    )[0]?.['pid']
  const before = await isHeld()
  await cut(database, 'bosun lock%')
  await world.until('it is taken anew', async () => ![undefined, before].includes(await isHeld()))
  expect(world.bot.isRunning()).toBe(true)
  // While it stands still it cannot be the first to have it again.
  const pid = world.bot.pid() ?? Number.NaN
  process.kill(pid, 'SIGSTOP')
  await cut(database, 'bosun lock%')
  await using kept = await world.until('a tool has it', () =>
    keepBotsOut(database).catch(() => undefined),
  )
  process.kill(pid, 'SIGCONT')
  expect(kept).toBeDefined()
  await world.until('it ends', () => !world.bot.isRunning())
  expect(world.bot.output()).toContain('A tool has the database')
})

test('tools work with it, and those for files say what to take instead, without its password', async (context) => {
  const world = await worldOnPostgres(context)
  const url = new URL(world.database)
  url.password = 'hush-hush'
  const settings = {...world.settings(), DATABASE_URL: url.href}
  const said = await tool('doctor', [], settings)
  expect(said.out).toMatch(/✓ database: PostgreSQL \d+\S* answers/)
  const backup = await tool('backup', ['bosun.db'], settings)
  expect(backup).toMatchObject({code: 1})
  expect(backup.err).toContain('pg_dump')
  const restore = await tool('restore', ['bosun.db'], settings)
  expect(restore.err).toContain('createdb --owner=ROLE that database, then pg_restore --dbname')
  expect(restore.err).not.toContain('--clean')
  const keys = await tool('keys', ['check'], settings)
  expect(keys).toMatchObject({code: 0})
  const all = [said, backup, restore, keys].map(({out, err}) => out + err).join('')
  expect(all + world.bot.output()).not.toContain('hush-hush')
})
