import type {RunRecords} from '../agent/run-records.ts'
import type {Runs} from '../agent/runs.ts'
import type {Clock} from '../clock.ts'
import type {Database} from '../database.ts'
import type {Access} from '../organization/access.ts'
import type {Seed} from '../seed/seed.ts'
import type {Conversation} from '../threads/conversation.ts'
import type {Entries} from '../threads/entries.ts'
import type {Messages} from '../threads/messages.ts'
import type {Threads} from '../threads/threads.ts'
import {createBillingTransfers, type BillingTransfers} from './billing-transfers.ts'
import {createDesk, type Desk} from './desk.ts'
import type {PullRequestChange, PullRequests} from './pull-requests.ts'
import {createReports} from './reports.ts'
import {createRepositories} from './repositories.ts'
import {createReviewFilters, type ReviewFilters} from './review-filters.ts'
import {createReviewRules, type ReviewRules} from './review-rules.ts'
import {createRounds} from './rounds.ts'

/** Reviews of pull requests, their rules and filters, and who pays for them. Sections 3.6 and 4.8. */
export interface Reviews extends Desk {
  readonly rules: ReviewRules
  readonly filters: ReviewFilters
  readonly transfers: BillingTransfers
  /** What happens at the code-hosting provider: a push, a draft made ready, a pull request closed. */
  setPullRequest(change: PullRequestChange): void
  /** Delivers the outcomes of rounds that had come to rest when the last process died. */
  recover(): void
}

interface ReviewsOptions {
  database: Database
  clock: Clock
  seed: Seed
  access: Access
  conversation: Conversation
  threads: Threads
  entries: Entries
  messages: Messages
  pullRequests: PullRequests
  records: RunRecords
  runs: Runs
}

export function createReviews(options: ReviewsOptions): Reviews {
  const {database, clock, pullRequests} = options
  const repositories = createRepositories(options)
  const rounds = createRounds(database, clock)
  const parts = {...options, repositories, rounds}
  return {
    ...createDesk(parts),
    ...createReports(parts),
    rules: createReviewRules(parts),
    filters: createReviewFilters(parts),
    transfers: createBillingTransfers(parts),
    setPullRequest: (change) => pullRequests.set(change),
  }
}
