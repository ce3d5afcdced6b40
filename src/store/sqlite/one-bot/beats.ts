import Database from 'better-sqlite3'
import {type BotMark, LOOK_MS} from './bot-mark.ts'
import {StoreError} from '../../database/errors.ts'

/** Keeps the mark of the running bot moving, and sees that it still is this bot's. */
export interface Beats extends Disposable {
  /** Aborted, with the reason, once another bot has the database: nothing may be done any more. */
  lost: AbortSignal
}

interface BeatOptions {
  mine: BotMark
  onBeat: () => void
}

/** Several fit into the time after which a mark that does not move counts as left behind. */
const BEAT_MS = 500

/**
 * A beat is one small row in the log, which nobody waits for the disk for: what it says only counts while it moves. While
 * the database is locked or full there is none, and then this bot can't do anything either, since all that it does is
 * written first; and before it writes again it looks whose the database is (`createGuard`).
 */
export function startBeats({mine, onBeat}: BeatOptions): Beats {
  const sqlite = new Database(mine.path, {timeout: 0, fileMustExist: true})
  sqlite.pragma('synchronous = normal')
  // The log is emptied by those who write, or by a thread.
  sqlite.pragma('wal_autocheckpoint = 0')
  const move = sqlite.prepare('update bot_mark set beat = beat + 1 where start = ?')
  const isOurs = createGuard(sqlite, mine)
  const lost = new AbortController()

  const beat = (): number => {
    try {
      isOurs()
      move.run(mine.start)
      onBeat()
      return BEAT_MS
    } catch (error) {
      if (error instanceof StoreError) lost.abort(error)
      // Locked for a moment by ourselves, or for longer by others; or the disk is full or broken.
      return LOOK_MS
    }
  }
  const next = (): void => {
    const inMs = beat()
    if (!lost.signal.aborted) timer = setTimeout(next, inMs).unref()
  }
  let timer = setTimeout(next, BEAT_MS).unref()
  const dispose = (): void => {
    clearTimeout(timer)
    try {
      sqlite.prepare('update bot_mark set ended = 1 where start = ?').run(mine.start)
    } catch {
      // Then the next start finds a mark whose lock is free, or that does not move.
    }
    sqlite.close()
  }
  return {lost: lost.signal, [Symbol.dispose]: dispose}
}

/** Throws once the database is marked as another bot's: by then this one was away for long, or on another machine. */
export function createGuard(sqlite: Database.Database, {start, path}: BotMark): () => void {
  const read = sqlite.prepare<[], Pick<BotMark, 'start' | 'pid' | 'host' | 'since'>>(
    'select start, pid, host, since from bot_mark',
  )
  return () => {
    const found = read.get()
    if (found?.start === start) return
    const by =
      found === undefined
        ? 'Its mark is gone from'
        : `Another bot (process ${found.pid} on ${found.host}, since ${found.since}) has taken over`
    throw new StoreError(
      'in-use',
      `${by} the database ${path}. This one has stopped and writes nothing more. See which of them is to run, and start that one alone.`,
    )
  }
}
