import {afterEach, expect, onTestFinished, test} from 'vitest'
import {aborted} from '../../src/async/pause.ts'
import {PlatformNotFound, PlatformUnreachable} from '../../src/platform/errors.ts'
import type {Frame} from '../../src/platform/stream/frame.ts'
import {createFleet} from '../../src/relay/fleet.ts'
import {createPacer} from '../../src/relay/pace/pacer.ts'
import {createWritingModes} from '../../src/relay/publish/writing-modes.ts'
import type {RelayOptions} from '../../src/relay/relay.ts'
import {slackBudgets} from '../../src/slack/api/budgets.ts'
import type {Link, LinkChange} from '../../src/store/tables/work/link.ts'
import type {Store} from '../../src/store/store.ts'
import {sharedStore} from '../store/temporary-store.ts'
import {SILENT_LOG} from '../support/silent-log.ts'
import {until} from '../support/until.ts'
import {createManualClock} from './manual-clock.ts'
import {clientOf, relayOptions} from './relay-options.ts'
import {createInMemorySlack} from './slack-in-memory.ts'
import {type InMemoryThread, createInMemoryThread} from './thread-in-memory.ts'
import {SlackError} from '../../src/once/slack-error.ts'

const store = await sharedStore()
const client = clientOf()

/** When all work of these tests began. */
const BEGUN_MS = createManualClock().dateMs()

let links = 0
async function openLink(): Promise<string> {
  const number = (links += 1)
  const place = {team: 'T1', channel: 'C1', slackThread: `${number}.0`}
  const ask = {place, requestId: `r${number}`, projectId: 'p', startedBy: 'U1'}
  const {id} = await store.links.open(ask, BEGUN_MS)
  await store.links.change(id, {state: 'open', threadId: `thread-${number}`})
  return id
}

/** At once, so that they are committed together. */
const openLinks = (count: number) => Promise.all(Array.from({length: count}, openLink))

/** Every link has a thread of its own; a test may break what it likes. */
function startFleet(
  changes: (own: OwnThreads) => Partial<RelayOptions & {links: Store['links']}>,
  {clock, slack} = openSlack(),
) {
  const threads = new Map<string, InMemoryThread>()
  const threadOf = (link: Link): InMemoryThread => {
    const thread = threads.get(link.id) ?? createInMemoryThread()
    threads.set(link.id, thread)
    return thread
  }
  const followed: string[] = []
  const follow: RelayOptions['follow'] = (link, signal) => {
    followed.push(link.id)
    return threadOf(link).follow(link.cursor, signal)
  }
  const errors: object[] = []
  const options = {
    ...relayOptions({store, clock, client, budgetScale: 1000}),
    follow,
    log: {...SILENT_LOG, error: (details: object) => void errors.push(details)},
    ...changes({threadOf, follow}),
  }
  const deskOf = () => ({...options, writer: slack.writer})
  const fleet = createFleet({...options, deskOf, onElsewhere: () => undefined})
  onTestFinished(() => fleet[Symbol.asyncDispose]())
  const says = () => slack.messages.filter(({content}) => content.kind === 'say')
  /** What the cards tell. */
  const notices = () =>
    slack.messages.flatMap(({content}) => (content.kind === 'card' ? (content.notice ?? []) : []))
  return {fleet, clock, threadOf, followed, errors, says, notices}
}

function openSlack() {
  const clock = createManualClock()
  return {clock, slack: createInMemorySlack(clock, [])}
}

interface OwnThreads {
  threadOf: (link: Link) => InMemoryThread
  follow: RelayOptions['follow']
}

async function untilIt(what: string, isSo: () => Promise<boolean>): Promise<void> {
  let seen = false
  const look = (): void => void isSo().then((it) => (seen = it))
  await until(what, () => (look(), seen))
}

afterEach(async () => {
  for (const {id} of await store.links.live(['T1'], BEGUN_MS)) {
    await store.links.change(id, {state: 'ended'})
    for (const {key} of await store.posts.unsettled(id)) await store.posts.markGone(id, key)
  }
})

async function linkOf(id: string): Promise<Link> {
  const link = await store.links.byId(id)
  if (link === undefined) throw new Error('The link is gone.')
  return link
}

test('a start serves every open link, and new work without waiting for the others', async () => {
  const ids = await openLinks(60)
  const [late = ''] = await openLinks(1)
  const served = new AbortController()
  const {fleet, followed} = startFleet(() => ({
    links: {
      ...store.links,
      byId: async (id) => {
        if (id !== late) await aborted(served.signal)
        return store.links.byId(id)
      },
    },
  }))
  fleet.recover('T1')
  await fleet.serve(late)
  expect(followed).toEqual([late])
  served.abort()
  await until('all are followed', () => followed.length === 61)
  expect(new Set(followed)).toEqual(new Set([...ids, late]))
  await fleet[Symbol.asyncDispose]()
})

