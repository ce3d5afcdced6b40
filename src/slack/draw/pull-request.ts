import type {Button} from '@slack/types'
import {markOf} from '../../relay/posts/pull-request.ts'
import type {PullRequestState} from '../../relay/pull-requests.ts'
import {ACTIONS} from '../ids.ts'
import {isPlainAddress} from '../../markdown/safe/addresses.ts'
import {escapeMrkdwn} from '../markup/markup.ts'
import {type PullRequest, addressOf, readPullRequest} from '../markup/pull-requests.ts'
import {texts} from '../texts.ts'
import {type DrawnMessage, button, section} from './blocks.ts'
import {briefState, stateWords} from './pull-request-state.ts'

const MAX_URL = 300

/**
 * A pull request as one fact among others, and in a word how it stands: which host it is on stands beside it, unless all
 * know it.
 */
export function pullRequestFact(address: string | undefined, state?: PullRequestState): string[] {
  const [fact] = plainFact(address)
  if (fact === undefined) return []
  return [state === undefined ? fact : `${fact} ${briefState(state)}`]
}

function plainFact(address: string | undefined): string[] {
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

/** Its card. */
export function drawPullRequest(
  linkId: string,
  address: string,
  state?: PullRequestState,
): DrawnMessage {
  const words = state === undefined ? [] : stateWords(state)
  const text = [texts.pullRequests.card(addressName(address)), ...words].join(' · ')
  const elements = pullRequestButtons(linkId, address, state)
  return {text: text.replaceAll('*', ''), blocks: [section(text), {type: 'actions', elements}]}
}

/** What can be done about it, in whichever message it stands. What is over needs no review. */
export function pullRequestButtons(
  linkId: string,
  address: string,
  state?: PullRequestState,
): Button[] {
  const {review, askForChanges, fix} = texts.pullRequests
  const isOver = state?.stage === 'merged' || state?.stage === 'closed'
  const named = readPullRequest(address)
  const value = `${linkId}.${markOf(address)}`
  const isFixWanted = state?.fix === 'wanted'
  const first = {style: 'primary'} as const
  return [
    ...(isFixWanted ? [button(ACTIONS.fix, fix, value, first)] : []),
    ...('problem' in named || isOver
      ? []
      : [button(ACTIONS.review, review, value, isFixWanted ? {} : first)]),
    button(ACTIONS.askForChanges, askForChanges, value),
  ]
}

/** `acme/web#12`, which leads to its page; escaped. Which host it is on stands beside it, unless all know it. */
export function nameOf(pullRequest: PullRequest): string {
  const {repo, number} = pullRequest
  const name = escapeMrkdwn(`${repo}#${number}`)
  const address = addressOf(pullRequest)
  if (address === undefined || address.length > MAX_URL) return name
  if (!isPlainAddress(address) || !URL.canParse(address)) return name
  const {host} = new URL(address)
  // A group that is called like a host would read as the address of another place.
  const isHonest = !(repo.split('/')[0] ?? '').includes('.')
  const shown = isHonest ? `<${escapeMrkdwn(address)}|${name}>` : name
  return host === KNOWN_HOST ? shown : texts.pullRequests.onHost(shown, escapeMrkdwn(host))
}

/** The same of an address, which is shown as it is where it names no repository. */
export function addressName(address: string): string {
  const named = readPullRequest(address)
  if (!('problem' in named)) return nameOf(named)
  return isPlainAddress(address) ? `<${escapeMrkdwn(address)}>` : escapeMrkdwn(address)
}

/** The same for where Slack shows words as they are, and leads nowhere. */
export function plainName(address: string): string {
  const named = readPullRequest(address)
  return 'problem' in named ? address : `${named.repo}#${named.number}`
}
