import {createPlatformClient} from '../../src/platform/client.ts'
import {follow} from '../../src/platform/stream/reconnecting.ts'
import type {Transport} from '../../src/platform/transport.ts'
import {wantedPosts} from '../../src/relay/posts/posts.ts'
import {type Timeline, createTimeline, fold} from '../../src/relay/timeline/timeline.ts'
import {Secret} from '../../src/security/secret.ts'
import {splitRule} from '../../src/slack/posts/writer.ts'
import type {Link} from '../../src/store/tables/work/link.ts'
import {FRESH_LINK, NOTHING_BESIDE} from './fresh-link.ts'
import type {RecordedFrame, Recording} from './recorded-streams.ts'

/** How a platform puts what it has to say: all of it within section 6, where that leaves a choice. */
export interface Dialect {
  name: string
  /** What stands for one frame. */
  encode?: (frame: RecordedFrame) => RecordedFrame[]
  /** The same frames in another order, or with other cursors. */
  retell?: (frames: readonly RecordedFrame[]) => RecordedFrame[]
  /** Where the `retry:` line stands; without it, behind the first frame. */
  retry?: 'inside' | 'never'
  lineEnd?: '\r\n' | '\r'
  /** A byte-order mark opens each body. */
  isMarked?: boolean
  chunkBytes?: number
  /** A reader that joins in mid-run is told of the run's start. */
  tellsRunStart?: boolean
}

interface CutResult {
  offsets: number
  /** What came out otherwise, one line each. */
  wrong: string[]
}

/** Cuts the stream once behind every byte, or every so many, and compares what would stand in Slack. */
export async function cutEverywhere(
  {name, frames}: Recording,
  dialect: Dialect,
  {seed, every = 1}: {seed: number; every?: number},
): Promise<CutResult> {
  const told = dialect.retell?.(frames) ?? [...frames]
  const script = createScript(told, dialect)
  const dice = createDice(seed)
  const outcomeOf = createOutcomes(told)
  const whole = outcomeOf(await relay(script, script.length, 0))
  const wrong = whole.complaints.map((complaint) => `${name}, uncut: ${complaint}`)
  let offsets = 0
  for (let at = 0; at < script.length; at += every) {
    offsets += 1
    // The server is back at once, soon after, or when all is over.
    const missed = [0, 0, 1, 7, Infinity][dice(5)] ?? 0
    const {posts, complaints} = outcomeOf(await relay(script, at, missed))
    const where = `${name} (${dialect.name}), cut behind byte ${at}, ${missed} frames missed`
    wrong.push(...complaints.map((complaint) => `${where}: ${complaint}`))
    if (posts !== whole.posts) wrong.push(`${where}: ${posts}\n  instead of ${whole.posts}`)
  }
  return {offsets, wrong}
}

/** What the server says, as bytes. */
interface Script {
  /** Of the first connection. */
  length: number
  bytes: Buffer
  /** What a connection brings that is made once so many bytes went out and so many frames were missed. */
  resume(cursor: string | undefined, sentBytes: number, missed: number): Buffer
  chunkBytes: number
}

function createScript(frames: readonly RecordedFrame[], dialect: Dialect): Script {
  const {encode = (it: RecordedFrame) => [it], retry, isMarked = false} = dialect
  const toBytes = (frame: RecordedFrame, isFirst: boolean): Buffer => {
    const inside = isFirst && retry === 'inside' ? 'retry: 2000\n' : ''
    const behind = isFirst && retry === undefined ? 'retry: 2000\n\n' : ''
    const blocks = encode(frame).map((it) => toBlock(it, inside))
    const text = (isFirst && isMarked ? '\uFEFF' : '') + blocks.join('') + behind
    return Buffer.from(text.replaceAll('\n', dialect.lineEnd ?? '\n'))
  }
  const openings = frames.map((frame) => (frame.event === 'status' ? toBytes(frame, true) : EMPTY))
  const rest = frames.map((frame) => toBytes(frame, false))
  const first = [openings[0] ?? EMPTY, ...rest.slice(1)]
  const ends = first.map(
    (
      (sum) => (bytes: Buffer) =>
        (sum += bytes.length)
    )(0),
  )
  const beat = toBytes(HEARTBEAT, false)
  const rowOf = new Map(frames.flatMap(({id}, index) => (id === undefined ? [] : [[id, index]])))
  const isEndless = frames.at(-1)?.event !== 'done'
  const last = isEndless ? frames.length : frames.length - 1
  return {
    length: ends.at(-1) ?? 0,
    bytes: Buffer.concat(first),
    chunkBytes: dialect.chunkBytes ?? Infinity,
    resume: (cursor, sentBytes, missed) => {
      // A frame of which a part went out is one that has happened.
      const begun = ends.findIndex((end) => end >= sentBytes) + 1
      const now = Math.min(last, begun + missed)
      const row = cursor === undefined ? -1 : rowOf.get(cursor)
      if (row === undefined) throw new Error(`Nothing has the cursor ${cursor ?? ''}.`)
      const status = frames.findLastIndex(({event}, at) => event === 'status' && at < now)
      return Buffer.concat([
        openings[Math.max(0, status)] ?? EMPTY,
        ...replayed(frames, now, row + 1, dialect).map((index) => rest[index] ?? EMPTY),
        ...rest.slice(Math.max(now, 1)),
        ...(isEndless ? [beat] : []),
      ])
    },
  }
}

