import {backoffMs, pause} from '../async/pause.ts'
import {type InboxRow, type InboxStore, LONGEST_WAIT_MS} from '../store/tables/inbox.ts'
import type {ClockCheck} from './clock-check.ts'
import {createPoller} from '../async/poller.ts'
import {TryLater} from './try-later.ts'

/** Handles inbox rows: each once, those of one lane in the order they came, lanes side by side. */
interface Worker extends AsyncDisposable {
  /** A row was added, or there may be some from before a restart. */
  wake(): void
}

/** A row in the hands of its handler. */
export interface Handling {
  row: InboxRow
  /** Ends when the process stops: the row then stays, and the next start handles it. */
  signal: AbortSignal
  /** What was asked was declined: the same may be asked once more. */
  release(): void
  /** True once for this row, however often it is handled: for what must be said at most once. `wait`: that it is not yet. */
  mayTell(what: 'wait' | 'outcome'): Promise<boolean>
  /** True once for this row, too: for what has no key on the platform and must not be done twice. */
  mayBegin(): Promise<boolean>
}

interface WorkerOptions {
  inbox: InboxStore
  handle: (handling: Handling) => Promise<void>
  /** Told when a row is given up. */
  onFailed: (handling: Handling, error: unknown) => Promise<void>
  clock: Pick<ClockCheck, 'isOlder'>
  nowMs?: () => number
  log: {error(details: object, message: string): void}
}

const MAX_AT_ONCE = 64
const RETRY = {baseMs: 1000, maxMs: 15_000}
/** What could not be done for a day is not wanted any more. */
const GIVE_UP_MS = 24 * 3_600_000

export function createWorker(options: WorkerOptions): Worker {
  const {inbox, handle, onFailed, clock, log, nowMs = Date.now} = options
  const stop = new AbortController()
  const lanes = new Map<string, Promise<void>>()

  const look = async (): Promise<number | undefined> => {
    // One instant for both questions: a row that comes due between two would be in neither answer.
    const asOfMs = nowMs()
    // What is read of a lane while it ends may be what it ends with; its end looks again.
    const busy = new Set(lanes.keys())
    for (const row of await inbox.due(asOfMs)) {
      if (lanes.size >= MAX_AT_ONCE) return undefined // the end of any lane looks again
      if (!busy.has(row.lane)) run(row)
    }
    const atMs = await inbox.nextDueAtMs(asOfMs)
    return atMs === undefined ? undefined : atMs - nowMs()
  }

  const poller = createPoller({
    look,
    onFailure: (error) => log.error({err: error}, 'The inbox could not be read'),
    retryMs: RETRY.baseMs,
  })

  const run = (row: InboxRow): void => {
    const work = attend(row)
      .catch(async (error: unknown) => {
        log.error({err: error, inboxId: row.id}, 'An inbox row could not be closed')
        // It is still due: not again at once.
        await pause(RETRY.baseMs, stop.signal)
      })
      .finally(() => {
        lanes.delete(row.lane)
        poller.wake()
      })
    lanes.set(row.lane, work)
  }

  const attend = async (row: InboxRow): Promise<void> => {
    let close = (): Promise<void> => inbox.done(row.id)
    const handling: Handling = {
      row,
      signal: stop.signal,
      release: () => {
        close = () => inbox.fail(row.id)
      },
      mayTell: (what) => inbox.tell(row.id, what),
      mayBegin: () => inbox.tell(row.id, 'begun'),
    }
    try {
      await handle(handling)
      await close()
    } catch (error) {
      if (stop.signal.aborted) return
      if (error instanceof TryLater && !(await clock.isOlder(row.receivedAtMs, GIVE_UP_MS))) {
        const waitMs = Math.max(error.afterMs, 250, backoffMs(row.attempts, RETRY))
        await inbox.postpone(row.id, nowMs() + Math.min(waitMs, LONGEST_WAIT_MS))
      } else {
        log.error({err: error, inboxId: row.id}, 'An inbox row is given up')
        await onFailed(handling, error)
        await inbox.fail(row.id)
      }
    }
  }

  const dispose = async (): Promise<void> => {
    stop.abort()
    await poller[Symbol.asyncDispose]()
    await Promise.all(lanes.values())
  }
  return {wake: poller.wake, [Symbol.asyncDispose]: dispose}
}
