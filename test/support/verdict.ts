import type {LedgerRow} from '../../local/platform/edge/ledger.ts'
import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import type {Entry} from '../../src/platform/model.ts'
import {createPiece, endOf} from './readable.ts'

/** What is wrong in a Slack thread, judged by the transcript and the two ledgers alone. */
interface Verdict {
  /** Texts of assistant entries that do not stand there in full. */
  lost: string[]
  /** Texts that stand there more often than in the transcript. */
  doubled: string[]
  /** Texts that stand in front of what came before them. */
  outOfOrder: string[]
  /** Replies that are no entry's text, and are not marked as interrupted. */
  wrong: string[]
  /** How many times a thread was created for this place. */
  creations: number
  /** Messages of people that reached the thread more than once. */
  doubledSends: string[]
  /** Cards: messages of ours that are nothing else. */
  cards: number
  /** Messages of ours that Slack still streams, or whose stream nobody ended in time. */
  streaming: number
}

/** Where in Slack: a channel, and the message that the Slack thread hangs on. */
export interface Place {
  channel: string
  ts: string
}

/** The part of a world that a verdict needs. */
export interface Evidence {
  slack: {teamId: string; fileText: (id: string) => string | undefined}
  threadIn(place: Place): {id: string; requestId: string | null; status: string} | undefined
  transcriptIn(place: Place): Entry[]
  ours(place: Place): StoredMessage[]
  /** All, or at least those that this place may be about. */
  requests(place: Place): LedgerRow[]
  /** Of work that is in the archive: when it came there. Its stream is closed, and what is said then is heard when it comes out. */
  archivedAtMs?(place: Place): number | undefined
}

export const FAULTLESS: Verdict = {
  lost: [],
  doubled: [],
  outOfOrder: [],
  wrong: [],
  creations: 1,
  doubledSends: [],
  cards: 1,
  streaming: 0,
}

/** Whether everything stands in its place; what was sent to the thread is another matter. */
export function isComplete(seen: Verdict): boolean {
  const {lost, doubled, outOfOrder, wrong, cards, streaming} = seen
  return (
    cards === 1 &&
    streaming === 0 &&
    [lost, doubled, outOfOrder, wrong].every((texts) => texts.length === 0)
  )
}

export function verdict(world: Evidence, place: Place): Verdict {
  const thread = world.threadIn(place)
  const ours = world.ours(place)
  const entries = world.transcriptIn(place).filter(({source}) => source === 'assistant')
  const untilMs = world.archivedAtMs?.(place) ?? Infinity
  const heard = entries.filter(({createdAt}) => !(Date.parse(createdAt ?? '') > untilMs))
  const settled = new Set(heard.flatMap(({id, callId}) => [id, callId]))
  // What broke off and was said once more, as after a restart of the platform, is no reply: but only
  // if it was another call. The entry of a call takes the place of its draft.
  const replies = ours.filter(
    (message) => isReply(message) && !(isInterrupted(message) && !settled.has(callOf(message))),
  )
  const shown = replies.map((message) => textOf(message, world.slack.fileText))
  const said = entries.filter(({text}) => text.trim() !== '')
  const requests = world.requests(place).filter(({method, applied}) => method === 'POST' && applied)
  const compared = compare(
    said.map(({text}) => text),
    shown,
    replies.map(isPostedAgain),
  )
  return {
    ...compared,
    lost: compared.lost.filter((text) => heard.some((entry) => entry.text === text)),
    creations: creationsOf(requests, `slack:${world.slack.teamId}:${place.channel}:${place.ts}`),
    doubledSends: doubledSendsTo(requests, thread?.id ?? ''),
    cards: ours.filter((message) => kindOf(message) === 'card').length,
    streaming: ours.filter(({streaming}) => streaming === 'in_progress' || streaming === 'errored')
      .length,
  }
}

/** What a message of ours is to its readers. */
type Kind =
  'reply' | 'quote' | 'question' | 'waiting' | 'held' | 'plan' | 'card' | 'call' | 'pull request'

/**
 * A reply shows what the agent said: it has a `markdown` block, a file, or no blocks at all. A quote shows what
 * somebody wrote elsewhere in the thread.
 */
export function kindOf(message: StoredMessage): Kind {
  const {text, blocks = [], fileIds = []} = message
  // A card that Slack refused stands there as plain text.
  if (keyOf(message) === 'card') return 'card'
  if (keyOf(message)?.startsWith('ping:') === true) return 'call'
  if (keyOf(message)?.startsWith('pr:') === true) return 'pull request'
  if (keyOf(message) === 'plan') return 'plan'
  if (keyOf(message) === 'waiting') return 'waiting'
  if (keyOf(message) === 'held') return 'held'
  const [first] = blocks
  if (first?.['type'] === 'context' && JSON.stringify(first).includes('💬')) return 'quote'
  if (text.includes('Not sure this arrived')) return 'question'
  const isReply = fileIds.length > 0 || blocks.length === 0 || blocks.some(isMarkdown)
  return isReply ? 'reply' : 'card'
}

/** What a place is told first of all, outside of all Slack threads. */
export function isWelcome({text}: Pick<StoredMessage, 'text'>): boolean {
  return text.startsWith('👋 ')
}

export function isReply(message: StoredMessage): boolean {
  return kindOf(message) === 'reply'
}

