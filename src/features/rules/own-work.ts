import type {RuleWork} from '../../store/tables/rules/rule.ts'
import {readPullRequest} from '../../slack/markup/pull-requests.ts'

/**
 * Whether a message names work that a rule began: by any id or address of it, wherever that stands in it. What names our work is
 * about our work, and starts nothing. `whole`: all that stands in the message.
 */
export function namesIn(whole: string): (work: RuleWork) => boolean {
  const words = new Set(whole.match(/[\w-]{6,}/g) ?? [])
  const seconds = new Set(
    [...whole.matchAll(/\d{10}[.]?\d{6}/g)].map(([ts]) => ts.replace('.', '')),
  )
  const lower = whole.toLowerCase()
  const endings = createEndings(lower)
  return ({linkId, requestId, threadId, slackThread, pullRequests}) =>
    words.has(linkId) ||
    (threadId !== undefined && namesId(words, lower, threadId)) ||
    // As an address of Slack's has it, and as it stands.
    seconds.has(slackThread.replace('.', '')) ||
    whole.includes(requestId) ||
    pullRequests.some((address) => namesPullRequest(endings, address))
}

/** What stands in a text before the ends of its numbers. */
interface Endings {
  has(digits: string): boolean
  /** Whether it ends with these words, which end with the number. */
  endsWith(digits: string, words: string): boolean
}

/**
 * A text is looked at where a number stands that a pull request may have, and once for all names of one length: whoever repeats a
 * number does not have each place compared with each piece of work.
 */
function createEndings(text: string): Endings {
  const numbers = endsOfNumbers(text)
  const known = new Map<string, ReadonlySet<string>>()
  return {
    has: (digits) => numbers.has(digits),
    endsWith: (digits, words) => {
      const {length} = words
      const key = `${digits} ${length}`
      const ends = numbers.get(digits) ?? []
      const found =
        known.get(key) ?? new Set(ends.map((end) => text.slice(Math.max(0, end - length), end)))
      known.set(key, found)
      return found.has(words)
    },
  }
}

function endsOfNumbers(text: string): ReadonlyMap<string, readonly number[]> {
  const ends = new Map<string, number[]>()
  for (const {0: found, 1: digits = '', index} of text.matchAll(/[/#](\d+)/g)) {
    const known = ends.get(digits) ?? []
    known.push(index + found.length)
    ends.set(digits, known)
  }
  return ends
}

/** An id of the agent platform may hold other letters than words do. */
function namesId(words: ReadonlySet<string>, lower: string, id: string): boolean {
  return words.has(id) || (!/^[\w-]+$/.test(id) && lower.includes(id.toLowerCase()))
}

/** By its page, or as `owner/repo#12`; not as the beginning of a longer number. */
function namesPullRequest(endings: Endings, address: string): boolean {
  const [digits = ''] = /(?<!\d)\d+$/.exec(address) ?? []
  if (!endings.has(digits)) return false
  const read = readPullRequest(address)
  const page = address.toLowerCase().replace(/^https?:\/\//, '')
  const names = 'problem' in read ? [page] : [page, `${read.repo.toLowerCase()}#${digits}`]
  return names.some((name) => endings.endsWith(digits, name))
}
