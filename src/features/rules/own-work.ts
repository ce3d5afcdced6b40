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
  return ({linkId, requestId, threadId, slackThread, pullRequests}) =>
    words.has(linkId) ||
    (threadId !== undefined && namesId(words, lower, threadId)) ||
    // As an address of Slack's has it, and as it stands.
    seconds.has(slackThread.replace('.', '')) ||
    whole.includes(requestId) ||
    pullRequests.some((address) => namesPullRequest(lower, address))
}

/** An id of the agent platform may hold other letters than words do. */
function namesId(words: ReadonlySet<string>, lower: string, id: string): boolean {
  return words.has(id) || (!/^[\w-]+$/.test(id) && lower.includes(id.toLowerCase()))
}

/** By its page, or as `owner/repo#12`. */
function namesPullRequest(lower: string, address: string): boolean {
  const read = readPullRequest(address)
  const page = address.toLowerCase().replace(/^https?:\/\//, '')
  if ('problem' in read) return hasWhole(lower, page)
  const {repo, number} = read
  return hasWhole(lower, page) || hasWhole(lower, `${repo.toLowerCase()}#${number}`)
}

/** Not as the beginning of a longer number. */
function hasWhole(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!/\d/.test(text.charAt(at + name.length))) return true
  }
  return false
}
