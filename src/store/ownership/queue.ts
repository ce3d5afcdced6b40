import type {Db, PgBoss} from 'pg-boss'
import {z} from 'zod'

/** The engine's tables stand in a schema of their own, beside ours. */
export const ENGINE_SCHEMA = 'bosun_jobs'
const QUEUE = 'ownership'
/** The least that the engine allows: after so long without a word of its owner a name is given to somebody else. */
export const SILENCE_MS = 10_000
/** However often it is touched, nobody keeps a name for longer. */
export const LONGEST_MS = 86_400_000

const EVER = 2_147_483_647

/** As one queue: of each name one job at most, which waits or is being worked on for as long as somebody is to own it. */
const QUEUE_OPTIONS = {
  policy: 'exclusive',
  heartbeatSeconds: SILENCE_MS / 1000,
  expireInSeconds: LONGEST_MS / 1000,
  retryLimit: EVER,
  retryDelay: 0,
  // Counted from when a name was offered first; then the engine would delete it while it is handed over.
  retentionSeconds: EVER,
} as const

/** What the engine's types leave out. */
const touched = z.object({settled: z.array(z.string())})

/** A name in this instance's hands: the attempt counts how often it changed hands. */
export interface Job {
  id: string
  retryCount: number
  name: string
}

export interface Queue {
  add(names: readonly string[]): Promise<void>
  take(most: number): Promise<Job[]>
  /** The ids of those that are still ours. */
  touch(jobs: readonly Job[], transaction?: Db): Promise<ReadonlySet<string>>
  giveBack(jobs: readonly Job[]): Promise<void>
  /** Whoever has it finds at the next touch that it is not theirs any more. */
  remove(name: string, transaction: Db): Promise<void>
}

export async function makeQueue(boss: PgBoss): Promise<void> {
  await boss.createQueue(QUEUE, QUEUE_OPTIONS)
}

export function createQueue(boss: PgBoss): Queue {
  return {
    add: async (names) => {
      const jobs = names.map((name) => ({data: {name}, singletonKey: name}))
      if (jobs.length > 0) await boss.insert(QUEUE, jobs)
    },
    take: async (most) => {
      const jobs = await boss.fetch<{name: string}>(QUEUE, {batchSize: most, includeMetadata: true})
      return jobs.map(({id, retryCount, data: {name}}) => ({id, retryCount, name}))
    },
    touch: async (jobs, transaction) => {
      const options = transaction && {db: transaction}
      const answer = touched.parse(await boss.touch(QUEUE, attempts(jobs), options))
      return new Set(answer.settled)
    },
    giveBack: async (jobs) => {
      if (jobs.length > 0) await boss.fail(QUEUE, attempts(jobs))
    },
    remove: async (name, transaction) => {
      const found = await boss.findJobs(QUEUE, {key: name, db: transaction})
      const ids = found.map(({id}) => id)
      if (ids.length > 0) await boss.deleteJob(QUEUE, ids, {db: transaction})
    },
  }
}

function attempts(jobs: readonly Job[]): {id: string; retryCount: number}[] {
  return jobs.map(({id, retryCount}) => ({id, retryCount}))
}
