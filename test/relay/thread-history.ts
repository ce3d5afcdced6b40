import fc from 'fast-check'
import type {Frame} from '../../src/platform/stream/frame.ts'

/** What happened in a thread, frame by frame, as a reader saw it who was there all the time. */
export interface History {
  frames: readonly Frame[]
  /** All fragments of each delivery. */
  written: ReadonlyMap<string, string>
  /** Deliveries that have an entry. */
  settled: ReadonlySet<string>
}

/** How another reader came to know of it. */
interface Reading {
  /** Where the connection broke, and how much happened until the next one stood. */
  cuts: readonly {at: number; missed: number; how: 'resume' | 'rewind'}[]
  /** What stands between the frames as they come. */
  noise: readonly {at: number; kind: 'heartbeat' | 'task' | 'double'; pick: number}[]
}

type Item =
  | {kind: 'say'; fragments: string[]; settles: boolean; isTwin: boolean}
  | {kind: 'tool'}
  | {kind: 'user'}

interface Turn {
  outcome: 'settled' | 'aborted' | 'dropped'
  items: Item[]
  /** In which order the items' frames come; those of one item keep theirs. */
  weave: number[]
  dropAt: number
}

const fragment = fc.string({unit: 'grapheme', maxLength: 5})
const item: fc.Arbitrary<Item> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('say' as const),
      fragments: fc.array(fragment, {minLength: 1, maxLength: 4}),
      settles: fc.boolean(),
      isTwin: fc.boolean(),
    }),
  },
  fc.constant({kind: 'tool' as const}),
  fc.constant({kind: 'user' as const}),
)
const turn: fc.Arbitrary<Turn> = fc.record({
  outcome: fc.constantFrom('settled', 'aborted', 'dropped'),
  items: fc.array(item, {minLength: 1, maxLength: 4}),
  weave: fc.array(fc.nat(9), {maxLength: 24}),
  dropAt: fc.nat(12),
})
const runs = fc.array(
  fc.record({turns: fc.array(turn, {maxLength: 3}), isStatusFirst: fc.boolean()}),
  {minLength: 1, maxLength: 3},
)

/** Runs of any kind that section 6 allows. */
export const histories: fc.Arbitrary<History> = runs.map((list) => {
  const frames: Frame[] = [status('idle')]
  const written = new Map<string, string>()
  const settled = new Set<string>()
  let count = 0
  const next = (prefix: string): string => `${prefix}${(count += 1)}`

  const toSteps = (it: Item): Frame[] => {
    if (it.kind === 'user') return [row(next('u'), 'user', 'a follow-up')]
    if (it.kind === 'tool') {
      const id = next('t')
      return [
        {type: 'tool_call', callId: id, name: 'read', text: 'Reads'},
        row(id, 'tool', 'Has read'),
      ]
    }
    const callId = next('call')
    // No text is the beginning of another one.
    const pieces = [`${callId}. `, ...it.fragments]
    written.set(callId, pieces.join(''))
    const said = pieces.map((text): Frame => ({type: 'assistant', callId, text}))
    if (!it.settles) return said
    settled.add(callId)
    const entry = row(next('e'), 'assistant', pieces.join(''), callId)
    const twin = row(next('e'), 'assistant', `${callId} again`, callId)
    return it.isTwin ? [...said, entry, twin] : [...said, entry]
  }

  for (const {turns, isStatusFirst} of list) {
    frames.push(status('active'), {type: 'run', phase: 'start'})
    for (const it of turns) frames.push(...play(it, toSteps))
    const end: Frame[] = [{type: 'run', phase: 'end'}, status('idle')]
    frames.push(...(isStatusFirst ? end.toReversed() : end))
  }
  return {frames, written, settled}
})

