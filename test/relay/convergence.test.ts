import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import fc from 'fast-check'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {createPlatformClient} from '../../src/platform/client.ts'
import type {Transport} from '../../src/platform/transport.ts'
import {createPacer} from '../../src/relay/pacer.ts'
import type {SayContent} from '../../src/relay/posts.ts'
import {type Relay, startRelay} from '../../src/relay/relay.ts'
import {splitMarkdown} from '../../src/relay/split.ts'
import {Secret} from '../../src/security/secret.ts'
import {slackBudgets} from '../../src/slack/rates.ts'
import {type Store, openStore} from '../../src/store/store.ts'
import {type ManualClock, createManualClock} from './manual-clock.ts'
import {FAULTS, type InMemorySlack, createInMemorySlack} from './slack-in-memory.ts'
import {type Happening, type InMemoryThread, createInMemoryThread} from './thread-in-memory.ts'

let folder: string
let store: Store
let runs = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bosun-relay-'))
  store = await openStore({path: join(folder, 'bosun.db'), sealingKeys: []})
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  rmSync(folder, {recursive: true})
})

const splitRule = {maxCost: 150, costOf: (text: string) => text.length}

/** The platform's answer to a look at the thread. */
const transport: Transport = {
  json: async () => ({id: 'thread', status: 'active', title: 'A title'}),
  events: () => Promise.reject(new Error('not asked for')),
  [Symbol.asyncDispose]: async () => undefined,
}
const client = createPlatformClient({transport, apiKey: new Secret('key')})

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

async function openWorld(faults: readonly string[]): Promise<World> {
  const slackThread = `${(runs += 1)}.0`
  const place = {team: 'T1', channel: 'C1', slackThread}
  const ask = {place, requestId: `r${runs}`, projectId: 'p', startedBy: 'U1'}
  const {id: linkId} = await store.links.open(ask, 0)
  await store.links.change(linkId, {state: 'open', threadId: 'thread'})
  const clock = createManualClock()
  const slack = createInMemorySlack(clock, faults)
  const thread = createInMemoryThread()
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
        ...store,
        writer: slack.writer,
        pacer: createPacer({budgets: slackBudgets(1), clock}),
        splitRule,
        follow: ({cursor}, signal) => thread.follow(cursor, signal),
        clientOf: () => client,
        clock,
        log: {info: () => undefined, warn: () => undefined, error: note},
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

type Step = Happening | {what: 'restart'}

const sentence = fc.constantFrom(
  'Prices are rounded once. ',
  '価格は一度だけ丸められます。',
  'Look at\n\n```ts\nconst a = 1\n```\n\n',
  '| a | b |\n| - | - |\n| 1 | 2 |\n',
  'It is **done** 👩🏽‍💻 & `tested`. ',
)
const text = fc.array(sentence, {minLength: 1, maxLength: 6}).map((list) => list.join(''))
const call = fc.constantFrom('A', 'B')
const step: fc.Arbitrary<Step> = fc.oneof(
  {weight: 8, arbitrary: fc.record({what: fc.constant('say' as const), call, text})},
  {weight: 4, arbitrary: fc.record({what: fc.constant('settle' as const), call})},
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
    ),
  },
)
const story = fc.array(fc.tuple(step, fc.nat(4)), {minLength: 1, maxLength: 25})
const faults = fc.array(fc.constantFrom(...FAULTS, 'ok', 'ok', 'ok', 'ok'), {maxLength: 25})

async function play(steps: readonly (readonly [Step, number])[], list: readonly string[]) {
  const world = await openWorld(list)
  for (const [it, turns] of steps) {
    if (it.what === 'restart') await world.restart('clean')
    else world.thread.happen(it)
    await pass(world, turns)
  }
  world.thread.happen({what: 'run-end'})
  await settle(world)
  await world.stop()
  return world
}

interface Said extends SayContent {
  delivery: string
  part: number
}

function saysIn({slack}: World): Said[] {
  return slack.messages.flatMap(({key, content}) => {
    const [, delivery = '', part = ''] = key.split(':')
    return content.kind === 'say' ? [{...content, delivery, part: Number(part)}] : []
  })
}

/** Everything that must be true of the Slack thread once all is quiet. */
function check(world: World, hasDied = false): void {
  const {thread, slack} = world
  const all = saysIn(world)
  const name = ({delivery, part}: {delivery: string; part: number}) => `${delivery}:${part}`
  const replies = thread.entries.filter(({source}) => source === 'assistant')
  const expected = replies.flatMap(({callId, text: whole}) =>
    splitMarkdown(whole, splitRule.maxCost).map(({shown}, part) => ({
      delivery: callId ?? '',
      part,
      shown,
    })),
  )
  const answers = all.filter(({delivery}) => !thread.dead.has(delivery))
  const shown = (said: Said) => [name(said), said.markdown, said.interrupted ?? false]
  expect(answers.map(shown).toSorted()).toEqual(
    expected.map((it) => [name(it), it.shown, false]).toSorted(),
  )
  const wasDeleted = (said: Said) => slack.deleted.has(`say:${name(said)}`)
  const inPlace = answers.filter((said) => !wasDeleted(said)).map(name)
  expect(inPlace).toEqual(expected.map(name).filter((it) => inPlace.includes(it)))
  // A process that dies may take with it who deleted a message: a person, or we ourselves.
  if (!hasDied) for (const said of answers) expect(said.again ?? false).toBe(wasDeleted(said))
  for (const delivery of thread.dead) {
    const parts = all.filter((it) => it.delivery === delivery)
    expect(new Set(parts.map(name)).size).toBe(parts.length)
    expect(parts.map(({interrupted}) => interrupted)).toEqual(parts.map(() => true))
  }
  expect(slack.messages.filter(({key}) => key === 'card')).toHaveLength(1)
  expect(world.troubles).toEqual([])
}

test('without any fault, Slack shows the settled replies in order, each once', async () => {
  await fc.assert(
    fc.asyncProperty(story, async (steps) => check(await play(steps, []))),
    {numRuns: 40},
  )
})

test('whatever Slack answers, and whenever the process dies, it shows the same', async () => {
  await fc.assert(
    fc.asyncProperty(story, faults, async (steps, list) => {
      const hasDied =
        list.some((fault) => fault.startsWith('crash')) ||
        steps.some(([{what}]) => what === 'restart')
      check(await play(steps, list), hasDied)
    }),
    {numRuns: 40},
  )
})
