/** What a metric is, in the words of Prometheus. */
interface Declared {
  type: 'counter' | 'gauge' | 'histogram'
  help: string
  /** Each has a few values that our own code knows: no ids, no names, nothing that people write. */
  labels: readonly string[]
  /** `database`: the same from every instance that works with it. Without: of the one process. */
  of?: 'database'
  /** Of a histogram: upper bounds. */
  buckets?: readonly number[]
}

const UP_TO_MINUTES = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300]
const UP_TO_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** All that is measured, each once: docs/metrics.md is held against this list, and so are the dashboard and the alerts. */
export const METRICS = {
  bosun_build_info: {
    type: 'gauge',
    help: 'Always 1: what runs. database is sqlite or postgres.',
    labels: ['version', 'node', 'database'],
  },
  process_start_time_seconds: {
    type: 'gauge',
    help: 'When the process began, in seconds since 1970.',
    labels: [],
  },
  process_cpu_seconds_total: {type: 'counter', help: 'CPU time of the process.', labels: []},
  process_resident_memory_bytes: {type: 'gauge', help: 'Memory of the process.', labels: []},
  bosun_event_loop_delay_seconds: {
    type: 'histogram',
    help: 'By how much a timer came late: nothing else happens in the process meanwhile.',
    labels: [],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
  },
  bosun_health: {
    type: 'gauge',
    help: '1 while /healthz calls this part well, else 0.',
    labels: ['part'],
  },
  bosun_workspaces: {
    type: 'gauge',
    help: 'Slack workspaces that this instance works for.',
    labels: [],
  },
  bosun_unseen_text_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest text of an agent that nobody sees in Slack yet; 0 where all is seen.',
    labels: [],
  },
  bosun_text_seen_seconds: {
    type: 'histogram',
    help: 'How long the oldest text that a call to Slack showed had waited for that.',
    labels: [],
    buckets: UP_TO_MINUTES,
  },
  bosun_first_sign_seconds: {
    type: 'histogram',
    help: 'From a message for Bosun to the first thing that people see of it: a message, a reaction, a status line.',
    labels: [],
    buckets: UP_TO_SECONDS,
  },
  bosun_slack_calls_total: {
    type: 'counter',
    help: 'Calls to Slack that went out, by what came of them: a class is one of ARCHITECTURE.md.',
    labels: ['method', 'outcome'],
  },
  bosun_slack_call_seconds: {
    type: 'histogram',
    help: 'How long calls to Slack took until they were answered, or given up.',
    labels: ['method'],
    buckets: UP_TO_SECONDS,
  },
  bosun_slack_rate_limited_total: {
    type: 'counter',
    help: 'Answers of Slack with 429.',
    labels: ['method'],
  },
  bosun_slack_tokens: {
    type: 'gauge',
    help: 'Calls of this method that may go at once, in the workspace that has the fewest.',
    labels: ['method'],
  },
  bosun_slack_silence_seconds: {
    type: 'gauge',
    help: 'For how long nothing of this method goes out yet, in the workspace with the longest silence.',
    labels: ['method'],
  },
  bosun_slack_sockets: {
    type: 'gauge',
    help: 'Open connections of Socket Mode; absent over HTTP.',
    labels: [],
  },
  bosun_platform_calls_total: {
    type: 'counter',
    help: 'Requests to the agent platform, streams that are opened among them, by outcome.',
    labels: ['outcome'],
  },
  bosun_platform_call_seconds: {
    type: 'histogram',
    help: 'How long they took; of a stream, until it was open.',
    labels: [],
    buckets: UP_TO_SECONDS,
  },
  bosun_streams: {
    type: 'gauge',
    help: 'Streams of the agent platform that are followed: open, or broken and to be opened again.',
    labels: ['state'],
  },
  bosun_stream_breaks_total: {
    type: 'counter',
    help: 'Streams that broke, or could not be opened; each is opened again.',
    labels: ['cause'],
  },
  bosun_relays: {type: 'gauge', help: 'Pieces of work that are shown in Slack now.', labels: []},
  bosun_relay_failures_total: {
    type: 'counter',
    help: 'Relays that failed, and were begun again.',
    labels: [],
  },
  bosun_inbox_wait_seconds: {
    type: 'histogram',
    help: 'From the delivery of what somebody did to when it was first taken up.',
    labels: [],
    buckets: UP_TO_SECONDS,
  },
  bosun_inbox_handled_total: {
    type: 'counter',
    help: 'What became of attempts to do what somebody asked for; later: it is tried again.',
    labels: ['outcome'],
  },
  bosun_hook_deliveries_total: {
    type: 'counter',
    help: 'What became of deliveries to hooks; later: it is tried again.',
    labels: ['outcome'],
  },
  bosun_database_commit_seconds: {
    type: 'histogram',
    help: 'How long a commit took that stands; many changes share one.',
    labels: [],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
  },
  bosun_database_commit_failures_total: {
    type: 'counter',
    help: 'Commits that failed; what may pass is tried again.',
    labels: [],
  },
  bosun_spent_dollars_total: {
    type: 'counter',
    help: 'What work has cost, as this instance has counted it.',
    labels: [],
  },
  bosun_budget_use_ratio: {
    type: 'gauge',
    help: 'Of the budgets of a kind that work was counted for in this period, the share that is used of the fullest, as it was counted last: 1 is all. Of work itself: in the last ten minutes.',
    labels: ['budget'],
  },
  bosun_inbox_rows: {
    type: 'gauge',
    help: 'What people did and is not done: open, or failed and to be asked for again.',
    labels: ['state'],
    of: 'database',
  },
  bosun_sends: {
    type: 'gauge',
    help: 'Messages to agents at work that are not over, by state.',
    labels: ['state'],
    of: 'database',
  },
  bosun_hook_deliveries_waiting: {
    type: 'gauge',
    help: 'Deliveries to hooks that are not passed on yet.',
    labels: [],
    of: 'database',
  },
  bosun_queue_oldest_seconds: {
    type: 'gauge',
    help: 'Age of the oldest that waits: inbox; sends that are on their way; hooks. 0 where none does.',
    labels: ['queue'],
    of: 'database',
  },
} as const satisfies Readonly<Record<string, Declared>>

