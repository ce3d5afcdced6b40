import type {Secret} from './secret.ts'

/** Stands where a key or token was typed: nothing that people type by themselves. */
export const REMOVED = '\u{F8FF}a key was here\u{F8FF}'

export interface Leaks {
  /** The text without keys and tokens. */
  clean: (text: string) => string
  /** The same for all texts in a JSON value, field names aside. */
  cleanAll: (value: unknown) => unknown
}

/** Slack's tokens, those that rotate too. */
const SLACK_TOKEN = /\bxox[a-z](?:\.xox[a-z])?-[\w-]{10,}|\bxapp-[\w-]{10,}/g
/** The platform's document shows no key, so whatever is named like one and looks drawn by lot counts as one. */
const NAMED_KEY = /(?<![\w-])(?:api|key|pat|pk|sk|svc|tok|token)[_-][\w-]{16,}/gi
const TOLD_KEY =
  /((?:\bBearer|\bAPI[ _-]?KEY|\bPLATFORM_API_KEY)["'`]?\s{0,3}[:=]?\s{0,3}["'`]?)([\w.~+/-]{20,}=*)/gi

/** Whoever has such an address of the platform can start runs. */
const WEBHOOK = /(\/webhooks\/automations\/)[\w-]{8,}/gi

/** Words and names change from letters to digits, or from small to large ones, a few times; what was drawn by lot does often. */
const MIN_CHANGES = 5

/** `known`: keys that we hold ourselves, which are found whatever they look like. */
export function createLeaks(known: () => Iterable<Secret>): Leaks {
  const clean = (text: string): string => {
    if (text.length < MIN_LENGTH) return text
    let left = text
    for (const secret of known()) {
      const value = secret.reveal()
      if (value.length >= MIN_LENGTH) left = left.replaceAll(value, REMOVED)
    }
    const unlessWord = (found: string): string => (isByLot(found) ? REMOVED : found)
    return left
      .replaceAll(SLACK_TOKEN, unlessWord)
      .replaceAll(NAMED_KEY, unlessWord)
      .replaceAll(WEBHOOK, `$1${REMOVED}`)
      .replaceAll(TOLD_KEY, (found, before: string, value: string) =>
        isByLot(value) ? `${before}${REMOVED}` : found,
      )
  }

  const cleanAll = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value)
    if (Array.isArray(value)) return value.map(cleanAll)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [
        name,
        NO_TEXTS.has(name) ? field : cleanAll(field),
      ]),
    )
  }
  return {clean, cleanAll}
}

const MIN_LENGTH = 12

/** Slack's own, which it reads again. */
const NO_TEXTS: ReadonlySet<string> = new Set(['response_url', 'trigger_id', 'private_metadata'])

function isByLot(word: string): boolean {
  const kinds = Array.from(word.replaceAll(/[^A-Za-z0-9]/g, ''), kindOf)
  const changes = kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length
  return changes >= MIN_CHANGES || /\d{9,}/.test(word)
}

function kindOf(letter: string): 'digit' | 'small' | 'large' {
  if (/\d/.test(letter)) return 'digit'
  return letter === letter.toLowerCase() ? 'small' : 'large'
}
