import {expect, onTestFinished, test} from 'vitest'
import {type RelayOptions, startRelay} from '../../src/relay/relay.ts'
import type {LinkChange} from '../../src/store/tables/work/link.ts'
import {sharedStore} from '../store/temporary-store.ts'
import {until} from '../support/until.ts'
import {createManualClock} from './manual-clock.ts'
import {clientOf, relayOptions} from './relay-options.ts'
import {createInMemorySlack} from './slack-in-memory.ts'
import {createInMemoryThread} from './thread-in-memory.ts'

const store = await sharedStore()
let works = 0

/** One relay at work, and what it shows. */
async function openRelay(change: LinkChange | undefined, own: Partial<RelayOptions> = {}) {
  const number = (works += 1)
  const place = {team: 'T1', channel: 'C1', slackThread: `${number}.0`}
  const ask = {place, requestId: `r${number}`, projectId: 'p', startedBy: 'U1'}
  const {id} = await store.links.open(ask, 0)
  const link = await (change === undefined ? store.links.byId(id) : store.links.change(id, change))
  if (link === undefined) throw new Error('The link is gone.')
  const clock = createManualClock()
  const slack = createInMemorySlack(clock, [])
  const thread = createInMemoryThread()
  const stop = new AbortController()
  const options: RelayOptions = {
    ...relayOptions({store, clock, client: clientOf(), budgetScale: 1000}),
    ...{writer: slack.writer, follow: ({cursor}, signal) => thread.follow(cursor, signal)},
    ...own,
  }
  const relay = await startRelay(link, options, stop.signal)
  onTestFinished(async () => {
    stop.abort()
    await relay.stopped
  })
  const shown = () => slack.messages.map(({content}) => content.kind)
  return {...{id, clock, thread, relay, slack, shown, options, stop}}
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate)
}
const OPEN: LinkChange = {state: 'open', threadId: 'thread'}

test('of work that is only being created nothing is said for six tenths of a second', async () => {
  const {clock, shown} = await openRelay(undefined)
  clock.advance(599)
  await turns(20)
  expect(shown()).toEqual([])
  clock.advance(1)
  await until('the card stands', () => shown().length === 1)
})

test('the agent has settled once it rests and all that it said stands', async () => {
  const seen: number[] = []
  const onSettled = (): void => void seen.push(says().length)
  const {thread, slack} = await openRelay(OPEN, {onSettled})
  const says = () => slack.messages.filter(({content}) => content.kind === 'say')
  thread.happen({what: 'settle', call: 'A'})
  await until('the reply stands', () => says().length === 1)
  await turns(20)
  expect(seen).toEqual([])
  thread.happen({what: 'settle', call: 'B'})
  thread.happen({what: 'rest'})
  await until('it has settled', () => seen.length > 0)
  expect(seen).toEqual(seen.map(() => 2))
})

test('a conversation goes on in its room behind all that stands here', async () => {
  const moved: (string | undefined)[] = []
  const {id, clock, thread, relay, slack} = await openRelay(OPEN, {
    move: async (link) => {
      moved.push(link.cursor)
      await store.rooms.move(link.id, link.cursor, 0)
    },
  })
  const says = () =>
    slack.messages.flatMap(({content}) => (content.kind === 'say' ? content.markdown : []))
  thread.happen({what: 'say', call: 'A', text: 'The first words '})
  await until('it begins', () => (clock.advance(1000), says().length === 1))
  const room = {team: 'T1', threadId: 'thread'}
  await store.rooms.begin({...room, linkId: id, origin: ''}, 0)
  await store.rooms.made(room, 'C9')
  await store.rooms.open(room, '9.0')
  await relay.refresh()
  await turns(20)
  // What is being written is written to its end here.
  expect(moved).toEqual([])
  thread.happen({what: 'settle', call: 'A'})
  await until('it moves', () => (clock.advance(1000), moved.length > 0))
  expect(moved).toEqual(['c0'])
  thread.happen({what: 'settle', call: 'B'})
  await turns(50)
  clock.advance(1000)
  await turns(50)
  expect(says()).toEqual(['The first words '])
})

test('what stood before a restart stays as it is where its turn is told again from its start', async () => {
  const {id, clock, thread, relay, slack, options, stop} = await openRelay(OPEN)
  const says = () =>
    slack.messages.flatMap(({content}) => (content.kind === 'say' ? [content] : []))
  thread.happen({what: 'settle', call: 'A'})
  await until('the reply stands', () => says().length === 1)
  await until('the cursor moves', async () => (await store.links.byId(id))?.cursor === 'c0')
  const before = structuredClone(says())
  stop.abort()
  await relay.stopped
  const link = await store.links.byId(id)
  if (link === undefined) throw new Error('The link is gone.')
  const again = createInMemoryThread()
  const end = new AbortController()
  const follow: RelayOptions['follow'] = (_, signal) => again.follow(undefined, signal)
  const other = await startRelay(link, {...options, follow}, end.signal)
  again.happen({what: 'say', call: 'A', text: 'What it said first'})
  again.happen({what: 'say', call: 'B', text: 'Next. And so on. '})
  await until('the next begins', () => (clock.advance(1000), says().length === 2))
  again.happen({what: 'run-end'})
  await until('the next has broken off', () => {
    clock.advance(1000)
    return says().at(-1)?.interrupted === true
  })
  end.abort()
  await other.stopped
  expect(says().slice(0, 1)).toEqual(before)
})

