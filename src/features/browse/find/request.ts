import {toRepo} from '../../../agents/resolve-options.ts'
import {readAssignment} from '../../../agents/start-options.ts'
import {oneLine} from '../../../slack/markup/lines.ts'
import {asTyped} from '../../../slack/markup/markup.ts'
import {type FindState, readState} from './states.ts'
import {readMoment} from '../period.ts'

/** What is looked for. At least one of it is set, or there are words. */
export interface Sought {
  /** One line, as it was typed; may be empty. */
  words: string
  state?: FindState
  /** `me`, a Slack user's id, an e-mail or a name. */
  by?: string
  /** `acme/web`, or `web` alone. */
  repo?: string
  /** When something happened last; both ends belong to it. */
  sinceMs?: number
  untilMs?: number
}

/** What is wrong with it; `sought`: all the rest of it. */
export type WrongSought =
  | {wrong: 'state'; word: string; sought: Sought}
  | {wrong: 'date'; name: 'since' | 'until'; word: string}
  | {wrong: 'backwards' | 'future' | 'empty'}

const NAMES = ['state', 'by', 'repo', 'since', 'until'] as const
type Name = (typeof NAMES)[number]

const MAX_WORDS = 150
const MAX_VALUE = 120
/** Whatever stands behind it is not read. */
const MAX_TEXT = 2000

/** Filters may stand anywhere among the words; the last one of a name counts. What is no filter of ours is a word. */
export function readSought(text: string, nowMs: number): Sought | WrongSought {
  const {words, said} = split(text)
  const {since, until, state, by, repo} = said
  const [sinceMs, untilMs] = [
    since === undefined ? undefined : readMoment(since, nowMs, 'fromMs'),
    until === undefined ? undefined : readMoment(until, nowMs, 'toMs'),
  ]
  if (since !== undefined && sinceMs === undefined)
    return {wrong: 'date', name: 'since', word: since}
  if (until !== undefined && untilMs === undefined)
    return {wrong: 'date', name: 'until', word: until}
  if (sinceMs !== undefined && sinceMs > nowMs) return {wrong: 'future'}
  if (sinceMs !== undefined && untilMs !== undefined && untilMs < sinceMs) {
    return {wrong: 'backwards'}
  }
  const named = state === undefined ? undefined : readState(state)
  const sought: Sought = {
    words,
    ...(named !== undefined && {state: named}),
    ...(by !== undefined && {by}),
    ...(repo !== undefined && {repo: toRepo(repo)}),
    ...(sinceMs !== undefined && {sinceMs}),
    ...(untilMs !== undefined && {untilMs}),
  }
  if (state !== undefined && named === undefined) return {wrong: 'state', word: state, sought}
  return isEmpty(sought) ? {wrong: 'empty'} : sought
}

function isEmpty(sought: Sought): boolean {
  return sought.words === '' && Object.keys(sought).length === 1
}

function split(text: string): {words: string; said: Partial<Record<Name, string>>} {
  const said: Partial<Record<Name, string>> = {}
  const words: string[] = []
  for (
    let rest = asTyped(withoutTokens(text.slice(0, MAX_TEXT).toWellFormed())).trimStart();
    rest !== '';
    rest = rest.trimStart()
  ) {
    const found = readAssignment(rest, NAMES)
    if (found === undefined) {
      const [word = ''] = /^\S+/.exec(rest) ?? []
      words.push(word)
      rest = rest.slice(word.length)
    } else {
      said[found.name] = oneLine(found.value, MAX_VALUE)
      rest = found.rest
    }
  }
  return {words: oneLine(words.join(' '), MAX_WORDS), said}
}

/** Slack writes people and links in commands as `<@U1|jane>`, `<mailto:jane@acme.com|…>`, `<https://…|…>`. */
function withoutTokens(text: string): string {
  return text.replaceAll(
    /<(?:(@[UW]\w+)|mailto:([^<>|]+)|(https?:\/\/[^<>|]+))(?:\|[^<>]*)?>/g,
    (_token, user?: string, mail?: string, address?: string) => user ?? mail ?? address ?? '',
  )
}
