import {Counter, Gauge, Histogram, Registry} from 'prom-client'
import {type Meter, METRICS, type MetricName, bucketsOf, helpOf} from './catalogue.ts'

interface Scraped {
  type: string
  body: string
}

/** A meter whose figures can be had in the text format of Prometheus. */
interface PrometheusMeter extends Meter {
  scrape: () => Promise<Scraped>
}

/** What a reader says, of whichever metric. */
interface Figure {
  labels: Readonly<Record<string, string>>
  value: number
}

/** Whatever comes, a metric has no more series than that (methods of Slack by what came of them have the most): what is further is counted under `other`. */
const MOST_SERIES = 640
const OTHER = 'other'

/** The one place that knows `prom-client`: it is imported where somebody wants metrics, and nowhere else. */
export function createPrometheusMeter(
  /** A figure cannot be read, for the first time since it could: it stands nowhere then. */
  onUnread: (name: MetricName, error: unknown) => void,
): PrometheusMeter {
  const registry = new Registry()
  const readers: (() => Promise<void>)[] = []
  const counters = new Map<MetricName, Counter>()
  const gauges = new Map<MetricName, Gauge>()
  const histograms = new Map<MetricName, Histogram>()
  for (const [key, {type, labels}] of Object.entries(METRICS)) {
    const name = key as MetricName
    const of = {name, help: helpOf(name), labelNames: [...labels], registers: [registry]}
    if (type === 'counter') counters.set(name, new Counter(of))
    else if (type === 'gauge') gauges.set(name, new Gauge(of))
    else histograms.set(name, new Histogram({...of, buckets: bucketsOf(name)}))
  }

  const known = new Map<MetricName, Set<string>>()
  /** A bound on what nobody expects to grow. */
  const bounded = (
    name: MetricName,
    labels: Readonly<Record<string, string>>,
  ): Record<string, string> => {
    const series = known.get(name) ?? new Set<string>()
    known.set(name, series)
    const key = Object.values(labels).join(' ')
    if (series.has(key)) return labels
    if (series.size < MOST_SERIES) {
      series.add(key)
      return labels
    }
    return Object.fromEntries(Object.keys(labels).map((label) => [label, OTHER]))
  }

  const set = (name: MetricName, samples: readonly Figure[]): void => {
    const counter = counters.get(name)
    const gauge = gauges.get(name)
    counter?.reset()
    gauge?.reset()
    for (const {labels, value} of samples) {
      counter?.inc(bounded(name, labels), value)
      gauge?.set(bounded(name, labels), value)
    }
  }

  return {
    count: (name, labels, by = 1) => counters.get(name)?.inc(bounded(name, labels), by),
    observe: (name, labels, value) => histograms.get(name)?.observe(bounded(name, labels), value),
    read: (name, read) => {
      let isUnread = false
      readers.push(async () => {
        try {
          set(name, await read())
          isUnread = false
        } catch (error) {
          set(name, [])
          if (!isUnread) onUnread(name, error)
          isUnread = true
        }
      })
    },
    scrape: async () => {
      await Promise.all(readers.map((read) => read()))
      return {type: registry.contentType, body: await registry.metrics()}
    },
  }
}
