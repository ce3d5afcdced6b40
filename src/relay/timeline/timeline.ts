import {excerpt} from '../../platform/excerpt.ts'
import type {Frame} from '../../platform/stream/frame.ts'
import {type Entry, isWorking} from '../../platform/model.ts'
import {type Attachments, toAttachments} from './attachments.ts'
import {
  type Draft,
  createDraft,
  grow,
  interrupt,
  isOver,
  leaveBehind,
  settleDrafts,
  toEarlier,
} from './drafts.ts'

/**
 * One thread as far as it is not yet confirmed in Slack: a pure fold of its frames, after the rules
 * of section 6.3. What is confirmed leaves it again (`release`), so it stays small however long the
 * thread grows.
 */
export interface Timeline {
  /** As the platform says it; `undefined` until it has. */
  status: string | undefined
  statusSinceMs: number
  /** Transcript entries in transcript order. */
  settled: readonly SettledEntry[]
  /** Replies being written, in the order of their first fragments. They stand behind all entries. A few at most. */
  drafts: readonly Draft[]
  /** More were begun than are kept: until a turn or a run begins or ends, further ones are shown when they are said. */
  isCrowded: boolean
  /** The newest tool call of the run. */
  tool: ToolCall | undefined
  /** What was heard of last. `thinking`: neither a tool nor a reply. */
  doing: 'thinking' | 'tool' | 'writing'
  /** Tool calls of the transcript so far. */
  steps: number
  /** The stream said that nothing more will come. */
  isDone: boolean
  /** Entries and deliveries seen lately: rows may come more than once. Newest last. */
  seen: readonly string[]
  /** The status that opens a connection comes before the replay, so it settles no draft. */
  awaitsFirstStatus: boolean
  /** The first heartbeat of a connection comes behind the replay. */
  awaitsFirstHeartbeat: boolean
  /** The first thing that anybody said in the thread is what we started it with. */
  awaitsKickoff: boolean
  /** … but for a captain, whose brief nobody has seen in the Slack thread. */
  quotesKickoff: boolean
  /** Messages of the thread from before it was followed: they are not shown, also where all of it comes again. */
  earlier: number
  /** So many of them come next. */
  toPass: number
}

/** A tool at work. */
export interface ToolCall {
  /** Its entry bears the same. */
  callId: string
  name: string
  /** One line, as the transcript has it. */
  text: string
  sinceMs: number
}

export interface SettledEntry {
  entryId: string
  /** Of a reply or a quote: what its posts are keyed by. Others have nothing to show. */
  delivery: string | undefined
  /** Of a quote: who wrote it elsewhere. */
  author: string | undefined
  /** Of what has nothing to show: its beginning. */
  text: string
  attachments: Attachments | undefined
  cursor: string | undefined
  /** Tool calls up to and with this entry. */
  steps: number
}

const MAX_SEEN = 512
/** An agent writes one reply at a time, and its run leaves few behind. */
const MAX_DRAFTS = 8
/** Of what no message shows; longer than what the card shows of a tool's activity. */
const MAX_UNSHOWN = 500

/** What the frame itself does not say. */
interface Arrival {
  nowMs: number
  /** Of a user's entry: we sent it, so that it stands in Slack already. */
  isOurs: boolean
  /** Of a reply: it stands where this room was opened from. */
  isTold?: boolean
}

export function createTimeline(start: {
  status: string | undefined
  statusSinceMs: number
  steps: number
  /** Where the stream resumes; without it, it begins with what we started the thread with. */
  cursor: string | undefined
  /** Previews that stand in Slack from before. */
  drafts: readonly {delivery: string; text: string}[]
  /** All that it had to say was heard before. */
  isDone?: boolean
  notes?: {earlier?: number} | undefined
  face?: unknown
}): Timeline {
  const {status, statusSinceMs, steps, isDone = false} = start
  const drafts = start.drafts.map(({delivery, text}) => leaveBehind(delivery, text))
  return {
    status,
    statusSinceMs,
    settled: [],
    drafts,
    isCrowded: false,
    tool: undefined,
    doing: 'thinking',
    steps,
    isDone,
    seen: [],
    awaitsFirstStatus: true,
    awaitsFirstHeartbeat: true,
    awaitsKickoff: start.cursor === undefined && start.face === undefined,
    quotesKickoff: start.face !== undefined,
    earlier: start.notes?.earlier ?? 0,
    toPass: 0,
  }
}

