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
  const numbers = endsOfNumbers(lower)
  return ({linkId, requestId, threadId, slackThread, pullRequests}) =>
    words.has(linkId) ||
    (threadId !== undefined && namesId(words, lower, threadId)) ||
    // As an address of Slack's has it, and as it stands.
    seconds.has(slackThread.replace('.', '')) ||
    whole.includes(requestId) ||
    pullRequests.some((address) => namesPullRequest(lower, numbers, address))
}

/** Where numbers end that a pull request may have, by their digits: so each piece of work is looked for there alone. */
type Numbers = ReadonlyMap<string, readonly number[]>

function endsOfNumbers(text: string): Numbers {
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
function namesPullRequest(lower: string, numbers: Numbers, address: string): boolean {
  const [digits = ''] = /(?<!\d)\d+$/.exec(address) ?? []
  const ends = numbers.get(digits)
  if (ends === undefined) return false
  const read = readPullRequest(address)
  const page = address.toLowerCase().replace(/^https?:\/\//, '')
  const names = 'problem' in read ? [page] : [page, `${read.repo.toLowerCase()}#${digits}`]
  return ends.some((end) => names.some((name) => lower.startsWith(name, end - name.length)))
}
