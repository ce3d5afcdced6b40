/** One request and what it did: the ground truth that tests judge by. */
export interface LedgerRow {
  readonly atMs: number
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly status: number
  /** The parsed JSON body, where one was read. */
  readonly body?: unknown
  /** The `Last-Event-ID` header, where one was sent. */
  readonly lastEventId?: string
  /** Whether the request changed anything: false for reads, refusals and repeated creations. */
  readonly applied: boolean
}

export interface Ledger {
  readonly rows: readonly LedgerRow[]
  add(row: LedgerRow): void
}

export function createLedger(): Ledger {
  const rows: LedgerRow[] = []
  return {rows, add: (row) => void rows.push(Object.freeze(row))}
}
