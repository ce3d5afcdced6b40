import fc from 'fast-check'
import {dueDate} from '../../../src/inbox/digest-dates.ts'
import type {Schedule} from '../../../src/store/tables/channels/digests.ts'
import {type Walk, type Wish, expected} from './oracle.ts'

const MINUTE_MS = 60_000
const QUARTER_MS = 15 * MINUTE_MS
const DAY_MINUTES = 24 * 60

export const wishIn = (zone: string): fc.Arbitrary<Wish> =>
  fc.record({
    every: fc.constantFrom('day' as const, 'workday' as const, 'week' as const),
    weekday: fc.integer({min: 0, max: 6}),
    minute: fc.oneof(
      fc.integer({min: 0, max: 47}).map((half) => half * 30),
      // Hours in which clocks are changed.
      fc.constantFrom(0, 30, 60, 90, 120, 150, 180, 1380, 1410),
    ),
    zone: fc.constant(zone),
  })

export function toSchedule({every, weekday, minute, zone}: Wish): Schedule {
  return every === 'week' ? {every, weekday, minute, zone} : {every, minute, zone}
}

/** Times in which nobody looks; afterwards the clock may go back, and the bot lives some of it again. */
interface Gap {
  /** Where in the walk, from 0 to 1. */
  at: number
  forMinutes: number
  backMinutes: number
}

export const gaps = (most: number): fc.Arbitrary<Gap[]> =>
  fc.array(
    fc.record({
      at: fc.double({min: 0, max: 1, noNaN: true}),
      forMinutes: fc.integer({min: 1, max: 3 * DAY_MINUTES}),
      backMinutes: fc.oneof(fc.constant(0), fc.integer({min: 1, max: 5 * DAY_MINUTES})),
    }),
    {maxLength: most, size: 'max'},
  )

function* between(fromMs: number, toMs: number): Generator<number> {
  const first = Math.ceil(fromMs / QUARTER_MS) * QUARTER_MS
  for (let atMs = first; atMs < toMs; atMs += QUARTER_MS) yield atMs
}

function endOf({fromMs, walls}: Walk): number {
  return fromMs + walls.length * MINUTE_MS
}

/** The instants at which the bot looks. */
export function quartersOf(walked: Walk): number[] {
  return [...between(walked.fromMs, endOf(walked))]
}

/** The same where it is down at times, looks as it comes back, and its clock jumps. */
export function* looksOf(walked: Walk, breaks: readonly Gap[]): Generator<number> {
  const {fromMs} = walked
  const endMs = endOf(walked)
  let atMs = fromMs
  for (const {at, forMinutes, backMinutes} of breaks.toSorted((a, b) => a.at - b.at)) {
    const downMs = fromMs + at * (endMs - fromMs)
    yield* between(atMs, downMs)
    const upMs = Math.floor(Math.max(atMs, downMs) + forMinutes * MINUTE_MS)
    if (upMs >= endMs) return
    yield upMs
    // Set right, or wrong, while it runs.
    atMs = Math.max(fromMs, upMs - backMinutes * MINUTE_MS)
    yield atMs
  }
  yield* between(atMs, endMs)
}

export interface Telling {
  date: string
  atMs: number
}

/** What comes of looking at these instants. */
export function live(wish: Wish, looks: Iterable<number>): Telling[] {
  const schedule = toSchedule(wish)
  const over = new Set<string>()
  const all: Telling[] = []
  for (const atMs of looks) {
    const date = dueDate(schedule, (day) => over.has(day), atMs)
    if (date === undefined) continue
    over.add(date)
    all.push({date, atMs})
  }
  return all
}

/** What is wrong about it, a line each. */
export function judge(
  wish: Wish,
  walked: Walk,
  told: readonly Telling[],
  looks: readonly number[],
): string[] {
  const wrong: string[] = []
  const byDate = Map.groupBy(told, ({date}) => date)
  for (const [date, all] of byDate) if (all.length > 1) wrong.push(`${date}: ${all.length} times`)
  const wanted = expected(wish, walked)
  const [first, last] = [wanted[0]?.date ?? '', wanted.at(-1)?.date ?? '']
  const dates = new Set(wanted.map(({date}) => date))
  for (const {date} of told) {
    if (date >= first && date <= last && !dates.has(date)) wrong.push(`${date}: for no reason`)
  }
  for (const {date, atMs, endMs} of wanted) {
    const firstLook = looks.find((at) => at >= atMs && at < endMs)
    const saidAt = byDate.get(date)?.[0]?.atMs
    if (saidAt !== firstLook) wrong.push(`${date}: ${String(saidAt)} and not ${String(firstLook)}`)
  }
  return wrong
}
