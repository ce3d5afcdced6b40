import {setTimeout as delay} from 'node:timers/promises'
import {monitorEventLoopDelay} from 'node:perf_hooks'
import {ConfigError, readConfig} from '../../src/config/config.ts'
import {readableLength} from '../../src/markdown/readable.ts'
import {type ProbedProcess, type Vitals, startProbed} from '../stream-processes.ts'
import {type Figures, patienceEndMs, readFigures, settle} from './figures.ts'
import {type Reply, runLoad} from './load.ts'
import type {Produced} from './waits.ts'
import type {Workspace} from './workspace.ts'

export const WRITERS = ['edit', 'stream', 'auto', 'naive'] as const
export type Writer = (typeof WRITERS)[number]

/** One measured run. */
export interface Row extends Figures {
  writer: Writer
  /** Another checkout, whose bot was measured. */
  checkout?: string | undefined
  /** What was said, when, in each thread: the optimum is that of the same work. */
  work: {channel: string; fragments: {atMs: number; chars: number; readable: number}[]}[]
  /** By how many milliseconds timers were late while text grew, of the worst hundredth: who was busy. */
  lateMs: Readonly<Record<'bench' | 'bot' | 'slack' | 'platform', number>>
}

const RESOLUTION_MS = 2
const READY_WITHIN_MS = 30_000
/** For what is still to be written when the last text has been waited for. */
const SETTLE_MS = 180_000
/** Rates and their waits fit into it. */
const QUIET_MS = 8000

/** What this bot says of the writer when it does not know it. */
export function objectionTo(writer: Writer): string | undefined {
  try {
    readConfig({...KNOWN_GOOD, ...writerSetting(writer)})
    return undefined
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

const KNOWN_GOOD = {
  PLATFORM_BASE_URL: 'http://127.0.0.1:1/api/v1',
  SLACK_BOT_TOKEN: 'xoxb-bench',
  SLACK_APP_TOKEN: 'xapp-bench',
}

export function writerSetting(writer: Writer): Record<string, string> {
  return writer === 'naive' ? {} : {SLACK_WRITER: writer}
}

export async function startBot(
  opened: AsyncDisposableStack,
  main: string,
  settings: Readonly<Record<string, string>>,
): Promise<ProbedProcess> {
  const bot = opened.use(startProbed(main, {settings}))
  const late = delay(READY_WITHIN_MS, undefined, {ref: false}).then((): never => {
    throw new Error(`${main} was not ready within ${READY_WITHIN_MS} ms.`)
  })
  await Promise.race([bot.ready, late])
  return bot
}

interface Run {
  writer: Writer
  workspace: Workspace
  bot: ProbedProcess
  replies: readonly Reply[]
  /** Other text goes on and on: Slack is never left in peace. */
  isEndless?: true
}

/** People ask, the agents write, the bot relays; then everything is waited for and read from the record. */
export async function measure({writer, workspace, bot, replies, isEndless}: Run): Promise<Row> {
  const {slack, platform} = workspace
  const processes = [bot, slack, platform] as const
  for (const one of processes) await one.vitals() // counts anew from here on
  const loop = monitorEventLoopDelay({resolution: RESOLUTION_MS})
  loop.enable()
  const observed = await runLoad(workspace, replies)
  const bench = loop.percentile(99) / 1e6 - RESOLUTION_MS
  const [atBot, atSlack, atPlatform] = await Promise.all(processes.map((one) => one.vitals()))
  // The naive one would go on for a quarter of an hour.
  const untilMs = patienceEndMs(observed) + (writer === 'naive' ? 0 : SETTLE_MS)
  await settle(workspace, observed, {untilMs, quietMs: isEndless === true ? 0 : QUIET_MS})
  const late = (vitals: Vitals | undefined): number => vitals?.loopP99Ms ?? NaN
  const firstMs = Math.min(...observed.map(({produced}) => produced[0]?.atMs ?? Infinity))
  return {
    writer,
    ...(await readFigures(workspace, observed)),
    work: observed.map(({place: {channel}, produced}) => ({
      channel,
      fragments: toFragments(produced, firstMs),
    })),
    lateMs: {bench, bot: late(atBot), slack: late(atSlack), platform: late(atPlatform)},
  }
}

function toFragments(
  produced: readonly Produced[],
  firstMs: number,
): Row['work'][number]['fragments'] {
  let said = ''
  return produced.map(({atMs, text}, index) => {
    said += text
    // Nothing can change any more in what is complete.
    const readable = index === produced.length - 1 ? said.length : readableLength(said)
    return {atMs: atMs - firstMs, chars: text.length, readable}
  })
}
