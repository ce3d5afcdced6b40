import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import {ACTIONS} from '../../src/slack/ids.ts'
import {createModals} from '../support/modals.ts'
import {openRaw} from '../support/raw-database.ts'
import {JANE, KIM, type World} from '../support/world.ts'
import {openWorld} from './open-world.ts'

const WEB = 'C0WEB'
const HEAD = '📋 *In this channel since'

describe.concurrent('the digest of a channel', () => {
  test('is set up by an admin, shown to who asks, told once, and turned off', async (context) => {
    const world = await openWorld(context)
    const modals = createModals(world)
    const told = await ask(world, KIM)
    expect(told.text).toBe('This channel gets no digest.')
    expect(JSON.stringify(told.blocks)).not.toContain(ACTIONS.digestChange)
    await setUp(world, {every: 'week-3', time: '1050', zone: 'Asia/Seoul'})

    const secret = await modals.channel('secret', [JANE])
    const done = await world.say('@Bosun a quick check of the cart')
    const asking = await world.say('@Bosun a question about the records', {as: KIM})
    const failing = await world.say('@Bosun fail at the build')
    for (const place of [done, asking, failing]) await world.settled(place)
    await world.settled(await world.say('@Bosun a quick check of salaries', {channel: secret}))

    const standing = await ask(world, KIM)
    expect(standing.text).toContain('gets a digest every Wednesday at 17:30 (Asia/Seoul)')
    await press(world, standing.ts, ACTIONS.digestShow, KIM)
    const preview = await modals.hears(KIM, WEB, 'This is what I would say now')
    expect(preview.text).toContain('quick check of the cart')
    expect(digestsIn(world, WEB)).toEqual([])

    const {length} = world.slack.messages(WEB)
    await dueNow(world, WEB)
    const [message] = await digests(world, WEB)
    const text = message?.text ?? ''
    expect(text).toMatch(
      /🟠 \*Waits for somebody\* \(1\)\n• \*.*records.*\* · @Kim.* has to answer/,
    )
    expect(text).toMatch(/🔴 \*Failed\* \(1\)\n• \*.*build.*\*/)
    expect(text).toMatch(/✅ \*Done\* \(1\)\n• \*.*cart.*\* · <http[^|]+\|Slack thread>/)
    expect(text).toMatch(/💰 It cost \$\d+\.\d\d\./)
    // Nobody is called, and nothing private is told elsewhere.
    expect(text).not.toMatch(/<@|<!(?!date)|salaries/)
    expect(JSON.stringify(message?.blocks)).not.toMatch(/<@|salaries/)
    await wake(world)
    await world.bot.stop()
    await world.startBot()
    await wake(world)
    expect(world.slack.messages(WEB)).toHaveLength(length + 1)

    const again = await ask(world, JANE)
    await press(world, again.ts, ACTIONS.digestOff, JANE)
    await modals.hears(JANE, WEB, 'gets no digest any more')
    expect((await ask(world, KIM)).text).toBe('This channel gets no digest.')
  })

  test.for(['before', 'at', 'after'] as const)(
    'is told once by a bot that is killed %s the call that posts it',
    async (moment, context) => {
      const world = await openWorld(context, {apart: true, slackProxy: true})
      await setUp(world, {every: 'day', time: '540', zone: 'Europe/Berlin'})
      await world.settled(await world.say('@Bosun a quick check of the cart'))
      world.slackProxy.strikeAt(/chat\.postMessage/, moment, () => void world.bot.kill())
      const end = world.bot.ended()
      await dueNow(world, WEB)
      await end
      await world.startBot()
      await digests(world, WEB)
      // Whatever stood open is looked for twice, and settled.
      await world.until('it is over', async () =>
        (await statesOf(world)).every((it) => it === 'over'),
      )
      await wake(world)
      expect(digestsIn(world, WEB)).toHaveLength(1)
    },
  )

  test('that Slack does not take is said where one looks, and not tried again', async (context) => {
    const world = await openWorld(context)
    const modals = createModals(world)
    const channel = await modals.channel('garage', [JANE, KIM])
    await setUp(world, {every: 'week-1', time: '540', zone: 'UTC'}, channel)
    await world.slack.people.kickBot(channel)
    await dueNow(world, channel, {every: 'week'})
    await world.until('it is given up', async () => (await statesOf(world)).includes('gone'))
    const posts = () =>
      world.slack.ledger.calls.filter(
        ({method, args}) => method === 'chat.postMessage' && args['channel'] === channel,
      ).length
    const tried = posts()
    await wake(world)
    expect(posts()).toBe(tried)
    await modals.command('digest', {as: JANE, channel})
    await modals.hears(JANE, channel, 'Slack did not take the last one (`not_in_channel`)')
    await modals.command('doctor', {as: JANE, channel: WEB})
    await modals.hears(JANE, WEB, 'digests')
  })

  test('says once a week that nothing happened, and else nothing', async (context) => {
    const world = await openWorld(context)
    await setUp(world, {every: 'day', time: '540', zone: 'UTC'})
    await dueNow(world, WEB)
    await world.until('the day is over', async () => (await daysOf(world)).includes('silent'))
    expect(digestsIn(world, WEB)).toEqual([])
    await setUp(world, {every: 'week-1', time: '540', zone: 'UTC'})
    await dueNow(world, WEB, {every: 'week'})
    await world.until('it says so', () =>
      world.slack.messages(WEB).some(({text}) => text.includes('Nothing happened in this channel')),
    )
  })
})

