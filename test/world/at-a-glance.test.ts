import {expect, test} from 'vitest'
import {JANE, type Place, type World, startWorld} from '../support/world.ts'
import {startInside} from './open-world.ts'

function lineIn(world: World, {channel, ts}: Place): string {
  return world.slack.agentThread(channel, ts).status
}

const marked = (world: World, place: Place, name: string) =>
  expect.poll(() => world.reactionsOn(place)).toEqual([name])

test('the channel shows how each piece of work stands, without a look into it', async () => {
  await using world = await startInside({pace: 0.1})
  const done = await world.say('@Bosun a quick check of the cart')
  const asks = await world.say('@Bosun ask me a question about the cart')
  const fails = await world.say('@Bosun fail at the cart')
  const stops = await world.say('@Bosun a long run through the cart')
  await marked(world, done, 'white_check_mark')
  await marked(world, asks, 'raising_hand')
  await marked(world, fails, 'x')
  await world.reply(stops, 'stop')
  await marked(world, stops, 'black_square_for_stop')
  await world.reply(asks, 'use the second one')
  await marked(world, asks, 'white_check_mark')
})

// The first reaction says that the message was seen.
test.for([
  ['reactions.add', 2],
  ['reactions.remove', 1],
] as const)(
  'a bot that is killed at its %s leaves one mark, the right one, and no status line',
  async ([method, count]) => {
    await using world = await startWorld({pace: 0.1})
    const place = await world.say('@Bosun a quick check of the cart')
    await world.until('it changes the mark', () => callsOf(world, method) >= count)
    await world.bot.kill()
    await world.startBot()
    await marked(world, place, 'white_check_mark')
    await expect.poll(() => lineIn(world, place)).toBe('')
  },
)

test('work that ends while nobody serves it is marked at the next start, put away or not', async () => {
  await using world = await startWorld({pace: 0.1})
  const done = await world.say('@Bosun a long run through the cart')
  const gone = await world.say('@Bosun a long run through the shop')
  for (const place of [done, gone]) {
    await world.until('it works', () => lineIn(world, place).startsWith('is '))
  }
  await world.bot.kill()
  world.platform.control.setState(world.threadIn(done)?.id ?? '', 'idle')
  await archive(world, gone)
  await world.startBot()
  for (const place of [done, gone]) {
    await marked(world, place, 'white_check_mark')
    await expect.poll(() => lineIn(world, place)).toBe('')
  }
})

test('what the agent does stands below its thread while it works, and the card is not edited for it', async () => {
  await using world = await startInside({pace: 0.5})
  const place = await world.say('@Bosun a long run through the cart')
  await expect.poll(() => lineIn(world, place)).toBe('is reading src/cart/total.ts')
  await expect.poll(() => lineIn(world, place)).toBe('is running npm test -- cart')
  const card = world.ours(place)[0]
  expect(JSON.stringify(card)).not.toContain('npm test')
  await world.settled(place)
  await expect.poll(() => lineIn(world, place)).toBe('')
})

test('where Slack has no status line the card says it', async () => {
  await using world = await startInside({pace: 0.5})
  world.slack.faults.failNext('assistant.threads.setStatus', {
    ...{times: 1, error: 'unknown_method', applied: false},
  })
  const place = await world.say('@Bosun a long run through the cart')
  await expect
    .poll(() => JSON.stringify(world.ours(place)[0] ?? ''))
    .toMatch(/`(Read|Ran|Edited|Searched|Opened) /)
  expect(callsOf(world, 'assistant.threads.setStatus')).toBe(1)
})

test('of work that nothing is heard of any more nobody is told what it does', async () => {
  await using world = await startInside({pace: 0.5})
  const place = await world.say('@Bosun write the long report')
  await world.until('it works', () => lineIn(world, place).startsWith('is '))
  world.platform.revokeKey(world.settings()['PLATFORM_API_KEY'] ?? '')
  await world.until('the card says it', () =>
    JSON.stringify(world.ours(place)[0]?.blocks).includes('key of this work'),
  )
  await expect.poll(() => lineIn(world, place)).toBe('')
})

function callsOf(world: World, method: string): number {
  return world.slack.ledger.calls.filter((call) => call.method === method).length
}

async function archive(world: World, place: Place): Promise<void> {
  const url = `${world.platform.originUrl}/api/v1/threads/${world.threadIn(place)?.id ?? ''}/archive`
  const headers = {authorization: `Bearer ${world.settings()['PLATFORM_API_KEY'] ?? ''}`}
  expect((await fetch(url, {method: 'POST', headers})).status).toBe(200)
}

test('a correction of the message that began the work puts no second mark on it', async () => {
  await using world = await startInside({pace: 0.1})
  const place = await world.say('@Bosun ask me a question about the cart')
  await marked(world, place, 'raising_hand')
  const text = `<@${world.slack.botUserId}> ask me a question about the shop`
  await world.slack.people.edit({as: JANE, channel: place.channel, ts: place.ts, text})
  await world.until('it is corrected', () =>
    JSON.stringify(world.requests()).includes('Correction'),
  )
  await world.settled(place)
  await marked(world, place, 'raising_hand')
})
