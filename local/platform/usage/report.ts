import type {Database} from '../database.ts'
import {IN_REACH, type Reach} from '../organization/access.ts'
import {SUMS, type UsageTotals} from './usage.ts'

/** A span of time; both ends belong to it. */
export interface UsageWindow {
  from: string
  to: string
}

/** What was billed, in dollars, and for how many tokens. */
interface Bill {
  llmDollars: number
  imageDollars: number
  machineDollars: number
  totalDollars: number
  inputTokens: number
  outputTokens: number
  totalTokens: number
}

/** Section 2.16 leaves the names open. */
interface UsageReport extends UsageWindow, Bill {
  /** By the member to whom the thread is attributed now; `null`: by nobody. */
  byMember: (Bill & {userId: string | null})[]
  byModel: (Bill & {modelId: string})[]
  /** Only what made images. */
  byImageEndpoint: (Bill & {imageEndpoint: string})[]
}

/** Reports what was billed for the threads in reach. Section 4.10. */
export interface UsageReports {
  report(reach: Reach, window: UsageWindow): UsageReport
}

type Sums = UsageTotals & Pick<Bill, 'inputTokens' | 'outputTokens'>

const BILLED = `${SUMS}, coalesce(sum(inputTokens), 0) as inputTokens,
    coalesce(sum(outputTokens), 0) as outputTokens
  from usage join threads on threads.id = usage.threadId
  where at between @from and @to and ${IN_REACH}`

export function createUsageReports(database: Database): UsageReports {
  const total = database.prepare<UsageWindow & Reach, Sums>(`select ${BILLED}`)
  const perMember = database.prepare<UsageWindow & Reach, Sums & {userId: string | null}>(
    `select authorId as userId, ${BILLED} group by authorId order by authorId`,
  )
  const perModel = database.prepare<UsageWindow & Reach, Sums & {modelId: string}>(
    `select usage.modelId as modelId, ${BILLED} group by usage.modelId order by usage.modelId`,
  )
  const perImageEndpoint = database.prepare<UsageWindow & Reach, Sums & {imageEndpoint: string}>(
    `select imageEndpoint, ${BILLED} and imageEndpoint is not null
     group by imageEndpoint order by imageEndpoint`,
  )
  return {
    report: (reach, window) => {
      const wanted = {...window, ...reach}
      return {
        ...window,
        ...toBill(total.get(wanted) ?? NOTHING),
        byMember: perMember.all(wanted).map((row) => ({userId: row.userId, ...toBill(row)})),
        byModel: perModel.all(wanted).map((row) => ({modelId: row.modelId, ...toBill(row)})),
        byImageEndpoint: perImageEndpoint
          .all(wanted)
          .map((row) => ({imageEndpoint: row.imageEndpoint, ...toBill(row)})),
      }
    },
  }
}

const NOTHING: Sums = {
  llmCredits: 0,
  imageCredits: 0,
  vmCredits: 0,
  totalCredits: 0,
  inputTokens: 0,
  outputTokens: 0,
}

const CREDITS_PER_DOLLAR = 1000

function toBill({inputTokens, outputTokens, ...credits}: Sums): Bill {
  return {
    llmDollars: credits.llmCredits / CREDITS_PER_DOLLAR,
    imageDollars: credits.imageCredits / CREDITS_PER_DOLLAR,
    machineDollars: credits.vmCredits / CREDITS_PER_DOLLAR,
    totalDollars: credits.totalCredits / CREDITS_PER_DOLLAR,
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
  }
}
