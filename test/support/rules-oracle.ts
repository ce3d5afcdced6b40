/**
 * What becomes of messages of apps, as docs/rules.md says it. It imports nothing: whatever it judges is written elsewhere.
 */

interface OracleRule {
  id: string
  app: string
  /** A word that the message must hold, upper and lower case alike; empty: every message. */
  word: string
  /** What two messages have in common: the word behind this one; `undefined`: all their words. */
  keyBehind: string | undefined
  does: 'start' | 'ask'
  minutes: number
  perHour: number
  perDay: number
  isOn: boolean
  /** Minutes of the day in UTC. */
  quiet?: {from: number; to: number}
}

interface OracleMessage {
  app: string
  text: string
  atMs: number
  isReply?: boolean
  isOurs?: boolean
  /** It names work that a rule began. */
  namesWork?: boolean
}

type Verdict = 'none' | 'start' | 'ask' | 'own' | 'quiet' | 'duplicate' | 'hour' | 'day'

const MINUTE_MS = 60_000

/** Of each message, in their order, which rule decided and what. */
export function judgeMessages(
  rules: readonly OracleRule[],
  messages: readonly OracleMessage[],
): {rule: string | undefined; verdict: Verdict}[] {
  const done: {rule: string; key: string; atMs: number}[] = []
  return messages.map((message) => {
    const {app, text, atMs} = message
    if (message.isOurs === true || message.isReply === true) return NONE
    const lower = text.toLowerCase()
    const rule = rules.find(
      (one) => one.isOn && one.app === app && lower.includes(one.word.toLowerCase()),
    )
    if (rule === undefined) return NONE
    const key = keyOf(rule, text)
    const counted = (withinMs: number, same?: string): number =>
      done.filter(
        (one) =>
          one.rule === rule.id &&
          one.atMs > atMs - withinMs &&
          (same === undefined || one.key === same),
      ).length
    const verdict = ((): Verdict => {
      if (isQuiet(rule, atMs)) return 'quiet'
      if (counted(rule.minutes * MINUTE_MS, key) > 0) return 'duplicate'
      if (counted(1440 * MINUTE_MS) >= rule.perDay) return 'day'
      if (counted(60 * MINUTE_MS) >= rule.perHour) return 'hour'
      return message.namesWork === true ? 'own' : rule.does
    })()
    if (verdict === 'start' || verdict === 'ask') done.push({rule: rule.id, key, atMs})
    return {rule: rule.id, verdict}
  })
}

const NONE = {rule: undefined, verdict: 'none'} as const

function keyOf({keyBehind}: OracleRule, text: string): string {
  if (keyBehind === undefined) return text
  const words = text.split(' ')
  const at = words.findIndex((word) => word.toLowerCase() === keyBehind.toLowerCase())
  return at < 0 ? '' : (words[at + 1] ?? '')
}

function isQuiet({quiet}: OracleRule, atMs: number): boolean {
  if (quiet === undefined) return false
  const minute = Math.floor(atMs / MINUTE_MS) % 1440
  const {from, to} = quiet
  return from < to ? minute >= from && minute < to : minute >= from || minute < to
}
