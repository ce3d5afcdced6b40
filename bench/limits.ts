import {setTimeout as delay} from 'node:timers/promises'
import {parseArgs} from 'node:util'
import {createDice} from '../local/platform/agent/dice.ts'
import {ACTIONS} from '../src/slack/ids.ts'
import {isWorking} from '../src/platform/model.ts'
import {FAULTLESS, verdict} from '../test/support/verdict.ts'
import {type Place, type World, JANE, KIM, startWorld} from '../test/support/world.ts'
import {createFreshness, type Freshness} from './freshness.ts'
import {atMost, endWith, never} from './lines.ts'

/**
 * The bot under all of Slack's limits for minutes: many threads, a slow network, "not now" answers and refreshed
 * sockets. Judges what a strict reviewer would object to, and how fresh Slack was meanwhile.
 */

const {values: options} = parseArgs({
  options: {
    minutes: {type: 'string', default: '5'},
    threads: {type: 'string', default: '12'},
    latency: {type: 'string', default: '120'},
    /** Of the agent: below 1 it is faster. */
    pace: {type: 'string', default: '1'},
    delivery: {type: 'string', default: 'socket'},
    seed: {type: 'string', default: '1'},
  },
})
const runMs = Number(options.minutes) * 60_000
const dice = createDice(options.seed)
/** Chosen; no promise stands for a Slack that says "not now" by lot. */
const MAX_P50_S = 2
const MAX_P95_S = 12
const MAX_SILENCE_S = 60
const CHANNELS = ['C0WEB', 'C0GENERAL', 'D0JANE'] as const
const TASKS = [
  'write the long report on the rounding',
  'fix the rounding of prices in the cart',
  'tasks: look through the invoices',
  'go through the long list of refunds',
  'a question about the backup',
] as const
const FOLLOW_UPS = [
  'and quick, what about taxes?',
  'then fix the mails',
  'one more long round',
] as const

await main()

async function main(): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const world = opened.use(
    await startWorld({
      ...{strict: true, pace: Number(options.pace), latencyMs: Number(options.latency)},
      delivery: options.delivery === 'http' ? 'http' : 'socket',
    }),
  )
  const ending = new AbortController()
  opened.defer(() => ending.abort())
  const freshness = createFreshness(world)
  const places: Place[] = []
  const endMs = Date.now() + runMs
  const counts: Counts = {limits: 0, refreshes: 0, replies: 0}
  while (Date.now() < endMs) {
    await (places.length < Number(options.threads)
      ? begin(world, places, freshness, ending.signal)
      : goOn(world, places, counts))
    await delay(dice.int(500, 3000))
  }
  const settledMs = await settle(world, places)
  report(world, places, {freshness, counts, settledMs})
}

/** What happened besides the first mentions. */
interface Counts {
  limits: number
  refreshes: number
  /** They tell replies with the same words apart. */
  replies: number
}

async function begin(
  world: World,
  places: Place[],
  freshness: Freshness,
  signal: AbortSignal,
): Promise<void> {
  const place = await world.say(`@Bosun ${dice.pick(TASKS)}`, {channel: dice.pick(CHANNELS)})
  places.push(place)
  await world.until('its work begins', () => world.threadIn(place), 60_000)
  freshness.watch(place, signal)
}

/** One thing that people do, or that goes wrong. */
async function goOn(world: World, places: readonly Place[], counts: Counts): Promise<void> {
  const place = places[dice.int(0, places.length - 1)]
  if (place === undefined) return
  const turn = dice.int(1, 20)
  if (turn === 1) {
    counts.refreshes += 1
    world.slack.refreshSockets()
  } else if (turn <= 3) {
    counts.limits += 1
    const method = dice.pick(['chat.update', 'chat.postMessage'] as const)
    const failure = {times: 1, status: 429, applied: false, retryAfterSeconds: dice.int(1, 5)}
    world.slack.faults.failNext(method, failure)
  } else if (isAtWork(world, place)) {
    if (turn === 4) await world.press(place, ACTIONS.stop).catch(() => undefined)
  } else if (turn < 12) {
    const as = place.channel === 'D0JANE' ? JANE : dice.pick([JANE, KIM] as const)
    counts.replies += 1
    await world.reply(place, `${dice.pick(FOLLOW_UPS)} (${counts.replies})`, as)
  }
}

