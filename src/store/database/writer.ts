import type {Kysely, Transaction} from 'kysely'
import type {Condition} from './condition.ts'
import {isBusy, isTaken, mayPass} from './errors.ts'
import {ClaimLost, type Claimed, changedHands} from './fence.ts'
import type {Schema} from './schema.ts'
import {waitForTurn} from './waits.ts'

/** A change to the database: awaits nothing but the database, and may run more than once. */
type Change<Result> = (db: Transaction<Schema>) => Promise<Result>

/**
 * Resolves when the change is committed. Throws what the change threw, and then nothing of it stays.
 * While the database is locked, full or failing, the change waits; a signal takes it back, unless it
 * stands already, and so does a stop. What a signal may take back goes in front of what has time.
 */
export type Write = <Result>(change: Change<Result>, signal?: AbortSignal) => Promise<Result>

export interface Writer {
  write: Write
  /** For who owns something: what it changes is committed only while nobody else does, or fails with {@link ClaimLost}. */
  writeFor: (claim: Claimed) => Write
  /** From now on trouble is waited out for a short time only. Resolves when nothing waits any more. */
  stop: () => Promise<void>
}

export interface WriterOptions {
  db: Kysely<Schema>
  condition: Condition
  onCommitted?: () => void
  /** A commit took so long; without an error it stands. */
  onCommit?: ((tookMs: number, error: unknown) => void) | undefined
  /** A commit has found that somebody else owns it now. */
  onLost?: (claim: Claimed) => void
  /** Those who write are given an end before the process is: by then what they do is stopped, too. */
  stopWithinMs?: number
  /** A group that takes longer is cut. As long as the event loop may be held up, where a change holds it up. */
  groupMs?: number
}

interface Waiting {
  isOpen: boolean
  isUrgent: boolean
  /** It is being committed: whoever takes it back comes too late, unless that fails. */
  isLeaving: boolean
  /** It has failed once since what is unique stands there already. */
  hasLookedAgain: boolean
  claim: Claimed | undefined
  /** Inside a transaction; what it returns says so once that is committed. */
  run: (db: Transaction<Schema>) => Promise<() => void>
  /** It was not committed. */
  stay: () => void
  fail: (error: Error) => void
}

/** A lock goes suddenly and is short; a disk takes its time. */
const MAX_WAIT_MS = {locked: 50, other: 1000}
/** So long a group of SQLite's may hold up the event loop. */
const GROUP_MS = 5

/**
 * Commits changes in groups: everything that arrived while a commit ran goes into the next one, so
 * that a thousand cursors cost few writes to the disk. Trouble that every change would meet is waited
 * out, without blocking the event loop.
 */
