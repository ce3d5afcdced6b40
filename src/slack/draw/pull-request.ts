import type {Button} from '@slack/types'
import {markOf} from '../../relay/posts/pull-request.ts'
import {ACTIONS} from '../ids.ts'
import {isPlainAddress} from '../../markdown/safe/addresses.ts'
import {escapeMrkdwn} from '../markup/markup.ts'
import {type PullRequest, addressOf, readPullRequest} from '../markup/pull-requests.ts'
import {texts} from '../texts.ts'
import {type DrawnMessage, button, section} from './blocks.ts'

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

/** Its card. */
export function drawPullRequest(linkId: string, address: string): DrawnMessage {
  const text = texts.pullRequests.card(addressName(address))
  const elements = pullRequestButtons(linkId, address)
  return {text, blocks: [section(text), {type: 'actions', elements}]}
}

/** What can be done about it, in whichever message it stands. */
export function pullRequestButtons(linkId: string, address: string): Button[] {
  const {review, askForChanges} = texts.pullRequests
  const named = readPullRequest(address)
  const value = `${linkId}.${markOf(address)}`
  return [
    ...('problem' in named ? [] : [button(ACTIONS.review, review, value, {style: 'primary'})]),
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