export type MetricName = keyof typeof METRICS
type OfType<Type extends Declared['type']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['type'] extends Type ? Name : never
}[MetricName]
type LabelOf<Name extends MetricName> = (typeof METRICS)[Name]['labels'][number]

type Labels<Name extends MetricName> = Readonly<Record<LabelOf<Name>, string>>

/** One value of a metric that is read when somebody asks. */
interface Sample<Name extends MetricName> {
  labels: Labels<Name>
  value: number
}

/** Where everything that is measured goes. It costs a few microseconds, and never throws. */
export interface Meter {
  count<Name extends OfType<'counter'>>(name: Name, labels: Labels<Name>, by?: number): void
  observe<Name extends OfType<'histogram'>>(name: Name, labels: Labels<Name>, value: number): void
  /** Read at each scrape; of a counter, its whole value. What fails is left out of that one. */
  read<Name extends OfType<'gauge' | 'counter'>>(
    name: Name,
    read: () => readonly Sample<Name>[] | Promise<readonly Sample<Name>[]>,
  ): void
}

/** Of a metric that has one value and no labels. */
export function single(value: number): [{labels: Record<string, never>; value: number}] {
  return [{labels: {}, value}]
}

/** As it is told to whoever scrapes. */
export function helpOf(name: MetricName): string {
  const {help, of}: Declared = METRICS[name]
  return of === 'database'
    ? `${help} Of the database: the same from each instance, so take max, not sum.`
    : help
}

export function bucketsOf(name: MetricName): number[] {
  const {buckets = []}: Declared = METRICS[name]
  return [...buckets]
}
