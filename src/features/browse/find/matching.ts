import {isCalled} from '../../../agents/resolve-options.ts'
import {type Thread, isWorking} from '../../../platform/model.ts'
import {readPullRequest} from '../../../slack/markup/pull-requests.ts'
import type {Searched} from '../../../store/tables/work/link-lists.ts'
import {FOLLOWED, type Link} from '../../../store/tables/work/link.ts'
import type {Sought} from './request.ts'
import {stateOfLink, stateOfThread} from './states.ts'
import type {Whom} from './whom.ts'

/** What is looked for, with all that was found out about it. */
export interface Criteria {
  sought: Sought
  /** `undefined`: anybody. */
  whom: Whom | undefined
  /** The only repository of a project, where it has but one. */
  onlyRepoOf: (projectId: string | undefined) => string | undefined
  nowMs: number
}

/** Whether it is this work, by what we know of it; `thread`: and by what the platform says. */
export function isLinkMeant(
  {link, asked, automation}: Searched,
  criteria: Criteria,
  thread?: Thread,
): boolean {
  const {sought, whom} = criteria
  const {id, threadId, title, projectName, pullRequest, startedBy, ask, projectId} = link
  const own = [id, threadId, title, projectName, pullRequest]
  const texts = [...own, asked, automation, thread?.title]
  return (
    hasWords(sought.words, texts) &&
    (sought.state === undefined || stateOfLink(link) === sought.state) &&
    isWithin(sought, isAtWork(link) ? criteria.nowMs : lastActivityOf(link)) &&
    isBy(whom, [startedBy], [ask?.authorId, thread?.authorId]) &&
    isIn(criteria, projectId, reposOf(link))
  )
}

/** The same of work on the platform; `links`: those that show it anywhere. */
export function isThreadMeant(
  thread: Thread,
  links: readonly Searched[],
  criteria: Criteria,
): boolean {
  const all = links.map(({link}) => link)
  // Whoever follows it in some other channel has not asked for it.
  const begun = all.filter(({requestId}) => !requestId.startsWith(FOLLOWED))
  const starters = begun.map(({startedBy}) => startedBy)
  return (
    isBy(criteria.whom, starters, [thread.authorId]) &&
    isIn(criteria, thread.projectId, all.flatMap(reposOf))
  )
}

/** What can be told of it without its links; `automation`: the name of the one that began it. */
export function mayBeMeant(thread: Thread, {sought}: Criteria, automation?: string): boolean {
  return (
    hasWords(sought.words, [thread.title, thread.id, automation]) &&
    (sought.state === undefined || stateOfThread(thread) === sought.state) &&
    isWithin(sought, momentOf(thread))
  )
}

/** Every word stands somewhere. */
function hasWords(words: string, all: readonly (string | undefined)[]): boolean {
  const text = all.join('\n').toLowerCase()
  return words
    .toLowerCase()
    .split(' ')
    .every((word) => text.includes(word))
}

function isBy(
  whom: Whom | undefined,
  users: readonly string[],
  authors: readonly (string | undefined)[],
): boolean {
  if (whom === undefined) return true
  const {user, authorId} = whom
  return (
    (user !== undefined && users.includes(user)) ||
    (authorId !== undefined && authors.includes(authorId))
  )
}

/** Where its pull requests are; without any, where alone they could be. */
function isIn(
  {sought: {repo}, onlyRepoOf}: Criteria,
  projectId: string | undefined,
  repos: readonly string[],
): boolean {
  if (repo === undefined) return true
  const only = onlyRepoOf(projectId)
  const where = repos.length > 0 || only === undefined ? repos : [only]
  return where.some((repoFullName) => isCalled({repoFullName}, repo))
}

function reposOf({pullRequest, pullRequests, notes}: Link): string[] {
  const named = [pullRequest, notes?.reviews, ...pullRequests.map(({address}) => address)]
  return named.flatMap((address) => {
    const read = address === undefined ? undefined : readPullRequest(address)
    return read !== undefined && 'repo' in read ? [read.repo] : []
  })
}

function isWithin({sinceMs, untilMs}: Sought, atMs: number | undefined): boolean {
  if (sinceMs === undefined && untilMs === undefined) return true
  if (atMs === undefined) return false
  return atMs >= (sinceMs ?? -Infinity) && atMs <= (untilMs ?? Infinity)
}

function isAtWork({state, status}: Link): boolean {
  return state === 'starting' || (state === 'open' && isWorking(status))
}

/** When it came to how it stands, or when its newest message was written. */
function lastActivityOf({statusSinceMs, newestTs}: Link): number {
  const saidMs = Number(newestTs) * 1000
  return Math.max(statusSinceMs, Number.isNaN(saidMs) ? 0 : saidMs)
}

function momentOf({lastActivityAt, updatedAt, createdAt}: Thread): number | undefined {
  return [lastActivityAt, updatedAt, createdAt]
    .map((date) => Date.parse(date ?? ''))
    .find((ms) => !Number.isNaN(ms))
}
