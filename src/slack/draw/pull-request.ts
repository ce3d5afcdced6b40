import {isPlainAddress} from '../addresses.ts'
import {escapeMrkdwn} from '../markup.ts'
import {texts} from '../texts.ts'

const MAX_URL = 300

/** A pull request as one fact among others: which host it is on stands beside it, unless all know it. */
export function pullRequestFact(address: string | undefined): string[] {
  const number = /\/(?:pull|pulls|merge_requests|pull-requests)\/(\d{1,9})\b/.exec(
    address ?? '',
  )?.[1]
  if (address === undefined || number === undefined || address.length > MAX_URL) return []
  const words = (host: string): string => texts.card.pullRequest(number, host)
  if (!isPlainAddress(address) || !URL.canParse(address)) return [words(KNOWN_HOST)]
  return [`<${escapeMrkdwn(address)}|${words(new URL(address).host)}>`]
}

/** It needs no word of its own. */
const KNOWN_HOST = 'github.com'
