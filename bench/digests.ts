import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {WebClient} from '@slack/web-api'
import fc from 'fast-check'
import {createDigestLook} from '../src/features/digests/teller.ts'
import {type Store, openStore} from '../src/store/store.ts'
import {type Walk, type Wish, walk} from '../test/support/digests/oracle.ts'
import {
  type Telling,
  gaps,
  judge,
  looksOf,
  quartersOf,
  toSchedule,
  wishIn,
} from '../test/support/digests/simulation.ts'
import {SILENT_LOG} from '../test/support/silent-log.ts'
import {atLeast, endWith, never} from './lines.ts'

/**
 * Digests of many channels in twelve time zones over 400 days each, in which clocks do all that they do anywhere: the real
 * teller on a real store looks at every quarter of an hour, is down at times, comes back as another process does, and its
 * clock jumps. What should have been told is read off a clock on the wall, minute by minute. No digest may be missed,
 * doubled, early, late or told for no day.
 */

const {values: options} = parseArgs({
  options: {
    days: {type: 'string', default: '400'},
    channels: {type: 'string', default: '6'},
    breaks: {type: 'string', default: '60'},
    seed: {type: 'string', default: '1'},
  },
})
const days = Number(options.days)
const seed = Number(options.seed)

const ZONES = [
  ['UTC', Date.UTC(2026, 0, 1)],
  ['Europe/Berlin', Date.UTC(2026, 0, 1)],
  ['America/New_York', Date.UTC(2026, 0, 1)],
  // Half an hour of summer time.
  ['Australia/Lord_Howe', Date.UTC(2026, 0, 1)],
  // 30 December 2011 did not take place.
  ['Pacific/Apia', Date.UTC(2011, 5, 1)],
  ['Africa/Casablanca', Date.UTC(2026, 0, 1)],
  // Summer time began and ended at midnight.
  ['America/Sao_Paulo', Date.UTC(2018, 0, 1)],
  ['Asia/Kathmandu', Date.UTC(2026, 0, 1)],
  ['Pacific/Chatham', Date.UTC(2026, 0, 1)],
  ['Asia/Tehran', Date.UTC(2022, 0, 1)],
  ['America/Santiago', Date.UTC(2026, 0, 1)],
  // Clocks changed one minute after midnight.
  ['America/St_Johns', Date.UTC(2011, 0, 1)],
] as const

/** Something is always worth telling. */
const READING = {
  channel: async () => ({
    sections: {waiting: [], failed: [], stopped: [], done: [], running: []},
    ...{merged: ['https://github.com/acme/web/pull/12'], micros: 0},
  }),
  person: async () => [],
  spent: async () => ({micros: 0, dayMicros: 0}),
}

const wrong: string[] = []
let told = 0
let looked = 0
let restarts = 0
console.log(
  `seed ${seed}: ${options.channels} channels in each of ${ZONES.length} zones, ${days} days`,
)
for (const [index, [zone, fromMs]] of ZONES.entries()) {
  const folder = mkdtempSync(join(tmpdir(), 'bosun-digests-'))
  try {
    const before = {told, looked}
    for (const isCalm of [true, false]) {
      await live(zone, walk(zone, fromMs, days), {folder, isCalm, seed: seed + index})
    }
    console.log(`${zone.padEnd(24)}${told - before.told} told, ${looked - before.looked} looks`)
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}
console.log(`\n${restarts} restarts`)
for (const line of wrong.slice(0, 20)) console.log(line)
endWith([atLeast('told', told, 1), never('wrong', wrong.length)])

async function live(
  zone: string,
  walked: Walk,
  {folder, isCalm, seed: own}: {folder: string; isCalm: boolean; seed: number},
): Promise<void> {
  const path = join(folder, `${isCalm ? 'calm' : 'wild'}.db`)
  const wishes = fc.sample(wishIn(zone), {numRuns: Number(options.channels), seed: own})
  const breaks = fc.sample(gaps(Number(options.breaks)), {numRuns: 1, seed: own})[0] ?? []
  const looks = isCalm ? quartersOf(walked) : [...looksOf(walked, breaks)]
  let store = await openStore({path, sealingKeys: []})
  try {
    for (const [index, wish] of wishes.entries()) {
      const from = {untilMs: walked.fromMs, dayMicros: 0}
      const first = {sinceMs: undefined, from, passed: undefined}
      await store.digests.choose({team: zone, target: `C${index}`}, toSchedule(wish), first)
    }
    let atMs = walked.fromMs
    let look = lookWith(store, zone, () => atMs)
    for (const next of looks) {
      if (next < atMs || next - atMs > 1_800_000) {
        // It was down, or its clock is set: another process goes on.
        restarts += 1
        await store[Symbol.asyncDispose]()
        store = await openStore({path, sealingKeys: []})
        look = lookWith(store, zone, () => atMs)
      }
      atMs = next
      looked += 1
      await look(new AbortController().signal)
    }
    const tellings = await tellingsOf(store, zone)
    for (const [index, wish] of wishes.entries()) {
      const all = tellings.get(`C${index}`) ?? []
      told += all.length
      const found = judge(wish, walked, all, looks)
      wrong.push(...found.map((line) => `${zone} ${wordsOf(wish)}: ${line}`))
    }
  } finally {
    await store[Symbol.asyncDispose]()
  }
}

function lookWith({digests}: Store, team: string, nowMs: () => number) {
  return createDigestLook({
    ...{digests, team, nowMs, reading: READING, log: SILENT_LOG, client: new WebClient()},
    access: {maySurelyKnow: async () => true},
    people: {roleOf: async () => 'member', zoneOf: async () => 'UTC'},
    announcer: {wake: () => undefined},
  })
}

/** What was handed over to be posted, by channel. */
async function tellingsOf(
  {announcements}: Store,
  zone: string,
): Promise<ReadonlyMap<string, Telling[]>> {
  const all = new Map<string, Telling[]>()
  for (;;) {
    const some = await announcements.due(zone, Number.MAX_SAFE_INTEGER)
    if (some.length === 0) return all
    for (const {id, channel, words, madeAtMs} of some) {
      const before = all.get(channel) ?? []
      all.set(channel, [...before, {date: words.digest?.date ?? '', atMs: madeAtMs}])
      await announcements.move(id, 'over')
    }
  }
}

function wordsOf({every, weekday, minute}: Wish): string {
  return `${every}${every === 'week' ? ` ${weekday}` : ''} at ${minute}`
}
