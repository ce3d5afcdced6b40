import type {Link} from '../store/tables/work/link.ts'
import type {News} from '../store/tables/pull-requests/pull-requests.ts'
import type {Stage} from '../store/tables/pull-requests/facts.ts'

/** How a pull request stands, as far as its code host has said so. Plain data: it is hashed with what shows it. */
export interface PullRequestState {
  stage: Stage
  title: string
  /** Of its newest commit; absent where nobody has said anything of checks. */
  checks?: {
    passed: number
    running: number
    failed: Named
    /** There are more than are counted. */
    isMore?: true
  }
  approvedBy?: Named
  wantChanges?: Named
  conflicts?: true
  /** Something is to be done about it, and whether the agent was told of all of that. */
  fix?: 'wanted' | 'sent'
  /** So often the agent was told by itself, and is not any more. */
  tries?: number
}

/** The first few, and how many more there are. */
interface Named {
  names: readonly string[]
  more: number
}

/** What is known of the pull requests that a link has named. */
export interface KnownPullRequests {
  /** By their addresses as they were named. */
  states: ReadonlyMap<string, PullRequestState>
  /** What is not known to stand in Slack yet. */
  news: readonly News[]
}

export interface PullRequestBook {
  of(link: Link): Promise<KnownPullRequests>
  /** All of it stands in Slack. */
  shown(link: Link, news: readonly News[]): Promise<void>
}

export const NO_PULL_REQUESTS: KnownPullRequests = {states: new Map(), news: []}
