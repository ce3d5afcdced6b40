import {describe, expect, test} from 'vitest'
import {FAULTLESS, isReply, sightOf, verdict} from '../support/verdict.ts'
import type {Place, World} from '../support/world.ts'
import {openWorld} from './open-world.ts'

const TASK = '@Bosun fix the rounding of the cart'

describe.concurrent('work in progress', () => {
  test('goes on in the same messages after the bot was stopped and started', async (context) => {
    const world = await openWorld(context, {pace: 0.7})
    const place = await world.say(TASK)
    await world.until('the reply grows', () => versionsOf(world, place) > 1)
    const before = world.ours(place).map(({ts}) => ts)
    const {code, tookMs} = await world.bot.stop()
    expect(code).toBe(0)
    // 10 s, and a little for a busy machine.
    expect(tookMs).toBeLessThan(12_000)
    await world.startBot()
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    expect(world.ours(place).map(({ts}) => ts)).toEqual(before)
  })

  test('that ended while the bot was stopped is told when it is back', async (context) => {
    const world = await openWorld(context, {pace: 0.3})
    const place = await world.say(TASK)
    await world.until('a thread works', () => world.threadIn(place)?.status === 'active')
    await world.bot.stop()
    await world.until('it is done', () => world.threadIn(place)?.status === 'idle')
    const late = await world.say('@Bosun a quick check')
    await world.startBot()
    for (const each of [place, late]) {
      await world.settled(each)
      expect(verdict(world, each)).toEqual(FAULTLESS)
    }
  })

  test('survives a restart of the platform without a word about it', async (context) => {
    const world = await openWorld(context, {pace: 0.5, heartbeatMs: 1000})
    const first = await world.say(TASK)
    await world.settled(first)
    const place = await world.say(TASK)
    await world.until('it has worked', () => world.transcriptIn(place).length > 1)
    await world.stopPlatform()
    await world.startPlatform()
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    const repliesOf = (where: Place): string[] =>
      sightOf(world.ours(where).filter(isReply), world.slack.botUserId)
    expect(repliesOf(place)).toEqual(repliesOf(first))
    const {calls} = world.slack.ledger
    expect(calls.filter(({args}) => JSON.stringify(args).includes('⚠️'))).toEqual([])
  })

  test('is shown once though Slack loses the answers to what it has applied', async (context) => {
    const world = await openWorld(context)
    world.slack.faults.failNext('chat.postMessage', {times: 3, applied: true})
    world.slack.faults.failNext('chat.update', {times: 2, applied: true})
    const place = await world.say(TASK)
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    const lost = world.slack.ledger.calls.filter(({status}) => status === 0)
    expect(lost.map(({method}) => method)).toEqual(
      expect.arrayContaining(['chat.postMessage', 'chat.update']),
    )
  })

  test('is shown though nobody knows whether Slack took a message', async (context) => {
    const world = await openWorld(context)
    world.slack.faults.failNext('chat.postMessage', {times: 1, applied: false, status: 500})
    const place = await world.say(TASK)
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
  })

  test('stands once where Slack says that it failed and makes it later all the same', async (context) => {
    const world = await openWorld(context)
    const {faults, ledger} = world.slack
    const late = {times: 1, error: 'internal_error', applied: true, lateMs: 4700}
    faults.failNext('chat.postMessage', {...late, status: 500})
    faults.failNext('chat.postMessage', {...late, applied: false})
    faults.failNext('chat.startStream', {...late, error: 'fatal_error'})
    const place = await world.say(TASK)
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    const failed = ledger.calls.filter(({answer}) => String(answer['error']).endsWith('al_error'))
    expect(failed.length).toBeGreaterThanOrEqual(2)
    const looks = ledger.calls.filter(({method}) => method === 'conversations.replies')
    expect(looks.length).toBeGreaterThanOrEqual(2)
    expect((looks[0]?.atMs ?? 0) - (failed[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(1000)
  })

  test('waits as long as Slack says, and ends right', async (context) => {
    const world = await openWorld(context)
    world.slack.faults.failNext('chat.update', {
      times: 1,
      applied: false,
      status: 429,
      retryAfterSeconds: 4,
    })
    const place = await world.say(TASK)
    const other = await world.say('@Bosun a quick check')
    for (const each of [place, other]) {
      await world.settled(each)
      expect(verdict(world, each)).toEqual(FAULTLESS)
    }
    const updates = world.slack.ledger.calls.filter(({method}) => method === 'chat.update')
    const refused = updates.filter(({status}) => status === 429)
    expect(refused).toHaveLength(1)
    const fromMs = refused[0]?.atMs ?? 0
    // Calls for other messages may be under way when the refusal comes.
    const inside = updates.filter(({atMs}) => atMs > fromMs + 2000 && atMs < fromMs + 4000)
    expect(inside).toEqual([])
  })
})

/** Versions of the first reply. */
function versionsOf(world: World, place: Place): number {
  const reply = world.ours(place).find(isReply)
  return reply === undefined ? 0 : world.slack.ledger.versions(place.channel, reply.ts).length
}
