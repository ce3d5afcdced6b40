import fc from 'fast-check'
import {expect, test} from 'vitest'
import {splitMarkdown} from '../../src/markdown/split.ts'
import type {PostContent} from '../../src/relay/post.ts'
import {type Relay, startRelay} from '../../src/relay/relay.ts'
import {sharedStore} from '../store/temporary-store.ts'
import {SILENT_LOG} from '../support/silent-log.ts'
import {type ManualClock, createManualClock} from './manual-clock.ts'
import {clientOf, relayOptions} from './relay-options.ts'
import {FAULTS, type InMemorySlack, createInMemorySlack} from './slack-in-memory.ts'
import {type Happening, type InMemoryThread, createInMemoryThread} from './thread-in-memory.ts'

const store = await sharedStore()
let runs = 0

const splitRule = {maxCost: 280, costOf: (text: string) => text.length}

interface World {
  linkId: string
  clock: ManualClock
  slack: InMemorySlack
  thread: InMemoryThread
  troubles: string[]
  /** Ends the relay, at once or as a crash does, and starts another one from the tables. */
  restart(how: 'clean' | 'crash'): Promise<void>
  stop(): Promise<void>
}

type Choice = 'auto' | 'edit' | 'stream'

async function openWorld(choice: Choice, faults: readonly string[]): Promise<World> {
  const slackThread = `${(runs += 1)}.0`
  const place = {team: 'T1', channel: 'C1', slackThread}
  const ask = {place, requestId: `r${runs}`, projectId: 'p', startedBy: 'U1'}
  const {id: linkId} = await store.links.open(ask, 0)
  await store.links.change(linkId, {state: 'open', threadId: 'thread'})
  const clock = createManualClock()
  const slack = createInMemorySlack(clock, faults)
  const thread = createInMemoryThread()
  // What the work was started with.
  thread.happen({what: 'user'})
  const troubles: string[] = []
  const note = (details: object, message: string) =>
    void troubles.push(`${message} ${String('err' in details ? details.err : '')}`)
  let stop = new AbortController()
  let relay: Relay

  const start = async (): Promise<void> => {
    const link = await store.links.byId(linkId)
    if (link === undefined) throw new Error('The link is gone.')
    stop = new AbortController()
    relay = await startRelay(
      link,
      {
        ...relayOptions({store, clock, client: clientOf(), choice}),
        writer: slack.writer,
        splitRule,
        follow: ({cursor}, signal) => thread.follow(cursor, signal),
        log: {...SILENT_LOG, error: note},
      },
      stop.signal,
    )
  }
  /** A process that died in the middle of a call never comes to its end. */
  const ended = async (): Promise<void> => {
    const over = new AbortController()
    void relay.stopped.then(() => over.abort())
    while (!isAborted(over.signal) && !slack.takeCrash()) await turn()
  }
  await start()
  return {
    linkId,
    clock,
    slack,
    thread,
    troubles,
    restart: async (how) => {
      stop.abort()
      if (how === 'clean') await ended()
      await start()
    },
    stop: async () => {
      stop.abort()
      await ended()
    },
  }
}

const isAborted = ({aborted}: AbortSignal) => aborted
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Lets the relay do what it can; time moves when nothing else does. */
async function pass(world: World, turns: number): Promise<void> {
  for (let count = 0; count < turns; count += 1) {
    for (let small = 0; small < 4; small += 1) await turn()
    if (world.slack.takeCrash()) await world.restart('crash')
    world.clock.advanceToNext()
  }
}

async function settle(world: World): Promise<void> {
  for (let round = 0; round < 300; round += 1) {
    world.thread.happen({what: 'heartbeat'})
    await pass(world, 5)
    const link = await store.links.byId(world.linkId)
    const last = world.thread.entries.length - 1
    const open = (await store.posts.unsettled(world.linkId)).filter(
      ({key, state}) => key !== 'card' && state !== 'gone',
    )
    const isBehind = last >= 0 && link?.cursor !== `c${last}`
    if (!isBehind && open.length === 0 && round > 3) return
  }
}

type Step =
  | Happening
  | {what: 'restart'}
  | {what: 'streams-end'}
  /** More replies are begun at once than are kept, and so many of them are said. */
  | {what: 'crowd'; said: number}
  /** More entries come at once than may wait for Slack. */
  | {what: 'flood'}

