import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {z} from 'zod'
import {METRICS} from '../../src/metrics/catalogue.ts'
import {ALERTS} from '../support/promtool.ts'
import {labelsIn, namesIn} from '../support/promql.ts'
import {readSourceTree, root} from './source-tree.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const page = read('docs/metrics.md')

/** What Prometheus adds to every target. */
const ADDED = ['up', 'ALERTS']
const ADDED_LABELS = ['job', 'instance', 'le', 'alertname', 'alertstate']

const declared: Readonly<
  Record<string, {type: string; help: string; labels: readonly string[]; of?: string}>
> = METRICS

/** Every name under which a metric can be asked for. */
const known = new Map(
  Object.entries(declared).flatMap(([name, {type, labels}]) =>
    type === 'histogram'
      ? ['_bucket', '_sum', '_count'].map((end) => [name + end, labels] as const)
      : [[name, labels] as const],
  ),
)

const dashboard = z
  .object({
    panels: z.array(z.object({title: z.string(), targets: z.array(z.object({expr: z.string()}))})),
  })
  .parse(JSON.parse(read('deploy/grafana/dashboard.json')))

const alerts = z
  .object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.object({
            alert: z.string(),
            expr: z.string(),
            for: z.string(),
            labels: z.object({severity: z.enum(['critical', 'warning'])}),
            annotations: z.object({summary: z.string(), action: z.string()}),
          }),
        ),
      }),
    ),
  })
  .parse(parse(readFileSync(ALERTS, 'utf8')))
  .groups.flatMap(({rules}) => rules)

const queries = [
  ...dashboard.panels.flatMap(({title, targets}) =>
    targets.map(({expr}) => ({where: `the panel ${title}`, expr})),
  ),
  ...alerts.map(({alert, expr}) => ({where: `the alert ${alert}`, expr})),
]

describe('the dashboard and the alerts', () => {
  test.each(queries)('ask for what there is: $where', ({expr}) => {
    expect(namesIn(expr).filter((name) => !known.has(name) && !ADDED.includes(name))).toEqual([])
    const labels = [...namesIn(expr).flatMap((name) => known.get(name) ?? []), ...ADDED_LABELS]
    const built = ['version', 'database', 'node']
    expect(labelsIn(expr).filter((label) => ![...labels, ...built].includes(label))).toEqual([])
  })

  test('show all that is measured, between them', () => {
    const asked = new Set(queries.flatMap(({expr}) => namesIn(expr)))
    const unasked = Object.keys(declared).filter(
      (name) => !['', '_bucket', '_sum', '_count'].some((end) => asked.has(name + end)),
    )
    expect(unasked).toEqual([])
  })

  test('are eight alerts, each of which says what to do', () => {
    expect(alerts.map(({alert}) => alert)).toEqual([...new Set(alerts.map(({alert}) => alert))])
    expect(alerts).toHaveLength(8)
    expect(alerts.filter(({annotations}) => annotations.action.length < 40)).toEqual([])
  })
})

test.each(['prom-client', '@opentelemetry/'])(
  '%s is loaded by nobody who does not want it',
  (stranger) => {
    const tree = readSourceTree(['src'])
    const knows = tree.filter(({packages}) => packages.some((name) => name.startsWith(stranger)))
    expect(knows).toHaveLength(1)
    const at = (knows[0]?.path ?? '').replace(/^src\/\w+\//, '')
    const statically = new RegExp(`^import .* from '.*/${at}'`, 'm')
    expect(tree.filter(({path}) => statically.test(read(path)))).toEqual([])
  },
)

describe('docs/metrics.md', () => {
  test('has a row for each metric, with its type and its labels, and none besides', () => {
    const rows = [...page.matchAll(/^\| `(\w+)` \| (\w+) \| ([^|]*) \| ([^|]+) \|$/gm)].map(
      ([, name = '', type = '', labels = '', says = '']) => ({
        name,
        type,
        help: says.replace(' Of the database.', ''),
        labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label),
        isOfDatabase: says.includes('Of the database.'),
      }),
    )
    const wanted = Object.entries(declared).map(([name, {type, help, labels, of}]) => ({
      ...{name, type, help, labels: [...labels]},
      isOfDatabase: of === 'database',
    }))
    expect(rows).toEqual(wanted)
  })

  test('has a row for each alert', () => {
    const rows = [...page.matchAll(/^\| [^|\n]+ \| `(Bosun\w+)` \| (\d+) s \|$/gm)]
    expect(rows.map(([, alert]) => alert)).toEqual(alerts.map(({alert}) => alert))
  })
})
