import {mayPass} from '../store/database/errors.ts'
import {backoffMs, pause} from '../async/pause.ts'
import {type InboxRow, type InboxStore, LONGEST_WAIT_MS} from '../store/tables/inbox.ts'
import type {ClockCheck} from './clock-check.ts'
import {createPoller} from '../async/poller.ts'
import {TryLater} from './try-later.ts'

/** Handles inbox rows: each once, those of one lane in the order they came, lanes side by side. */
export interface Worker extends AsyncDisposable {
  /** A row was added, or there may be some from before a restart. */
  wake(): void
  /**
   * Somebody else handles the rows of this workspace from now on, or nobody does: resolves when none of them is in hand here, but
   * for those of the lanes that are spared.
   */
  leave(team: string, isSpared?: (lane: string) => boolean): Promise<void>
}

/** A row in the hands of its handler. */
export interface Handling {
  row: InboxRow
  /** Ends when the process stops, or works for this workspace no more: the row then stays for whoever does. */
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
  /** The workspaces whose rows are handled here. */
  teams: () => readonly string[]
  /** What is written of their rows; `undefined` for those of somebody else by now. */
  inboxOf?: (team: string) => InboxStore | undefined
  handle: (handling: Handling) => Promise<void>
  /** A row is taken up for the first time. */
  onTaken?: ((row: InboxRow) => void) | undefined
  /** What came of an attempt. */
  onHandled?: ((outcome: 'done' | 'later' | 'given_up') => void) | undefined
  /** Told when a row is given up. */
  onFailed: (handling: Handling, error: unknown) => Promise<void>
  clock: Pick<ClockCheck, 'isOlder'>
  nowMs?: () => number
  /** It looks so often though nobody wakes it: another instance may have died before it could tell. */
  atLeastEveryMs?: number
  log: Record<'error' | 'debug', (details: object, message: string) => void>
}

const MAX_AT_ONCE = 64
/** Of one workspace, where there are several: one whose platform is slow must not keep the others waiting. */
const MAX_OF_ONE = 16
const RETRY = {baseMs: 1000, maxMs: 15_000}
/** What could not be done for a day is not wanted any more. */
const GIVE_UP_MS = 24 * 3_600_000

export function createWorker(options: WorkerOptions): Worker {
  const {inbox, teams, inboxOf = () => inbox, handle, onFailed, clock, log} = options
  const {nowMs = Date.now, atLeastEveryMs = Infinity} = options
  const stop = new AbortController()
  const lanes = new Map<string, {team: string; leave: AbortController; work: Promise<void>}>()

  const look = async (): Promise<number | undefined> => {
    // One instant for both questions: a row that comes due between two would be in neither answer.
    const asOfMs = nowMs()
    const ours = teams()
    const mostOfOne = ours.length > 1 ? MAX_OF_ONE : MAX_AT_ONCE
    const hasRoom = (team: string): boolean => countOf(team) < mostOfOne
    for (let isAll = false; !isAll;) {
      // What is read of a lane while it ends may be what it ends with; its end looks again.
      const busy = new Set(lanes.keys())
      const roomy = ours.filter(hasRoom)
      const due = roomy.length === 0 ? [] : await inbox.due(asOfMs, roomy)
      for (const row of due) {
        if (lanes.size >= MAX_AT_ONCE) return undefined // the end of any lane looks again
        const own = inboxOf(row.team)
        if (own !== undefined && !busy.has(row.lane) && hasRoom(row.team)) run(row, own)
      }
      // Behind many of one that has its share may be some of others.
      isAll = roomy.every(hasRoom)
    }
    const atMs = await inbox.nextDueAtMs(asOfMs, ours)
    const leftMs = atMs === undefined ? Infinity : atMs - nowMs()
    return leftMs < Infinity || atLeastEveryMs < Infinity
      ? Math.min(leftMs, atLeastEveryMs)
      : undefined
  }

  const poller = createPoller({
    look,
    onFailure: (error) => log.error({err: error}, 'The inbox could not be read'),
    retryMs: RETRY.baseMs,
  })

  const countOf = (team: string): number =>
    [...lanes.values()].filter((lane) => lane.team === team).length

  const run = (row: InboxRow, own: InboxStore): void => {
    const leave = new AbortController()
    const signal = AbortSignal.any([stop.signal, leave.signal])
    const work = attend(row, own, signal)
      .catch(async (error: unknown) => {
        if (signal.aborted) return
        log.error({err: error, inboxId: row.id}, 'An inbox row could not be closed')
        // It is still due: not again at once.
        await pause(RETRY.baseMs, signal)
      })
      .finally(() => {
        lanes.delete(row.lane)
        poller.wake()
      })
    lanes.set(row.lane, {team: row.team, leave, work})
  }

  const attend = async (row: InboxRow, own: InboxStore, signal: AbortSignal): Promise<void> => {
    let close = (): Promise<void> => own.done(row.id)
    const handling: Handling = {
      row,
      signal,
      release: () => {
        close = () => own.fail(row.id)
      },
      mayTell: async (what) => {
        // Whoever goes on with it says so: nobody would hear it from here.
        signal.throwIfAborted()
        return own.tell(row.id, what)
      },
      mayBegin: () => own.tell(row.id, 'begun'),
    }
    const {id: inboxId, attempts, receivedAtMs} = row
    log.debug({inboxId, attempts, waitedMs: nowMs() - receivedAtMs}, 'An inbox row is handled')
    if (attempts === 0) options.onTaken?.(row)
    try {
      await handle(handling)
      await close()
      options.onHandled?.('done')
    } catch (error) {
      if (signal.aborted) return
      // A database that is away for a moment fails whatever was just read: as after a crash, it is done once more.
      const isForLater = error instanceof TryLater || mayPass(error)
      if (isForLater && !(await clock.isOlder(row.receivedAtMs, GIVE_UP_MS))) {
        const afterMs = error instanceof TryLater ? error.afterMs : 0
        const waitMs = Math.max(afterMs, 250, backoffMs(row.attempts, RETRY))
        options.onHandled?.('later')
        await own.postpone(row.id, nowMs() + Math.min(waitMs, LONGEST_WAIT_MS))
      } else {
        log.error({err: error, inboxId: row.id}, 'An inbox row is given up')
        options.onHandled?.('given_up')
        await onFailed(handling, error)
        await own.fail(row.id)
      }
    }
  }

  const leave: Worker['leave'] = async (team, isSpared = () => false) => {
    const left = [...lanes].filter(([name, lane]) => lane.team === team && !isSpared(name))
    for (const [, lane] of left) lane.leave.abort()
    await Promise.all(left.map(([, {work}]) => work))
  }

  const dispose = async (): Promise<void> => {
    stop.abort()
    await poller[Symbol.asyncDispose]()
    await Promise.all([...lanes.values()].map(({work}) => work))
  }
  return {wake: poller.wake, leave, [Symbol.asyncDispose]: dispose}
}