/** Folds one frame in. */
export function fold(timeline: Timeline, frame: Frame, arrival: Arrival): Timeline {
  switch (frame.type) {
    case 'connected':
      return {
        ...timeline,
        drafts: timeline.drafts.map(toEarlier),
        isCrowded: false,
        awaitsFirstStatus: true,
        awaitsFirstHeartbeat: true,
        isDone: false,
      }
    case 'rewound':
      // All of it comes again, and stands in the order in which it does.
      return {
        ...timeline,
        settled: [],
        steps: 0,
        seen: [],
        toPass: timeline.earlier,
        awaitsKickoff: !timeline.quotesKickoff,
      }
    case 'status':
      return foldStatus(timeline, frame.status, arrival.nowMs)
    case 'transcript':
      return foldEntry(timeline, frame.entry, {...arrival, cursor: frame.cursor})
    case 'run':
      return frame.phase === 'end' ? atRest(timeline) : makeRoom(timeline)
    case 'turn':
      // The live frames of a dropped turn are lost; its entries still come (rule 5), however late.
      return frame.outcome === 'dropped'
        ? {...timeline, drafts: timeline.drafts.map(toEarlier), awaitsFirstHeartbeat: false}
        : makeRoom(timeline)
    case 'assistant':
      return foldFragment(timeline, frame.callId, frame.text)
    case 'tool_call':
      return toolCalled(timeline, frame, arrival.nowMs)
    case 'heartbeat':
      // Later ones say nothing of drafts that wait.
      return timeline.awaitsFirstHeartbeat
        ? {...interruptEarlier(timeline), awaitsFirstHeartbeat: false}
        : timeline
    case 'done':
      return {...atRest(timeline), isDone: true}
    case 'broken':
      // Nothing more comes of them before another connection stands.
      return {...timeline, drafts: timeline.drafts.map(toEarlier)}
    case 'task':
    case 'error':
    case 'disconnected':
      return timeline
    default:
      throw new Error(`Unknown frame: ${JSON.stringify(frame satisfies never)}`)
  }
}

/**
 * Takes out what is confirmed: entries from the front as far as `isConfirmed` goes, and drafts that
 * will not change any more. `cursor` and `steps` are those of the last entry that left.
 */
export function release(
  timeline: Timeline,
  isConfirmed: (delivery: string) => boolean,
): {timeline: Timeline; cursor: string | undefined; steps: number} | undefined {
  const isDone = ({delivery}: SettledEntry): boolean =>
    delivery === undefined || isConfirmed(delivery)
  const held = timeline.settled.findIndex((entry) => !isDone(entry))
  const gone = timeline.settled.slice(0, held === -1 ? undefined : held)
  const drafts = timeline.drafts.filter((draft) => !isOver(draft) || !isConfirmed(draft.delivery))
  const last = gone.at(-1)
  if (last === undefined && drafts.length === timeline.drafts.length) return undefined
  return {
    timeline: {...timeline, settled: timeline.settled.slice(gone.length), drafts},
    cursor: gone.findLast(({cursor}) => cursor !== undefined)?.cursor,
    steps: last?.steps ?? timeline.steps,
  }
}

function foldStatus(timeline: Timeline, status: string, nowMs: number): Timeline {
  const isNew = status !== timeline.status
  const next = {
    ...timeline,
    status,
    statusSinceMs: isNew ? nowMs : timeline.statusSinceMs,
    awaitsFirstStatus: false,
  }
  return isWorking(status) || timeline.awaitsFirstStatus ? next : interruptEarlier(next)
}

/** Rules 1 to 3. Of two rows with one id the first keeps its place, and the later text counts. */
function foldEntry(
  timeline: Timeline,
  entry: Entry,
  {cursor, isOurs, isTold = false, nowMs}: Arrival & {cursor: string | undefined},
): Timeline {
  const standing = timeline.settled.findIndex(({entryId}) => entryId === entry.id)
  const known = timeline.settled[standing]
  if (known !== undefined) {
    // What was fetched by paging gets its cursor when the stream brings it too.
    const row: SettledEntry = {
      ...known,
      text: keptOf(entry, known.delivery),
      cursor: known.cursor ?? cursor,
    }
    return {...timeline, settled: timeline.settled.with(standing, row)}
  }
  if (timeline.seen.includes(entryMark(entry.id))) return timeline
  const isTool = entry.source === 'tool'
  const isSaid = entry.source === 'user'
  const isPassed = timeline.toPass > 0 && !isTool
  const isQuote = isSaid && !isOurs && !timeline.awaitsKickoff && !isPassed
  const isReply = entry.source === 'assistant' && !isTold && !isPassed
  const delivery = isReply ? deliveryOf(timeline, entry) : isQuote ? quoteOf(entry) : undefined
  const steps = timeline.steps + (isTool ? 1 : 0)
  const settled: SettledEntry = {
    entryId: entry.id,
    delivery,
    author: isQuote ? (entry.authorName ?? '') : undefined,
    text: keptOf(entry, delivery),
    attachments: delivery === undefined ? undefined : toAttachments(entry.attachments ?? []),
    cursor,
    steps,
  }
  const marks = delivery === undefined ? [] : [deliveryMark(delivery)]
  return {
    ...timeline,
    steps,
    ...afterEntry(timeline, entry, nowMs),
    settled: [...timeline.settled, settled],
    drafts: settleDrafts(timeline.drafts, entry, delivery),
    seen: latest([...timeline.seen, entryMark(entry.id), ...marks]),
    awaitsKickoff: timeline.awaitsKickoff && !isSaid,
    toPass: timeline.toPass - Number(isPassed),
  }
}

