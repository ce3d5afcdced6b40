import {setImmediate as nextTurn} from 'node:timers/promises'
import {createKeyedQueue} from '../../async/keyed-queue.ts'
import {claim, expel, forget} from './claims-table.ts'
import {type Moment, elapsedMs, moment} from './moment.ts'
import type {Claim, Owner} from './ownership.ts'
import type {Pool} from './pool.ts'
import {type Job, LONGEST_MS, type Queue, SILENCE_MS} from './queue.ts'
import {type Tenure, beginTenure} from './tenure.ts'

/** Between the last call of an owner that fell silent and the first of the next one. */
const MARGIN_MS = 2000
const IN_TIME_MS = SILENCE_MS - MARGIN_MS
/** While nothing can be learnt from the database, what an owner works for waits for so long. */
const PATIENCE_MS = 4000
/** Then it is given back once, so that load evens out; a part of it more or less, so that not all are at once. */
const HELD_LONG_MS = LONGEST_MS / 2
const HELD_LONG_JITTER = 0.1

interface Holding {
  job: Job
  tenure: Tenure
  takenAt: Moment
  touchedAt: Moment
  turnAfterMs: number
}

interface HoldingsOptions {
  pool: Pool
  queue: Queue
  instance: string
  failed: (error: unknown) => void
}

export type Holdings = ReturnType<typeof createHoldings>

/** What this instance has: every change of it comes by here. */
export function createHoldings({pool, queue, instance, failed}: HoldingsOptions) {
  const inOrder = createKeyedQueue()
  const held = new Map<string, Holding>()
  let returning: Job[] = []
  let giving: Promise<void> | undefined

  const drop = ({job, tenure}: Holding, reason: string): void => {
    if (held.get(job.name)?.tenure === tenure) held.delete(job.name)
    tenure.lose(reason)
  }

  const begin = (job: Job, touchedAt: Moment, owner: Owner, epoch: number): void => {
    const former = held.get(job.name)
    if (former !== undefined) drop(former, 'its deadline has passed')
    const takenAt = moment()
    const jitter = 1 + HELD_LONG_JITTER * (2 * Math.random() - 1)
    const isInTime = (): boolean =>
      elapsedMs(holding.touchedAt) < IN_TIME_MS && elapsedMs(takenAt) < LONGEST_MS - SILENCE_MS
    const onRefused = (): void => void giveBack([holding])
    const {name} = job
    const holding: Holding = {
      job,
      takenAt,
      touchedAt,
      turnAfterMs: HELD_LONG_MS * jitter,
      tenure: beginTenure({name, epoch, owner, inOrder, isInTime, failed, onRefused}),
    }
    held.set(name, holding)
  }

  /** Those that are done leaving in one turn go back together. */
  const flush = async (): Promise<void> => {
    while (returning.length > 0) {
      await nextTurn()
      const jobs = returning
      returning = []
      // What does not arrive there falls silent: others have it then.
      await queue.giveBack(jobs).catch(failed)
    }
    giving = undefined
  }

  const giveBack = async (some: readonly Holding[]): Promise<void> => {
    const each = some.map(async (holding) => {
      await holding.tenure.leave()
      // It may have been lost meanwhile: then it is somebody else's.
      if (held.get(holding.job.name) !== holding) return
      returning.push(holding.job)
      await (giving ??= flush())
      if (held.get(holding.job.name) === holding) held.delete(holding.job.name)
    })
    await Promise.all(each)
  }

  /** Takes up to so many of those that nobody has; how many it has got. */
  const take = async (most: number, owner: () => Owner | undefined): Promise<number> => {
    const jobs = await queue.take(most)
    if (jobs.length === 0) return 0
    const sentAt = moment()
    const rows = await pool
      .transact(async (transaction) => {
        const ours = await queue.touch(jobs, transaction)
        const names = jobs.filter(({id}) => ours.has(id)).map(({name}) => name)
        return claim(transaction, names, instance)
      })
      .catch(async (error: unknown) => {
        await queue.giveBack(jobs).catch(failed)
        throw error
      })
    const epochs = new Map(rows.map(({name, epoch}) => [name, epoch]))
    const now = owner()
    for (const job of jobs) {
      const epoch = epochs.get(job.name)
      if (epoch !== undefined && now !== undefined) begin(job, sentAt, now, epoch)
    }
    const untaken = jobs.filter(({name}) => now === undefined || !epochs.has(name))
    await queue.giveBack(untaken)
    return jobs.length - untaken.length
  }

  const touch = async (): Promise<void> => {
    const asked = [...held.values()]
    if (asked.length === 0) return
    const sentAt = moment()
    const ours = await queue.touch(asked.map(({job}) => job))
    for (const holding of asked) {
      if (ours.has(holding.job.id)) holding.touchedAt = sentAt
      else if (held.get(holding.job.name) === holding) drop(holding, 'another instance has it')
    }
  }

  const withdraw = async (name: string): Promise<void> => {
    const holding = held.get(name)
    await holding?.tenure.leave()
    const isOurs = holding !== undefined && held.get(name) === holding
    try {
      await pool.transact(async (transaction) => {
        await queue.remove(name, transaction)
        await (isOurs ? forget : expel)(transaction, name)
      })
    } catch (error) {
      // What was left is nobody's to keep: until it can be withdrawn somebody works for it.
      if (isOurs) await queue.giveBack([holding.job]).catch(failed)
      throw error
    } finally {
      if (isOurs && held.get(name) === holding) held.delete(name)
    }
  }

  return {
    take,
    touch,
    giveBack,
    withdraw,
    /** What is not being given back. */
    working: (): Holding[] => [...held.values()].filter(({tenure}) => !tenure.isLeaving()),
    leaving: (): number => [...held.values()].filter(({tenure}) => tenure.isLeaving()).length,
    claims: (): Claim[] => [...held.values()].map(({tenure}) => tenure.claim),
    lost: (lost: Pick<Claim, 'name' | 'epoch'>): void => {
      const holding = held.get(lost.name)
      if (holding?.tenure.claim.epoch === lost.epoch)
        drop(holding, 'a commit has found another owner')
    },
    /** What may have gone to others long ago, for all that can be learnt. */
    loseSilent: (): void => {
      for (const holding of held.values()) {
        if (elapsedMs(holding.touchedAt) > IN_TIME_MS + PATIENCE_MS) {
          drop(holding, 'the database does not answer')
        }
      }
    },
    loseAll: (reason: string): void => {
      for (const holding of held.values()) drop(holding, reason)
    },
    giveBackAll: () => giveBack([...held.values()]),
    /** Whatever was left has arrived there. */
    returned: async (): Promise<void> => giving,
    /** The one that has been here longest, if that is for long. */
    heldLong: (): Holding[] =>
      [...held.values()]
        .filter(({takenAt, turnAfterMs}) => elapsedMs(takenAt) > turnAfterMs)
        .slice(0, 1),
  }
}
