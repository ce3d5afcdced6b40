import type {Standing} from '../../agents/budgets/budgets.ts'
import type {MetricsConfig} from '../../config/metrics.ts'
import {watchEventLoop} from '../../metrics/event-loop.ts'
import type {Meter} from '../../metrics/catalogue.ts'
import {
  PlatformRateLimited,
  PlatformStreamUnavailable,
  PlatformUnauthorized,
  PlatformUnreachable,
} from '../../platform/errors.ts'
import {createFirstSigns} from '../../slack/api/first-signs.ts'
import type {Log} from '../../relay/ports.ts'
import type {CallResult} from '../../slack/api/call-watch.ts'
import type {InboxRow} from '../../store/tables/inbox.ts'
import {createBudgetUse} from './budget-use.ts'

const MICROS_PER_DOLLAR = 1_000_000

const SILENT: Meter = {count: () => undefined, observe: () => undefined, read: () => undefined}

/**
 * What the parts of the bot tell of themselves, by the names under which they tell it: each declares what it tells, and none
 * knows of metrics. Where nobody wants any, nothing of them is imported.
 */
export async function openMeasures(
  config: MetricsConfig | undefined,
  {opened, log}: {opened: AsyncDisposableStack; log: Pick<Log, 'warn'>},
) {
  const prometheus =
    config === undefined
      ? undefined
      : (await import('../../metrics/prometheus.ts')).createPrometheusMeter((name, error) =>
          log.warn({err: error, metric: name}, 'A figure could not be read'),
        )
  const meter: Meter = prometheus ?? SILENT
  if (prometheus !== undefined) {
    opened.use(
      watchEventLoop((seconds) => meter.observe('bosun_event_loop_delay_seconds', {}, seconds)),
    )
  }
  const firstSigns = createFirstSigns(Date.now)
  const budgetUse = createBudgetUse(Date.now)
  meter.read('bosun_budget_use_ratio', () =>
    budgetUse.fullest().map(([budget, value]) => ({labels: {budget}, value})),
  )

  return {
    meter,
    /** `undefined`: nobody wants metrics. */
    scrape: prometheus?.scrape,
    onCommit: (tookMs: number, error: unknown): void => {
      if (error !== undefined) meter.count('bosun_database_commit_failures_total', {})
      else meter.observe('bosun_database_commit_seconds', {}, tookMs / 1000)
    },
    onAnswer: (tookMs: number, error: unknown): void => {
      meter.count('bosun_platform_calls_total', {outcome: outcomeOf(error)})
      meter.observe('bosun_platform_call_seconds', {}, tookMs / 1000)
    },
    onBreak: (error: unknown): void =>
      meter.count('bosun_stream_breaks_total', {cause: outcomeOf(error)}),
    onCall: (call: CallResult): void => {
      const {method, outcome, isLimited, tookMs} = call
      meter.count('bosun_slack_calls_total', {method, outcome})
      meter.observe('bosun_slack_call_seconds', {method}, tookMs / 1000)
      if (isLimited) meter.count('bosun_slack_rate_limited_total', {method})
      const signMs = firstSigns.called(call)
      if (signMs !== undefined) meter.observe('bosun_first_sign_seconds', {}, signMs / 1000)
    },
    onTaken: (row: InboxRow): void => {
      meter.observe('bosun_inbox_wait_seconds', {}, (Date.now() - row.receivedAtMs) / 1000)
      if (prometheus !== undefined) firstSigns.taken(row)
    },
    onHandled: (outcome: 'done' | 'later' | 'given_up'): void =>
      meter.count('bosun_inbox_handled_total', {outcome}),
    onAttempt: (outcome: string): void => meter.count('bosun_hook_deliveries_total', {outcome}),
    onCounted: (addedMicros: number, standings: readonly Standing[]): void => {
      meter.count('bosun_spent_dollars_total', {}, addedMicros / MICROS_PER_DOLLAR)
      if (prometheus !== undefined) standings.forEach(budgetUse.note)
    },
    onSeen: (waitedMs: number): void =>
      meter.observe('bosun_text_seen_seconds', {}, waitedMs / 1000),
    onRelayFailure: (): void => meter.count('bosun_relay_failures_total', {}),
  }
}

function outcomeOf(error: unknown): string {
  if (error === undefined) return 'ok'
  if (error instanceof PlatformStreamUnavailable) return 'stream_unavailable'
  if (error instanceof PlatformUnreachable) return 'unreachable'
  if (error instanceof PlatformRateLimited) return 'rate_limited'
  return error instanceof PlatformUnauthorized ? 'unauthorized' : 'refused'
}