/** What it is doing, now that this stands in its transcript. */
function afterEntry(
  timeline: Timeline,
  {id, source, text, tool: name = ''}: Entry,
  nowMs: number,
): Pick<Timeline, 'tool' | 'doing'> {
  const {tool, doing} = timeline
  if (source === 'assistant') return {tool, doing: 'thinking'}
  if (source !== 'tool') return {tool, doing}
  // What was heard live goes on: its entry says when it was called, not that it is over.
  if (tool?.callId === id) return {tool: {...tool, text: excerpt(text, MAX_UNSHOWN)}, doing}
  const {tool: called} = toolCalled(timeline, {callId: id, name, text}, nowMs)
  return {tool: called, doing: 'tool'}
}

function toolCalled(
  timeline: Timeline,
  {callId, name, text}: Pick<ToolCall, 'callId' | 'name' | 'text'>,
  nowMs: number,
): Timeline {
  const tool = {callId, name, text: excerpt(text || name, MAX_UNSHOWN), sinceMs: nowMs}
  return {...timeline, tool, doing: 'tool'}
}

function atRest(timeline: Timeline): Timeline {
  return {...breakOff(timeline), tool: undefined, doing: 'thinking'}
}

function keptOf({text}: Entry, delivery: string | undefined): string {
  return delivery === undefined ? excerpt(text, MAX_UNSHOWN) : text
}

function foldFragment(timeline: Timeline, delivery: string, text: string): Timeline {
  if (timeline.seen.includes(deliveryMark(delivery))) return timeline // it is settled already
  const standing = timeline.drafts.findIndex((draft) => draft.delivery === delivery)
  const draft = timeline.drafts[standing]
  if (draft === undefined) {
    // What was passed over has begun already: from its middle it would read as something else.
    if (timeline.isCrowded) return timeline
    if (timeline.drafts.length >= MAX_DRAFTS) return {...timeline, isCrowded: true}
    return {
      ...timeline,
      doing: 'writing',
      drafts: [...timeline.drafts, createDraft(delivery, text)],
    }
  }
  const grown = grow(draft, text)
  if (grown === draft) return timeline
  return {...timeline, doing: 'writing', drafts: timeline.drafts.with(standing, grown)}
}

/** Two entries may bear one call: then the second goes by its own id. */
function deliveryOf({seen, settled}: Timeline, {id, callId}: Entry): string {
  if (callId === undefined) return id
  const isTaken =
    settled.some(({entryId, delivery}) => delivery === callId && entryId !== id) ||
    (seen.includes(deliveryMark(callId)) && !seen.includes(entryMark(id)))
  return isTaken ? id : callId
}

/** A quote has no `callId`; its key must be none that a reply could have. */
export function quoteOf({id}: Pick<Entry, 'id'>): string {
  return `quote:${id}`
}

/** An entry is forgotten with its delivery: one that seemed to be another's would be posted once more. */
function latest(marks: readonly string[]): readonly string[] {
  const kept = marks.slice(-MAX_SEEN)
  return kept[0]?.startsWith(deliveryMark('')) === true ? kept.slice(1) : kept
}

function entryMark(id: string): string {
  return `entry:${id}`
}

function deliveryMark(delivery: string): string {
  return `delivery:${delivery}`
}

/** Whatever was being written will not grow any more, as far as anybody knows. */
export function breakOff(timeline: Timeline): Timeline {
  return {...timeline, drafts: timeline.drafts.map(interrupt), isCrowded: false}
}

/** What begins from here on is heard from its beginning. */
function makeRoom(timeline: Timeline): Timeline {
  return timeline.isCrowded ? {...timeline, isCrowded: false} : timeline
}

function interruptEarlier(timeline: Timeline): Timeline {
  const drafts = timeline.drafts.map((draft) =>
    draft.state === 'earlier' ? interrupt(draft) : draft,
  )
  return {...timeline, drafts}
}
