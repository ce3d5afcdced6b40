import {once} from 'node:events'
import {statSync} from 'node:fs'
import {setTimeout as delay} from 'node:timers/promises'
import {Worker} from 'node:worker_threads'
import type Database from 'better-sqlite3'
import {LOG_MAX_BYTES} from '../database-file.ts'

/** Keeps the write-ahead log short, and the event loop free of it. */
interface Checkpoints extends AsyncDisposable {
  /** Something was committed: the log may have grown. */
  look: () => void
}

export interface CheckpointTask {
  path: string
  maxBytes: number
}

/** A log of so many pages is emptied by the commit that filled it, in a few milliseconds. SQLite's own measure. */
const SHORT_PAGES = 1000
const RETRY_MS = 1000

/**
 * `short → long → short`. A short log is emptied by commits. A program that reads for long (a backup, a
 * shell) lets it grow meanwhile, and the commit behind its end would have to move all of it at once, a second
 * for 400 MB: so a long one is emptied by a thread, which lives only as long as that takes.
 */
export function createCheckpoints(sqlite: Database.Database): Checkpoints {
  const task: CheckpointTask = {path: sqlite.name, maxBytes: LOG_MAX_BYTES}
  const stop = new AbortController()
  let emptying: Promise<void> | undefined

  const isLong = (): boolean => {
    try {
      return (statSync(`${task.path}-wal`, {throwIfNoEntry: false})?.size ?? 0) > task.maxBytes
    } catch {
      // A disk that cannot be read is told of where it is written to.
      return false
    }
  }

  const look = (): void => {
    if (emptying !== undefined || stop.signal.aborted || !isLong()) return
    sqlite.pragma('wal_autocheckpoint = 0')
    emptying = untilShort()
  }

  const untilShort = async (): Promise<void> => {
    while (isLong() && !stop.signal.aborted) {
      // A thread that cannot be had is asked for again: until then the log grows, and nobody waits.
      await runThread(task, stop.signal).catch(() => delay(RETRY_MS))
    }
    if (sqlite.open) sqlite.pragma(`wal_autocheckpoint = ${SHORT_PAGES}`)
    emptying = undefined
  }

  const dispose = async (): Promise<void> => {
    stop.abort()
    await emptying
  }
  return {look, [Symbol.asyncDispose]: dispose}
}

async function runThread(task: CheckpointTask, signal: AbortSignal): Promise<void> {
  const thread = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), {
    workerData: task,
    execArgv: [],
    resourceLimits: {maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4},
  })
  const end = (): void => thread.postMessage('end')
  signal.addEventListener('abort', end)
  try {
    await once(thread, 'exit')
  } finally {
    signal.removeEventListener('abort', end)
  }
}
