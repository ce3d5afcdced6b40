import {describe, expect, test} from 'vitest'
import {FAULTLESS, verdict} from '../support/verdict.ts'
import {type Place, type World} from '../support/world.ts'
import {openWorld} from './open-world.ts'

const CHANNEL = 'C0WEB'
const TASK = '@Bosun write the long report'

describe.concurrent('a channel that nobody lets us write in', () => {
  test('rests until we are invited again, is told of once, and then has everything', async (context) => {
    const world = await openWorld(context, {pace: 0.2})
    const places = [await world.say(TASK), await world.say(TASK)]
    for (const place of places) await beginning(world, place)
    await world.slack.people.kickBot(CHANNEL)
    const callsBefore = refusals(world, 'not_in_channel')
    await world.until('it is told', () => told(world).length > 0)
    await world.until('the streams rest', () => openStreams(world) === 0)
    for (const place of places) await world.until('the work ends', () => isAtRest(world, place))

    expect(told(world)).toEqual([expect.stringContaining('I am no longer in <#C0WEB>')])
    expect(refusals(world, 'not_in_channel') - callsBefore).toBeLessThan(20)

    await world.slack.people.inviteBot(CHANNEL)
    for (const place of places) {
      await world.settled(place)
      expect(verdict(world, place)).toEqual(FAULTLESS)
    }
    expect(told(world)).toHaveLength(1)
  })

  test('is told of once also across a restart', async (context) => {
    const world = await openWorld(context, {pace: 0.2})
    const place = await world.say(TASK)
    await beginning(world, place)
    await world.slack.people.archive(CHANNEL)
    await world.until('it is told', () => told(world).length > 0)
    expect(told(world)).toEqual([expect.stringContaining('<#C0WEB> is archived')])
    await world.bot.stop()
    const before = refusals(world, 'is_inactive')
    await world.startBot()
    await world.until('it was tried', () => refusals(world, 'is_inactive') > before)

    await world.slack.people.unarchive(CHANNEL)
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    expect(told(world)).toHaveLength(1)
  })

  test('does not keep another channel from its messages', async (context) => {
    const world = await openWorld(context, {pace: 0.2})
    const closed = await world.say(TASK)
    await beginning(world, closed)
    await world.slack.people.kickBot(CHANNEL)
    const open = await world.say(TASK, {channel: 'D0JANE'})
    await world.settled(open)
    expect(verdict(world, open)).toEqual(FAULTLESS)
  })
})

test('a token that Slack refuses ends all writing, and shows where operators look', async (context) => {
  const world = await openWorld(context, {pace: 0.2})
  const place = await world.say(TASK)
  await beginning(world, place)
  world.slack.faults.revokeToken()
  await world.until('it was refused', () => refusals(world, 'token_revoked') > 0)
  const health = async (): Promise<unknown> =>
    (await fetch(`http://127.0.0.1:${portOf(world)}/healthz`)).json()
  await expect
    .poll(health)
    .toMatchObject({
      status: 'unwell',
      slack:
        'refuses the bot token (token_revoked); install the app again and replace SLACK_BOT_TOKEN',
    })
  await world.until('the streams rest', () => openStreams(world) === 0)
  expect(refusals(world, 'token_revoked')).toBeLessThan(20)
})

test('what somebody asks while the token is refused begins when it is taken again', async (context) => {
  const world = await openWorld(context, {pace: 0.2})
  const refused = {times: Infinity, error: 'token_revoked', applied: false}
  const methods = ['users.info', 'chat.postMessage', 'chat.postEphemeral', 'reactions.add']
  for (const method of methods) world.slack.faults.failNext(method, refused)
  const place = await world.say(TASK)
  await world.until('it was refused', () => refusals(world, 'token_revoked') > 0)
  world.slack.faults.calm()
  await world.settled(place)
  expect(verdict(world, place)).toEqual(FAULTLESS)
})

async function beginning(world: World, place: Place): Promise<void> {
  await world.until('a reply begins', () => world.ours(place).length > 1)
}

function isAtRest(world: World, place: Place): boolean {
  return world.threadIn(place)?.status === 'idle'
}

/** What Jane reads in her direct messages with the bot. */
function told({slack}: World): string[] {
  return slack
    .messages('D0JANE')
    .filter(({userId, threadTs}) => userId === slack.botUserId && threadTs === undefined)
    .map(({text}) => text)
}

function refusals({slack}: World, error: string): number {
  return slack.ledger.calls.filter(({answer}) => answer['error'] === error).length
}

function openStreams({platform}: World): number {
  return platform.ledger.filter(
    ({path, status, closedAtMs}) =>
      path.endsWith('/stream') && status === 200 && closedAtMs === undefined,
  ).length
}

function portOf({bot}: World): string {
  return /port (\d+)/.exec(bot.output())?.[1] ?? ''
}
