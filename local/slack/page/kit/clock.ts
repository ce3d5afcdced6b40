/** Slack's `ts` as a date. */
export function toDate(ts: string): Date {
  return new Date(Number.parseFloat(ts) * 1000)
}

/** Made once: a message that grows is drawn many times a second. */
const shortTime = new Intl.DateTimeFormat('en-GB', {hour: '2-digit', minute: '2-digit'})
const exactTime = new Intl.DateTimeFormat('en-GB', {timeStyle: 'medium'})
const exactDay = new Intl.DateTimeFormat('en-US', {
  ...{weekday: 'long', day: 'numeric', month: 'long', year: 'numeric'},
})

/** `14:03`, in local time and on every machine alike. */
export function timeOf(date: Date): string {
  return shortTime.format(date)
}

/** `Today`, `Yesterday`, `Thursday, November 19`, as Slack writes days; the year only when it is another one. */
export function dayOf(date: Date, now = new Date()): string {
  return relativeDay(date, now) ?? longDay(date, now)
}

export function isSameDay(left: Date, right: Date): boolean {
  return left.toDateString() === right.toDateString()
}

/** `Thursday, November 19, 2026 at 14:03:09`: what a pointer that rests on a time is told. */
export function exactTimeOf(date: Date): string {
  return `${exactDay.format(date)} at ${exactTime.format(date)}`
}

/**
 * The text of a `<!date^…>` token in the reader's own time.
 * https://docs.slack.dev/messaging/formatting-message-text#date-formatting
 */
export function formatSlackDate(unixSeconds: number, format: string, now = new Date()): string {
  const date = new Date(unixSeconds * 1000)
  return format.replace(
    /\{(\w+)\}/g,
    (token, name: string) => dateParts[name]?.(date, now) ?? token,
  )
}

const dateParts: Record<string, (date: Date, now: Date) => string> = {
  date_num: (date) => date.toLocaleDateString('en-CA'),
  date: (date) => day(date, {month: 'long', day: 'numeric', year: 'numeric'}),
  date_short: (date) => day(date, {month: 'short', day: 'numeric', year: 'numeric'}),
  date_long: (date) => day(date, {weekday: 'long', month: 'long', day: 'numeric', year: 'numeric'}),
  date_pretty: (date, now) => pretty(date, now, 'date'),
  date_short_pretty: (date, now) => pretty(date, now, 'date_short'),
  date_long_pretty: (date, now) => pretty(date, now, 'date_long'),
  time: (date) => timeOf(date),
  time_secs: (date) => date.toLocaleTimeString('en-GB'),
  ago: (date, now) => agoOf(date, now),
}

function pretty(date: Date, now: Date, otherwise: string): string {
  return relativeDay(date, now)?.toLowerCase() ?? dateParts[otherwise]?.(date, now) ?? ''
}

function relativeDay(date: Date, now: Date): string | undefined {
  const shifted = (days: number): Date => {
    const other = new Date(now)
    other.setDate(other.getDate() + days)
    return other
  }
  if (isSameDay(date, now)) return 'Today'
  if (isSameDay(date, shifted(-1))) return 'Yesterday'
  if (isSameDay(date, shifted(1))) return 'Tomorrow'
  return undefined
}

function longDay(date: Date, now: Date): string {
  const options = {weekday: 'long', day: 'numeric', month: 'long'} as const
  const sameYear = date.getFullYear() === now.getFullYear()
  return day(date, sameYear ? options : {...options, year: 'numeric'})
}

function day(date: Date, options: Intl.DateTimeFormatOptions): string {
  return date.toLocaleDateString('en-US', options)
}

function agoOf(date: Date, now: Date): string {
  const minutes = Math.round((date.getTime() - now.getTime()) / 60_000)
  const relative = new Intl.RelativeTimeFormat('en', {numeric: 'auto'})
  if (Math.abs(minutes) < 60) return relative.format(minutes, 'minute')
  if (Math.abs(minutes) < 1440) return relative.format(Math.round(minutes / 60), 'hour')
  return relative.format(Math.round(minutes / 1440), 'day')
}
