import {setTimeout as delay} from 'node:timers/promises'
import {parseArgs} from 'node:util'
import {type World, startWorld} from '../test/support/world.ts'
import {type Line, atLeast, atMost, endWith, never} from './lines.ts'
import {type OracleOptions, expect} from './watches/oracle.ts'
import {type Reading, readingsIn} from './watches/readings.ts'
import {
  type WatchedThread,
  type WatchingChannel,
  changeStates,
  openWatches,
  plantThreads,
  seedWith,
} from './watches/scene.ts'

/**
 * Many channels watch a few projects with many threads, which come to other states at random instants; in the middle
 * the bot is killed. What should have been announced is played by rule from the states and from the platform's
 * ledger, and compared with what stands in Slack: nothing may be missed, doubled or said without cause.
 */

const {values: options} = parseArgs({
  options: {
    channels: {type: 'string', default: '50'},
    projects: {type: 'string', default: '10'},
    threads: {type: 'string', default: '2000'},
    seconds: {type: 'string', default: '180'},
    every: {type: 'string', default: '3'},
    'per-second': {type: 'string', default: '6'},
    seed: {type: 'string', default: '1'},
  },
})
const everyMs = Number(options.every) * 1000
const PAGE = 50
/** The statuses that call people, and the newest threads. */
const LISTS_OF_A_QUICK_READING = 5
const SWEEP_MS = 600_000
/** How much fewer readings there may be than computed: timers are late, and a reading takes its time. */
const LATENESS = 0.9

/** How an announcement begins, by the state that it tells. */
const HEADS = {pending_user: '🟠', ready_for_review: '🟢', error: '🔴'} as const

await main()

async function main(): Promise<void> {
  await using world = await startWorld({
    ...{pace: 0.01, seed: seedWith(Number(options.projects))},
    settings: {BOSUN_WATCH_SECONDS: options.every},
  })
  const beganMs = Date.now()
  const threads = await plantThreads(world, Number(options.threads))
  const channels = await openWatches(world, Number(options.channels))
  console.log(`${threads.length} threads rest after ${seconds(Date.now() - beganMs)} s`)
  // What stands before is no news: every project has been read before anything happens.
  await allRead(world, threads, Date.now())

  const startMs = Date.now()
  const lengthMs = Number(options.seconds) * 1000
  const {seed} = options
  const perSecond = Number(options['per-second'])
  const changing = changeStates(world, threads, {
    ...{seed, perSecond, everyMs, untilMs: startMs + lengthMs},
  })
  await delay(lengthMs / 2)
  const fromMs = Date.now()
  await world.bot.kill()
  await delay(everyMs)
  const backMs = Date.now()
  await world.startBot()
  await allRead(world, threads, backMs)
  const toMs = Date.now()
  const changes = await changing
  const endMs = Date.now()
  for (let times = 0; times < 3; times += 1) await allRead(world, threads, Date.now())
  await quiet(world)
  const readings = readingsOf(world, threads)
  const verdict = judge(world, {threads, channels, readings}, {fromMs: fromMs - 500, toMs: backMs})
  const lives = [
    {startMs, endMs: fromMs},
    {startMs: toMs, endMs},
  ]
  print({...verdict, changes}, judgeCalls(readings, threads, lives))
}

function readingsOf(
  world: World,
  threads: readonly WatchedThread[],
): ReadonlyMap<string, Reading[]> {
  const projects = new Map(threads.map(({id, projectId}) => [id, projectId]))
  return readingsIn(world.requests(), (id) => projects.get(id))
}

/** Every project is read from its beginning to its end after that time. */
async function allRead(
  world: World,
  threads: readonly WatchedThread[],
  afterMs: number,
): Promise<void> {
  const watched = new Set(threads.map(({projectId}) => projectId))
  for (;;) {
    await delay(200)
    const readings = readingsOf(world, threads)
    const isRead = [...watched].every((projectId) => {
      const those = readings.get(projectId) ?? []
      // One that another follows is over.
      return those.filter(({startMs}) => startMs > afterMs).length >= 2
    })
    if (isRead) return
  }
}

/** Slack has heard nothing for a while. */
async function quiet({slack}: World): Promise<void> {
  const lastMs = (): number => slack.ledger.calls.at(-1)?.atMs ?? 0
  while (Date.now() - lastMs() < 3000) await delay(200)
}

interface Figures {
  expected: number
  chance: number
  announced: number
  missed: number
  doubled: number
  causeless: number
  details: string[]
}

