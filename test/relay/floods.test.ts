import {expect, onTestFinished, test} from 'vitest'
import {createPlatformClient} from '../../src/platform/client.ts'
import type {Frame} from '../../src/platform/frame.ts'
import type {Transport} from '../../src/platform/transport.ts'
import {createPacer} from '../../src/relay/pace/pacer.ts'
import {createObstacles} from '../../src/relay/publish/obstacles.ts'
import {createWays} from '../../src/relay/publish/ways.ts'
import {startRelay} from '../../src/relay/relay.ts'
import {Secret} from '../../src/security/secret.ts'
import {slackBudgets} from '../../src/slack/api/rates.ts'
import type {Store} from '../../src/store/store.ts'
import {newLink, temporaryStore} from '../store/temporary-store.ts'
import {SILENT_LOG} from '../support/silent-log.ts'
import {until} from '../support/until.ts'
import {createManualClock} from './manual-clock.ts'
import {createInMemorySlack} from './slack-in-memory.ts'

/** A store that counts what is asked of it. */
async function countingStore(): Promise<{store: Store; asked: () => number}> {
  const store = await temporaryStore()
  let asked = 0
  const counting = <Room extends object>(room: Room): Room =>
    new Proxy(room, {
      get: (target, name, receiver) => {
        asked += 1
        return Reflect.get(target, name, receiver) as unknown
      },
    })
  const {links, pings, sends, choices} = store
  return {
    store: {
      ...store,
      ...{links: counting(links), pings: counting(pings)},
      ...{sends: counting(sends), choices: counting(choices)},
    },
    asked: () => asked,
  }
}

/** How often the store and the platform are asked while all these frames come at once. */
async function costOf(frames: readonly Frame[]): Promise<{store: number; platform: number}> {
  const {store, asked} = await countingStore()
  const {id} = await store.links.open(newLink, 0)
  const link = await store.links.change(id, {state: 'open', threadId: 'thread', title: 'Work'})
  if (link === undefined) throw new Error('The link is gone.')
  const clock = createManualClock()
  const pacer = createPacer({budgets: slackBudgets(1), clock})
  const stop = new AbortController()
  let platform = 0
  const transport: Transport = {
    json: async ({path}) => {
      platform += 1
      if (!path.endsWith('/thread')) return {items: [], cursor: null}
      return {id: 'thread', status: 'active', title: 'Work'}
    },
    events: () => Promise.reject(new Error('not asked for')),
    [Symbol.asyncDispose]: async () => undefined,
  }
  const client = createPlatformClient({transport, apiKey: new Secret('key')})
  let isRead = false
  const before = asked()
  const relay = await startRelay(
    link,
    {
      ...store,
      writer: createInMemorySlack(clock, []).writer,
      ways: createWays({choice: 'edit', clock}),
      pacer,
      obstacles: createObstacles({pacer, clock}),
      tellBlocked: () => undefined,
      tellArrived: () => undefined,
      isPrivate: async () => false,
      isMisplaced: async () => false,
      onLate: () => undefined,
      onNews: () => undefined,
      splitRule: {maxCost: 1000, costOf: (text) => text.length},
      follow: async function* (_link, signal) {
        yield {type: 'connected'}
        yield* frames
        isRead = true
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
      clientOf: () => client,
      clock,
      log: SILENT_LOG,
    },
    stop.signal,
  )
  onTestFinished(() => stop.abort())
  await until('all frames are read', () => isRead)
  stop.abort()
  await relay.stopped
  return {store: asked() - before, platform}
}

const entry = (number: number, source: string): Frame => ({
  type: 'transcript',
  cursor: `c${number}`,
  entry: {
    ...{id: `e${number}`, source, text: `line ${number}`, callId: undefined, tool: undefined},
    ...{model: undefined, authorName: undefined, attachments: undefined},
  },
})

const kinds: [string, (number: number) => Frame][] = [
  ['a status', (it) => ({type: 'status', status: `state ${it}`})],
  ['work and rest', (it) => ({type: 'status', status: it % 2 === 0 ? 'active' : 'idle'})],
  ['a tool’s entry', (it) => entry(it, 'tool')],
  ['a run', (it) => ({type: 'run', phase: it % 2 === 0 ? 'start' : 'end'})],
  ['a turn', (it) => ({type: 'turn', phase: it % 2 === 0 ? 'start' : 'end', outcome: undefined})],
  ['a task', (it) => ({type: 'task', taskId: `t${it}`, status: 'working'})],
  [
    'a tool’s call',
    (it) => ({type: 'tool_call', callId: `t${it}`, name: 'run', text: `run ${it}`}),
  ],
  ['a reply begun', (it) => ({type: 'assistant', callId: `call ${it}`, text: 'And so '})],
  ['a piece of a reply', (it) => ({type: 'assistant', callId: 'call', text: `word ${it} `})],
  ['a heartbeat', () => ({type: 'heartbeat'})],
]

test.for(kinds)(
  '%s that comes a thousand times at once is one piece of work',
  async ([, toFrame]) => {
    const cost = await costOf(Array.from({length: 2000}, (_, number) => toFrame(number)))
    expect(cost.store).toBeLessThan(60)
    expect(cost.platform).toBeLessThan(10)
  },
)
