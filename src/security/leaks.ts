import {randomUUID} from 'node:crypto'
import {type KnownSecrets, createKnownSecrets} from './known-secrets.ts'
import type {Secret} from './secret.ts'

/** Stands where a key or token was typed: nothing that people type by themselves. */
export const REMOVED = '\u{F8FF}a key was here\u{F8FF}'

/** Keeps secrets out of what is written down, sent to people, and logged. */
export interface Leaks {
  /** From now on it is known, whatever it looks like: it is in use, or was. */
  learn: KnownSecrets['learn']
  /** It is in use no more. */
  retire: KnownSecrets['retire']
  /** The text without known secrets, and without what looks like a key or token. `mark` stands in their place. */
  clean: (text: string, mark?: string) => string
  /** The same for all texts in a JSON value, field names aside. */
  cleanAll: (value: unknown, mark?: string) => unknown
  /** What is kept: without known secrets, and all else as it is. What was sealed is passed over. */
  omit: (text: string) => string
  /**
   * What goes to people: without known secrets, and all else as it is. A part of one is no longer than the mark may be:
   * nothing grows where nine characters stand in its place. A secret that {@link Leaks.toShow} was told of is put in.
   */
  hide: (text: string, mark: string) => string
  hideAll: (value: unknown, mark: string) => unknown
  /** What to write in place of a secret that somebody is meant to see, this once: it turns into the secret on its way to them. */
  toShow: (secret: Secret) => string
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

const TICKET = /show-once-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
/** Somebody waits for each of them. */
const MAX_TICKETS = 100

export function createLeaks(): Leaks {
  const known = createKnownSecrets()
  const tickets = new Map<string, Secret>()

  const withoutKnown = (text: string, mark: string): string => {
    let left = ''
    let from = 0
    for (const {start, end} of known.find(text)) {
      left += text.slice(from, start) + mark
      from = end
    }
    return left + text.slice(from)
  }

  const clean: Leaks['clean'] = (text, mark = REMOVED) => {
    const unlessWord = (found: string): string => (isByLot(found) ? mark : found)
    return withoutKnown(text, mark)
      .replaceAll(SLACK_TOKEN, unlessWord)
      .replaceAll(NAMED_KEY, unlessWord)
      .replaceAll(WEBHOOK, (_found, before: string) => `${before}${mark}`)
      .replaceAll(TOLD_KEY, (found, before: string, value: string) =>
        isByLot(value) ? `${before}${mark}` : found,
      )
  }

  const hide: Leaks['hide'] = (text, mark) =>
    withoutKnown(text, mark).replace(TICKET, (ticket) => tickets.get(ticket)?.reveal() ?? mark)

  return {
    learn: known.learn,
    retire: known.retire,
    clean,
    omit: (text) => (SEALED.test(text) ? text : withoutKnown(text, REMOVED)),
    cleanAll: (value, mark) => inTexts(value, (text) => clean(text, mark)),
    hide,
    hideAll: (value, mark) => inTexts(value, (text) => hide(text, mark)),
    toShow: (secret) => {
      known.learn(secret)
      const ticket = `show-once-${randomUUID()}`
      tickets.set(ticket, secret)
      const [oldest] = tickets.keys()
      if (oldest !== undefined && tickets.size > MAX_TICKETS) tickets.delete(oldest)
      return ticket
    },
  }
}

/** No message and no form is nested so deeply; what is would overflow the stack. */
const MAX_DEPTH = 500

/** The same value with each of its texts changed; what lies too deep is left out. */
function inTexts(value: unknown, change: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === MAX_DEPTH) return null
  if (Array.isArray(value)) return value.map((one) => inTexts(one, change, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      NO_TEXTS.has(name) ? field : inTexts(field, change, depth + 1),
    ]),
  )
}

/** As `seal.ts` writes what is so long that to search it takes time; no secret can be read in it. */
const SEALED = /^[^\s:]{1,100}:[A-Za-z0-9+/]{10000,}={0,2}$/

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
