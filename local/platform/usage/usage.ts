import {isoNow, type Clock} from '../clock.ts'
import type {Database} from '../database.ts'

/** What one turn or one image cost. Credits: 1 credit = $0.001. */
export interface Cost {
  threadId: string
  /** The task whose turn it was, if it was one. */
  taskId: string | null
  modelId: string
  llmCredits: number
  imageCredits: number
  vmCredits: number
  inputTokens: number
  outputTokens: number
  /** Where the images were made, if any were. */
  imageEndpoint: string | null
}

/** Section 2.3. */
export interface UsageTotals {
  llmCredits: number
  imageCredits: number
  vmCredits: number
  totalCredits: number
}

/** What a thread is made to say that it has cost: `null`: nothing at all. */
export type SaidCredits = number | 'Infinity' | '-Infinity' | 'NaN' | null

/** Everything that was billed; all totals are sums over it, so that they cannot disagree. */
export interface Usage {
  add(cost: Cost): void
  /** Of a thread with all its tasks. */
  ofThread(threadId: string): UsageTotals
  /** What it says of that; `undefined` where it is made to say nothing. */
  saidOf(threadId: string): SaidTotals | undefined
  /** From now on the thread says this, whatever was billed. */
  say(threadId: string, credits: SaidCredits): void
  /** Of some tasks of a thread. */
  ofTasks(threadId: string, taskIds: readonly string[]): UsageTotals
}

/** Section 2.3: figures, or words for what is none. */
type SaidTotals = {[Name in keyof UsageTotals]: Exclude<SaidCredits, null>}

/** Columns that make `UsageTotals` of any rows of `usage`. */
export const SUMS = `coalesce(sum(llmCredits), 0) as llmCredits, coalesce(sum(imageCredits), 0) as imageCredits,
  coalesce(sum(vmCredits), 0) as vmCredits,
  coalesce(sum(llmCredits + imageCredits + vmCredits), 0) as totalCredits`

export function createUsage(database: Database, clock: Clock): Usage {
  database.exec(SCHEMA)
  const insert = database.prepare<Cost & {at: string}>(
    `insert into usage (at, threadId, taskId, modelId, llmCredits, imageCredits, vmCredits,
       inputTokens, outputTokens, imageEndpoint)
     values (@at, @threadId, @taskId, @modelId, @llmCredits, @imageCredits, @vmCredits,
       @inputTokens, @outputTokens, @imageEndpoint)`,
  )
  const totals = database.prepare<[string], UsageTotals>(
    `select ${SUMS} from usage where threadId = ?`,
  )
  const ofTasks = database.prepare<[string, string], UsageTotals>(
    `select ${SUMS} from usage
     where threadId = ? and taskId in (select value from json_each(?))`,
  )
  const say = database.prepare<[string, string]>(
    `insert into saidUsage (threadId, credits) values (?, ?)
     on conflict (threadId) do update set credits = excluded.credits`,
  )
  const said = database.prepare<[string], {credits: string}>(
    'select credits from saidUsage where threadId = ?',
  )
  const ofThread = (threadId: string): UsageTotals => totals.get(threadId) ?? NOTHING
  return {
    add: (cost) => void insert.run({...cost, at: isoNow(clock)}),
    say: (threadId, credits) => void say.run(threadId, JSON.stringify(credits)),
    ofThread,
    saidOf: (threadId) => {
      const row = said.get(threadId)
      if (row === undefined) return ofThread(threadId)
      const credits = JSON.parse(row.credits) as SaidCredits
      if (credits === null) return undefined
      return {llmCredits: credits, imageCredits: 0, vmCredits: 0, totalCredits: credits}
    },
    ofTasks: (threadId, taskIds) => ofTasks.get(threadId, JSON.stringify(taskIds)) ?? NOTHING,
  }
}

const NOTHING: UsageTotals = {llmCredits: 0, imageCredits: 0, vmCredits: 0, totalCredits: 0}

const SCHEMA = `
create table if not exists usage (
  at text not null, threadId text not null, taskId text, modelId text not null,
  llmCredits integer not null, imageCredits integer not null, vmCredits integer not null,
  inputTokens integer not null, outputTokens integer not null, imageEndpoint text
) strict;
create index if not exists usageOfThread on usage (threadId);
create index if not exists usageByTime on usage (at);
create table if not exists saidUsage (threadId text primary key, credits text not null) strict;
`
