import type {GithubEvent} from './webhooks.ts'

/** A pull request with its newest commit, as the local GitHub tells of it. */
export interface Told {
  repo: string
  number: number
  title: string
  head: string
  /** When it happened. */
  atMs: number
}

export function pullRequestEvent(
  told: Told,
  action: 'opened' | 'synchronize' | 'closed',
  before?: string,
): GithubEvent {
  const body = {action, number: told.number, pull_request: pictureOf(told, action === 'closed')}
  const pushed = before === undefined ? {} : {before, after: told.head}
  return {name: 'pull_request', body: {...body, ...pushed, repository: repositoryOf(told)}}
}

/** `conclusion`: `null` while it runs. */
export function checkEvent(
  told: Told,
  {name, id, conclusion}: {name: string; id: number; conclusion: 'success' | 'failure' | null},
): GithubEvent {
  const isOver = conclusion !== null
  const address = `https://github.com/${told.repo}/runs/${id}`
  return {
    name: 'check_run',
    body: {
      action: isOver ? 'completed' : 'created',
      check_run: {
        ...{id, name, head_sha: told.head, conclusion},
        status: isOver ? 'completed' : 'in_progress',
        completed_at: isOver ? timeOf(told.atMs) : null,
        ...{html_url: address, details_url: address, app: {slug: 'github-actions'}},
        check_suite: {id: 1},
      },
      repository: repositoryOf(told),
    },
  }
}

export function approvalEvent(told: Told, by: string, id: number): GithubEvent {
  return {
    name: 'pull_request_review',
    body: {
      action: 'submitted',
      review: {
        ...{id, state: 'approved', submitted_at: timeOf(told.atMs), user: {login: by}},
        html_url: `${addressOf(told)}#pullrequestreview-${id}`,
      },
      pull_request: pictureOf(told, false),
      repository: repositoryOf(told),
    },
  }
}

function addressOf({repo, number}: Told): string {
  return `https://github.com/${repo}/pull/${number}`
}

function repositoryOf({repo}: Told) {
  return {full_name: repo, html_url: `https://github.com/${repo}`}
}

function pictureOf(told: Told, merged: boolean) {
  const {number, title, head, atMs} = told
  return {
    ...{html_url: addressOf(told), number, title, draft: false, merged},
    state: merged ? 'closed' : 'open',
    merged_at: merged ? timeOf(atMs) : null,
    updated_at: timeOf(atMs),
    mergeable_state: 'unknown',
    head: {sha: head},
  }
}

/** GitHub tells whole seconds. */
function timeOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z')
}
