import type {Button} from '@slack/types'
import {isWorking} from '../../platform/model.ts'
import {ABOVE_NEED, shownStatus} from '../../platform/shown-status.ts'
import {markOf} from '../../relay/posts/pull-request.ts'
import type {Link} from '../../store/tables/work/link.ts'
import {ACTIONS} from '../ids.ts'
import {oneLine} from '../markup/lines.ts'
import {escapeMrkdwn} from '../markup/markup.ts'
import {readPullRequest} from '../markup/pull-requests.ts'
import {stateText, texts, workText} from '../texts.ts'
import {button} from './blocks.ts'

/** In App Home and in lists of one's own, by what it asks of its reader. */
export const GROUPS = ['needsYou', 'running', 'done'] as const
export type Group = (typeof GROUPS)[number]

/** What has come to rest runs no more; work that waits for somebody does, whatever else is said of it but this. */
export const RUNNING = {
  statuses: ['active', 'working', 'waiting', 'pending_user', 'ready_for_review'],
  unneeded: ABOVE_NEED,
}

/** Of the platform's words: enough for all that mean well. */
const MAX_STATUS = 60

/** Over a weekend, and until somebody has come to look. */
const FAILED_FOR_MS = 3 * 86_400_000

/** Since when what failed waits for its reader: for longer than a day that began then. */
export function failedSince(dayMs: number): number {
  return dayMs - FAILED_FOR_MS
}

/** What waits for its reader, works, or is over; what failed before this time is over. */
export function groupOf(link: Link, failedSinceMs: number): Group {
  if (link.state === 'starting') return 'running'
  if (link.state === 'open') {
    const status = shownStatus(link)
    if (status === 'pending_user' || status === 'ready_for_review') return 'needsYou'
    if (status === undefined || isWorking(status)) return 'running'
  }
  return isFailed(link) && link.statusSinceMs >= failedSinceMs ? 'needsYou' : 'done'
}

export function isFailed(link: Link): boolean {
  return workText(link) === stateText('failed')
}

/** It can be stopped, whoever is needed meanwhile; a task ends with its thread. */
export function canStop({state, status, taskId}: Link): boolean {
  if (taskId !== undefined) return false
  return state === 'starting' || (state === 'open' && (status === undefined || isWorking(status)))
}

/** How it stands and since when, or when it came to that; `when`: the time as it is written there. */
export function standingLine(link: Link, when: (ms: number) => string): string {
  const said = escapeMrkdwn(oneLine(workText(link), MAX_STATUS))
  const {state, statusSinceMs} = link
  const goesOn = state === 'starting' || (state === 'open' && !IS_OVER.has(shownStatus(link) ?? ''))
  const at = when(statusSinceMs)
  return `${said} ${goesOn ? texts.card.since(at) : at}`
}

/** What happened at a moment, and does not go on since. */
const IS_OVER: ReadonlySet<string> = new Set(['idle', 'done', 'failed', 'error'])

/** [Review] of the pull request that the agent named last; what reviews one itself needs none. */
export function reviewButtons({id, pullRequest, pullRequests, taskId, notes}: Link): Button[] {
  const named = pullRequests.find(({address}) => address === pullRequest)
  if (named === undefined || taskId !== undefined || notes?.reviews !== undefined) return []
  if ('problem' in readPullRequest(named.address)) return []
  const value = `${id}.${markOf(named.address)}`
  return [button(ACTIONS.review, texts.pullRequests.review, value)]
}