test('a relay that fails is started again, later each time, and disturbs no other', async () => {
  const [bad = '', good = ''] = await openLinks(2)
  let failing = 3
  const {fleet, clock, threadOf, followed, errors, says} = startFleet(({follow}) => ({
    follow: (link, signal) => {
      const frames = follow(link, signal)
      if (link.id !== bad || failing === 0) return frames
      failing -= 1
      return (async function* (): AsyncGenerator<Frame> {
        yield {type: 'connected'}
        throw new TypeError('a bug')
      })()
    },
  }))
  fleet.recover('T1')
  await until('both are followed', () => followed.length >= 2)
  threadOf(await linkOf(good)).happen({what: 'settle', call: 'A'})
  for (const count of [1, 2, 3]) {
    await until(`failure ${count}`, () => errors.length === count)
    expect(errors[count - 1]).toMatchObject({linkId: bad, failures: count})
    await until('it waits', () => (clock.advance(1000), followed.length > count + 1))
  }
  threadOf(await linkOf(bad)).happen({what: 'settle', call: 'A'})
  await until('both say their reply', () => (clock.advance(1000), says().length === 2))
  expect(errors).toHaveLength(3)
  await fleet[Symbol.asyncDispose]()
})

test('while a relay that failed is not started again, nobody is told what its agent does', async () => {
  const [id = ''] = await openLinks(1)
  const shown: (string | undefined)[] = []
  const {fleet, errors} = startFleet(() => ({
    onActivity: (link, activity) => {
      if (link.id === id) shown.push(activity?.kind)
    },
    follow: async function* (): AsyncGenerator<Frame> {
      yield {type: 'connected'}
      yield {type: 'status', status: 'active'}
      yield {type: 'tool_call', callId: 'c', name: 'read', text: 'Read a.ts'}
      throw new TypeError('a bug')
    },
  }))
  fleet.recover('T1')
  await until('it fails', () => errors.length === 1)
  expect(shown).toContain('tool')
  expect(shown.at(-1)).toBeUndefined()
  await fleet[Symbol.asyncDispose]()
})

test('what somebody said and could not be looked up is asked for again, and what follows is told', async () => {
  const [id = ''] = await openLinks(1)
  let failing = 1
  const {fleet, clock, threadOf, followed, errors, says} = startFleet(() => ({
    sends: {
      ...store.sends,
      ofEntry: (...asked) => {
        if (failing === 0) return store.sends.ofEntry(...asked)
        failing -= 1
        return Promise.reject(new Error('the database is away'))
      },
    },
  }))
  fleet.recover('T1')
  await until('it is followed', () => followed.length === 1)
  const thread = threadOf(await linkOf(id))
  thread.happen({what: 'user'})
  thread.happen({what: 'settle', call: 'A'})
  const isTold = () => JSON.stringify(says()).includes('Said at once by A0.')
  await until('the reply is told', () => (clock.advance(1000), isTold()))
  expect(errors).toHaveLength(1)
  await fleet[Symbol.asyncDispose]()
})

test('a call for one link that throws leaves its replies and all others alone', async () => {
  const [bad = '', good = ''] = await openLinks(2)
  const {fleet, clock, threadOf, followed, errors, says} = startFleet(() => ({
    clientOf: (link) => {
      if (link.id === bad) throw new TypeError('a bug')
      return client
    },
  }))
  fleet.recover('T1')
  await until('both are followed', () => followed.length === 2)
  for (const id of [bad, good]) {
    threadOf(await linkOf(id)).happen({what: 'run-end'})
    threadOf(await linkOf(id)).happen({what: 'settle', call: 'A'})
  }
  await until('both say their reply', () => (clock.advance(1000), says().length === 2))
  expect(errors).toContainEqual({linkId: bad, err: new TypeError('a bug')})
  expect(errors).not.toContainEqual(expect.objectContaining({linkId: good}))
  await fleet[Symbol.asyncDispose]()
})

test('work that is archived is followed to its last words, and what it left unsaid is marked', async () => {
  const [id = ''] = await openLinks(1)
  const {fleet, clock, threadOf, followed, says} = startFleet(() => ({}))
  fleet.recover('T1')
  await until('it is followed', () => followed.length === 1)
  const thread = threadOf(await linkOf(id))
  thread.happen({what: 'say', call: 'A', text: 'The first words of an answer'})
  thread.happen({what: 'say', call: 'B', text: 'Words that nobody will end'})
  await until('it begins', () => (clock.advance(1000), says().length === 2))
  await store.links.change(id, {state: 'archived'})
  await fleet.serve(id)
  thread.happen({what: 'settle', call: 'A'})
  thread.happen({what: 'done'})
  await until('all is said', () => {
    clock.advance(1000)
    const contents = says().map(({content}) => JSON.stringify(content))
    return contents.filter((it) => it.includes('interrupted')).length === 1
  })
  await fleet[Symbol.asyncDispose]()
  expect(followed).toHaveLength(1)
  expect((await linkOf(id)).cursor).toBe('c0')
})

