import {z} from 'zod'
import type {Check} from '../../store/tables/pull-requests/checks.ts'
import type {PullRequestFacts, Review, Stage} from '../../store/tables/pull-requests/facts.ts'
import {type PullRequestKey, pullRequestKey} from '../../store/tables/pull-requests/key.ts'
import type {Said} from '../../store/tables/pull-requests/pull-requests.ts'
import {ownOf} from '../../security/foreign-json.ts'

/**
 * What an event of GitHub says of a pull request or of a commit; `undefined`: nothing that is shown here, or nothing that can be
 * read. https://docs.github.com/webhooks/webhook-events-and-payloads
 */
export function readGithubEvent(event: string, body: unknown): Said | undefined {
  switch (event) {
    case 'pull_request':
      return ofPullRequest(pullRequestEvent.safeParse(body).data)
    case 'pull_request_review':
      return ofReview(reviewEvent.safeParse(body).data)
    case 'check_run':
      return ofCheckRun(checkRunEvent.safeParse(body).data)
    case 'status':
      return ofStatus(statusEvent.safeParse(body).data)
    default:
      return undefined
  }
}

const MAX_TITLE = 200
const MAX_NAME = 120
const MAX_URL = 1000

/** What can be no time of an event is no event. */
const moment = z.iso.datetime({offset: true}).transform((text) => Date.parse(text))
const sha = z
  .string()
  .regex(/^[0-9a-f]{7,64}$/i)
  .toLowerCase()
const id = z.int().nonnegative()
const cut = (most: number) => z.string().transform((text) => text.slice(0, most))
/** An address that is none, is too long, or goes on in words, is none; that is no reason to hear nothing of the rest. */
const url = z
  .string()
  .max(MAX_URL)
  .regex(/^https?:\/\/\S+$/i)
  .catch('')

const repository = z.object({html_url: z.string().max(MAX_URL), full_name: z.string().min(3)})

const pullRequest = z.object({
  html_url: z.string().max(MAX_URL),
  state: z.enum(['open', 'closed']),
  draft: z.boolean().nullish(),
  merged: z.boolean().nullish(),
  merged_at: z.string().nullish(),
  updated_at: moment,
  title: cut(MAX_TITLE),
  head: z.object({sha}),
  mergeable_state: z.string().nullish(),
})

const pullRequestEvent = z.object({
  pull_request: pullRequest,
  repository,
  /** Of a push: the head before it. */
  before: sha.optional().catch(undefined),
  action: z.string(),
})

const reviewEvent = z.object({
  pull_request: pullRequest,
  repository,
  review: z.object({
    id,
    state: z.string().toLowerCase(),
    submitted_at: moment,
    html_url: url,
    /** Of somebody who has left GitHub there is none. */
    user: z.object({login: z.string().min(1).max(MAX_NAME)}).nullish(),
  }),
})

const checkRunEvent = z.object({
  repository,
  check_run: z.object({
    id,
    head_sha: sha,
    name: cut(MAX_NAME).pipe(z.string().min(1)),
    status: z.string(),
    conclusion: z.string().nullish(),
    completed_at: moment.nullish(),
    html_url: url.nullish(),
    details_url: url.nullish(),
    app: z.object({slug: z.string().max(MAX_NAME).nullish()}).nullish(),
    /** Of one workflow, begun by one event: another one may have a check of the same name. */
    check_suite: z.object({id}).nullish().catch(undefined),
  }),
})

const statusEvent = z.object({
  repository,
  id,
  sha,
  context: cut(MAX_NAME).pipe(z.string().min(1)),
  state: z.enum(['pending', 'success', 'failure', 'error']),
  updated_at: moment,
  target_url: url.nullish(),
})

/** It must say the same of where it is in both places. */
function keyOf(
  {html_url: address}: z.infer<typeof pullRequest>,
  of: z.infer<typeof repository>,
): PullRequestKey | undefined {
  const key = pullRequestKey(address)
  const repo = repoOf(of)
  return key !== undefined && repo !== undefined && key.startsWith(`${repo}#`) ? key : undefined
}

/** `github.com/acme/web`, as in the keys of its pull requests. */
function repoOf({
  html_url: address,
  full_name: name,
}: z.infer<typeof repository>): string | undefined {
  const [, page = ''] =
    /^https:\/\/([a-z0-9.-]+(?::\d{1,5})?\/[\w.-]+\/[\w.-]+)$/i.exec(address) ?? []
  const repo = page.toLowerCase()
  return repo.endsWith(`/${name.toLowerCase()}`) ? repo : undefined
}