describe.concurrent('a person’s morning', () => {
  test('tells what waits on them where they still are, once, and ends when they say so', async (context) => {
    const world = await openWorld(context)
    const modals = createModals(world)
    const left = await modals.channel('left', [JANE, KIM])
    const inside = await modals.channel('inside', [JANE])
    for (const [channel, what] of [
      [WEB, 'records'],
      [left, 'salaries'],
      [inside, 'layoffs'],
    ] as const) {
      await world.settled(await world.say(`@Bosun a question about the ${what}`, {channel}))
    }
    await world.settled(await world.say('@Bosun a quick check of the cart'))
    await world.slack.people.kick(left, JANE)
    await choose(world, JANE, 'yes')
    await dueNow(world, JANE)
    const [morning] = await mornings(world, 'D0JANE')
    expect(morning?.text).toMatch(/^☀️ \*2 things wait on you\*/)
    expect(morning?.text).toMatch(/records.*🟠 \*Needs you\* since.*<#C0WEB>/)
    expect(morning?.text).toContain('layoffs')
    expect(morning?.text).not.toMatch(/salaries|cart/)

    await wake(world)
    await dueNow(world, JANE, {isTold: true})
    await world.bot.stop()
    await world.startBot()
    await wake(world)
    expect(await mornings(world, 'D0JANE')).toHaveLength(1)
    await choose(world, JANE, 'no')
    await world.until('nobody is told anything', async () => {
      await using database = await openRaw(join(world.folder, 'bosun.db'))
      return (await database.all('select * from digests')).length === 0
    })
  })

  test('has no message where nothing waits, and guests are not offered one', async (context) => {
    const world = await openWorld(context)
    await choose(world, KIM, 'yes')
    await dueNow(world, KIM)
    await world.until('the day is over', async () => (await daysOf(world)).includes('silent'))
    expect(mornings0(world, 'D0KIM')).toEqual([])
    const {people} = world.slack
    const guest = await people.addMember({name: 'gus', realName: 'Gus', guest: 'multi_channel'})
    const memberIds = [guest.id, world.slack.botUserId]
    await people.createChannel({name: 'gus', kind: 'dm', memberIds})
    await people.openHome({as: guest.id})
    const home = await world.until('App Home', () => world.slack.views(guest.id).home)
    expect(JSON.stringify(home)).not.toContain(ACTIONS.homeMorning)
  })
})

/** What is answered to `/bosun digest`. */
async function ask(world: World, as: string, channel = WEB): Promise<StoredMessage> {
  const heard = () => world.slack.ephemerals(channel, as)
  const before = heard().length
  await world.slack.people.command({as, channel, command: '/bosun', text: 'digest'})
  return world.until('the answer', () => heard()[before])
}

async function press(world: World, ts: string, actionId: string, as: string): Promise<void> {
  await world.slack.people.press({as, channel: WEB, ts, actionId})
}

async function setUp(
  world: World,
  values: {every: string; time: string; zone: string},
  channel = WEB,
): Promise<void> {
  const modals = createModals(world)
  const {ts} = await ask(world, JANE, channel)
  await world.slack.people.press({as: JANE, channel, ts, actionId: ACTIONS.digestChange})
  await modals.reads(JANE, 'Time zone (')
  await modals.submit(JANE, values)
  const isSaved = ({text}: Pick<StoredMessage, 'text'>): boolean =>
    text.startsWith('✅ This channel gets a digest')
  await world.until('it is saved', () =>
    isSaved(world.slack.ephemerals(channel, JANE).at(-1) ?? {text: ''}),
  )
}

async function choose(world: World, as: string, value: 'yes' | 'no'): Promise<void> {
  const {people} = world.slack
  await people.openHome({as})
  const actionId = ACTIONS.homeMorning
  await world.until('App Home', () =>
    JSON.stringify(world.slack.views(as).home ?? '').includes(actionId),
  )
  await people.useView({as, actionId, blockId: actionId, value})
}

/** Somebody chooses something about digests: whatever is due is looked for. */
async function wake(world: World): Promise<void> {
  const before = world.slack.ledger.calls.length
  await choose(world, KIM, 'no')
  await world.until('App Home anew', () => world.slack.ledger.calls.length > before + 1)
}

/** The calendar shows a day whose digest is due since its midnight. */
async function dueNow(
  world: World,
  target: string,
  {every = 'day', isTold = false} = {},
): Promise<void> {
  {
    await using database = await openRaw(join(world.folder, 'bosun.db'))
    await world.until(
      'it is chosen',
      async () => (await database.all('select * from digests where target = ?', target)).length > 0,
    )
    const today = new Date().getUTCDay()
    await database.run(
      'update digests set every = ?, weekday = ?, minute = 0 where target = ?',
      ...[every, every === 'week' ? today : null, target],
    )
    if (!isTold) await database.run('delete from digest_days where target = ?', target)
  }
  await choose(world, KIM, target === KIM ? 'yes' : 'no')
}

async function statesOf(world: World): Promise<string[]> {
  await using database = await openRaw(join(world.folder, 'bosun.db'))
  const rows = await database.all<{state: string}>(
    "select state from announcements where status = 'digest'",
  )
  return rows.length === 0 ? ['none'] : rows.map(({state}) => state)
}

async function daysOf(world: World): Promise<string[]> {
  await using database = await openRaw(join(world.folder, 'bosun.db'))
  const rows = await database.all<{state: string}>('select state from digest_days')
  return rows.map(({state}) => state)
}

function digestsIn(world: World, channel: string): StoredMessage[] {
  return world.slack.messages(channel).filter(({text}) => text.startsWith(HEAD))
}

async function digests(world: World, channel: string): Promise<StoredMessage[]> {
  return world.until('the digest', () => {
    const found = digestsIn(world, channel)
    return found.length > 0 && found
  })
}

function mornings0(world: World, channel: string): StoredMessage[] {
  return world.slack.messages(channel).filter(({text}) => text.startsWith('☀️'))
}

async function mornings(world: World, channel: string): Promise<StoredMessage[]> {
  return world.until('the morning', () => {
    const found = mornings0(world, channel)
    return found.length > 0 && found
  })
}
