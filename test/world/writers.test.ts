import {describe, expect, test} from 'vitest'
import {FAULTLESS, isReply, sightOf, verdict} from '../support/verdict.ts'
import type {Place, World, WorldOptions} from '../support/world.ts'
import {openWorld} from './open-world.ts'

const REPORT = '@Bosun write the long report on the rounding'
const TASK = '@Bosun fix the rounding of the cart'

const callsOf = (world: World, method: string) =>
  world.slack.ledger.calls.filter((call) => call.method === method && call.applied)

const repliesOf = (world: World, place: Place): string[] =>
  sightOf(world.ours(place).filter(isReply), world.slack.botUserId)

const stream = (options: WorldOptions = {}): WorldOptions => ({
  ...options,
  settings: {SLACK_WRITER: 'stream'},
})

describe.concurrent('a reply that is streamed', () => {
  test('stands in the end as one that is edited', async (context) => {
    const edited = await openWorld(context, {settings: {SLACK_WRITER: 'edit'}})
    const streamed = await openWorld(context, stream())
    const [before, place] = await Promise.all([edited.say(REPORT), streamed.say(REPORT)])
    await Promise.all([edited.settled(before), streamed.settled(place)])
    expect(verdict(streamed, place)).toEqual(FAULTLESS)
    expect(repliesOf(streamed, place)).toEqual(repliesOf(edited, before))
    expect(callsOf(edited, 'chat.startStream')).toEqual([])
    const starts = callsOf(streamed, 'chat.startStream')
    expect(starts.length).toBeGreaterThan(0)
    expect(callsOf(streamed, 'chat.stopStream')).toHaveLength(starts.length)
    expect(callsOf(streamed, 'chat.appendStream').length).toBeGreaterThan(starts.length)
  })

  test('goes on by edits when Slack has ended its stream', async (context) => {
    // A stream lives for 0.9 s here.
    const world = await openWorld(context, stream({slackTimeFactor: 0.003, pace: 0.6}))
    const place = await world.say(TASK)
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    const ended = world.slack.ledger.calls.filter(
      ({answer}) => answer['error'] === 'message_not_in_streaming_state',
    )
    expect(ended.length).toBeGreaterThan(0)
  })

  test('goes on by edits when somebody has stopped its stream', async (context) => {
    const world = await openWorld(context, stream({pace: 0.6}))
    const place = await world.say(TASK)
    await world.until('it is streamed', () => callsOf(world, 'chat.appendStream').length > 0)
    world.slack.faults.failNext('chat.appendStream', {
      ...{times: 1, applied: false},
      error: 'stopped_by_user',
    })
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    expect(world.slack.ledger.calls.map(({answer}) => answer['error'])).toContain('stopped_by_user')
  })

  test('is posted again and leaves nothing behind when Slack says that it is over, and streams on', async (context) => {
    const world = await openWorld(context, stream({pace: 0.6}))
    const place = await world.say(TASK)
    await world.until('it is streamed', () => callsOf(world, 'chat.appendStream').length > 0)
    const {faults, ledger} = world.slack
    const once = {times: 1, applied: false}
    faults.failNext('chat.appendStream', {...once, error: 'message_not_in_streaming_state'})
    // The card's edits may meet some of them.
    faults.failNext('chat.update', {...once, times: 4, error: 'cant_update_message'})
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    expect(ledger.calls.map(({answer}) => answer['error'])).toContain('cant_delete_message')
  })

  test('is edited from its start where Slack streams nothing', async (context) => {
    const world = await openWorld(context, stream())
    world.slack.faults.failNext('chat.startStream', {
      ...{times: 1, applied: false},
      error: 'channel_type_not_supported',
    })
    const place = await world.say(TASK)
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    expect(callsOf(world, 'chat.startStream')).toEqual([])
    expect(callsOf(world, 'chat.update').length).toBeGreaterThan(0)
  })

  test('is ended with its process, and goes on by edits with the next one', async (context) => {
    const world = await openWorld(context, stream({pace: 0.6}))
    const place = await world.say(TASK)
    await world.until('it is streamed', () => callsOf(world, 'chat.appendStream').length > 1)
    await world.bot.stop()
    const states = world.ours(place).map(({streaming}) => streaming)
    expect(states).toContain('completed')
    expect(states).not.toContain('in_progress')
    await world.startBot()
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
  })

  test('is ended by the next process after its own was killed', async (context) => {
    const world = await openWorld(context, {apart: true, ...stream({pace: 0.6})})
    const place = await world.say(TASK)
    await world.until('it is streamed', () => callsOf(world, 'chat.appendStream').length > 2)
    await world.bot.kill()
    await world.startBot()
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
  })

  test('whose start was lost on the way is found, ended and edited', async (context) => {
    const world = await openWorld(context, stream({pace: 0.6}))
    world.slack.faults.failNext('chat.startStream', {times: 1, applied: true})
    const place = await world.say(TASK)
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    expect(callsOf(world, 'chat.stopStream').length).toBeGreaterThan(0)
  })
})