function stageOf({state, merged, merged_at: mergedAt, draft}: z.infer<typeof pullRequest>): Stage {
  if (merged === true || mergedAt != null) return 'merged'
  if (state === 'closed') return 'closed'
  return draft === true ? 'draft' : 'open'
}

function factsOf(pr: z.infer<typeof pullRequest>): PullRequestFacts {
  const {updated_at: atMs, title, head, mergeable_state: mergeable} = pr
  const stage = stageOf(pr)
  return {
    atMs,
    said: [{stage, head: head.sha, title}],
    replaced: [],
    // Whoever does not say when was heard of then.
    ...(stage === 'merged' && {mergedAtMs: moment.safeParse(pr.merged_at).data ?? atMs}),
    // GitHub finds that out a moment later: until then it does not know.
    ...(mergeable != null &&
      mergeable !== 'unknown' && {conflict: {atMs, head: head.sha, is: mergeable === 'dirty'}}),
    reviews: [],
  }
}

function ofPullRequest(event: z.infer<typeof pullRequestEvent> | undefined): Said | undefined {
  if (event === undefined) return undefined
  const {pull_request: pr, repository: repo, before, action} = event
  const key = keyOf(pr, repo)
  if (key === undefined) return undefined
  const isPush = action === 'synchronize' && before !== undefined && before !== pr.head.sha
  return {about: 'pull-request', key, facts: {...factsOf(pr), replaced: isPush ? [before] : []}}
}

/** GitHub's own name for whoever has left. */
const GHOST = 'ghost'
/** What only comments changes nobody's mind. */
const OPINIONS: Readonly<Record<string, Review['opinion']>> = {
  approved: 'approved',
  changes_requested: 'changes',
  dismissed: 'dismissed',
}

function ofReview(event: z.infer<typeof reviewEvent> | undefined): Said | undefined {
  if (event === undefined) return undefined
  const {pull_request: pr, repository: repo, review} = event
  const key = keyOf(pr, repo)
  if (key === undefined) return undefined
  const opinion = ownOf(OPINIONS, review.state)
  const {id: number, submitted_at: atMs, html_url: address, user} = review
  const reviews =
    opinion === undefined
      ? []
      : [{by: user?.login ?? GHOST, atMs, id: number, opinion, url: address}]
  return {about: 'pull-request', key, facts: {...factsOf(pr), reviews}}
}

const PASSED: readonly string[] = ['success', 'neutral', 'skipped']
const FAILED: readonly string[] = [
  'failure',
  'cancelled',
  'timed_out',
  'action_required',
  'startup_failure',
]

function outcomeOf(status: string, conclusion: string | null | undefined): Check['outcome'] {
  if (status !== 'completed') return 'running'
  if (PASSED.includes(conclusion ?? '')) return 'passed'
  // `stale`: GitHub has given it up.
  return FAILED.includes(conclusion ?? '') ? 'failed' : 'nothing'
}

/** How far a run is. */
const STATUSES = ['queued', 'in_progress', 'completed']

function ofCheckRun(event: z.infer<typeof checkRunEvent> | undefined): Said | undefined {
  const repo = event && repoOf(event.repository)
  if (event === undefined || repo === undefined) return undefined
  const {check_run: run} = event
  const {name, status, conclusion, completed_at: completedAtMs, head_sha: at} = run
  const check: Check = {
    key: `run:${run.app?.slug ?? ''}:${run.check_suite?.id ?? ''}:${name}`,
    name,
    order: [run.id, STATUSES.indexOf(status), completedAtMs ?? 0],
    outcome: outcomeOf(status, conclusion),
    url: run.html_url || run.details_url || '',
  }
  return {about: 'checks', repo, sha: at, checks: {runs: [check]}}
}

const STATES = {pending: 'running', success: 'passed', failure: 'failed', error: 'failed'} as const

function ofStatus(event: z.infer<typeof statusEvent> | undefined): Said | undefined {
  const repo = event && repoOf(event.repository)
  if (event === undefined || repo === undefined) return undefined
  const {context: name, state, updated_at: atMs, id: number, sha: at, target_url: address} = event
  const check: Check = {
    key: `status:${name}`,
    name,
    order: [atMs, number],
    outcome: STATES[state],
    url: address ?? '',
  }
  return {about: 'checks', repo, sha: at, checks: {runs: [check]}}
}