function isAtWork(world: World, place: Place): boolean {
  return isWorking(world.threadIn(place)?.status ?? 'working')
}

async function settle(world: World, places: readonly Place[]): Promise<number> {
  const startMs = Date.now()
  for (const place of places) await world.settled(place, 240_000)
  return Date.now() - startMs
}

interface Figures {
  freshness: Freshness
  counts: Counts
  settledMs: number
}

function report(world: World, places: readonly Place[], figures: Figures): void {
  const {freshness, counts, settledMs} = figures
  const delays = freshness.delaysMs().toSorted((a, b) => a - b)
  const perMinute = editsPerMinute(world)
  const wrong = places.filter(
    (place) => JSON.stringify(verdict(world, place)) !== JSON.stringify(FAULTLESS),
  )
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
  const rows: [string, string][] = [
    ['threads', String(places.length)],
    ['calls', String(world.slack.ledger.calls.length)],
    ['replies of people', String(counts.replies)],
    ['injected 429s, socket refreshes', `${counts.limits}, ${counts.refreshes}`],
    ['edits per minute', perMinute.join(' ')],
    ['text to Slack, worst', seconds(delays.at(-1) ?? NaN)],
    ['fragments shown, not shown', `${delays.length}, ${freshness.unseen()}`],
    ['settled after the last minute in', seconds(settledMs)],
  ]
  console.log(rows.map(([name, value]) => `${name.padEnd(42)}${value}`).join('\n'))
  const lints = world.slack.lints()
  for (const [kind, those] of Map.groupBy(lints, (it) => `${it.level} ${it.kind}`)) {
    console.log(`\n${kind}: ${those.length}`)
    for (const {sentence} of those.slice(0, 5)) console.log(`  ${sentence}`)
  }
  for (const place of wrong) console.log(JSON.stringify(verdict(world, place)).slice(0, 1000))
  const inSeconds = (part: number): number => quantile(delays, part) / 1000
  endWith([
    atMost('text to Slack, p50', inSeconds(0.5), MAX_P50_S, 's'),
    atMost('text to Slack, p95', inSeconds(0.95), MAX_P95_S, 's'),
    atMost(
      'longest silence of a thread at work',
      freshness.longestSilenceMs() / 1000,
      MAX_SILENCE_S,
      's',
    ),
    never('threads that are not as they should be', wrong.length),
    never('lints of the local Slack', lints.filter(isOurs).length),
  ])
}

/**
 * What the bot can help: how soon it acknowledges depends on what else the machine does, some calls are refused by this bench itself, and a
 * reaction may cross with the end of its message.
 */
function isOurs({kind, sentence}: ReturnType<World['slack']['lints']>[number]): boolean {
  const isCrossed = /^reactions\.(?:add|remove) .* message_not_found\.$/.test(sentence)
  return kind !== 'slow-ack' && kind !== 'rate-limited' && !isCrossed
}

function editsPerMinute({slack}: World): number[] {
  const edits = slack.ledger.calls.filter(
    ({method, applied}) => method === 'chat.update' && applied,
  )
  const startMs = slack.ledger.calls[0]?.atMs ?? 0
  const minutes = Map.groupBy(edits, ({atMs}) => Math.floor((atMs - startMs) / 60_000))
  const last = Math.max(0, ...minutes.keys())
  return Array.from({length: last + 1}, (_, minute) => minutes.get(minute)?.length ?? 0)
}

/** The nearest rank: always a value that was measured. */
function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? NaN
}
