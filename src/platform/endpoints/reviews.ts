import {z} from 'zod'
import type {Calls} from '../calls.ts'
import {
  type BillingTransfer,
  type FilterRule,
  type ReviewRound,
  type ReviewRule,
  billingTransferSchema,
  filterRuleSchema,
  reviewRoundSchema,
  reviewRuleSchema,
} from '../model.ts'

/** Reviews of pull requests, section 4.8. */
interface ReviewCalls {
  /**
   * A round is keyed by head and base: for the same code the existing round is adopted (section 3.6). It goes out once: whose an
   * adopted round is knows only who has heard of each answer that was lost.
   */
  startReview(review: NewReview, signal: AbortSignal): Promise<ReviewRound>
  createReviewRule(rule: NewReviewRule, signal: AbortSignal): Promise<ReviewRule>
  listReviewFilters(signal: AbortSignal): Promise<FilterRule[]>
  deleteReviewFilter(ruleId: string, signal: AbortSignal): Promise<z.infer<typeof deletionSchema>>
  declineBillingTransfer(repo: string, signal: AbortSignal): Promise<BillingTransfer>
}

interface NewReview {
  /** The repository's full name. */
  repo: string
  prNumber: number
  /** Optional on the wire; required here, because whoever asks does so again. */
  idempotencyKey: string
  /** Somebody confirmed that a completed round should run again. */
  forceRefresh?: boolean
  /** The round's outcome is delivered into this thread, and wakes it. */
  sourceThreadId?: string
}

/** Which of the fields are required is not documented. */
interface NewReviewRule {
  body: string
  scopes?: readonly {repo: string; paths: readonly string[]}[]
  file?: {repo: string; path: string}
}

export function createReviewCalls({act, call, read}: Calls): ReviewCalls {
  return {
    startReview: (review, signal) => act(['reviews'], reviewRoundSchema, signal, review),
    createReviewRule: async (rule, signal) =>
      (await act(['review-rules'], newRuleSchema, signal, rule)).rule,
    listReviewFilters: async (signal) =>
      (await read(['review-filters', 'rules'], filtersSchema, signal)).rules,
    deleteReviewFilter: (ruleId, signal) =>
      call({
        method: 'DELETE',
        path: ['review-filters', 'rules', ruleId],
        answer: deletionSchema,
        signal,
        mayRepeat: false,
      }),
    declineBillingTransfer: (repo, signal) =>
      act(['review-billing-transfer', 'decline'], billingTransferSchema, signal, {repo}),
  }
}

const newRuleSchema = z.looseObject({rule: reviewRuleSchema})
/** Whether a rule of the review filter is gone. */
const deletionSchema = z.looseObject({id: z.string(), deleted: z.boolean()})
const filtersSchema = z.looseObject({rules: z.array(filterRuleSchema)})
