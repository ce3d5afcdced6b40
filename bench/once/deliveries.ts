import {setTimeout as delay} from 'node:timers/promises'
import {join} from 'node:path'
import Database from 'better-sqlite3'
import {type Dice, createDice} from '../../local/platform/agent/dice.ts'
import {JANE, KIM, type Place, type World, startWorld} from '../../test/support/world.ts'
import {atMost, exactly, never} from '../lines.ts'
import type {Part} from './part.ts'
import {createSender} from './sender.ts'

/** Of a second. */
const PER_SECOND = 50
const THREADS = 30
/** Of those that come once more so many come late. */
const LATE = 0.3
const LATE_MS = {least: 1000, most: 20_000}
const LOCKED_MS = 2000
/** Slack's own. */
const MAX_ACK_MS = 3000

/**
 * Mentions and replies that Slack delivers more than once, some of them late, and a database that is locked
 * meanwhile: what the platform was asked for, and how long the acknowledgements took.
 */
export async function measureDeliveries(deliveries: number, seed: string): Promise<Part> {
  const dice = createDice(`${seed} deliveries`)
  await using world = await startWorld({delivery: 'http', pace: 0.02})
  const sender = createSender(world)
  const places = await startThreads(world)
  const acks: number[] = []
  let lost = 0
  const underway: Promise<void>[] = []
  const deliver = async (body: object, num: number, afterMs: number): Promise<void> => {
    await delay(afterMs)
    const tookMs = await sender.event(body, num === 0 ? undefined : {num})
    if (tookMs === undefined) lost += 1
    else acks.push(tookMs)
  }
  const counts = {messages: 0, mentions: 0}
  const beganMs = performance.now()
  let unlock: Promise<void> | undefined
  for (let sent = 0; sent < deliveries;) {
    if (unlock === undefined && sent > deliveries / 2) unlock = lockFor(world, LOCKED_MS)
    const isMention = dice.int(1, 20) === 1
    counts[isMention ? 'mentions' : 'messages'] += 1
    const body = write(world, dice, isMention ? undefined : places[dice.int(0, places.length - 1)])
    const times = Math.min(dice.int(2, 4), deliveries - sent)
    for (let num = 0; num < times; num += 1) {
      underway.push(deliver(body, num, num === 0 ? 0 : waitOf(dice)))
    }
    sent += times
    await delay(Math.max(0, beganMs + (sent * 1000) / PER_SECOND - performance.now()))
  }
  await Promise.all(underway)
  await unlock
  const posts = (path: string): number => world.posts(path).length
  const threads = counts.mentions + THREADS
  await world.until('all of it was done', () => posts('/api/v1/threads') >= threads, 120_000)
  await world.until(
    'all of it was sent',
    () => posts('/api/v1/threads/:id/message') >= counts.messages,
    300_000,
  )
  const sorted = acks.toSorted((a, b) => a - b)
  const at = (part: number): number =>
    Math.round(sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? NaN)
  return {
    lines: [
      never('not acknowledged', lost),
      exactly('threads created: the mentions', posts('/api/v1/threads'), threads),
      exactly('messages sent: the replies', posts('/api/v1/threads/:id/message'), counts.messages),
      atMost('acknowledged, the longest', at(1), MAX_ACK_MS, 'ms'),
    ],
    told: {
      deliveries: acks.length + lost,
      'acknowledged within, ms: p50': at(0.5),
      '… p99': at(0.99),
    },
  }
}

async function startThreads(world: World): Promise<Place[]> {
  const places: Place[] = []
  for (let index = 0; index < THREADS; index += 1) places.push(await world.say('@Bosun quick'))
  for (const place of places) await world.until('it is there', () => world.threadIn(place), 60_000)
  return places
}

function waitOf(dice: Dice): number {
  return dice.int(1, 100) <= LATE * 100 ? dice.int(LATE_MS.least, LATE_MS.most) : dice.int(0, 50)
}

let number = 0

/** A message that stands nowhere: only its deliveries are of interest. */
function write(world: World, dice: Dice, place: Place | undefined): object {
  number += 1
  const ts = `${Math.floor(Date.now() / 1000)}.${String(number).padStart(6, '0')}`
  const text =
    place === undefined ? `<@${world.slack.botUserId}> quick ${number}` : `more ${number}`
  return {
    ...{type: 'event_callback', team_id: world.slack.teamId, event_id: `Ev${number}`},
    event: {
      ...{type: 'message', channel: place?.channel ?? 'C0WEB', channel_type: 'channel', ts, text},
      ...{user: dice.pick([JANE, KIM] as const), ...(place && {thread_ts: place.ts})},
    },
  }
}

/** As a backup or a tool would, only for longer. */
async function lockFor(world: World, ms: number): Promise<void> {
  const database = new Database(join(world.folder, 'bosun.db'), {timeout: 5000})
  try {
    database.exec('begin immediate')
    await delay(ms)
    database.exec('rollback')
  } finally {
    database.close()
  }
}