export function createWriter(options: WriterOptions): Writer {
  const {
    db,
    condition,
    onCommitted,
    onCommit,
    onLost,
    stopWithinMs = 5000,
    groupMs = GROUP_MS,
  } = options
  let waiting: Waiting[] = []
  let draining: Promise<void> | undefined
  let giveUpAtMs = Infinity

  const drain = async (): Promise<void> => {
    await Promise.resolve() // what else is asked for in this turn goes into the first group
    for (let attempt = 0; ; attempt += 1) {
      waiting = waiting.filter(({isOpen}) => isOpen)
      if (waiting.length === 0) break
      const urgent = waiting.filter(({isUrgent}) => isUrgent)
      const others = waiting.filter(({isUrgent}) => !isUrgent)
      try {
        // What others were in the way of is tried in smaller parts: a long transaction is in more ways, for longer.
        const parts = 2 ** Math.min(attempt, 10)
        const inOrder = [...urgent, ...others]
        await commit(inOrder.slice(0, Math.ceil(inOrder.length / parts)))
        attempt = -1
        onCommitted?.()
      } catch (error) {
        if (error instanceof TakenBack) {
          attempt = -1
        } else if (performance.now() > giveUpAtMs) {
          for (const change of waiting) change.fail(notWritten('before the stop', condition, error))
        } else {
          await waitForTurn(attempt, isBusy(error) ? MAX_WAIT_MS.locked : MAX_WAIT_MS.other)
        }
      }
    }
    draining = undefined
  }

  /** Settles what it can; throws only what may pass, and then nothing is settled that was not committed. */
  const commit = async (group: readonly Waiting[]): Promise<void> => {
    // The machine's own time, which no process can hurry.
    const sinceNs = process.hrtime.bigint()
    const tookMs = (): number => Number(process.hrtime.bigint() - sinceNs) / 1e6
    try {
      // What a change has read is still so when it writes, whatever another program does meanwhile.
      const transaction = db.transaction().setIsolationLevel('serializable')
      const settle = await transaction.execute(async (opened) => {
        dropLost(group, await changedHands(opened, claimsOf(group)))
        return runAll(group, opened, groupMs)
      })
      onCommit?.(tookMs(), undefined)
      condition.wrote()
      for (const done of settle) done()
    } catch (error) {
      if (!(error instanceof TakenBack)) onCommit?.(tookMs(), error)
      condition.failed(error)
      for (const change of group) change.stay()
      if (mayPass(error) || error instanceof TakenBack) throw error
      // One of them is at fault: halved until it stands alone, so that the others are not. The other
      // half goes into the next group, and nothing overtakes.
      const [first] = group
      if (group.length === 1 && first !== undefined) {
        // Another instance may have written the same after this one had looked: it looks once more.
        if (!isTaken(error) || first.hasLookedAgain) first.fail(toError(error))
        else first.hasLookedAgain = true
      } else await commit(group.slice(0, Math.ceil(group.length / 2)))
    }
  }

  const dropLost = (group: readonly Waiting[], lost: ReadonlySet<Claimed>): void => {
    for (const claim of lost) onLost?.(claim)
    for (const {claim, fail} of group) if (claim && lost.has(claim)) fail(new ClaimLost(claim.name))
  }

  const add = <Result>(
    change: Change<Result>,
    signal: AbortSignal | undefined,
    claim: Claimed | undefined,
  ): Promise<Result> =>
    new Promise((resolve, reject) => {
      const close = (): void => {
        waits.isOpen = false
        signal?.removeEventListener('abort', takeBack)
      }
      const fail = (error: Error): void => {
        close()
        reject(error)
      }
      const takeBack = (): void => {
        if (!waits.isLeaving) fail(notWritten('in time', condition, signal?.reason))
      }
      const stay = (): void => {
        waits.isLeaving = false
        if (signal?.aborted === true) takeBack()
      }
      const run = async (transaction: Transaction<Schema>) => {
        const result = await change(transaction)
        return () => {
          close()
          resolve(result)
        }
      }
      const isUrgent = signal !== undefined
      const state = {isOpen: true, isUrgent, isLeaving: false, hasLookedAgain: false}
      const waits: Waiting = {...state, claim, run, stay, fail}
      if (signal?.aborted === true) {
        takeBack()
        return
      }
      signal?.addEventListener('abort', takeBack)
      waiting.push(waits)
      draining ??= drain()
    })

  const stop = async (): Promise<void> => {
    giveUpAtMs = Math.min(giveUpAtMs, performance.now() + stopWithinMs)
    await draining
  }
  return {
    write: (change, signal) => add(change, signal, undefined),
    writeFor: (claim) => (change, signal) => add(change, signal, claim),
    stop,
  }
}

function claimsOf(group: readonly Waiting[]): ReadonlySet<Claimed> {
  return new Set(group.flatMap(({claim}) => claim ?? []))
}

async function runAll(
  group: readonly Waiting[],
  transaction: Transaction<Schema>,
  groupMs: number,
): Promise<(() => void)[]> {
  const endMs = performance.now() + groupMs
  const ran: Waiting[] = []
  const done: (() => void)[] = []
  for (const change of group) {
    if (!change.isOpen) continue
    if (done.length > 0 && performance.now() > endMs) break
    ran.push(change)
    done.push(await change.run(transaction))
  }
  if (ran.some(({isOpen}) => !isOpen)) throw new TakenBack()
  for (const change of ran) change.isLeaving = true
  return done
}

/** Somebody has taken back what has run, and is not committed yet: the others run again without it. */
class TakenBack extends Error {
  override name = 'TakenBack' as const
}

function notWritten(when: string, condition: Condition, cause: unknown): Error {
  const why = condition.words() ?? 'has much to write'
  return new Error(`Not written ${when}: the database ${why}`, {cause})
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
