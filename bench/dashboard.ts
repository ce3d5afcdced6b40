import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {parseArgs} from 'node:util'
import {stringify} from 'yaml'
import {z} from 'zod'
import {KEY_INPUT} from '../src/slack/ids.ts'
import {openBrowser} from '../test/support/browser.ts'
import {until} from '../test/support/until.ts'
import {metricsAddress} from '../test/support/scrape.ts'
import {createModals} from '../test/support/modals.ts'
import {JANE, KIM, type Place, type World, startWorld} from '../test/support/world.ts'
import {freePort} from './free-port.ts'
import {type Line, drawPage} from './dashboard/page.ts'

/**
 * Draws deploy/grafana/dashboard.json from a bot that works, and to which something happens: a real Prometheus scrapes it,
 * holds the alerts against it and answers the dashboard's own queries.
 */

const {values: options} = parseArgs({
  options: {
    minutes: {type: 'string', default: '8'},
    streams: {type: 'string', default: '12'},
    out: {type: 'string', default: 'data/dashboard.png'},
  },
})
const root = join(import.meta.dirname, '..')
const SCRAPE_S = 2
const minutes = Number(options.minutes)

const dashboardSchema = z.object({
  panels: z.array(
    z.object({
      ...{title: z.string(), type: z.enum(['stat', 'timeseries'])},
      fieldConfig: z.object({defaults: z.object({unit: z.string()})}),
      gridPos: z.object({x: z.number(), y: z.number(), w: z.number(), h: z.number()}),
      targets: z.array(z.object({expr: z.string(), legendFormat: z.string()})),
    }),
  ),
})
const rangeSchema = z.object({
  data: z.object({
    result: z.array(
      z.object({
        metric: z.record(z.string(), z.string()),
        values: z.array(z.tuple([z.number(), z.string()])),
      }),
    ),
  }),
})

await main()

async function main(): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const world = opened.use(
    await startWorld({
      ...{strict: true, pace: 1, latencyMs: 80, proxy: true, slackProxy: true},
      settings: {METRICS_PORT: '0', BOSUN_WATCH_SECONDS: '5'},
    }),
  )
  const folder = await mkdtemp(join(tmpdir(), 'bosun-dashboard-'))
  opened.defer(() => rm(folder, {recursive: true, force: true}))
  const target = new URL(metricsAddress(world.bot.output()) ?? '').host
  const prometheus = opened.use(await startPrometheus(folder, target))
  const fromS = Date.now() / 1000
  await live(world)
  const toS = Date.now() / 1000
  const ask = (expr: string) => askRange(prometheus.origin, expr, {fromS, toS})

  const {panels} = dashboardSchema.parse(
    JSON.parse(await readFile(join(root, 'deploy', 'grafana', 'dashboard.json'), 'utf8')),
  )
  const drawn = await Promise.all(
    panels.map(async ({title, type, fieldConfig, gridPos, targets}) => {
      const lines = await Promise.all(targets.map((one) => linesOf(one, ask)))
      return {title, type, unit: fieldConfig.defaults.unit, at: gridPos, lines: lines.flat()}
    }),
  )
  const fired = await ask('ALERTS{alertstate="firing"}')
  for (const {metric, values} of fired) {
    const [[atS] = [NaN]] = values
    console.log(`${metric['alertname'] ?? ''} from ${(atS - fromS).toFixed(0)} s on`)
  }
  const empty = drawn.filter(({lines}) => lines.length === 0).map(({title}) => title)
  console.log(`${drawn.length} panels, without a line: ${empty.join(', ') || 'none'}`)
  const html = drawPage(drawn, {fromS, toS})
  const out = join(root, options.out)
  await mkdir(join(out, '..'), {recursive: true})
  await writeFile(join(folder, 'page.html'), html)
  const browser = await openBrowser()
  opened.defer(() => browser.close())
  const page = await browser.newPage({viewport: {width: 1440, height: 900}})
  await page.setContent(html)
  await page.screenshot({path: out, fullPage: true})
  console.log(`drawn: ${options.out}`)
}

