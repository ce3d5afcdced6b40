import {afterAll, beforeAll, expect, test} from 'vitest'
import {ACTIONS} from '../../src/slack/ids.ts'
import {createModals} from '../support/modals.ts'
import {callsOf, openRoom, pressRoom, roomsOf, saying, textsIn} from '../support/rooms.ts'
import {JANE, KIM, type World, startWorld} from '../support/world.ts'
import {openWorld} from './open-world.ts'

let world: World
let modals: ReturnType<typeof createModals>

beforeAll(async () => {
  world = await startWorld({pace: 0.05})
  modals = createModals(world)
  await world.slack.people.setRules({codeChannels: true})
})
afterAll(() => world[Symbol.asyncDispose]())

const WEB = 'C0WEB'

const channelsIn = (of: World) => of.slack.channels()

test('work goes on in a room, and its card follows where it was begun', async () => {
  const place = await world.say('@Bosun fix the rounding')
  await world.settled(place)
  const said = world.ours(place).length
  const room = await openRoom(world, place, 'fix the rounding')
  const {code, memberIds, isPrivate} = channelsIn(world).find(({id}) => id === room) ?? {}
  expect(code?.origin).toEqual({channel: WEB, ts: place.ts})
  expect(memberIds).toContain(JANE)
  expect(isPrivate).not.toBe(true)
  await world.until('the card says where', () =>
    JSON.stringify(world.ours(place)[0]?.blocks).includes(`Goes on in <#${room}>`),
  )
  await world.until('its card stands there', () =>
    textsIn(world, room).some((text) => text.includes('asked by')),
  )

  const {ts} = await world.slack.people.post({as: JANE, channel: room, text: 'and add a test'})
  await world.until('the agent has it', () =>
    world.transcriptIn(place).some(({text}) => text.includes('and add a test')),
  )
  const last = await world.until('it has answered', () => {
    const entries = world.transcriptIn(place)
    const asked = entries.findIndex(({text}) => text.includes('and add a test'))
    return entries.slice(asked + 1).findLast(({source}) => source === 'assistant')
  })
  expect(last.text).not.toBe('')
  await world.until('it stands in the room, and in no thread', () => {
    const ours = world.slack.messages(room).filter(({userId}) => userId === world.slack.botUserId)
    return (
      ours.some((message) =>
        JSON.stringify(message).includes(JSON.stringify(last.text.slice(0, 20)).slice(1, -1)),
      ) && ours.every(({threadTs}) => threadTs === undefined)
    )
  })
  expect(world.reactionsOn({channel: room, ts})).toContain('white_check_mark')
  expect(world.ours(place)).toHaveLength(said)

  // Once more it is the same room.
  const again = createModals(world)
  await again.command('room', {as: JANE, channel: WEB})
  await again.hears(JANE, WEB, 'No work of this channel')
  // And a second room of it is not asked for.
  await again.command('room', {as: JANE, channel: room})
  await again.hears(JANE, room, 'This is a room already')
  await world.say('@Bosun new paint the shed', {channel: room})
  await again.hears(JANE, room, 'the room of one piece of work')
  await world.until('the bar shows the project', () =>
    channelsIn(world)
      .find(({id}) => id === room)
      ?.code?.contextBar.some(({key}) => key === 'project'),
  )
  expect(
    callsOf(world, 'agents.sessions.setStatus').filter(
      ({args}) => args['channel_id'] === room && args['thread_ts'] !== undefined,
    ),
  ).toEqual([])
})

test('what is said while it opens is said once, in one of both places', async () => {
  const place = await world.say('@Bosun sort the drawers, and write a lot')
  await world.until('it works', () => world.threadIn(place) !== undefined)
  await world.until('its card stands', () => world.ours(place).length > 0)
  const room = await openRoom(world, place, 'sort the drawers')
  await world.until('it rests', () => world.threadIn(place)?.status === 'idle')
  await world.until('it has moved', () =>
    textsIn(world, room).some((text) => text.includes('asked by')),
  )
  const replies = world
    .transcriptIn(place)
    .filter(({source, text}) => source === 'assistant' && text !== '')
  await world.until('each reply stands in one place', () =>
    replies.every(({text}) => {
      const words = JSON.stringify(text.slice(0, 30)).slice(1, -1)
      const here = world
        .ours(place)
        .filter((message) => JSON.stringify(message).includes(words)).length
      const there = textsIn(world, room).filter((said) => said.includes(words)).length
      return here + there === 1
    }),
  )
})

