/** One line of what a bot tells of itself. */
export interface Series {
  name: string
  labels: Readonly<Record<string, string>>
  value: number
}

/** Metrics in the text format of Prometheus. Written by its description alone; knows nothing of the bot. */
export function readScrape(text: string): {
  series: Series[]
  types: ReadonlyMap<string, string>
  helps: ReadonlyMap<string, string>
} {
  const series: Series[] = []
  const types = new Map<string, string>()
  const helps = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, word, name = '', rest = ''] = /^# (TYPE|HELP) (\S+) (.*)$/.exec(line) ?? []
    if (word === 'TYPE') types.set(name, rest)
    if (word === 'HELP') helps.set(name, rest)
    if (line === '' || line.startsWith('#')) continue
    const found = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line)
    if (found === null) throw new Error(`This is no line of a scrape: ${line}`)
    const [, of = '', inner = '', value = ''] = found
    const labels = Object.fromEntries(
      [...inner.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', said = '']) => [
        label,
        said,
      ]),
    )
    series.push({name: of, labels, value: Number(value)})
  }
  return {series, types, helps}
}

/** Of a histogram's series, the metric's own name. */
export function metricOf(name: string, types: ReadonlyMap<string, string>): string {
  const base = name.replace(/_(?:bucket|sum|count)$/, '')
  return types.get(base) === 'histogram' ? base : name
}

/** Where the newest line of a bot's log says that its metrics are. */
export function metricsAddress(output: string): string | undefined {
  const ports = [...output.matchAll(/^.*"port":(\d+).*Metrics are told.*$/gm)]
  const port = ports.at(-1)?.[1]
  return port === undefined ? undefined : `http://127.0.0.1:${port}/metrics`
}
