import {callLints} from './call-lints.ts'
import {deliveryLints} from './delivery-lints.ts'
import {flowLints} from './flow-lints.ts'
import type {Ledger} from '../edge/ledger.ts'
import type {Lint} from './lint.ts'

interface LintRules {
  /** When it is read: what is still open is judged by it. */
  nowMs: number
  /** As in the options of the local Slack. */
  timeFactor: number
  /** The bot scopes that an app declares; `undefined`: nobody knows. */
  declaredScopes: (appId: string | undefined) => readonly string[] | undefined
}

/** Everything in the record that a strict reviewer of an app would object to, in the order of its happening. */
export function readLints(record: Pick<Ledger, 'calls' | 'deliveries'>, rules: LintRules): Lint[] {
  const parts = {calls: record.calls, deliveries: record.deliveries, ...rules}
  return [...callLints(parts), ...flowLints(parts), ...deliveryLints(parts)].toSorted(
    (a, b) => a.atMs - b.atMs,
  )
}
