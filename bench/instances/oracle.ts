import type {LedgerRow} from '../../local/platform/edge/ledger.ts'
import type {CallRecord} from '../../local/slack/edge/ledger.ts'
import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import {type Evidence, type Place, isQuestion, verdict} from '../../test/support/verdict.ts'

/** What somebody asked for in one Slack thread, by marks that occur nowhere else. */
export interface Talk {
  team: string
  place: Place
  asked: string[]
}

/** A Slack thread as it stands in the end, by the two ledgers alone. */
export interface ThreadFacts extends Talk {
  thread: ReturnType<Evidence['threadIn']>
  transcript: ReturnType<Evidence['transcriptIn']>
  /** Our messages there, oldest first. */
  ours: StoredMessage[]
  /** What was asked of the platform about it and changed something. */
  requests: LedgerRow[]
}

export interface Facts {
  threads: readonly ThreadFacts[]
  /** Of the Web API, in Slack's order. */
  calls: readonly CallRecord[]
  /** Messages of ours outside of all these threads. */
  strays: readonly StoredMessage[]
}

export type Wrong =
  | 'lost'
  | 'doubled'
  | 'out of order'
  | 'wrong finals'
  | 'still streamed'
  | 'cards but one'
  | 'threads but one'
  | 'messages lost'
  | 'messages twice'
  | 'posts twice'
  | 'outside of threads'
  | 'calls over the rate'

export interface Judgement {
  wrongs: Record<Wrong, number>
  replies: number
  /** One line for each thread in which something is wrong. */
  details: string[]
}

/** Holds what stands against the promises of the design; knows nothing of how they are kept. */
export function judge({threads, calls, strays}: Facts): Judgement {
  const second = secondPosts(calls)
  const wrongs: Record<Wrong, number> = {
    lost: 0,
    doubled: 0,
    'out of order': 0,
    'wrong finals': 0,
    'still streamed': 0,
    'cards but one': 0,
    'threads but one': 0,
    'messages lost': 0,
    'messages twice': 0,
    'posts twice': second.length,
    'outside of threads': strays.length,
    'calls over the rate': calls.filter(({status}) => status === 429).length,
  }
  const details = [...second.map((line) => `posted twice: ${line}`), ...limitedIn(calls)]
  let replies = 0
  for (const facts of threads) {
    const found = wrongsIn(facts)
    for (const [wrong, texts] of Object.entries(found) as [Wrong, string[]][]) {
      wrongs[wrong] += texts.length
    }
    replies += facts.transcript.filter(({source}) => source === 'assistant').length
    const bad = Object.entries(found).filter(([, texts]) => texts.length > 0)
    if (bad.length > 0) {
      const {team, place} = facts
      details.push(JSON.stringify({team, ...place, ...Object.fromEntries(bad)}))
    }
  }
  return {wrongs, replies, details}
}

export function isRight({wrongs}: Judgement): boolean {
  return Object.values(wrongs).every((count) => count === 0)
}

function wrongsIn(facts: ThreadFacts): Partial<Record<Wrong, string[]>> {
  const {team, place, asked, thread, transcript, ours, requests} = facts
  const seen = verdict(
    {
      slack: {teamId: team, fileText: () => undefined},
      threadIn: () => thread,
      transcriptIn: () => transcript,
      ours: () => ours,
      requests: () => requests,
    },
    place,
  )
  const told = transcript.filter(({source}) => source === 'user').map(({text}) => text)
  const times = (mark: string): number => told.filter((text) => text.includes(`${mark}.`)).length
  const wasAsked = (mark: string): boolean =>
    ours.some((message) => isQuestion(message) && JSON.stringify(message).includes(mark))
  const many = (count: number, word: string): string[] => Array.from({length: count}, () => word)
  return {
    lost: seen.lost,
    doubled: seen.doubled,
    'out of order': seen.outOfOrder,
    'wrong finals': seen.wrong,
    'still streamed': many(seen.streaming, 'a message'),
    'cards but one': many(Math.abs(seen.cards - 1), `${seen.cards} cards`),
    'threads but one': many(Math.abs(seen.creations - 1), `${seen.creations} creations`),
    'messages lost': asked.filter((mark) => times(mark) === 0 && !wasAsked(mark)),
    'messages twice': asked.filter((mark) => times(mark) > 1),
  }
}

/** With how long before each the same was called last. */
function limitedIn(calls: readonly CallRecord[]): string[] {
  const limited = calls.filter(({status}) => status === 429)
  return limited.map(({method, teamId = '', args: {channel}, arrivedAtMs}) => {
    const agesMs = calls
      .filter((call) => call.method === method && call.teamId === teamId)
      .filter((call) => call.args['channel'] === channel)
      .map((call) => arrivedAtMs - call.arrivedAtMs)
      .filter((ageMs) => ageMs > 0 && ageMs < 20_000)
    const ages = agesMs.map((ageMs) => (ageMs / 1000).toFixed(1)).reverse()
    const at = new Date(arrivedAtMs).toISOString()
    return `over the rate: ${method} in ${teamId} at ${at}, ${ages.join(' ')} s after the same`
  })
}

/** The same message posted while the first one still stands: also when one of them was removed later. */
function secondPosts(calls: readonly CallRecord[]): string[] {
  const standing = new Map<string, string>()
  const shown = new Map<string, number>()
  const second: string[] = []
  for (const {method, args, answer, applied, teamId = ''} of calls) {
    if (!applied) continue
    const ts = `${String(args['channel'])} ${String(answer['ts'] ?? args['ts'])}`
    if (method === 'chat.delete') {
      const gone = standing.get(ts) ?? ''
      shown.set(gone, (shown.get(gone) ?? 1) - 1)
      standing.delete(ts)
    }
    if (method !== 'chat.postMessage' || args['thread_ts'] === undefined) continue
    const content = contentOf(args)
    const same = JSON.stringify([teamId, args['channel'], args['thread_ts'], content])
    const before = shown.get(same) ?? 0
    if (before > 0) second.push(same.slice(0, 300))
    shown.set(same, before + 1)
    standing.set(ts, same)
  }
  return second
}

/** By the key that it carries, else by what it shows. */
function contentOf(args: Readonly<Record<string, unknown>>): string {
  const key = /"key\\?":\\?"([^"\\]+)/.exec(JSON.stringify(args['metadata'] ?? ''))?.[1]
  return key ?? JSON.stringify([args['text'], args['blocks']])
}