function judge(
  {slack}: World,
  scene: {
    threads: readonly WatchedThread[]
    channels: readonly WatchingChannel[]
    readings: ReadonlyMap<string, Reading[]>
  },
  death: OracleOptions['death'],
): Figures {
  const calling = new Set<string>(Object.keys(HEADS))
  const figures = {expected: 0, chance: 0, announced: 0, missed: 0, doubled: 0, causeless: 0}
  const details: string[] = []
  const said = new Map(scene.channels.map(({id}) => [id, saidIn(slack, id)]))
  for (const {title, changes, projectId} of scene.threads) {
    const readings = scene.readings.get(projectId) ?? []
    const expected = expect(changes, readings, {calling, death})
    for (const {id, projectIds} of scene.channels) {
      for (const [state, head] of Object.entries(HEADS)) {
        const count = said.get(id)?.get(`${head} ${title}`) ?? 0
        figures.announced += count
        const isWatched = projectIds.includes(projectId)
        const {least, most} = (isWatched && expected.get(state)) || {least: 0, most: 0}
        figures.expected += least
        figures.chance += most - least
        figures.missed += Math.max(0, least - count)
        if (most > 0) figures.doubled += Math.max(0, count - most)
        else figures.causeless += count
        if (count < least || count > most) {
          details.push(`${id} ${title} ${state}: ${count} of ${least} to ${most}`)
          details.push(JSON.stringify({changes, readings: readings.map(briefly)}))
        }
      }
    }
  }
  return {...figures, details}
}

function briefly({kind, startMs, endMs}: Reading): string {
  return `${kind} ${startMs}+${endMs - startMs}`
}

/** How often a channel was told of a state of a thread: as each message read at first, for it changes once the state is over. */
function saidIn(slack: World['slack'], channel: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const {ts, threadTs} of slack.messages(channel)) {
    const text = slack.ledger.versions(channel, ts)[0]?.message.text ?? ''
    const [, head, title] = /^(\S+) \*([^*]+)\*/u.exec(text) ?? []
    if (head === undefined || title === undefined || threadTs !== undefined) continue
    const key = `${head} ${title}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

/** While it lives, the bot reads each project every so many seconds, and in full at first and every ten minutes. */
function judgeCalls(
  readings: ReadonlyMap<string, Reading[]>,
  threads: readonly WatchedThread[],
  lives: readonly {startMs: number; endMs: number}[],
): Line[] {
  const all = [...readings.values()].flat()
  const within = all.filter(({startMs: at}) =>
    lives.some(({startMs, endMs}) => at >= startMs && at < endMs),
  )
  const livedMs = lives.reduce((sum, {startMs, endMs}) => sum + endMs - startMs, 0)
  const minutes = livedMs / 60_000
  const pages = Math.ceil(threads.length / readings.size / PAGE)
  // The first one of each life stands before the measured time.
  const sweeps = lives.reduce((sum, life) => {
    return sum + readings.size * Math.floor((life.endMs - life.startMs) / SWEEP_MS)
  }, 0)
  const full = within.filter(({kind}) => kind === 'full')
  const quick = (readings.size * livedMs) / everyMs - sweeps
  const computed = (quick * LISTS_OF_A_QUICK_READING + sweeps * pages) / minutes
  const measured = within.reduce((sum, {lists}) => sum + lists, 0) / minutes
  // Each project's last reading may stand half within the time.
  const most = computed + (readings.size * lives.length * LISTS_OF_A_QUICK_READING) / minutes
  return [
    atMost('lists a minute, at most', measured, most),
    atLeast('lists a minute, at least', measured, computed * LATENESS),
    atMost('full readings', full.length, sweeps),
  ]
}

function print({details, ...figures}: Figures & {changes: number}, calls: readonly Line[]): void {
  const rows: Record<string, number> = {
    'changes of state': figures.changes,
    'announcements expected': figures.expected,
    'announcements left to chance': figures.chance,
  }
  for (const [name, value] of Object.entries(rows)) console.log(`${name.padEnd(50)}${value}`)
  for (const line of details.slice(0, 10)) console.log(line.slice(0, 3000))
  endWith([
    atLeast('announced', figures.announced, 1),
    never('missed', figures.missed),
    never('doubled', figures.doubled),
    never('without cause', figures.causeless),
    ...calls,
  ])
}

function seconds(ms: number): number {
  return Math.round(ms / 1000)
}