export function isQuestion(message: StoredMessage): boolean {
  return kindOf(message) === 'question'
}

/** What the agent has not got yet. */
export function isWaitingList(message: StoredMessage): boolean {
  return kindOf(message) === 'waiting'
}

/** The id of a canvas in its address. */
const CANVAS = /\/docs\/T\w+\/(F\w+)/

/** What a reader reads of a reply, its file or canvas included. */
export function textOf(
  {text, blocks = [], fileIds = []}: StoredMessage,
  fileText: Evidence['slack']['fileText'] = () => undefined,
): string {
  const canvas = CANVAS.exec(text)?.[1]
  const carried = [...fileIds, ...(canvas === undefined ? [] : [canvas])]
  const files = carried.flatMap((id) => fileText(id) ?? [])
  if (files.length > 0) return files.join('\n')
  const markdown = blocks.filter(isMarkdown).map((block) => String(block['text']))
  if (markdown.length > 0) return markdown.join('\n').replaceAll('&lt;', '<')
  const said = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  return said.replace(NOTES, '')
}

/** What Bosun says of a reply where there are no blocks to say it in. */
const NOTES = /(?:\n(?:📎|⤵|⏹|📦|Posted again,)[^\n]*)+$/u

/**
 * What a reader sees of a Slack thread, without what differs from one time to the next. Where a message has blocks, its text stands in
 * notifications alone, and Slack makes up that of a stream.
 */
export function sightOf(messages: readonly StoredMessage[], botUserId: string): string[] {
  return messages.map(({userId, text, blocks = []}) => {
    const seen = JSON.stringify(blocks.length === 0 ? {text} : {blocks})
      .replace(/"(value|block_id)":"[^"]*"/g, '"$1":""')
      .replace(/<!date[^>]*>/g, 'then')
    return `${userId === botUserId ? 'Bosun' : userId}: ${seen}`
  })
}

function isMarkdown(block: Readonly<Record<string, unknown>>): boolean {
  return block['type'] === 'markdown'
}

/** Without blocks the text itself says so. */
function isInterrupted(message: StoredMessage): boolean {
  return notesOf(message).includes('before it was finished')
}

/** Its first message was deleted or locked, and it says that it stands later than it should. */
function isPostedAgain(message: StoredMessage): boolean {
  return notesOf(message).includes('Posted again')
}

function notesOf({text, blocks = []}: StoredMessage): string {
  if (blocks.length === 0) return text
  return JSON.stringify(blocks.filter(({type}) => type === 'context'))
}

/** Of which call a message shows a part, as its metadata says. */
function callOf(message: StoredMessage): string | undefined {
  return /^say:(.*):\d+$/.exec(keyOf(message) ?? '')?.[1]
}

function keyOf({metadata}: StoredMessage): string | undefined {
  const key = metadata?.event_payload['key']
  return typeof key === 'string' ? key : undefined
}

function compare(
  said: readonly string[],
  shown: readonly string[],
  again: readonly boolean[],
): Pick<Verdict, 'lost' | 'doubled' | 'outOfOrder' | 'wrong'> {
  const pieces = shown.map(createPiece)
  const covered = new Set<number>()
  const lost: string[] = []
  const doubled: string[] = []
  const outOfOrder: string[] = []
  let next = 0
  for (const text of said) {
    const whole = createPiece(text)
    const places = pieces.flatMap((_, start) => {
      const end = endOf(whole, pieces, start)
      return end === undefined ? [] : [{start, end}]
    })
    for (const {start, end} of places) for (let at = start; at < end; at += 1) covered.add(at)
    if (places.length > said.filter((other) => other === text).length) doubled.push(text)
    const first = places[0]
    const standing = places.find(({start}) => start >= next) ?? first
    if (standing === undefined) lost.push(text)
    else if (again.slice(standing.start, standing.end).includes(true)) continue
    else if (standing.start < next) outOfOrder.push(text)
    else next = standing.end
  }
  return {lost, doubled, outOfOrder, wrong: shown.filter((_, at) => !covered.has(at))}
}

function creationsOf(requests: readonly LedgerRow[], requestId: string | null): number {
  return requests.filter(
    ({path, body}) => path === '/api/v1/threads' && fieldOf(body, 'requestId') === requestId,
  ).length
}

/** Told apart by what people wrote, below the first line, which names the sender. */
function doubledSendsTo(requests: readonly LedgerRow[], threadId: string): string[] {
  // What the platform gave back may go out again: the agent never had it. The answer that said so may be lost.
  const cancelled = requests
    .filter(({path}) => path.endsWith('/cancel'))
    .map(({path}) => path.split('/').at(-2))
  const sent = requests
    .filter(({path}) => path === `/api/v1/threads/${threadId}/message`)
    .filter(({result}) => !cancelled.includes(String(result?.['id'])))
    .map(({body}) => fieldOf(body, 'text').split('\n').slice(1).join('\n'))
  return [...new Set(sent.filter((text, index) => sent.indexOf(text) !== index))]
}

function fieldOf(body: unknown, name: string): string {
  const isRecord = typeof body === 'object' && body !== null
  const value = isRecord ? (body as Record<string, unknown>)[name] : undefined
  return typeof value === 'string' ? value : ''
}