/** Work that goes on, and three troubles, each for an eighth of the time. */
async function live(world: World): Promise<void> {
  const eighthMs = (minutes * 60_000) / 8
  const at = createModals(world)
  const channel = await at.channel('reports', [JANE, KIM])
  const key = {connection: 'new', [KEY_INPUT]: world.platform.keys.readWrite}
  const budgets = {budgetPerWork: '8', budgetPerChannelDay: '40'}
  await at.connect(channel, {key, settings: {project: 'project_web', ...budgets}}, JANE)
  const places: Place[] = []
  for (let index = 0; index < Number(options.streams); index += 1) {
    const name = `report-${index}`
    const say = (reply: number) => ({
      kind: 'say' as const,
      fragments: Array.from({length: 40}, (_, at) => `Sentence ${at} of part ${reply}. `),
      delayMs: 250 + 40 * index,
    })
    const tool = {kind: 'tool' as const, name: 'run', text: 'npm test', delayMs: 3000}
    const steps = Array.from({length: 200}, (_, reply) => (reply % 2 === 0 ? say(reply) : tool))
    world.platform.control.planScript({when: {text: name}, steps: [{kind: 'turn', steps}]})
    places.push(await world.say(`@Bosun write ${name}`, {channel}))
    await delay(Math.min(2000, eighthMs / 20))
  }
  const [first, second] = places
  if (first === undefined || second === undefined) throw new Error('There is too little work.')
  await world.until('it has begun', () => world.threadIn(first)?.status === 'active')
  // What is spent of a budget, and what waits until the agent has time for it.
  const pay = (credits: number): boolean =>
    world.platform.control.setUsage(world.threadIn(first)?.id ?? '', credits)
  pay(1200)
  await delay(eighthMs)
  pay(4800)
  await world.reply(second, 'and then read it aloud')
  await delay(eighthMs)
  pay(6100)
  console.log('Slack answers 429')
  world.slack.faults.storm('*', {ms: eighthMs, retryAfterSeconds: 2})
  await delay(eighthMs)
  world.slack.faults.calm()
  await delay(eighthMs)
  console.log('Slack stands still')
  await world.slackProxy.setMode('stalled')
  await delay(eighthMs)
  await world.slackProxy.setMode('pass')
  await delay(eighthMs)
  console.log('The platform is away')
  await world.proxy.setMode('down')
  await delay(eighthMs / 2)
  await world.proxy.setMode('pass')
  await delay(eighthMs)
}

async function startPrometheus(folder: string, target: string) {
  const port = await freePort()
  const scrape = {job_name: 'bosun', static_configs: [{targets: [target]}]}
  const config = {
    global: {scrape_interval: `${SCRAPE_S}s`, evaluation_interval: `${SCRAPE_S}s`},
    scrape_configs: [scrape],
    rule_files: [join(root, 'deploy', 'prometheus', 'alerts.yml')],
  }
  await writeFile(join(folder, 'prometheus.yml'), stringify(config))
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    {stdio: ['ignore', 'ignore', 'inherit']},
  )
  const origin = `http://127.0.0.1:${port}`
  const isUp = async (): Promise<boolean> =>
    (await fetch(`${origin}/-/ready`).catch(() => undefined))?.ok === true
  let isReady = false
  const look = setInterval(() => void isUp().then((up) => (isReady ||= up)), 100)
  await until('Prometheus is ready', () => isReady)
  clearInterval(look)
  return {
    origin,
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function askRange(origin: string, expr: string, {fromS, toS}: {fromS: number; toS: number}) {
  const query = expr
    .replaceAll('$__rate_interval', `${8 * SCRAPE_S}s`)
    .replaceAll('$instance', '.*')
    .replaceAll('[1h]', '[5m]')
  const asked = {query, start: String(fromS), end: String(toS), step: String(SCRAPE_S)}
  const url = `${origin}/api/v1/query_range?${new URLSearchParams(asked).toString()}`
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${query}: ${await answer.text()}`)
  return rangeSchema.parse(await answer.json()).data.result
}

async function linesOf(
  {expr, legendFormat}: {expr: string; legendFormat: string},
  ask: (expr: string) => ReturnType<typeof askRange>,
): Promise<Line[]> {
  return (await ask(expr)).map(({metric, values}) => ({
    name: legendFormat.replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => metric[label] ?? ''),
    points: values
      .map(([atS, value]) => ({atS, value: Number(value)}))
      .filter(({value}) => Number.isFinite(value)),
  }))
}
