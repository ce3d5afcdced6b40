import {NOTHING_BESIDE} from '../test/support/fresh-link.ts'
import {type ChildProcess, fork, spawn} from 'node:child_process'
import {randomBytes} from 'node:crypto'
import {once} from 'node:events'
import {join, resolve} from 'node:path'
import type {Readable} from 'node:stream'
import {createInterface} from 'node:readline'
import {z} from 'zod'
import {hashOf} from '../src/relay/post.ts'
import {wantedPosts} from '../src/relay/posts/posts.ts'
import {createTimeline} from '../src/relay/timeline/timeline.ts'
import {splitRule} from '../src/slack/posts/writer.ts'
import {openStore} from '../src/store/store.ts'

const portsSchema = z.object({platformPort: z.number(), slackPort: z.number()})
const countsSchema = z.object({
  /** Open right now. */
  streams: z.number(),
  frames: z.number(),
  slackCalls: z.number(),
  /** Streams that were opened, by the second since 1970. */
  connects: z.array(z.tuple([z.number(), z.number()])),
})
type Counts = z.infer<typeof countsSchema>

interface StreamStandIns extends AsyncDisposable {
  platformOrigin: string
  slackOrigin: string
  play(framesPerSecond: number): Promise<Counts>
  down(): Promise<Counts>
  up(): Promise<Counts>
  count(): Promise<Counts>
}

export async function startStreamStandIns(): Promise<StreamStandIns> {
  const child = fork(join(import.meta.dirname, 'stream-stand-ins.ts'))
  const receive = async (): Promise<unknown> => {
    const [message] = (await once(child, 'message')) as [unknown]
    return message
  }
  const ask = async (order: object): Promise<Counts> => {
    child.send(order)
    return countsSchema.parse(await receive())
  }
  const {platformPort, slackPort} = portsSchema.parse(await receive())
  return {
    platformOrigin: `http://127.0.0.1:${platformPort}`,
    slackOrigin: `http://127.0.0.1:${slackPort}`,
    play: (framesPerSecond) => ask({order: 'play', framesPerSecond}),
    down: () => ask({order: 'down'}),
    up: () => ask({order: 'up'}),
    count: () => ask({order: 'count'}),
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

/** So many links at work, each of a thread of its own, whose cards stand in Slack as they should. */
export async function seedLinks(path: string, count: number): Promise<void> {
  await using store = await openStore({path, sealingKeys: []})
  const seed = async (index: number): Promise<void> => {
    const slackThread = `1700000000.${String(index).padStart(6, '0')}`
    const place = {team: 'T1', channel: `C${index % 50}`, slackThread}
    const ask = {place, requestId: `r${index}`, projectId: 'p', startedBy: 'U2'}
    const {id} = await store.links.open(ask, 0)
    const work = {threadId: `thread-${index}`, title: 'A title', status: 'active', cursor: 'c0'}
    const link = await store.links.change(id, {state: 'open', ...work})
    if (link === undefined) throw new Error('The link is gone.')
    const [card] = wantedPosts(
      link,
      createTimeline({...link, drafts: []}),
      NOTHING_BESIDE,
      splitRule,
    )
    if (card === undefined) throw new Error('There is no card.')
    const post = {key: card.key, delivery: undefined, draft: undefined}
    await store.posts.intend(id, post, 0)
    const ts = `1700000001.${String(index).padStart(6, '0')}`
    await store.posts.confirm(id, {...post, ts, hash: hashOf(card.content), final: false})
  }
  await Promise.all(Array.from({length: count}, (_, index) => seed(index)))
}

const vitalsSchema = z.object({
  rssMb: z.number(),
  /** The heap with its garbage. */
  totalMb: z.number(),
  peakMb: z.number(),
  /** Behind a collection of garbage. */
  heapMb: z.number(),
  externalMb: z.number(),
  /** Of one core. */
  cpuPercent: z.number(),
  /** By how much timers were late. */
  loopP50Ms: z.number(),
  loopP99Ms: z.number(),
  loopMaxMs: z.number(),
})
export type Vitals = z.infer<typeof vitalsSchema>

/** A process of ours under a probe. */
export interface ProbedProcess extends AsyncDisposable {
  /** Resolves with the first line that it says. */
  ready: Promise<string>
  /** What it took since the last call. */
  vitals(): Promise<Vitals>
  /** SIGTERM; resolves with how long it took. */
  stop(): Promise<number>
}

const root = join(import.meta.dirname, '..')

export function startProbed(
  file: string,
  {args = [], flags = [], settings = {}}: ProbedOptions,
): ProbedProcess {
  const probe = join(import.meta.dirname, 'process-probe.ts')
  const child = spawn(
    process.execPath,
    ['--import', probe, ...flags, resolve(root, file), ...args],
    {
      cwd: root,
      // No setting of this machine's takes part.
      env: {PATH: process.env['PATH'], ...settings},
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    },
  )
  const reports = createInterface({input: child.stdio[3] as Readable})
  const stop = async (): Promise<number> => {
    const sinceMs = performance.now()
    if (isAlive(child)) {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
    return performance.now() - sinceMs
  }
  return {
    ready: once(createInterface({input: child.stdout as Readable}), 'line').then(([line]) =>
      String(line),
    ),
    vitals: async () => {
      const line = once(reports, 'line')
      child.kill('SIGUSR2')
      return vitalsSchema.parse(JSON.parse(String((await line)[0])))
    },
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop()
    },
  }
}

interface ProbedOptions {
  args?: readonly string[]
  /** Node's own. */
  flags?: readonly string[]
  settings?: Readonly<Record<string, string>>
}

export function botSettings(standIns: StreamStandIns, database: string): Record<string, string> {
  return {
    PLATFORM_BASE_URL: `${standIns.platformOrigin}/api/v1`,
    PLATFORM_API_KEY: 'key',
    PLATFORM_PROJECT_ID: 'p',
    SLACK_API_URL: `${standIns.slackOrigin}/api/`,
    SLACK_BOT_TOKEN: 'xoxb-bench',
    SLACK_SIGNING_SECRET: randomBytes(16).toString('hex'),
    DATABASE_URL: `sqlite:${database}`,
    PORT: '0',
    LOG_LEVEL: 'error',
  }
}

function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}