test('a call that stands when work is archived says that it is over, however long our own tables take', async () => {
  const [id = ''] = await openLinks(1)
  const asked = {linkId: id, key: 'needs-you:1', kind: 'needs-you', person: 'U1'} as const
  await store.notifications.add({...asked, words: {}, remindAtMs: undefined}, 0)
  const tables = new AbortController()
  const putAway = new AbortController()
  const here = openSlack()
  const {fleet, clock} = startFleet(
    () => ({
      notifications: {
        ...store.notifications,
        end: async (...ended) => {
          await aborted(tables.signal)
          await store.notifications.end(...ended)
        },
      },
      follow: async function* (_link, signal): AsyncGenerator<Frame> {
        yield {type: 'connected'}
        yield {type: 'status', status: 'pending_user'}
        await aborted(AbortSignal.any([signal, putAway.signal]))
        yield {type: 'done'}
      },
    }),
    here,
  )
  fleet.recover('T1')
  const calls = () =>
    here.slack.messages.flatMap(({content}) => (content.kind === 'ping' ? content.state : []))
  await until('somebody is called', () => (clock.advance(1000), calls().length === 1))
  await store.links.change(id, {state: 'archived', status: 'archived'})
  await fleet.serve(id)
  putAway.abort()
  const card = () => here.slack.messages.find(({content}) => content.kind === 'card')?.content
  await until('the card says so', () => {
    clock.advance(1000)
    return JSON.stringify(card()).includes('archived')
  })
  await new Promise((resolve) => setTimeout(resolve, 50)) // nothing else is left to do in Slack
  tables.abort()
  await until('so does the call', () => (clock.advance(1000), calls().join() === 'over'))
  await until('it is served no more', () => (clock.advance(1000), fleet.count() === 0))
  await fleet[Symbol.asyncDispose]()
})

test.for<[string, LinkChange, 'done' | 'gone']>([
  ['a task that is done', {taskId: 'task'}, 'done'],
  ['work that is archived', {state: 'archived', status: 'archived'}, 'done'],
  ['work that is gone', {title: 'Gone'}, 'gone'],
])('%s is told out at the next start, if Slack had not caught up', async ([, change, end]) => {
  const [id = ''] = await openLinks(1)
  const thread = createInMemoryThread()
  const here = openSlack()
  const pacer = createPacer({budgets: slackBudgets(1000), clock: here.clock})
  const follow: RelayOptions['follow'] = async function* ({cursor}, signal) {
    for await (const frame of thread.follow(cursor, signal)) {
      if (frame.type === 'done' && end === 'gone')
        throw new PlatformNotFound('no such thread', {_tag: 'svc/ThreadNotFound'})
      yield frame
    }
  }
  if (change.taskId !== undefined) await store.links.change(id, change)
  const before = startFleet(() => ({pacer, follow}), here)
  before.fleet.recover('T1')
  thread.happen({what: 'say', call: 'B', text: 'Words that nobody will end'})
  await until('it begins', () => (here.clock.advance(1000), before.says().length === 1))
  // From now on Slack takes nothing.
  pacer.pause({team: 'T1'}, 1_000_000)
  thread.happen({what: 'settle', call: 'A'})
  await store.links.change(id, change)
  await before.fleet.serve(id)
  thread.happen({what: 'done'})
  await untilIt('it is over', async () => (await linkOf(id)).state !== 'open')
  await new Promise(setImmediate)
  await before.fleet[Symbol.asyncDispose]()
  const saysNow = () => before.says().map(({content}) => JSON.stringify(content))
  expect(saysNow().filter((it) => it.includes('interrupted'))).toEqual([])

  const after = startFleet(() => ({follow}), here)
  after.fleet.recover('T1')
  const isAll = async (): Promise<boolean> => {
    here.clock.advance(1000)
    return !(await store.links.live(['T1'], BEGUN_MS)).some((link) => link.id === id)
  }
  await untilIt('its posts stand in their last form', isAll)
  const contents = saysNow()
  expect(contents.filter((it) => it.includes('interrupted'))).toHaveLength(1)
  // What was gone before it was said cannot be read again.
  expect(contents).toHaveLength(end === 'gone' ? 1 : 2)
  expect(after.errors).toEqual([])
  await after.fleet[Symbol.asyncDispose]()
})

