/**
 * What rules may make of messages that come at one moment, as docs/rules.md says it. Which of them comes first nobody says, so it
 * is computed how many begin something, and asked of each that did whether it could. It imports nothing.
 */

export interface MomentRule {
  name: string
  channel: string
  app: string
  /** A word that the message must hold, upper and lower case alike; empty: every message. */
  word: string
  /** Whether two messages are the same by the word behind `issue`; else by all their words. */
  isKeyed: boolean
  does: 'start' | 'ask'
  minutes: number
  perHour: number
  perDay: number
  quiet?: {from: string; to: string; zone: string}
}

/** What stands below a message. */
export interface Seen {
  channel: string
  app: string
  text: string
  isReply: boolean
  /** `hour`, `day`: that a limit is reached. */
  sights: readonly ('start' | 'ask' | 'hour' | 'day')[]
}

const MINUTE_MS = 60_000
const HOUR = 60
const DAY = 24 * HOUR

/** Judges one moment after the other; answers what is wrong of each. The rules of a channel stand in the order in which they were made. */
export function createMoments(rules: readonly MomentRule[]) {
  const begun = new Map<MomentRule, {key: string; atMs: number}[]>(rules.map((rule) => [rule, []]))
  const toldMs = new Map<MomentRule, number>()

  /** What one rule has made of the messages that are its own. */
  const judge = (rule: MomentRule, atMs: number, messages: readonly Seen[]): string[] => {
    const past = begun.get(rule) ?? []
    const within = (minutes: number) => past.filter((one) => one.atMs > atMs - minutes * MINUTE_MS)
    const known = new Set(within(rule.minutes).map(({key}) => key))
    const isQuiet = rule.quiet !== undefined && isIn(rule.quiet, atMs)
    const keys = new Set(
      messages.map(({text}) => keyOf(rule, text)).filter((key) => !known.has(key)),
    )
    const [inHour, inDay] = [within(HOUR).length, within(DAY).length]
    const free = Math.max(0, Math.min(rule.perHour - inHour, rule.perDay - inDay))
    const wanted = isQuiet ? 0 : Math.min(keys.size, free)

    const did = messages.filter(({sights}) => sights.includes(rule.does))
    const didKeys = did.map(({text}) => keyOf(rule, text))
    past.push(...didKeys.map((key) => ({key, atMs})))
    const wrong: string[] = []
    if (did.length !== wanted) wrong.push(`${rule.does} ${did.length} times, not ${wanted}`)
    if (new Set(didKeys).size !== did.length) wrong.push('the same began twice')
    if (didKeys.some((key) => !keys.has(key))) wrong.push('what had begun before began again')

    const isLimited = !isQuiet && keys.size > free
    const isSilent = (toldMs.get(rule) ?? -Infinity) > atMs - HOUR * MINUTE_MS
    const limit = inDay + wanted >= rule.perDay ? 'day' : 'hour'
    const told = messages.filter(({sights}) => sights.includes('hour') || sights.includes('day'))
    const wantedTold = isLimited && !isSilent ? 1 : 0
    if (told.length !== wantedTold) {
      wrong.push(`told of a limit ${told.length} times, not ${wantedTold}`)
    }
    for (const {sights, text} of told) {
      toldMs.set(rule, atMs)
      if (!sights.includes(limit)) wrong.push(`told of another limit than that of the ${limit}`)
      if (didKeys.includes(keyOf(rule, text))) wrong.push('told of a limit for what had begun')
    }
    if (
      messages.some(({sights}) => sights.some((one) => ![rule.does, 'hour', 'day'].includes(one)))
    ) {
      wrong.push('it did what it does not do')
    }
    return wrong
  }

  return (atMs: number, messages: readonly Seen[]): string[] => {
    const byRule = Map.groupBy(messages, (message) => ruleOf(rules, message))
    const stray = byRule.get(undefined) ?? []
    const doubled = messages.filter(({sights}) => sights.length > 1)
    return [
      ...stray.filter(({sights}) => sights.length > 0).map(({text}) => `no rule is about: ${text}`),
      ...doubled.map(({text, sights}) => `${sights.join(', ')} below one message: ${text}`),
      ...rules.flatMap((rule) =>
        judge(rule, atMs, byRule.get(rule) ?? []).map((line) => `${rule.name}: ${line}`),
      ),
    ]
  }
}

function ruleOf(rules: readonly MomentRule[], message: Seen): MomentRule | undefined {
  if (message.isReply) return undefined
  const text = message.text.toLowerCase()
  return rules.find(
    ({channel, app, word}) =>
      channel === message.channel && app === message.app && text.includes(word.toLowerCase()),
  )
}

function keyOf({isKeyed}: MomentRule, text: string): string {
  return isKeyed ? (/\bissue (\S+)/.exec(text)?.[1] ?? '') : text
}

/** The first minute is quiet, the last is not; they may go past midnight. */
function isIn({from, to, zone}: NonNullable<MomentRule['quiet']>, atMs: number): boolean {
  const clock = new Date(atMs).toLocaleTimeString('sv-SE', {timeZone: zone}).slice(0, 5)
  return from < to ? clock >= from && clock < to : clock >= from || clock < to
}
