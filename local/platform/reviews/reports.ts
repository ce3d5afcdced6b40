import {entrySchema} from '../../../src/platform/model.ts'
import type {RunRecords} from '../agent/run-records.ts'
import type {Runs} from '../agent/runs.ts'
import type {Database} from '../database.ts'
import {createId} from '../id.ts'
import type {Conversation} from '../threads/conversation.ts'
import type {Entries} from '../threads/entries.ts'
import type {Message, Messages} from '../threads/messages.ts'
import type {Threads} from '../threads/threads.ts'
import type {Round, Rounds} from './rounds.ts'

/** Brings the outcome of each round to the thread that asked for it. Section 4.8. */
interface Reports {
  recover(): void
}

interface ReportsOptions {
  database: Database
  threads: Threads
  entries: Entries
  messages: Messages
  records: RunRecords
  runs: Runs
  conversation: Conversation
  rounds: Rounds
}

/**
 * A round is `running → finished`, as its thread comes to rest. The step and the message that carries the
 * outcome commit together: whenever the process dies, the outcome is delivered once. Before the commit
 * `recover` takes the step again; after it the message waits as any other, and `runs` recovers those.
 */
export function createReports(options: ReportsOptions): Reports {
  const {rounds, runs} = options
  const settle = (threadId: string): void => {
    const round = rounds.runningIn(threadId)
    if (round !== undefined && isAtRest(options, threadId)) finish(options, round)
  }
  runs.onRest(settle)
  return {
    recover: () => {
      for (const {threadId} of rounds.running()) settle(threadId)
    },
  }
}

/** A thread that waits for something external goes on by itself, so it has no outcome yet. */
function isAtRest({threads, records}: ReportsOptions, threadId: string): boolean {
  const isWaiting = threads.find(threadId)?.state === 'waiting'
  return !isWaiting && records.get(threadId) === undefined
}

function finish(options: ReportsOptions, round: Round): void {
  const {database, threads, messages, runs, conversation, rounds} = options
  const source = round.sourceThreadId === null ? undefined : threads.find(round.sourceThreadId)
  if (source === undefined) {
    rounds.finish(round.id)
    return
  }
  conversation.unarchive(source)
  database.transaction(() => {
    rounds.finish(round.id)
    messages.add(toReport(round, source.id, readOutcome(options, round)))
  })()
  runs.beginNext(source.id)
}

/** What the agent said last about the pull request; an interrupted round may have said nothing. */
function readOutcome({entries}: ReportsOptions, {threadId}: Round): string {
  const outcome = entries
    .after(threadId, 0, Number.MAX_SAFE_INTEGER)
    .map(({json}) => entrySchema.parse(JSON.parse(json)))
    .findLast(({source}) => source === 'assistant')
  return outcome?.text ?? 'It was stopped before it came to a result.'
}

function toReport(round: Round, threadId: string, outcome: string): Message {
  const {repo, prNumber, headSha} = round
  return {
    id: createId('msg'),
    threadId,
    text: `The review of ${repo}#${prNumber} at ${headSha.slice(0, 7)} is over.\n\n${outcome}`,
    delivery: 'queue',
    modelId: null,
    authorName: 'Review',
    state: 'waiting',
  }
}
