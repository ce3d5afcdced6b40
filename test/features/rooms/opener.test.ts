import {expect, onTestFinished, test} from 'vitest'
import {LONG_MS, createRoomOpener} from '../../../src/features/rooms/opener.ts'
import {DEFAULTS} from '../../../src/agents/channel-settings.ts'
import type {Clock} from '../../../src/async/clock.ts'
import {TryLater} from '../../../src/inbox/try-later.ts'
import type {Link} from '../../../src/store/tables/work/link.ts'
import {FRESH_LINK} from '../../support/fresh-link.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'

/** A clock that goes on when it is told to. */
function createHandClock() {
  let atMs = 1_000_000
  const due = new Set<{atMs: number; callback: () => void}>()
  const clock: Clock = {
    nowMs: () => atMs,
    dateMs: () => atMs,
    after: (ms, callback) => {
      const one = {atMs: atMs + ms, callback}
      due.add(one)
      return () => due.delete(one)
    },
  }
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  }
  const pass = async (ms: number): Promise<void> => {
    atMs += ms
    for (const one of [...due].filter(({atMs: when}) => when <= atMs)) {
      due.delete(one)
      one.callback()
    }
    await settled()
  }
  return {clock, pass, settled, now: () => atMs}
}

function open(rooms: 'asked' | 'long' | 'always') {
  const hand = createHandClock()
  const world = {
    ...{rooms, hasRooms: true, isBroken: false, asked: 0, unopened: [] as string[]},
    opened: [] as string[],
    answer: async (): Promise<'opened' | 'refused'> => 'opened',
    link: {...FRESH_LINK, status: 'working', runSinceMs: hand.now()} as Link,
  }
  const opener = createRoomOpener({
    links: {
      byId: async () => {
        if (world.isBroken) throw new Error('The connection is broken')
        return world.link
      },
      atWork: async () => {
        if (world.isBroken) throw new Error('The connection is broken')
        return [world.link]
      },
    },
    rooms: {
      unopened: async () => {
        if (world.isBroken) throw new Error('The connection is broken')
        return world.unopened
      },
    },
    settingsOf: async () => ({values: {...DEFAULTS, rooms: world.rooms}}) as never,
    support: {
      hasRooms: async () => {
        world.asked += 1
        return world.hasRooms
      },
    },
    openRoom: async (link, user) => {
      expect(user).toBeUndefined()
      world.opened.push(link.id)
      if ((await world.answer()) === 'refused')
        return {outcome: 'refused', code: 'restricted_action'}
      world.link = {...world.link, room: {channel: 'C0ROOM', ts: '1.0', isMoved: false}}
      return {outcome: 'opened', channel: 'C0ROOM'}
    },
    ...{team: 'T1', clock: hand.clock, log: SILENT_LOG},
  })
  onTestFinished(() => opener[Symbol.asyncDispose]())
  const note = async (change: Partial<Link> = {}): Promise<void> => {
    world.link = {...world.link, ...change}
    opener.note(world.link)
    await hand.settled()
  }
  return {...hand, world, opener, note}
}

test('a channel that is not set so gets none, and Slack is not even asked whether there are any', async () => {
  const {world, note, pass} = open('asked')
  await note()
  await pass(LONG_MS)
  expect(world).toMatchObject({opened: [], asked: 0})
})

test('work gets its room at once, and once', async () => {
  const {world, note, pass} = open('always')
  await note({status: 'idle'})
  expect(world.opened).toEqual([])
  await note({status: 'working'})
  await note({steps: 9})
  await pass(LONG_MS)
  expect(world.opened).toEqual(['l1'])
})

test('also where its link could not be read at first', async () => {
  const {world, note, pass} = open('always')
  world.isBroken = true
  await note()
  await pass(15_000)
  expect(world.opened).toEqual([])
  world.isBroken = false
  await pass(15_000)
  expect(world.opened).toEqual(['l1'])
})

test('or when it has worked in one go for ten minutes, as the channel is set then', async () => {
  const {world, note, pass, now} = open('long')
  await note()
  await pass(LONG_MS - 1)
  expect(world.opened).toEqual([])
  // It rests, and begins anew.
  await note({status: 'idle'})
  await pass(1)
  await note({status: 'working', runSinceMs: now()})
  await pass(LONG_MS - 1)
  expect(world.opened).toEqual([])
  await pass(1)
  expect(world.opened).toEqual(['l1'])

  const other = open('asked')
  await other.note()
  other.world.rooms = 'long'
  await other.pass(LONG_MS)
  expect(other.world.opened).toEqual(['l1'])
})

test('a run that began by a clock that was ahead waits no longer than any other', async () => {
  const {world, note, pass, now} = open('long')
  await note({runSinceMs: now() + 86_400_000})
  await pass(LONG_MS - 1)
  expect(world.opened).toEqual([])
  await pass(1)
  expect(world.opened).toEqual(['l1'])
})

test.each<[string, Partial<Link>]>([
  ['in direct messages', {place: {...FRESH_LINK.place, channel: 'D1'}}],
  ['that was only followed', {requestId: 'follow:T1:C1:1.0'}],
  ['that has one', {room: {channel: 'C2', ts: '1.0', isMoved: true}}],
  ['that rests', {status: 'idle'}],
])('work %s gets none', async (_what, change) => {
  const {world, note, pass} = open('always')
  await note(change)
  await pass(LONG_MS)
  expect(world.opened).toEqual([])
})

test('where there are none nothing is tried, and where Slack opens none it is not tried again that day', async () => {
  const {world, note} = open('always')
  world.hasRooms = false
  await note()
  expect(world.opened).toEqual([])
  const other = open('always')
  other.world.answer = async () => 'refused'
  await other.note()
  await other.note({status: 'idle'})
  await other.note({status: 'working', runSinceMs: 7})
  expect(other.world.opened).toEqual(['l1'])
})

test('what fails in passing is tried again, and what a process before has begun is brought to its end', async () => {
  const {world, note, pass} = open('always')
  world.answer = async () => {
    throw new TryLater(undefined)
  }
  await note()
  world.answer = async () => 'opened'
  await pass(15_000)
  expect(world.opened).toEqual(['l1', 'l1'])

  const other = open('asked')
  other.world.unopened = ['l1']
  other.world.link = {...other.world.link, status: 'idle'}
  other.opener.recover()
  await other.settled()
  expect(other.world.opened).toEqual(['l1'])
})

test.for(['idle', 'working'])(
  'work that is %s gets the room that was missed, also where no table could be read at first',
  async (status) => {
    const {world, opener} = open('always')
    world.unopened = status === 'idle' ? ['l1'] : []
    world.link = {...world.link, status}
    world.isBroken = true
    opener.recover()
    world.isBroken = false
    await expect.poll(() => world.opened, {timeout: 5000}).toEqual(['l1'])
  },
)

test('a room that somebody has begun to open is opened though Slack does not say at first', async () => {
  const {world, opener, pass} = open('asked')
  world.unopened = ['l1']
  world.link = {...world.link, status: 'idle'}
  world.answer = async () => {
    throw new TryLater(undefined)
  }
  opener.recover()
  await pass(0)
  expect(world.opened).toEqual(['l1'])
  world.answer = async () => 'opened'
  await pass(15_000)
  await expect.poll(() => world.opened, {timeout: 5000}).toEqual(['l1', 'l1'])
})