const sentence = fc.constantFrom(
  'Prices are rounded once. ',
  '価格は一度だけ丸められます。',
  'Look at\n\n```ts\nconst a = 1\n```\n\n',
  '| a | b |\n| - | - |\n| 1 | 2 |\n',
  'It is **done** 👩🏽‍💻 & `tested`. ',
)
const text = fc
  .array(sentence, {minLength: 1, maxLength: 6})
  .chain((list) => fc.constantFrom(1, 1, 1, 12).map((times) => list.join('').repeat(times)))
const call = fc.constantFrom('A', 'B')
const step: fc.Arbitrary<Step> = fc.oneof(
  {weight: 8, arbitrary: fc.record({what: fc.constant('say' as const), call, text})},
  {weight: 4, arbitrary: fc.record({what: fc.constant('settle' as const), call})},
  {weight: 1, arbitrary: fc.record({what: fc.constant('crowd' as const), said: fc.nat(12)})},
  {
    weight: 5,
    arbitrary: fc.constantFrom<Step>(
      {what: 'tool'},
      {what: 'user'},
      {what: 'run-end'},
      {what: 'cut'},
      {what: 'rewind'},
      {what: 'heartbeat'},
      {what: 'dropped'},
      {what: 'restart'},
      {what: 'streams-end'},
      {what: 'flood'},
    ),
  },
)
const story = fc.array(fc.tuple(step, fc.nat(4)), {minLength: 1, maxLength: 25})
const faults = fc.array(fc.constantFrom(...FAULTS, 'ok', 'ok', 'ok', 'ok'), {maxLength: 25})

const CROWD = 'CDEFGHIJKLMN'.split('')

function crowd(thread: InMemoryThread, said: number): void {
  for (const call of CROWD) thread.happen({what: 'say', call, text: `It is ${call}. `})
  for (const call of CROWD.slice(0, said)) thread.happen({what: 'settle', call})
}

async function play(
  choice: Choice,
  steps: readonly (readonly [Step, number])[],
  list: readonly string[],
) {
  const world = await openWorld(choice, list)
  for (const [it, turns] of steps) {
    if (it.what === 'restart') await world.restart('clean')
    else if (it.what === 'streams-end') world.slack.endStreams()
    else if (it.what === 'crowd') crowd(world.thread, it.said)
    else if (it.what === 'flood')
      for (let line = 0; line < 250; line += 1) world.thread.happen({what: 'tool'})
    else world.thread.happen(it)
    await pass(world, turns)
  }
  world.thread.happen({what: 'run-end'})
  await settle(world)
  await world.stop()
  return world
}

/** What a reply may look like: in parts, in smaller ones, with or without a file for the rest, or as a file alone. */
function sights(delivery: string, whole: string): string[][] {
  const say = (part: number, shown: string) => `say:${delivery}:${part} ${shown}`
  const inParts = [1, 4].flatMap((divisor) => {
    const parts = splitMarkdown(whole, splitRule.maxCost / divisor).filter(
      ({shown}, _part, {length}) => length === 1 || shown.trim() !== '',
    )
    const says = parts.map(({shown}, part) => say(part, shown))
    const rest = parts.slice(4).map(({source}) => source)
    return rest.length === 0 ? [says] : [says, [...says.slice(0, 4), `file ${rest.join('')}`]]
  })
  return [...inParts, [`file ${whole}`]]
}

/** A message as the check compares it; nothing: it is no reply. */
function sightOf({key, content}: {key: string; content: PostContent}): string[] {
  if (content.kind === 'say') return [`${key} ${content.markdown}`]
  return content.kind === 'file' ? [`file ${content.markdown}`] : []
}

function isEqual(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((it, index) => it === right[index])
}

function inTime<Message extends {ts: string}>(messages: readonly Message[]): Message[] {
  return messages.toSorted((a, b) => (a.ts < b.ts ? -1 : 1))
}