export const readings: fc.Arbitrary<Reading> = fc.record({
  cuts: fc.array(
    fc.record({
      at: fc.nat(90),
      missed: fc.oneof(fc.constant(0), fc.nat(30)),
      how: fc.oneof(
        {weight: 4, arbitrary: fc.constant('resume' as const)},
        fc.constant('rewind' as const),
      ),
    }),
    {maxLength: 4},
  ),
  noise: fc.array(
    fc.record({
      at: fc.nat(90),
      kind: fc.constantFrom('heartbeat', 'task', 'double'),
      pick: fc.nat(90),
    }),
    {maxLength: 8},
  ),
})

function play({outcome, items, weave, dropAt}: Turn, toSteps: (it: Item) => Frame[]): Frame[] {
  const queues = items.map(toSteps)
  const steps: Frame[] = []
  for (let at = 0; queues.some((queue) => queue.length > 0); at += 1) {
    const open = queues.filter((queue) => queue.length > 0)
    steps.push(...(open[(weave[at] ?? 0) % open.length]?.splice(0, 1) ?? []))
  }
  const end: Frame = {type: 'turn', phase: 'end', outcome}
  const isRow = ({type}: Frame): boolean => type === 'transcript'
  const rest =
    outcome === 'dropped'
      ? [...steps.slice(0, dropAt), end, ...steps.slice(dropAt).filter(isRow)]
      : [...steps, end]
  return [{type: 'turn', phase: 'start', outcome: undefined}, ...rest]
}

/** The frames of another reading: section 4.3 says what a new connection brings. */
export function read(frames: readonly Frame[], {cuts, noise}: Reading): Frame[] {
  const seen: Frame[] = [{type: 'connected'}]
  let pos = 0
  const live = (until: number): void => {
    for (; pos < until; pos += 1) {
      const frame = frames[pos]
      if (frame !== undefined) seen.push(frame)
      for (const it of noise) if (it.at === pos) seen.push(...toNoise(it, frames.slice(0, pos + 1)))
    }
  }
  for (const {at, missed, how} of cuts.toSorted((a, b) => a.at - b.at)) {
    live(Math.min(at, frames.length))
    const cursor = how === 'rewind' ? -1 : frames.findLastIndex((it, i) => i < pos && isEntry(it))
    pos = Math.min(frames.length, Math.max(pos, 1) + missed)
    if (how === 'rewind') seen.push({type: 'rewound'})
    seen.push({type: 'connected'}, ...opening(frames.slice(0, pos), cursor))
  }
  live(frames.length)
  return [...seen, {type: 'heartbeat'}]
}

/** The status, every entry behind the cursor, and the turn in progress. */
export function opening(past: readonly Frame[], cursor: number): Frame[] {
  const rows = past.filter((frame, index) => index > cursor && isEntry(frame))
  const last = past.findLastIndex(({type}) => type === 'turn' || type === 'run')
  const marker = past[last]
  const isOpen = marker?.type === 'turn' && marker.phase === 'start'
  const turnFrames = isOpen ? past.slice(last) : []
  const done = new Set(
    turnFrames.flatMap((it) => (it.type === 'transcript' ? [it.entry.callId, it.entry.id] : [])),
  )
  const unsettled = turnFrames.filter(
    (it) =>
      it.type === 'turn' ||
      ((it.type === 'assistant' || it.type === 'tool_call') && !done.has(it.callId)),
  )
  return [past.findLast(({type}) => type === 'status') ?? status('idle'), ...rows, ...unsettled]
}

function toNoise({kind, pick}: Reading['noise'][number], past: readonly Frame[]): Frame[] {
  if (kind === 'heartbeat') return [{type: 'heartbeat'}]
  if (kind === 'task') return [{type: 'task', taskId: 'k', status: 'working'}]
  const rows = past.filter(isEntry)
  return rows.slice(pick % Math.max(1, rows.length)).slice(0, 1)
}

function isEntry({type}: Frame): boolean {
  return type === 'transcript'
}

function status(word: string): Frame {
  return {type: 'status', status: word}
}

function row(id: string, source: string, text: string, callId?: string): Frame {
  const nothing = {tool: undefined, model: undefined, authorName: undefined, attachments: undefined}
  return {type: 'transcript', cursor: `c-${id}`, entry: {id, source, text, callId, ...nothing}}
}
