import type {LedgerRow} from '../../local/platform/edge/ledger.ts'
import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import type {Entry} from '../../src/platform/model.ts'

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
  /** Cards: messages of ours that are neither replies nor questions. */
  cards: number
}

/** The part of a world that a verdict needs. */
interface Evidence {
  slack: {teamId: string}
  threadIn(place: {channel: string; ts: string}): {id: string; requestId: string | null} | undefined
  transcriptIn(place: {channel: string; ts: string}): Entry[]
  ours(place: {channel: string; ts: string}): StoredMessage[]
  requests(): LedgerRow[]
}

export const FAULTLESS: Verdict = {
  lost: [],
  doubled: [],
  outOfOrder: [],
  wrong: [],
  creations: 1,
  doubledSends: [],
  cards: 1,
}

/** Whether everything stands in its place; what was sent to the thread is another matter. */
export function isComplete({lost, doubled, outOfOrder, wrong, cards}: Verdict): boolean {
  return cards === 1 && [lost, doubled, outOfOrder, wrong].every((texts) => texts.length === 0)
}

export function verdict(world: Evidence, place: {channel: string; ts: string}): Verdict {
  const thread = world.threadIn(place)
  const ours = world.ours(place)
  const shown = ours.filter(isReply)
  const said = world
    .transcriptIn(place)
    .filter(({source, text}) => source === 'assistant' && text.trim() !== '')
  const requests = world.requests().filter(({method, applied}) => method === 'POST' && applied)
  return {
    ...compare(
      said.map(({text}) => text),
      shown,
    ),
    creations: creationsOf(requests, `slack:${world.slack.teamId}:${place.channel}:${place.ts}`),
    doubledSends: doubledSendsTo(requests, thread?.id ?? ''),
    cards: ours.filter((message) => !isReply(message) && !isQuestion(message)).length,
  }
}

/** A message that shows what the agent said: it has a `markdown` block, or no blocks at all. */
export function isReply({blocks}: StoredMessage): boolean {
  return blocks === undefined || blocks.length === 0 || blocks.some(isMarkdown)
}

/** What a reader reads of a reply. */
export function textOf({text, blocks = []}: StoredMessage): string {
  const markdown = blocks.filter(isMarkdown).map((block) => String(block['text']))
  if (markdown.length > 0) return markdown.join('\n').replaceAll('&lt;', '<')
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** What a reader sees of a Slack thread, without what differs from one time to the next. */
export function sightOf(messages: readonly StoredMessage[], botUserId: string): string[] {
  return messages.map(({userId, text, blocks = []}) => {
    const seen = JSON.stringify({text, blocks})
      .replace(/"(value|block_id)":"[^"]*"/g, '"$1":""')
      .replace(/<!date[^>]*>/g, 'then')
    return `${userId === botUserId ? 'Bosun' : userId}: ${seen}`
  })
}

function isMarkdown(block: Readonly<Record<string, unknown>>): boolean {
  return block['type'] === 'markdown'
}

function isQuestion({text}: StoredMessage): boolean {
  return text.includes('Not sure this arrived')
}

function isInterrupted({blocks = []}: StoredMessage): boolean {
  return JSON.stringify(blocks).includes('Stopped before it was finished')
}

function compare(
  said: readonly string[],
  shown: readonly StoredMessage[],
): Pick<Verdict, 'lost' | 'doubled' | 'outOfOrder' | 'wrong'> {
  const texts = shown.map(textOf)
  const covered = new Set<number>()
  const lost: string[] = []
  const doubled: string[] = []
  const outOfOrder: string[] = []
  let next = 0
  for (const text of said) {
    const places = texts.flatMap((_, start) => {
      const end = endOf(text, texts, start)
      return end === undefined ? [] : [{start, end}]
    })
    for (const {start, end} of places) for (let at = start; at < end; at += 1) covered.add(at)
    const first = places[0]
    const standing = places.find(({start}) => start >= next) ?? first
    if (standing === undefined) lost.push(text)
    else if (standing.start < next) outOfOrder.push(text)
    else next = standing.end
    if (places.length > said.filter((other) => other === text).length) doubled.push(text)
  }
  const wrong = shown.filter((message, at) => !covered.has(at) && !isInterrupted(message))
  return {lost, doubled, outOfOrder, wrong: wrong.map(textOf)}
}

/** The index behind the messages from `start` on that together are this text; `undefined`: they are not. */
function endOf(text: string, texts: readonly string[], start: number): number | undefined {
  let at = 0
  for (let index = start; index < texts.length; index += 1) {
    const length = longestMatch(text, at, texts[index] ?? '')
    if (length === undefined) return undefined
    at += length
    // The line ends at a cut are the cut itself.
    while (/\s/.test(text.charAt(at))) at += 1
    if (at >= text.length) return index + 1
  }
  return undefined
}

/**
 * How much of the text a part shows, if it goes on exactly at `at`: without what it repeats of the part
 * before it (a fence's first line, a table's first two) and the line that closes an open fence.
 */
function longestMatch(text: string, at: number, part: string): number | undefined {
  const lines = part.trimEnd().split('\n')
  const heads = at === 0 ? [0] : [0, 1, 2]
  const isFence = /^\s*(`{3,}|~{3,})/.test(lines.at(-1) ?? '')
  const lengths = heads.flatMap((head) =>
    (isFence ? [0, 1] : [0]).flatMap((tail) => {
      const body = lines.slice(head, lines.length - tail).join('\n')
      return body.trim() !== '' && text.startsWith(body, at) ? [body.length] : []
    }),
  )
  return lengths.length === 0 ? undefined : Math.max(...lengths)
}

function creationsOf(requests: readonly LedgerRow[], requestId: string | null): number {
  return requests.filter(
    ({path, body}) => path === '/api/v1/threads' && fieldOf(body, 'requestId') === requestId,
  ).length
}

/** Told apart by what people wrote, below the first line, which names the sender. */
function doubledSendsTo(requests: readonly LedgerRow[], threadId: string): string[] {
  const sent = requests
    .filter(({path}) => path === `/api/v1/threads/${threadId}/message`)
    .map(({body}) => fieldOf(body, 'text').split('\n').slice(1).join('\n'))
  return [...new Set(sent.filter((text, index) => sent.indexOf(text) !== index))]
}

function fieldOf(body: unknown, name: string): string {
  const isRecord = typeof body === 'object' && body !== null
  const value = isRecord ? (body as Record<string, unknown>)[name] : undefined
  return typeof value === 'string' ? value : ''
}
