import {createHmac, randomUUID} from 'node:crypto'

/** What GitHub would send to one webhook: an event, and when it happened. */
export interface GithubEvent {
  event: string
  delivery: string
  body: Record<string, unknown>
}

interface PullRequestFields {
  action?: string
  repo?: string
  number: number
  head: string
  atMs: number
  state?: 'open' | 'closed'
  draft?: boolean
  merged?: boolean
  title?: string
  mergeable?: string
  before?: string
  host?: string
}

/** Events as GitHub words them, with the fields that are read and a few beside them. */
export const github = {
  pullRequest: (fields: PullRequestFields): GithubEvent =>
    toEvent('pull_request', {
      action: fields.action ?? 'edited',
      number: fields.number,
      ...(fields.before !== undefined && {before: fields.before, after: fields.head}),
      pull_request: pullRequestOf(fields),
      repository: repositoryOf(fields),
    }),
  review: (
    fields: PullRequestFields & {by: string; id: number; opinion: string; submittedMs?: number},
  ): GithubEvent =>
    toEvent('pull_request_review', {
      action: fields.opinion === 'dismissed' ? 'dismissed' : 'submitted',
      review: {
        id: fields.id,
        state: fields.opinion,
        submitted_at: timeOf(fields.submittedMs ?? fields.atMs),
        html_url: `https://github.com/acme/web/pull/${fields.number}#pullrequestreview-${fields.id}`,
        user: {login: fields.by, type: 'User'},
        body: 'Words of a reviewer.',
      },
      pull_request: pullRequestOf(fields),
      repository: repositoryOf(fields),
    }),
  checkRun: (fields: {
    sha: string
    name: string
    id: number
    status?: string
    conclusion?: string | null
    atMs?: number
    repo?: string
    /** Which workflow, begun by which event, it is a part of. */
    suite?: number
  }): GithubEvent => {
    const {sha, name, id, conclusion = null, atMs = 0, suite = 1} = fields
    const status = fields.status ?? (conclusion === null ? 'in_progress' : 'completed')
    return toEvent('check_run', {
      action: status === 'completed' ? 'completed' : 'created',
      check_run: {
        ...{id, name, head_sha: sha, status, conclusion},
        started_at: timeOf(atMs),
        completed_at: status === 'completed' ? timeOf(atMs) : null,
        html_url: `https://github.com/acme/web/actions/runs/${id}`,
        details_url: `https://github.com/acme/web/actions/runs/${id}`,
        app: {slug: 'github-actions', name: 'GitHub Actions'},
        check_suite: {id: suite},
        // Of a fork this is empty.
        pull_requests: [],
      },
      repository: repositoryOf(fields),
    })
  },
  status: (fields: {
    sha: string
    context: string
    id: number
    state: string
    atMs: number
    repo?: string
  }): GithubEvent =>
    toEvent('status', {
      ...{id: fields.id, sha: fields.sha, context: fields.context, state: fields.state},
      name: fields.repo ?? 'acme/web',
      target_url: `https://ci.example/${fields.id}`,
      created_at: timeOf(fields.atMs),
      updated_at: timeOf(fields.atMs),
      repository: repositoryOf(fields),
    }),
  ping: (): GithubEvent => toEvent('ping', {zen: 'Keep it logically awesome.', hook_id: 1}),
}

/** GitHub tells whole seconds. */
function timeOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z')
}

function repositoryOf({repo = 'acme/web', host = 'github.com'}: {repo?: string; host?: string}) {
  return {full_name: repo, html_url: `https://${host}/${repo}`, private: true}
}

function pullRequestOf(fields: PullRequestFields) {
  const {repo = 'acme/web', host = 'github.com', number, head, atMs, merged = false} = fields
  return {
    html_url: `https://${host}/${repo}/pull/${number}`,
    ...{number, title: fields.title ?? `Change ${number}`, draft: fields.draft ?? false},
    state: merged ? 'closed' : (fields.state ?? 'open'),
    merged,
    merged_at: merged ? timeOf(atMs) : null,
    updated_at: timeOf(atMs),
    mergeable_state: fields.mergeable ?? 'unknown',
    head: {sha: head, ref: 'change', repo: {full_name: repo}},
    base: {ref: 'main', repo: {full_name: repo}},
  }
}

function toEvent(event: string, body: Record<string, unknown>): GithubEvent {
  return {event, delivery: randomUUID(), body: {...body, sender: {login: 'octocat'}}}
}

/** Sends to an address, signed with its secret. */
export async function deliver(
  address: string,
  secret: string,
  {event, delivery, body}: GithubEvent,
): Promise<{status: number; body: unknown}> {
  const json = JSON.stringify(body)
  const signature = createHmac('sha256', secret).update(json).digest('hex')
  const answer = await fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': delivery,
      'x-hub-signature-256': `sha256=${signature}`,
    },
    body: json,
  })
  return {status: answer.status, body: JSON.parse(await answer.text()) as unknown}
}

/** A commit of which nothing is known but that it is one. */
export function shaOf(seed: number | string): string {
  return createHmac('sha1', 'commit').update(String(seed)).digest('hex')
}