test('what stands where a room was opened from is not said again there, however old its cursor is', async () => {
  const threadId = 'from the start'
  const {id, clock, thread, relay, slack, options, stop} = await openRelay(
    {state: 'open', threadId},
    // As where entries come without cursors: the platform has no place for a stream.
    {move: async (link) => void (await store.rooms.move(link.id, undefined, 0))},
  )
  const says = ({messages}: typeof slack) =>
    messages.flatMap(({content}) => (content.kind === 'say' ? content.markdown : []))
  const quotes = ({messages}: typeof slack) =>
    messages.filter(({content}) => content.kind === 'quote').length
  thread.happen({what: 'user'})
  thread.happen({what: 'settle', call: 'A'})
  // Written elsewhere, and quoted.
  thread.happen({what: 'user'})
  thread.happen({what: 'settle', call: 'B'})
  await until('both replies stand', () => (clock.advance(1000), says(slack).length === 2))
  expect(quotes(slack)).toBe(1)
  const room = {team: 'T1', threadId}
  await store.rooms.begin({...room, linkId: id, origin: 'C1'}, 0)
  await store.rooms.made(room, 'C8')
  await store.rooms.open(room, '8.0')
  await relay.refresh()
  await until('it moves', async () => {
    clock.advance(1000)
    return (await store.rooms.of(room))?.roomLinkId !== undefined
  })
  stop.abort()
  await relay.stopped
  const link = await store.links.byId((await store.rooms.of(room))?.roomLinkId ?? '')
  if (link === undefined) throw new Error('The room has no link.')
  const there = createInMemorySlack(clock, [])
  const end = new AbortController()
  const other = await startRelay(link, {...options, writer: there.writer}, end.signal)
  thread.happen({what: 'settle', call: 'C'})
  await until('what comes now stands there', () => (clock.advance(1000), says(there).length > 0))
  await turns(50)
  expect([says(there).length, quotes(there)]).toEqual([1, 0])
  expect([says(slack).length, quotes(slack)]).toEqual([2, 1])
  end.abort()
  await other.stopped
})

test('every piece of a reply is shown, though nothing else happens', async () => {
  const {clock, thread, slack} = await openRelay(OPEN)
  const shown = () =>
    slack.messages.flatMap(({content}) => (content.kind === 'say' ? content.markdown : [])).join()
  let text = ''
  for (const piece of ['One. ', 'Two. ', 'Three. ', 'Four. ']) {
    thread.happen({what: 'say', call: 'A', text: piece})
    text += piece
    await until(piece, () => (clock.advance(1000), shown() === text))
    await turns(20)
  }
})

test('work that goes on in its room is followed here to its end, and nothing that is said there waits here', async () => {
  const threadId = 'another'
  const {id, clock, thread, relay, slack} = await openRelay(
    {state: 'open', threadId},
    {move: async (link) => void (await store.rooms.move(link.id, link.cursor, 0))},
  )
  const card = () => slack.messages.find(({content}) => content.kind === 'card')?.content
  const room = {team: 'T1', threadId}
  await store.rooms.begin({...room, linkId: id, origin: ''}, 0)
  await store.rooms.made(room, 'C8')
  await store.rooms.open(room, '9.0')
  await relay.refresh()
  await until('it has moved', async () => (await store.links.byId(id))?.room?.isMoved)
  // More than may wait for Slack.
  for (let reply = 0; reply < 250; reply += 1) thread.happen({what: 'settle', call: 'A'})
  thread.happen({what: 'say', call: 'B', text: 'Words that nobody will end'})
  thread.happen({what: 'run-end'})
  thread.happen({what: 'rest'})
  await until('the card says that it rests', () => {
    clock.advance(1000)
    return JSON.stringify(card()).includes('"idle"')
  })
  await until('nobody waits for any of it', () => relay.unseenSinceMs() === undefined)
  await until('it is read', async () => (await store.links.byId(id))?.cursor === 'c249')
  await store.links.change(id, {state: 'archived'})
  await relay.refresh()
  thread.happen({what: 'done'})
  await until('it is served no more', () => (clock.advance(1000), relay.isStopping()))
  expect(await store.posts.unsettled(id)).toMatchObject([{key: 'card', final: true}])
  expect(slack.messages.map(({content}) => content.kind)).toEqual(['card'])
})
