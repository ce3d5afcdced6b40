import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest'
import {createBot} from '../support/bot.ts'
import {onServer} from '../support/postgres-server.ts'
import {barePostgres, takeTurn} from '../support/postgres.ts'
import {MOMENT_MS, makeMinutely} from '../support/schedules.ts'
import {openTurnedClock} from '../support/turned-clock.ts'
import {openWorld} from '../world/open-world.ts'

const turn = new AsyncDisposableStack()
beforeAll(() => takeTurn((end) => turn.defer(end)))
afterAll(() => turn.disposeAsync())

test('each run of a schedule is followed once, by whichever instance works for the workspace', async (context) => {
  const database = await barePostgres()
  const clock = openTurnedClock(context)
  const world = await openWorld(context, {pace: 0.05, clock, settings: {DATABASE_URL: database}})
  const other = createBot(() => world.settings())
  onTestFinished(() => other[Symbol.asyncDispose]())
  await other.start()
  const ownerOf = async () => {
    const [row] = await onServer(
      `select instance.pid from claims join bosun_jobs.instance on instance.name = claims.owner
        where claims.name = 'T0LOCAL'`,
      database,
    )
    return Number(row?.['pid'] ?? 0)
  }
  await clock.turnToMinute([world.bot, other])
  const one = await makeMinutely(world, 'minutely')
  await one.follow()
  await world.until('the first is followed', () => one.heads().length > 0, MOMENT_MS)
  await world.until('it is shown', () => one.isShown())
  const pid = await ownerOf()
  const [owner] = [world.bot, other].filter((bot) => bot.pid() === pid)
  const before = one.runs().length
  await owner?.kill()
  await clock.turnToMinute([world.bot, other])
  await world.until('it has run again', () => one.runs().length > before, MOMENT_MS)
  await world.until('all of them are shown', () => one.isShown(), MOMENT_MS)
  expect(await ownerOf()).not.toBe(pid)
  const timetables = await onServer('select followed_by, looks from timetables', database)
  expect(timetables).toHaveLength(1)
})