test('a room is private where its origin is, and is put away with its work', async () => {
  const channel = await modals.channel('inner', [JANE, KIM])
  const {id} = await world.slack.people.createChannel({
    ...{name: 'secret-plans', memberIds: [JANE, world.slack.botUserId], isPrivate: true},
  })
  expect(channel).not.toBe(id)
  const place = await world.say('@Bosun hide the keys', {channel: id})
  await world.settled(place)
  const room = await openRoom(world, place, 'hide the keys')
  expect(channelsIn(world).find((one) => one.id === room)?.isPrivate).toBe(true)
  await world.until('its card stands there', () =>
    textsIn(world, room).some((text) => text.includes('asked by')),
  )
  await world.press(place, ACTIONS.archive)
  await world.until('the room is archived', () => {
    const found = channelsIn(world).find((one) => one.id === room)
    return found?.archived === true && found.code?.status === 'closed'
  })
  // Slack lets no app open it again: whoever asked for the work hears so, and once somebody has, it goes on there.
  await world.press(place, ACTIONS.unarchive)
  await world.until('it is open', () => world.threadIn(place)?.status !== 'archived')
  await world.reply(place, 'and lock the door')
  await world.slack.people.unarchive(room)
  await world.until('it goes on there', () => saying(world, room, 'and lock the door').length > 0)
})

test('Slack refuses: the work goes on where it is, and the person hears it once', async () => {
  const place = await world.say('@Bosun mend the fence')
  await world.settled(place)
  world.slack.faults.failNext('agents.conversations.create', {
    times: 1,
    error: 'restricted_action',
    applied: false,
  })
  const before = roomsOf(world).length
  await pressRoom(world, WEB, 'mend the fence')
  await modals.hears(JANE, WEB, 'Slack opened no room')
  expect(roomsOf(world)).toHaveLength(before)
  await world.reply(place, 'and add a test')
  await world.until('the agent has it', () =>
    world.transcriptIn(place).some(({text}) => text.includes('and add a test')),
  )
})

test('a workspace without rooms is asked once, and offered none', async (context) => {
  const other = await openWorld(context, {pace: 0.05})
  const place = await other.say('@Bosun fix the rounding')
  await other.settled(place)
  expect(
    other.slack.ledger.calls.filter(({method}) => method.startsWith('agents.conversations')),
  ).toEqual([])
  const own = createModals(other)
  await own.command('room', {as: JANE, channel: WEB})
  await own.hears(JANE, WEB, 'has no rooms')
  await own.command('room', {as: KIM, channel: WEB})
  await own.hears(KIM, WEB, 'has no rooms')
  await other.press(place, ACTIONS.details)
  const shown = await own.reads(JANE, 'Cost')
  expect(shown).not.toContain('Open a room')
  expect(JSON.stringify(other.slack.views(JANE))).not.toContain(ACTIONS.roomOpen)
  expect(callsOf(other, 'agents.conversations.listViews')).toHaveLength(1)
  expect(callsOf(other, 'agents.conversations.create')).toEqual([])
})

test('killed at any moment of opening it has one room, and one first message there', async (context) => {
  const other = await openWorld(context, {apart: true, pace: 0.05})
  await other.slack.people.setRules({codeChannels: true})
  const moments = ['agents.conversations.create', 'chat.postMessage', 'agents.sessions.rename']
  for (const [turn, method] of moments.entries()) {
    const title = `count the sheep ${turn}`
    const place = await other.say(`@Bosun ${title}`)
    await other.settled(place)
    const before = roomsOf(other).length
    // Slack has done it, and has not answered yet.
    other.slack.faults.latencyMs = 600
    await pressRoom(other, WEB, title)
    await other.until('Slack has done it', () =>
      callsOf(other, method).some(({args}) => {
        const at = args['channel'] ?? args['channel_id']
        return at === undefined
          ? args['origin_message_ts'] === place.ts
          : roomsOf(other)[before]?.id === at
      }),
    )
    await other.bot.kill()
    other.slack.faults.latencyMs = 0
    await other.startBot()
    await other.until('its card stands there', () =>
      textsIn(other, roomsOf(other)[before]?.id ?? '').some((text) => text.includes('asked by')),
    )
    await other.until(
      'the card says where',
      () => saying(other, WEB, `Goes on in <#${roomsOf(other)[before]?.id}>`).length === 1,
    )
    expect(roomsOf(other)).toHaveLength(before + 1)
    expect(saying(other, roomsOf(other)[before]?.id ?? '', 'goes on here')).toHaveLength(1)
  }
})
