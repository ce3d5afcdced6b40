import Database from 'better-sqlite3'
import {expect, test} from 'vitest'
import {ACTIONS} from '../../src/slack/ids.ts'
import {FAULTLESS, verdict} from '../support/verdict.ts'
import {JANE} from '../support/world.ts'
import {openWorld} from './open-world.ts'

test('work that ended long ago is forgotten; what is done in its Slack thread then is answered honestly', async (context) => {
  const world = await openWorld(context, {pace: 0.05, settings: {BOSUN_RETENTION_DAYS: '30'}})
  const place = await world.say('@Bosun a quick check of the taxes')
  await world.settled(place)
  const path = world.settings()['DATABASE_URL']?.replace('sqlite:', '') ?? ''
  const edit = (sql: string): void => {
    const database = new Database(path, {timeout: 5000})
    database.exec(sql)
    database.close()
  }
  const links = (): unknown => {
    const database = new Database(path, {readonly: true})
    const count = database.prepare('select count(*) from links').pluck().get()
    database.close()
    return count
  }
  await world.press(place, ACTIONS.archive)
  await world.until('it is archived', () =>
    world.ours(place).some(({text}) => text.includes('Archived')),
  )
  await world.bot.stop()
  edit(`update links set status_since_ms = 1, created_at_ms = 1;
    update posts set intended_at_ms = 1; update pings set made_at_ms = 1`)
  await world.startBot()
  await world.until('it is forgotten', () => links() === 0)

  const standing = world.repliesIn(place).length
  await world.press(place, ACTIONS.unarchive)
  await world.until('the button is answered', () =>
    world.slack
      .ephemerals(place.channel, JANE)
      .find(({text}) => text.includes('I no longer know this work')),
  )
  await world.reply(place, 'thanks, that was helpful')
  const again = await world.say('@Bosun a quick check of the cart')
  await world.settled(again)
  expect(verdict(world, again)).toEqual(FAULTLESS)
  // What was said between people stays there; who mentions us there starts anew.
  expect(world.repliesIn(place).length).toBe(standing + 1)
  await world.reply(place, '@Bosun a quick check of the invoices')
  await world.until('it begins', () => world.repliesIn(place).length > standing + 3)
  expect(links()).toBe(2)
})
