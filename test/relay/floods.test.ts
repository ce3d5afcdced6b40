import {expect, onTestFinished, test} from 'vitest'
import type {Frame} from '../../src/platform/stream/frame.ts'
import {startRelay} from '../../src/relay/relay.ts'
import type {Store} from '../../src/store/store.ts'
import {newLink, temporaryStore} from '../store/temporary-store.ts'
import {until} from '../support/until.ts'
import {createManualClock} from './manual-clock.ts'
import {clientOf, relayOptions} from './relay-options.ts'
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
  const {links, notifications, sends} = store
  return {
    store: {
      ...store,
      ...{links: counting(links), notifications: counting(notifications)},
      sends: counting(sends),
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
  const stop = new AbortController()
  let platform = 0
  const client = clientOf(async ({path}) => {
    platform += 1
    if (!path.endsWith('/thread')) return {items: [], cursor: null}
    return {id: 'thread', status: 'active', title: 'Work'}
  })
  let isRead = false
  const before = asked()
  const relay = await startRelay(
    link,
    {
      ...relayOptions({store, clock, client}),
      writer: createInMemorySlack(clock, []).writer,
      follow: async function* (_link, signal) {
        yield {type: 'connected'}
        yield* frames
        isRead = true
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
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
