import {join} from 'node:path'
import Database from 'better-sqlite3'
import {z} from 'zod'
import type {CallRecord} from '../../local/slack/edge/ledger.ts'
import type {Place, World} from './world.ts'

const LAST_CALLS = 30
const LAST_LINES = 30
const MOST_CHARS = 240

/**
 * How it came to stand there as it does: the last calls about our messages in this place (where one is still streamed,
 * about that one), and what the bot said of the link.
 */
export function trailOf(world: World, place: Place): string {
  const calls = callsAbout(world, place)
  const streamed = world.ours(place).find(({streaming = 'completed'}) => streaming !== 'completed')
  const told = calls.filter(
    ({args, answer}) => streamed === undefined || [args['ts'], answer['ts']].includes(streamed.ts),
  )
  const links = new Set(calls.flatMap(({args}) => linkIn(args['metadata']) ?? []))
  // The last line may be under way.
  const log = world.bot.output().split('\n').slice(0, -1)
  const said = log.filter((line) => [...links].some((id) => line.includes(id))).map(toWords)
  const heard = deliveriesIn(world, place).slice(-LAST_LINES)
  const row = linkRow(world, place)
  const lines = [row, ...told.slice(-LAST_CALLS).map(toLine), ...heard, ...said.slice(-LAST_LINES)]
  return [`${place.channel} ${place.ts}`, ...lines]
    .map((line) => line.slice(0, MOST_CHARS))
    .join('\n  ')
}

/** What the bot has logged as an error, and how often: each is something that somebody was not given. */
export function errorsOf(world: World): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of world.bot.output().split('\n')) {
    if (!/^\{"level":[56]0/.test(line) || !line.endsWith('}')) continue
    const words = toWords(line).replace(/^\S+ log: /, '')
    counts.set(words, (counts.get(words) ?? 0) + 1)
  }
  return counts
}

/** In the order of their effect: what names the Slack thread, and what names a message that was made in it. */
function callsAbout({slack}: World, {channel, ts}: Place): CallRecord[] {
  const ours = new Set<unknown>()
  return slack.ledger.calls.filter(({args, answer}) => {
    if (args['channel'] !== channel) return false
    const isThere = args['thread_ts'] === ts || args['ts'] === ts
    if (isThere && answer['ts'] !== undefined) ours.add(answer['ts'])
    return isThere || ours.has(args['ts'])
  })
}

/** What the bot's own table says of the link. */
function linkRow({folder}: World, {channel, ts}: Place): string {
  const database = new Database(join(folder, 'bosun.db'), {readonly: true, timeout: 5000})
  try {
    const said = 'state, status, notice, attempt, thread_id, stopped_by, cursor'
    const asked = database.prepare(
      `select ${said} from links where channel = ? and slack_thread = ?`,
    )
    return JSON.stringify(asked.all(channel, ts))
  } finally {
    database.close()
  }
}

/** Each try to tell the bot of what people wrote there. */
function deliveriesIn({slack}: World, {channel, ts}: Place): string[] {
  return slack.ledger.deliveries.flatMap(({payload, atMs, key, attempt, outcome, ackMs}) => {
    const {data} = eventSchema.safeParse(payload)
    const {type = '', channel: at, thread_ts: thread, ts: own} = data?.event ?? {}
    if (at !== channel || (thread !== ts && own !== ts)) return []
    const what = `${type} ${own ?? ''} ${key}, try ${attempt}: ${outcome} ${ackMs ?? ''}`
    return `${new Date(atMs).toISOString()} delivery: ${what}`
  })
}

const eventSchema = z.looseObject({
  event: z.looseObject({
    type: z.string(),
    channel: z.string().optional(),
    thread_ts: z.string().optional(),
    ts: z.string().optional(),
  }),
})

function toLine({method, args, status, answer, applied, arrivedAtMs, atMs}: CallRecord): string {
  const {error} = answer
  const when = `${new Date(arrivedAtMs).toISOString()} ${atMs - arrivedAtMs} ms`
  const outcome = `${status || 'no answer'}, ${applied ? 'applied' : 'not applied'}`
  const said = args['markdown_text'] ?? args['text']
  return `${when} ${method} ${outcome} ${JSON.stringify({error, ts: args['ts'] ?? answer['ts'], said})}`
}

/** A line of the log without its stack. */
function toWords(line: string): string {
  const {time, key = '', move = '', msg, err} = lineSchema.parse(JSON.parse(line))
  return `${new Date(time).toISOString()} log: ${msg} ${move} ${key} ${err?.code ?? err?.type ?? ''}`
}

const lineSchema = z.looseObject({
  time: z.number(),
  msg: z.string(),
  key: z.string().optional(),
  move: z.string().optional(),
  err: z.looseObject({type: z.string(), code: z.string().optional()}).optional(),
})

function linkIn(metadata: unknown): string | undefined {
  const written = typeof metadata === 'string' ? metadata : JSON.stringify(metadata ?? {})
  return /"link":"([^"]+)"/.exec(written)?.[1]
}
