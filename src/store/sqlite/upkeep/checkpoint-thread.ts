// A thread that moves what stands in the write-ahead log into the database, and ends when the log is short again.
import {statSync} from 'node:fs'
import {setTimeout as delay} from 'node:timers/promises'
import {parentPort, workerData} from 'node:worker_threads'
import Database from 'better-sqlite3'
import type {CheckpointTask} from './checkpoints.ts'

/** Between two looks; and after one at which somebody read what was to be cut off. */
const PAUSE_MS = {soon: 100, later: 1000}
/** So many pages may be left when writers are asked to wait. */
const REST_PAGES = 10_000
/** For a gap between two commits, and then for those who read, while writers wait. */
const LOCK_WAIT_MS = 100

/** In pages. */
interface Progress {
  busy: number
  log: number
  checkpointed: number
}

const {path, maxBytes} = workerData as CheckpointTask
const stop = new AbortController()
parentPort?.once('message', () => stop.abort())
await emptyLog()
// Who listens does not end by itself.
parentPort?.close()

async function emptyLog(): Promise<void> {
  const sqlite = new Database(path, {timeout: LOCK_WAIT_MS, fileMustExist: true})
  sqlite.pragma('synchronous = full')
  while (!stop.signal.aborted && logBytes() > maxBytes) {
    const pauseMs = PAUSE_MS[checkpoint(sqlite)]
    await delay(pauseMs, undefined, {signal: stop.signal}).catch(() => undefined) // asked above
  }
  sqlite.close()
}

/**
 * The long part keeps nobody from writing. The rest, and the cut, take the lock for a moment; else those
 * who write without a pause would always be ahead.
 */
function checkpoint(sqlite: Database.Database): keyof typeof PAUSE_MS {
  try {
    const {log, checkpointed} = run(sqlite, 'passive')
    if (log - checkpointed > REST_PAGES) return 'soon'
    return run(sqlite, 'truncate').busy === 0 ? 'soon' : 'later'
  } catch (error) {
    // A lock or the disk: both may pass, and until then the log only grows.
    if (error instanceof Database.SqliteError) return 'later'
    throw error
  }
}

function run(sqlite: Database.Database, mode: 'passive' | 'truncate'): Progress {
  const [progress] = sqlite.pragma(`wal_checkpoint(${mode})`) as [Progress]
  return progress
}

function logBytes(): number {
  return statSync(`${path}-wal`, {throwIfNoEntry: false})?.size ?? 0
}