test('what ended before its card stood gets it at the next start', async () => {
  const [id = ''] = await openLinks(1)
  await store.links.change(id, {state: 'ended', notice: {code: 'refused'}})
  const {fleet, clock, followed, notices} = startFleet(() => ({}))
  fleet.recover('T1')
  await until('its card says why', () => (clock.advance(1000), notices().length === 1))
  await fleet[Symbol.asyncDispose]()
  expect(notices()).toEqual([{code: 'refused'}])
  expect(followed).toEqual([])
  expect(await store.links.live(['T1'], BEGUN_MS)).toEqual([])
})

test('streams are not ended against Slack’s “not now” when the bot stops', async () => {
  const [id = ''] = await openLinks(1)
  const here = openSlack()
  let calls = 0
  here.slack.writer.close = () => {
    calls += 1
    return Promise.reject(new SlackError('wait', 'ratelimited', {retryAfterMs: 30_000}))
  }
  const modes = createWritingModes({choice: 'stream', clock: here.clock})
  const {fleet, threadOf, followed, says} = startFleet(() => ({modes}), here)
  fleet.recover('T1')
  await until('it is followed', () => followed.length === 1)
  for (const call of ['A', 'B']) {
    threadOf(await linkOf(id)).happen({what: 'say', call, text: 'Words that are streamed '})
  }
  await until('both begin', () => (here.clock.advance(1000), says().length === 2))
  await fleet[Symbol.asyncDispose]()
  expect(says().map(({stream}) => stream)).toEqual(['live', 'live'])
  expect(calls).toBe(1)
})

test('links that cannot be read are asked for until they come, and who serves one never fails', async () => {
  const [id = ''] = await openLinks(1)
  let broken = true
  const failWhileBroken = async <Value>(read: () => Promise<Value>): Promise<Value> => {
    if (broken) throw new PlatformUnreachable('the disk is full', true)
    return read()
  }
  const {fleet, clock, followed, errors} = startFleet(() => ({
    links: {
      ...store.links,
      live: () => failWhileBroken(() => store.links.live(['T1'], BEGUN_MS)),
      byId: (linkId) => failWhileBroken(() => store.links.byId(linkId)),
    },
  }))
  fleet.recover('T1')
  await fleet.serve(id)
  await until('both were told', () => errors.length >= 2)
  broken = false
  await until('it is followed', () => (clock.advance(1000), followed.includes(id)))
  await fleet[Symbol.asyncDispose]()
  expect(followed).toHaveLength(1)
})

test('a stream that is silent for five minutes shows on the card, until something is heard', async () => {
  const [id = ''] = await openLinks(1)
  const waiting: ((frame: Frame) => void)[] = []
  const {fleet, clock, notices} = startFleet(() => ({
    follow: async function* (_link, signal) {
      while (!signal.aborted) {
        yield await new Promise<Frame>((resolve) => {
          waiting.push(resolve)
          signal.addEventListener('abort', () => resolve({type: 'heartbeat'}))
        })
      }
    },
  }))
  const happen = async (frame: Frame): Promise<void> => {
    await until('the relay listens', () => waiting.length > 0)
    waiting.shift()?.(frame)
    await until('it is read', () => waiting.length > 0)
  }
  const shows = (codes: readonly string[]) =>
    until(`the card tells ${codes.join()}`, () => {
      clock.advance(20)
      return (
        notices()
          .map(({code}) => code)
          .join() === codes.join()
      )
    })
  fleet.recover('T1')
  const sinceMs = clock.nowMs() - 290_000
  await happen({type: 'disconnected', sinceMs})
  await happen({type: 'heartbeat'})
  expect((await linkOf(id)).notice).toBeUndefined()
  clock.advance(10_000)
  await happen({type: 'disconnected', sinceMs})
  await shows(['unreachable'])
  await happen({type: 'connected'})
  await shows(['unreachable'])
  await happen({type: 'status', status: 'active'})
  await shows(['unreachable'])
  await happen({type: 'heartbeat'})
  await shows([])
  await fleet[Symbol.asyncDispose]()
})

test('what was still under way when a key was disconnected does not take away why', async () => {
  const [id = ''] = await openLinks(1)
  let isHeard = false
  const {fleet} = startFleet(() => ({
    follow: async function* (_link, signal) {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      yield {type: 'status', status: 'active'}
      isHeard = true
    },
  }))
  fleet.recover('T1')
  await fleet.serve(id)
  await store.links.change(id, {state: 'ended', notice: {code: 'disconnected'}})
  await fleet.serve(id)
  await until('the last frame is heard', () => isHeard)
  await fleet[Symbol.asyncDispose]()
  expect((await linkOf(id)).notice).toEqual({code: 'disconnected'})
})