/** Everything that must be true of the Slack thread once all is quiet. */
function check(world: World, hasDied = false): void {
  const {thread, slack} = world
  const deliveryOf = (key: string) => key.split(':')[1] ?? ''
  const isDead = (key: string) => thread.dead.has(deliveryOf(key))
  const standing = slack.messages.filter(
    ({key, content}) => content.kind !== 'card' && !isDead(key),
  )
  const isOut = ({key}: {key: string}) => slack.deleted.has(key)

  // One after the other in order. What was posted again, in part or whole, stands later, in order too.
  const claimed = new Set<(typeof standing)[number]>()
  let last = -1
  for (const [index, {id, source, callId = '', text: whole}] of thread.entries.entries()) {
    if (source === 'tool' || (source === 'user' && isKickoff(thread, index))) continue
    const isFileOf = ({content}: (typeof standing)[number]) =>
      source === 'assistant' && content.kind === 'file' && whole.endsWith(content.markdown)
    const isOfIt = (message: (typeof standing)[number]) =>
      source === 'user' ? message.key === `quote:${id}` : deliveryOf(message.key) === callId
    const own = standing.filter((it) => !claimed.has(it) && isOfIt(it))
    const isWhole = (its: typeof standing) =>
      sights(callId, whole).some((sight) => isEqual(sight, its.flatMap(sightOf)))
    const file = standing.find((it) => !claimed.has(it) && isFileOf(it))
    const its = isWhole(own) || file === undefined ? own : inTime([...own, file])
    for (const message of its) claimed.add(message)
    if (slack.deleted.has(`quote:${id}`)) continue
    if (source === 'user') {
      expect(its.map(({content}) => content)).toEqual([{kind: 'quote', author: '', text: whole}])
    } else {
      expect([its.flatMap(sightOf), isWhole(its)]).toEqual([its.flatMap(sightOf), true])
    }
    if (its.some(isOut)) continue
    const places = its.map((message) => standing.indexOf(message))
    expect(places).toEqual(places.map((_, part) => (places[0] ?? 0) + part))
    expect(places[0]).toBeGreaterThan(last)
    last = places.at(-1) ?? last
  }
  expect(standing.filter((message) => !claimed.has(message))).toEqual([])

  // A process that dies may take with it who deleted a message: a person, or we ourselves.
  for (const {key, content} of hasDied ? [] : standing) {
    if (content.kind === 'say') expect([key, content.again ?? false]).toEqual([key, isOut({key})])
  }
  for (const delivery of thread.dead) {
    const parts = slack.messages.filter(({key}) => deliveryOf(key) === delivery)
    expect(new Set(parts.map(({key}) => key)).size).toBe(parts.length)
    for (const {content} of parts) expect(content).toMatchObject({kind: 'say', interrupted: true})
  }
  expect(slack.messages.filter(({key}) => key === 'card')).toHaveLength(1)
  expect(slack.messages.filter(({stream}) => stream === 'live')).toEqual([])
  expect(world.troubles).toEqual([])
}

function isKickoff({entries}: InMemoryThread, index: number): boolean {
  return entries.findIndex(({source}) => source === 'user') === index
}

const choices: readonly Choice[] = ['edit', 'stream', 'auto']

test.for(choices)('%s: Slack shows the settled replies in order, each once', async (choice) => {
  await fc.assert(
    fc.asyncProperty(story, async (steps) => check(await play(choice, steps, []))),
    {numRuns: 25},
  )
})

test.for(choices)('%s: whatever Slack answers, it shows the same', async (choice) => {
  await fc.assert(
    fc.asyncProperty(story, faults, async (steps, list) => {
      const hasDied =
        list.some((fault) => fault.startsWith('crash')) ||
        steps.some(([{what}]) => what === 'restart')
      check(await play(choice, steps, list), hasDied)
    }),
    {numRuns: 30},
  )
})

const say = (name: string, times = 1): Step => ({
  ...{what: 'say', call: name},
  text: 'Prices are rounded once. '.repeat(times),
})

test('a message that Slack streams on, whatever it said, is ended before it is removed or given up', async () => {
  const overtaken = [say('B'), {what: 'settle', call: 'A'}, {what: 'tool'}] as const
  const locked = [say('A'), say('A', 2), {what: 'settle', call: 'A'}] as const
  for (const steps of [overtaken, locked]) {
    const story = steps.map((it) => [it, 1] as const)
    for (let before = 0; before < 6; before += 1) {
      const first = Array.from({length: before}, () => 'ok')
      check(await play('stream', story, [...first, 'ended']))
      check(await play('stream', story, [...first, 'ended', 'ended', 'ended']))
      check(await play('stream', story, [...first, 'ended', 'stuck']))
      check(await play('stream', story, [...first, 'ended', 'ok', 'stuck']))
      check(await play('stream', story, [...first, 'ended', 'crash']), true)
      check(await play('stream', story, [...first, 'ended', 'crash-early', 'stuck']), true)
    }
  }
})