/** Section 4.3: every later entry, then the turn in progress. */
function replayed(
  frames: readonly RecordedFrame[],
  now: number,
  from: number,
  {tellsRunStart = false}: Dialect,
): number[] {
  const rows: number[] = []
  let run: number[] = []
  let turn: number[] = []
  for (let index = 0; index < now; index += 1) {
    const {event, data} = frames[index] ?? HEARTBEAT
    const isStart = data['phase'] === 'start'
    if (event === 'run') run = isStart && tellsRunStart ? [index] : []
    if (event === 'turn') turn = isStart ? [index] : []
    if (event === 'run' && !isStart) turn = []
    if ((event === 'assistant' || event === 'tool_call') && turn.length > 0) turn.push(index)
    if (event !== 'transcript') continue
    if (index >= from) rows.push(index)
    const call = data['source'] === 'tool' ? data['id'] : data['callId']
    turn = turn.filter((at) => frames[at]?.event === 'turn' || frames[at]?.data['callId'] !== call)
  }
  return [...rows, ...run, ...turn]
}

const EMPTY = Buffer.alloc(0)
const HEARTBEAT: RecordedFrame = {event: 'heartbeat', id: undefined, data: {}}

function toBlock({event, id, data}: RecordedFrame, more: string): string {
  const cursor = id === undefined ? '' : `id: ${id}\n`
  return `event: ${event}\n${cursor}${more}data: ${JSON.stringify(data)}\n\n`
}

const apiKey = new Secret('key')

/** Follows the script through one cut, and folds what comes. */
async function relay(script: Script, cutAt: number, missed: number): Promise<Timeline> {
  const stop = new AbortController()
  let connections = 0
  const transport: Transport = {
    json: () => Promise.reject(new Error('Nothing is asked for.')),
    events: async ({path, headers}) => {
      connections += 1
      if (connections === 1) return bodyOf(script.bytes.subarray(0, cutAt), script.chunkBytes)
      const query = new URLSearchParams(path.split('?')[1])
      const cursor = headers?.['last-event-id'] ?? query.get('after') ?? undefined
      return bodyOf(script.resume(cursor, cutAt, missed), script.chunkBytes)
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
  const frames = follow({
    ...{transport, apiKey, client: createPlatformClient({transport, apiKey})},
    ...{threadId: 't', after: undefined, signal: stop.signal},
    wait: async () => {
      if (connections > 1) stop.abort()
    },
  })
  let timeline = createTimeline({
    ...{status: undefined, statusSinceMs: 0, steps: 0, cursor: undefined, drafts: []},
  })
  for await (const frame of frames) timeline = fold(timeline, frame, {nowMs: 0, isOurs: false})
  return timeline
}

function bodyOf(bytes: Buffer, chunkBytes: number) {
  return Object.assign(pieces(bytes, chunkBytes), {close: () => undefined})
}

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  if (size === Infinity) yield bytes
  else for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** What would stand in Slack, and what must not be so. Of drafts that never settle no more is asked than promise 5. */
function createOutcomes(frames: readonly RecordedFrame[]) {
  const written = new Map<string, string>()
  for (const {event, data} of frames) {
    const call = String(data['callId'])
    if (event === 'assistant') written.set(call, (written.get(call) ?? '') + String(data['text']))
  }
  const known = new Map<string, string>()
  return (timeline: Timeline): {posts: string; complaints: string[]} => {
    const settled = {...timeline, drafts: [], seen: [], statusSinceMs: 0}
    const key = JSON.stringify(settled)
    const posts =
      known.get(key) ?? JSON.stringify(wantedPosts(bareLink, settled, NOTHING_BESIDE, splitRule))
    known.set(key, posts)
    const complaints = timeline.drafts.flatMap(({delivery, state, text}) => [
      ...(state === 'interrupted' || state === 'replaced' ? [] : [`${delivery} is still ${state}`]),
      ...(written.get(delivery)?.startsWith(text) === true ? [] : [`${delivery} says “${text}”`]),
    ])
    return {posts, complaints}
  }
}

/** A small generator of whole numbers below `sides`: the same seed cuts the same way. */
function createDice(seed: number): (sides: number) => number {
  let state = seed >>> 0
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

/** A link of which nothing is known but what it shows. */
export const bareLink: Link = {...FRESH_LINK, title: 'Title', status: undefined, steps: 0}
