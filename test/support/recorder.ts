import {setTimeout as delay} from 'node:timers/promises'
import type {Recorded} from './promtool.ts'
import {type Series, readScrape} from './scrape.ts'

/** What a bot told of itself, again and again, as a Prometheus would have kept it. */
interface Recorder {
  /** Scrapes so many times, `everyMs` apart. */
  record(times: number, everyMs: number): Promise<void>
  /** How many scrapes there were. */
  steps(): number
  /** All that was scraped; what the target was is added as Prometheus adds it. */
  recorded(): Recorded[]
}

const INSTANCE = '127.0.0.1:9464'

export function createRecorder(address: () => string): Recorder {
  const steps: (Series[] | undefined)[] = []

  const scrape = async (withinMs: number): Promise<Series[] | undefined> => {
    try {
      const answer = await fetch(address(), {signal: AbortSignal.timeout(withinMs)})
      return answer.ok ? readScrape(await answer.text()).series : undefined
    } catch {
      return undefined
    }
  }

  return {
    record: async (times, everyMs) => {
      for (let time = 0; time < times; time += 1) {
        const nextMs = performance.now() + everyMs
        // One that does not answer in time is down, as for Prometheus.
        steps.push(await scrape(Math.max(everyMs, LEAST_MS)))
        await delay(Math.max(0, nextMs - performance.now()))
      }
    },
    steps: () => steps.length,
    recorded: () => {
      const bySeries = new Map<string, (number | undefined)[]>()
      const put = (name: string, labels: Series['labels'], step: number, value: number): void => {
        const key = keyOf(name, labels)
        const values = bySeries.get(key) ?? []
        values[step] = value
        bySeries.set(key, values)
      }
      for (const [step, series] of steps.entries()) {
        put('up', {}, step, series === undefined ? 0 : 1)
        for (const {name, labels, value} of series ?? []) put(name, labels, step, value)
      }
      return [...bySeries].map(([series, values]) => ({
        series,
        values: Array.from(steps, (_, step) => values[step]),
      }))
    },
  }
}

/** A bot whose event loop is held up answers late. */
const LEAST_MS = 2000

function keyOf(name: string, labels: Series['labels']): string {
  const all = {...labels, job: 'bosun', instance: INSTANCE}
  const inner = Object.entries(all).map(([label, value]) => `${label}="${value}"`)
  return `${name}{${inner.toSorted().join(', ')}}`
}

/** The same once more behind itself, so many times in all: what counts up goes on from where it was. */
export function repeat(recorded: readonly Recorded[], times: number): Recorded[] {
  return recorded.map(({series, values}) => {
    const isCounter = /^\w+_(?:total|count|sum|bucket)\{/.test(series)
    const [first = 0, last = 0] = [values.find((it) => it !== undefined), values.at(-1)]
    const rise = isCounter ? last - first : 0
    return {
      series,
      values: Array.from({length: times}, (_, round) =>
        values.map((value) => (value === undefined ? undefined : value + round * rise)),
      ).flat(),
    }
  })
}
