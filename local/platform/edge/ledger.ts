import {closeSync, existsSync, mkdirSync, openSync, readFileSync, writeSync} from 'node:fs'
import {dirname} from 'node:path'

/** One request and what it did: the ground truth that tests judge by. Keys and secrets never stand in it. */
export interface LedgerRow {
  /** From 1, in the order of the answers. */
  readonly seq: number
  /** When the request came. */
  readonly atMs: number
  readonly method: string
  /** With the query. */
  readonly path: string
  /** What the client got; `null` when nothing was sent. */
  readonly status: number | null
  /** The label of the key, where a valid one was sent. */
  readonly key: string | null
  /** The parsed JSON body, where one was read. */
  readonly body?: unknown
  /** The `Last-Event-ID` header, where one was sent. */
  readonly lastEventId?: string
  /** The `Idempotency-Key` header, where one was sent. */
  readonly idempotencyKey?: string
  /** Whether the request changed anything: false for reads, refusals and repeated creations. */
  readonly applied: boolean
  /** What the platform answered, in its ids and outcomes, or the `_tag` of its refusal. */
  readonly result?: Readonly<Record<string, unknown>>
  /** The kind of the fault that hit. */
  readonly fault?: string
  /** Of a stream that is closed: what went over the wire, head and chunk marks included. */
  readonly bytes?: number
  /** Of a stream that is closed. */
  readonly closedAtMs?: number
}

export interface Ledger extends Disposable {
  /** The newest ones, oldest first. */
  readonly rows: readonly LedgerRow[]
  /** Answers the row's `seq`. */
  add(row: Omit<LedgerRow, 'seq'>): number
  /** Completes the row of a stream. */
  close(seq: number, end: Required<Pick<LedgerRow, 'bytes' | 'closedAtMs'>>): void
}

interface LedgerOptions {
  /** How many of the newest rows stay in memory. */
  maxRows: number
  /**
   * A file of JSON lines that keeps every row, beyond the process. A stream makes two lines of one `seq`, the second
   * one when it has closed: the last line of a `seq` counts.
   */
  file?: string | undefined
}

export function createLedger({maxRows, file}: LedgerOptions): Ledger {
  const journal = file === undefined ? undefined : openJournal(file)
  const rows: LedgerRow[] = []
  const sizes: number[] = []
  let size = 0
  let lastSeq = journal?.lastSeq ?? 0
  const forgetOldest = (): void => {
    const excess = rows.length - maxRows
    // In steps, because taking the first one of so many is slow.
    let count = excess > maxRows / 100 ? excess : 0
    for (const oldest of sizes.slice(0, count)) size -= oldest
    while (size > MAX_CHARACTERS && count < rows.length - 1) size -= sizes[count++] ?? 0
    rows.splice(0, count)
    sizes.splice(0, count)
  }
  return {
    rows,
    add: (draft) => {
      const row = Object.freeze({seq: ++lastSeq, ...draft})
      const json = JSON.stringify(row)
      journal?.write(json)
      rows.push(row)
      sizes.push(json.length)
      size += json.length
      forgetOldest()
      return row.seq
    },
    close: (seq, end) => {
      const index = seq - (rows[0]?.seq ?? 0)
      const open = rows[index]
      if (open === undefined) return
      const row = Object.freeze({...open, ...end})
      journal?.write(JSON.stringify(row))
      rows[index] = row
    },
    [Symbol.dispose]: () => journal?.close(),
  }
}

/** What all rows together may take in memory, as JSON. */
const MAX_CHARACTERS = 64 * 1024 * 1024

interface Journal {
  readonly lastSeq: number
  write(json: string): void
  close(): void
}

/** Each line is one write, so that a process that is killed leaves whole lines. */
function openJournal(file: string): Journal {
  mkdirSync(dirname(file), {recursive: true})
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const descriptor = openSync(file, 'a')
  return {
    lastSeq: highestSeq(before),
    write: (json) => void writeSync(descriptor, `${json}\n`),
    close: () => closeSync(descriptor),
  }
}

/** Lines begin with their `seq`. */
function highestSeq(lines: string): number {
  let highest = 0
  for (const [, seq] of lines.matchAll(/^\{"seq":(\d+),/gm))
    highest = Math.max(highest, Number(seq))
  return highest
}
