import {join} from 'node:path'
import Database from 'better-sqlite3'
import {expect, test} from 'vitest'
import {FAULTLESS, verdict} from '../support/verdict.ts'
import {openWorld} from './open-world.ts'

test('a bot that cannot write is stopped by SIGTERM, and the next one loses nothing', async (context) => {
  const world = await openWorld(context, {pace: 0.7})
  const place = await world.say('@Bosun fix the rounding of the cart')
  await world.until('a thread works', () => world.threadIn(place)?.status === 'active')
  const other = new Database(join(world.folder, 'bosun.db'), {timeout: 5000})
  context.onTestFinished(() => void other.close())
  other.exec('begin immediate')
  // Nobody acknowledges this one: Slack will deliver it again.
  await world.say('@Bosun fix the checkout')
  const {code, tookMs} = await world.bot.stop()
  expect(code).toBe(0)
  // 10 s, and a little for a busy machine.
  expect(tookMs).toBeLessThan(12_000)
  other.exec('commit')
  await world.startBot()
  await world.settled(place)
  expect(verdict(world, place)).toEqual(FAULTLESS)
})

test('a stop that waits for a timer which keeps no process alive comes to its end', async (context) => {
  const waits = `const {disposeAsync} = AsyncDisposableStack.prototype
    AsyncDisposableStack.prototype.disposeAsync = async function () {
      await disposeAsync.call(this)
      await new Promise((resolve) => setTimeout(resolve, 100).unref())
    }`
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(waits)}`
  const world = await openWorld(context, {apart: true, settings: {NODE_OPTIONS}})
  expect(await world.bot.stop()).toMatchObject({code: 0})
})
