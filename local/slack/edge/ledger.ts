import type {MessageVersion} from '../messages/messages.ts'

/** One Web API call, in the order in which Slack applied them. */
export interface CallRecord {
  seq: number
  /** When it was applied. */
  atMs: number
  arrivedAtMs: number
  /** Absent while the caller waits. */
  answeredAtMs?: number
  /** Whose call it was, as far as its token or its client id tells. */
  appId?: string
  teamId?: string
  method: string
  /** Without the token, and with `…` for the other secrets of an app. */
  args: Record<string, unknown>
  /** The HTTP status; 0 when the answer was lost on its way. */
  status: number
  /** Of a 429. */
  retryAfterSeconds?: number
  /** What Slack said, or would have said. */
  answer: Record<string, unknown>
  /** The call took effect (of reads: was answered with `ok`). */
  applied: boolean
}

/** One try to hand one payload to the app. */
export interface DeliveryRecord {
  seq: number
  atMs: number
  /** To whom, and out of which workspace. */
  appId: string
  teamId: string
  /** `event_id` of events, `trigger_id` of what people pressed and typed: the same in every try. */
  key: string
  kind: DeliveryKind
  /** 0 the first time. */
  attempt: number
  outcome: 'pending' | 'acked' | 'timeout' | 'failed'
  ackMs?: number
  payload: Record<string, unknown>
  /** What the acknowledgement carried. */
  response?: unknown
}

export type DeliveryKind = 'events_api' | 'interactive' | 'slash_commands'

export interface Ledger {
  readonly calls: readonly Readonly<CallRecord>[]
  readonly deliveries: readonly Readonly<DeliveryRecord>[]
  /** Every state a message had, with its time, also of deleted messages. */
  versions: (channel: string, ts: string) => MessageVersion[]
  /** The listener runs synchronously when a call has been applied, before its answer goes out. */
  subscribe(listener: (call: CallRecord) => void): () => void
  /** Every call and every try of a delivery, the latter once more when it is settled. */
  watch(listener: (entry: CallRecord | DeliveryRecord) => void): () => void
}

export interface LedgerWriter {
  ledger: Ledger
  /** The record stays open until the answer is on its way: the returned function closes it. */
  recordCall: (call: Omit<CallRecord, 'seq' | 'atMs' | 'answeredAtMs'>) => () => void
  /** The record stays open: its outcome is filled in by the returned function. */
  recordDelivery: (
    delivery: Omit<DeliveryRecord, 'seq' | 'atMs' | 'outcome' | 'ackMs' | 'response'>,
  ) => (outcome: DeliveryRecord['outcome'], response?: unknown) => void
}

export function createLedger({
  now,
  versions,
}: {
  now: () => number
  versions: Ledger['versions']
}): LedgerWriter {
  const calls: CallRecord[] = []
  const deliveries: DeliveryRecord[] = []
  const listeners = new Set<(call: CallRecord) => void>()
  const watchers = new Set<(entry: CallRecord | DeliveryRecord) => void>()
  const show = (entry: CallRecord | DeliveryRecord): void => {
    for (const watcher of watchers) watcher(entry)
  }
  return {
    ledger: {
      calls,
      deliveries,
      versions,
      subscribe: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      watch: (watcher) => {
        watchers.add(watcher)
        return () => watchers.delete(watcher)
      },
    },
    recordCall: (call) => {
      const record: CallRecord = {seq: calls.length + 1, atMs: now(), ...call}
      calls.push(record)
      show(record)
      if (record.applied) for (const listener of listeners) listener(record)
      return () => {
        record.answeredAtMs = now()
      }
    },
    recordDelivery: (delivery) => {
      const record: DeliveryRecord = {
        seq: deliveries.length + 1,
        atMs: now(),
        outcome: 'pending',
        ...delivery,
      }
      deliveries.push(record)
      show(record)
      return (outcome, response) => {
        record.outcome = outcome
        if (response !== undefined) record.response = response
        if (outcome === 'acked') record.ackMs = now() - record.atMs
        show(record)
      }
    },
  }
}
