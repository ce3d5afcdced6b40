/** A span of time that somebody named, in UTC, as the platform's reports count. Both ends belong to it. */
export interface NamedPeriod {
  fromMs: number
  toMs: number
}

/** `unreadable`: this word is no date. `backwards`: it ends before it begins. `future`: it has not begun. */
type PeriodAnswer =
  | {outcome: 'period'; period: NamedPeriod | undefined}
  | {outcome: 'unreadable'; word: string}
  | {outcome: 'backwards' | 'future'}

const DAY_MS = 86_400_000
const FIRST_YEAR = 2000
const LAST_YEAR = 2999
const MAX_DAYS = 3660
const AGO_MS: Readonly<Record<string, number>> = {h: DAY_MS / 24, d: DAY_MS, w: 7 * DAY_MS}

/**
 * Reads `2026-11-01`, `2026-11`, `2026`, a timestamp, `today`, `yesterday`, `this week`, `last month`, `last 7 days`, or
 * two of them with `to` or nothing in between; `since` in front of one means until now. `undefined`: nothing was said.
 */
export function readPeriod(said: string, nowMs: number): PeriodAnswer {
  const words = said
    .trim()
    .toLowerCase()
    .split(/[\s,]+|(?:\.\.+|–|—|→)/)
    .filter((word) => word !== '' && word !== 'from' && word !== '-')
  const first = words[0]
  if (first === undefined) return {outcome: 'period', period: undefined}
  const isOpen = first === 'since'
  const start = readSpan(isOpen ? words.slice(1) : words, nowMs)
  if (start === undefined) return {outcome: 'unreadable', word: words[isOpen ? 1 : 0] ?? first}
  const rest = isOpen ? start.rest : withoutTo(start.rest)
  const end = rest.length === 0 ? undefined : readSpan(rest, nowMs)
  const left = end === undefined ? rest[0] : end.rest[0]
  if (left !== undefined) return {outcome: 'unreadable', word: left}
  const fromMs = start.fromMs
  const toMs = isOpen ? nowMs : (end ?? start).toMs
  if (fromMs > nowMs) return {outcome: 'future'}
  return toMs < fromMs ? {outcome: 'backwards'} : {outcome: 'period', period: {fromMs, toMs}}
}

/**
 * The moment at which a span begins or ends: of a date as in {@link readPeriod}; `12h`, `7d` and `3w` are so long ago.
 * `undefined`: it is none of these.
 */
export function readMoment(
  said: string,
  nowMs: number,
  end: keyof NamedPeriod,
): number | undefined {
  const words = said.trim().toLowerCase().split(/\s+/)
  const [, count, unit = ''] = /^(\d{1,4})([hdw])$/.exec(words.join('')) ?? []
  if (count !== undefined) {
    const backMs = Number(count) * (AGO_MS[unit] ?? 0)
    return backMs > 0 && backMs <= MAX_DAYS * DAY_MS ? nowMs - backMs : undefined
  }
  const span = readSpan(words, nowMs)
  return span?.rest.length === 0 ? span[end] : undefined
}

function withoutTo(words: readonly string[]): readonly string[] {
  const [first = ''] = words
  return ['to', 'until', 'till', 'and'].includes(first) && words.length > 1 ? words.slice(1) : words
}

type Span = NamedPeriod & {rest: readonly string[]}

/** The date at the beginning of the words, and what stands behind it. */
function readSpan(words: readonly string[], nowMs: number): Span | undefined {
  const [first = '', second = '', third = ''] = words
  const today = dayOf(nowMs)
  switch (first) {
    case 'now':
      return {fromMs: nowMs, toMs: nowMs, rest: words.slice(1)}
    case 'today':
      return {...days(today, 1), rest: words.slice(1)}
    case 'yesterday':
      return {...days(today - DAY_MS, 1), rest: words.slice(1)}
    case 'this':
    case 'last': {
      const count = first === 'last' && /^\d{1,4}$/.test(second) ? Number(second) : undefined
      if (count === undefined) {
        const named = unit(second, nowMs, first === 'last' ? 1 : 0)
        return named && {...named, rest: words.slice(2)}
      }
      const long = count > 0 && count <= MAX_DAYS && /^days?$/.test(third)
      return long ? {...lastDays(count, today), rest: words.slice(3)} : undefined
    }
    default: {
      const span = /^\d{1,4}d$/.test(first) ? shortDays(first, today) : readDate(first)
      return span && {...span, rest: words.slice(1)}
    }
  }
}

function shortDays(word: string, today: number): NamedPeriod | undefined {
  const count = Number(word.slice(0, -1))
  return count > 0 && count <= MAX_DAYS ? lastDays(count, today) : undefined
}

/** Today is one of them. */
function lastDays(count: number, today: number): NamedPeriod {
  return days(today - (count - 1) * DAY_MS, count)
}

function unit(name: string, nowMs: number, back: number): NamedPeriod | undefined {
  const now = new Date(nowMs)
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  switch (name) {
    case 'day':
      return days(dayOf(nowMs) - back * DAY_MS, 1)
    case 'week': {
      const monday = dayOf(nowMs) - ((now.getUTCDay() + 6) % 7) * DAY_MS
      return days(monday - back * 7 * DAY_MS, 7)
    }
    case 'month':
      return between(Date.UTC(year, month - back), Date.UTC(year, month - back + 1))
    case 'year':
      return between(Date.UTC(year - back, 0), Date.UTC(year - back + 1, 0))
    default:
      return undefined
  }
}

/** A year, a month, a day or a moment as ISO 8601 writes it. */
function readDate(word: string): NamedPeriod | undefined {
  const [, year = '', month, day, time] =
    /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(t.+)?)?)?$/.exec(word) ?? []
  const y = Number(year)
  if (year === '' || y < FIRST_YEAR || y > LAST_YEAR) return undefined
  if (month === undefined) return between(Date.UTC(y, 0), Date.UTC(y + 1, 0))
  const m = Number(month) - 1
  if (m < 0 || m > 11) return undefined
  if (day === undefined) return between(Date.UTC(y, m), Date.UTC(y, m + 1))
  const atMs = Date.UTC(y, m, Number(day))
  // There is no 31st of February.
  if (new Date(atMs).getUTCMonth() !== m || Number(day) === 0) return undefined
  if (time === undefined) return days(atMs, 1)
  // Without a zone it is UTC, as all else here.
  if (!/^t\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:z|[+-]\d{2}:?\d{2})?$/.test(time)) return undefined
  const zoned = /(?:z|[+-]\d{2}:?\d{2})$/.test(time) ? word : `${word}z`
  const moment = Date.parse(zoned.toUpperCase())
  return Number.isNaN(moment) ? undefined : {fromMs: moment, toMs: moment}
}

function days(fromMs: number, count: number): NamedPeriod {
  return between(fromMs, fromMs + count * DAY_MS)
}

function between(fromMs: number, endMs: number): NamedPeriod {
  return {fromMs, toMs: endMs - 1}
}

function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS
}
