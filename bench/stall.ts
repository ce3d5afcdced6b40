import {mkdtempSync, readFileSync, readdirSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {pathToFileURL} from 'node:url'
import {parseArgs} from 'node:util'
import {z} from 'zod'
import {KIM, type World, startWorld} from '../test/support/world.ts'
import {type Line, atMost, endWith, never} from './lines.ts'
import {INPUTS, type Input} from './stall/inputs.ts'

/**
 * Whether anything that arrives can hold up the bot. Each input meets a bot of its own, beside which its health is asked for
 * and somebody else mentions it. Measured inside the bot: the event loop's longest delay, and the most memory that it had.
 */

const {values: options} = parseArgs({
  options: {
    only: {type: 'string', default: ''},
    'max-ms': {type: 'string', default: '200'},
    'max-mb': {type: 'string', default: '512'},
    times: {type: 'string', default: '3'},
  },
})
const MAX_MS = Number(options['max-ms'])
const MAX_MB = Number(options['max-mb'])
const TIMES = Number(options.times)
/** Slack's own. */
const MAX_ACK_MS = 3000
const HEALTH_WITHIN_MS = 2000
const BETWEEN_MS = 250
const MENTIONS_EVERY_MS = 2000
const QUIET_MS = 15_000

const vitalsSchema = z.object({
  peakMb: z.number(),
  loopP99Ms: z.number(),
  loopMaxMs: z.number(),
  /** The most that the loop's thread itself worked between two turns: the rest of a delay is the machine's. */
  ownMaxMs: z.number(),
  busyPercent: z.number(),
})

/** It does not run any more, or never answered. */
const UNKNOWN = {peakMb: NaN, loopP99Ms: NaN, loopMaxMs: NaN, ownMaxMs: NaN, busyPercent: NaN}

interface Row extends z.infer<typeof vitalsSchema> {
  name: string
  /** The longest answer of `/healthz`. */
  healthMs: number
  unhealthy: number
  /** The longest acknowledgement of what somebody else did. */
  ackMs: number
  unacknowledged: number
  trouble: string | undefined
}

const QUIET: Input = {name: 'nothing', play: () => delay(QUIET_MS)}

await main()

async function main(): Promise<void> {
  const chosen = INPUTS.filter(({name}) => name.includes(options.only))
  const rows: Row[] = []
  print(['', 'loop max', 'own', 'p99', 'busy', 'peak', 'health', 'ack', ''])
  for (const input of [QUIET, ...chosen]) {
    const row = await measureAnew(input)
    rows.push(row)
    print([
      row.name,
      ...[row.loopMaxMs, row.ownMaxMs, row.loopP99Ms].map((ms) => `${ms.toFixed(0)} ms`),
      `${row.busyPercent.toFixed(0)} %`,
      `${row.peakMb.toFixed(0)} MB`,
      ...[row.healthMs, row.ackMs].map((ms) => `${ms.toFixed(0)} ms`),
      wrongsOf(row).join(', '),
    ])
  }
  endWith(rows.flatMap(linesOf))
}

/** What stands again and again is the bot's; what stands once may be the machine's, which has other work to do. */
async function measureAnew(input: Input): Promise<Row> {
  let best = await measure(input)
  for (let time = 1; time < TIMES && wrongsOf(best).length > 0; time += 1) {
    const row = await measure(input)
    const isBetter = wrongsOf(row).length === 0 || row.loopMaxMs < best.loopMaxMs
    if (isBetter) best = row
  }
  return best
}

/** A bot that is gone has measured nothing, and no such line holds. */
function linesOf(row: Row): Line[] {
  const {name, loopMaxMs, peakMb, unhealthy, unacknowledged, trouble} = row
  return [
    // Where nothing arrives, it is the machine.
    ...(name === QUIET.name
      ? []
      : [atMost(`${name}: the loop stood for`, loopMaxMs, MAX_MS, 'ms')]),
    atMost(`${name}: memory, peak`, peakMb, MAX_MB, 'MB'),
    never(`${name}: no health`, unhealthy),
    never(`${name}: not acknowledged`, unacknowledged),
    never(`${name}: other trouble`, trouble === undefined ? 0 : 1),
  ]
}

function wrongsOf(row: Row): string[] {
  const short = linesOf(row).filter(({isHeld}) => !isHeld)
  return [...short.map(({name}) => name.replace(`${row.name}: `, '')), row.trouble ?? ''].filter(
    Boolean,
  )
}

function print([name = '', ...cells]: readonly string[]): void {
  const [last = '', ...figures] = cells.toReversed()
  const line = figures.toReversed().map((cell) => cell.padStart(10))
  console.log(`${name.padEnd(42)}${line.join('')}  ${last}`)
}

async function measure(input: Input): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'bosun-stall-'))
  const file = join(folder, 'vitals.jsonl')
  const probe = pathToFileURL(join(import.meta.dirname, 'soak-probe.ts')).href
  try {
    await using world = await startWorld({
      delivery: 'http',
      settings: {NODE_OPTIONS: `--import=${probe}`, SOAK_FILE: file, LOG_LEVEL: 'error'},
    })
    // Its start is no stall of anybody's.
    await readVitals(world, file)
    const beside = watchBeside(world, input.isAway === true)
    const trouble = await input.play(world).then(
      () => undefined,
      (error: unknown) => String(error).split('\n', 1)[0],
    )
    const seen = await beside.stop()
    const vitals = await readVitals(world, file).catch(() => UNKNOWN)
    return {name: input.name, ...vitals, ...seen, trouble}
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

async function readVitals(world: World, file: string): Promise<z.infer<typeof vitalsSchema>> {
  const lines = (): string[] =>
    readdirSync(join(file, '..')).length === 0
      ? []
      : readFileSync(file, 'utf8').split('\n').filter(Boolean)
  const before = lines().length
  const pid = world.bot.pid()
  if (pid === undefined) throw new Error('The bot does not run.')
  process.kill(pid, 'SIGUSR2')
  const line = await world.until('the bot tells how it is', () => lines()[before], 120_000)
  return vitalsSchema.parse(JSON.parse(line))
}

/** What everybody else sees meanwhile. */
function watchBeside(world: World, isAway: boolean) {
  const stopped = new AbortController()
  let [healthMs, unhealthy] = [0, 0]
  let answered: number | undefined
  const askHealth = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const pid = world.bot.pid()
      const port = [...world.bot.output().matchAll(/port (\d+)/g)].at(-1)?.[1] ?? ''
      const begunMs = performance.now()
      const signal = AbortSignal.timeout(HEALTH_WITHIN_MS)
      const answer = await fetch(`http://127.0.0.1:${port}/healthz`, {signal}).catch(
        () => undefined,
      )
      await answer?.arrayBuffer()
      if (answer !== undefined) answered = pid
      // One that starts, or stops, need not answer.
      if (pid !== undefined && pid === answered && pid === world.bot.pid()) {
        healthMs = Math.max(healthMs, performance.now() - begunMs)
        if (answer === undefined) unhealthy += 1
      }
      await delay(BETWEEN_MS)
    }
  }
  const mention = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      if (world.bot.isRunning()) await world.say('@Bosun a quick check', {as: KIM})
      await delay(MENTIONS_EVERY_MS)
    }
  }
  const begunAtMs = Date.now()
  const running = Promise.all([askHealth(), mention()])
  return {
    stop: async () => {
      stopped.abort()
      await running
      await delay(MAX_ACK_MS)
      const theirs = world.slack.ledger.deliveries.filter(
        ({atMs, payload}) => atMs > begunAtMs && JSON.stringify(payload).includes(`"${KIM}"`),
      )
      const late = theirs.filter(
        ({outcome, ackMs = Infinity, attempt}) =>
          attempt === 0 &&
          (outcome !== 'acked' || ackMs > MAX_ACK_MS) &&
          !(isAway && outcome === 'failed'),
      )
      const ackMs = Math.max(0, ...theirs.map((one) => one.ackMs ?? 0))
      return {healthMs, unhealthy, ackMs, unacknowledged: late.length}
    },
  }
}
