import {randomBytes} from 'node:crypto'
import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {pathToFileURL} from 'node:url'
import {parse} from 'yaml'
import type {LedgerRow} from '../../local/platform/edge/ledger.ts'
import type {Seed} from '../../local/platform/seed/seed.ts'
import {type Platform, startPlatform} from '../../local/platform/server.ts'
import {readManifest} from '../../local/slack/apps/manifest.ts'
import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import type {AppOptions, PageServer} from '../../local/slack/options.ts'
import {type LocalSlack, startLocalSlack} from '../../local/slack/server.ts'
import {type Entry, isWorking} from '../../src/platform/model.ts'
import {ACTIONS} from '../../src/slack/ids.ts'
import {type BotProcess, createBot} from './bot.ts'
import {type Canaries, canariesMet, canariesOf, findCanaries, tracesOf} from './canaries.ts'
import {type FaultyProxy, startFaultyProxy} from './faulty-proxy.ts'
import {readyDatabase} from './ready-database.ts'
import type {TurnedClock} from './turned-clock.ts'
import {type Seen, until} from './until.ts'
import {type Place, isComplete, sightOf, verdict} from './verdict.ts'

export type {Place} from './verdict.ts'

export interface WorldOptions {
  delivery?: 'socket' | 'http'
  /** Multiplies all delays of the agent. */
  pace?: number
  /** Of the local Slack and of the bot's own budget alike. */
  rateScale?: number
  /** Slack's real rates. */
  strict?: true
  latencyMs?: number
  /** Multiplies the time in which Slack wants an acknowledgement, and that until it delivers again. */
  slackTimeFactor?: number
  /** Between two heartbeats of a stream. */
  heartbeatMs?: number
  /** Puts a proxy that can break things between the bot and the platform. */
  proxy?: boolean
  /** The same between the bot and Slack. */
  slackProxy?: true
  /** From SIGUSR2 on, the bot's time runs so many times as fast as everybody else's. */
  haste?: number
  /** Whose time the platform and the bot have. */
  clock?: TurnedClock
  /** Keeps Slack's record in a file, so that it can be restarted. */
  slackOnDisk?: true
  /** The page of the local Slack, for stories that a browser plays. */
  page?: PageServer
  /** What the agent platform's organization holds at the first start. */
  seed?: Seed
  /** Puts into the folder what stood there before: `bosun.db`, `slack.db`, `platform.db`. */
  plant?: (folder: string) => Promise<void>
  /** What is started instead of `src/main.ts`. */
  botMain?: string
  /** Instead of a process of its own. */
  openBot?: (settings: () => Readonly<Record<string, string>>) => BotProcess
  /** Domains whose links the app hears of, besides those of the manifest. */
  unfurlDomains?: readonly string[]
  /** Settings of the bot besides those that it needs. */
  settings?: Readonly<Record<string, string>>
}

/** The bot as a real process, between an agent platform and a Slack that run here. */
export interface World extends AsyncDisposable {
  /** The one that runs now. */
  readonly slack: LocalSlack
  readonly bot: BotProcess
  /** The one that runs now. */
  readonly platform: Platform
  readonly proxy: FaultyProxy
  readonly slackProxy: FaultyProxy
  readonly folder: string
  /** As the bot was given them. */
  settings(): Record<string, string>
  /** By their names: what must stand nowhere in clear, besides the settings and what is found by itself. */
  readonly secrets: Record<string, string>
  /** Every request that a platform of this world answered. */
  requests(): LedgerRow[]
  stopPlatform(): Promise<void>
  /** On the same port and data file. */
  startPlatform(): Promise<void>
  /** Goes down and comes back on the same port with what was said; its ledger and faults begin anew. */
  restartSlack(downMs: number): Promise<void>
  startBot(where?: 'apart'): Promise<void>
  /** A bot that runs inside gets a process of its own, which can be killed; whoever is started next is inside again. */
  moveOut(): Promise<void>
  /** Somebody writes in a channel. */
  say(text: string, by?: {as?: string; channel?: string}): Promise<Place>
  /** Somebody writes in the Slack thread; answers what they wrote. */
  reply(place: Place, text: string, as?: string): Promise<StoredMessage>
  /** Presses the button, or chooses the entry of the menu, on the newest message of ours in the place that has one. */
  press(place: Place, actionId: string, as?: string): Promise<string>
  /** Names of the reactions that a message has. */
  reactionsOn(message: Place): string[]
  /** Requests to the platform that were no reads, by path: `/api/v1/threads/:id/message`. */
  posts(path: string): LedgerRow[]
  threadIn(place: Place): ReturnType<Platform['threads']>[number] | undefined
  transcriptIn(place: Place): Entry[]
  /** What stands in the Slack thread, its parent excluded. */
  repliesIn(place: Place): StoredMessage[]
  /** Our messages there. */
  ours(place: Place): StoredMessage[]
  /** The thread rests, and everything that it said stands in its place. */
  settled(place: Place, withinMs?: number): Promise<void>
  /** Looks again and again; the failure tells how everything stands. */
  until<Value>(what: string, look: () => Value, withinMs?: number): Promise<Seen<Value>>
}

export const JANE = 'U0JANE'
export const KIM = 'U0KIM'
const WEB = 'C0WEB'
/** At which level the bots of all worlds log. */
const LOG_LEVEL = process.env['WORLD_LOG_LEVEL']
const MANIFEST = join(import.meta.dirname, '..', '..', 'manifest.yml')

/** Slack's three seconds are a promise of the bot's on a machine that has time for it (`bench/first-sign.ts`), and here nobody's. */
const TRIGGER_MS = 30_000

/** A quiet time after which nobody is at work any more: longer than the bot's own pauses between edits. */
const QUIET_MS = 400

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'bosun-world-'))
  opened.defer(() => rmSync(folder, {recursive: true, force: true}))
  await options.plant?.(folder)
  await readyDatabase(join(folder, 'bosun.db'))
  const {pace = 0.2, latencyMs = 0, heartbeatMs, delivery = 'socket', strict = false} = options
  const {slackTimeFactor: timeFactor = 1, rateScale = strict ? 1 : 1000} = options
  const openSlack = (port: number): Promise<LocalSlack> =>
    startLocalSlack({
      port,
      rateScale,
      latencyMs,
      timeFactor,
      triggerMs: TRIGGER_MS * timeFactor,
      ...(options.page !== undefined && {page: options.page}),
      ...(options.slackOnDisk === true && {dataFile: join(folder, 'slack.db')}),
      ...withDomains(readManifest(parse(readFileSync(MANIFEST, 'utf8'))), options),
      ...(delivery === 'http' && {delivery: {mode: 'http', eventsUrl: 'http://127.0.0.1:9/'}}),
    })
  let slack = await openSlack(0)
  opened.defer(() => slack.close())
  const openPlatform = (port: number): Promise<Platform> =>
    startPlatform({
      port,
      pace,
      dataFile: join(folder, 'platform.db'),
      ...(heartbeatMs !== undefined && {heartbeatMs}),
      ...(options.seed !== undefined && {seed: options.seed}),
      ...(options.clock !== undefined && {clock: options.clock.platform}),
    })
  const requests: LedgerRow[] = []
  let platform = await openPlatform(0)
  let isUp = true
  const {originUrl} = platform
  const stopPlatform = async (): Promise<void> => {
    if (!isUp) return
    isUp = false
    await platform.close()
    requests.push(...platform.ledger)
  }
  opened.defer(stopPlatform)
  const proxy =
    options.proxy === true ? opened.use(await startFaultyProxy(() => originUrl)) : undefined
  const slackProxy =
    options.slackProxy === true ? opened.use(await startFaultyProxy(() => slack.origin)) : undefined
  const sealingKey = `test:${randomBytes(32).toString('base64')}`
  const settings = (): Record<string, string> => ({
    PLATFORM_BASE_URL: `${proxy?.origin ?? originUrl}/api/v1`,
    PLATFORM_API_KEY: platform.keys.human,
    PLATFORM_PROJECT_ID: platform.projectIds[0] ?? '',
    SLACK_API_URL: slackProxy === undefined ? slack.apiUrl : `${slackProxy.origin}/api/`,
    SLACK_BOT_TOKEN: slack.botToken,
    ...(delivery === 'socket'
      ? {SLACK_APP_TOKEN: slack.appToken}
      : {SLACK_SIGNING_SECRET: slack.signingSecret}),
    SLACK_RATE_SCALE: String(rateScale),
    DATABASE_URL: `sqlite:${join(folder, 'bosun.db')}`,
    BOSUN_KEYS: sealingKey,
    PORT: '0',
    LOG_LEVEL: LOG_LEVEL ?? 'info',
    ...(options.haste !== undefined && hasteSettings(options.haste)),
    ...options.clock?.settings,
    ...options.settings,
  })
  const bot = opened.use(options.openBot?.(settings) ?? createBot(settings, options.botMain))
  opened.defer(() => checkOutput(bot.output()))
  opened.defer(() => checkSecrets(world))

  const world: World = {
    get slack() {
      return slack
    },
    bot,
    folder,
    settings,
    secrets: {},
    get platform() {
      return platform
    },
    get proxy() {
      if (proxy === undefined) throw new Error('This world has no proxy.')
      return proxy
    },
    get slackProxy() {
      if (slackProxy === undefined) throw new Error('This world has no proxy before Slack.')
      return slackProxy
    },
    requests: () => (isUp ? [...requests, ...platform.ledger] : [...requests]),
    stopPlatform,
    startPlatform: async () => {
      platform = await openPlatform(Number(new URL(originUrl).port))
      isUp = true
    },
    restartSlack: async (downMs) => {
      const {port} = new URL(slack.origin)
      await slack.close()
      await delay(downMs)
      slack = await openSlack(Number(port))
    },
    startBot: async (where) => {
      const port = /port (\d+)/.exec(await bot.start(where))?.[1] ?? ''
      if (delivery === 'http') slack.setEventsUrl(`http://127.0.0.1:${port}/slack/events`)
    },
    moveOut: async () => {
      await bot.stop()
      await world.startBot('apart')
    },
    ...createPeople(() => slack),
    threadIn: ({channel, ts}) => {
      const requestId = `slack:${slack.teamId}:${channel}:${ts}`
      return platform.threads().find((thread) => thread.requestId === requestId)
    },
    transcriptIn: (place) => {
      const thread = world.threadIn(place)
      return thread === undefined ? [] : platform.transcript(thread.id)
    },
    repliesIn: (place) => repliesIn(slack, place),
    ours: (place) => oursIn(slack, place),
    reactionsOn: ({channel, ts}) => {
      const message = slack.messages(channel).find((it) => it.ts === ts)
      return (message?.reactions ?? []).map(({name}) => name)
    },
    posts: (path) =>
      world
        .requests()
        .filter(
          (row) => row.method === 'POST' && row.path.replace(/thread_[\w-]+/, ':id') === path,
        ),
    settled: async (place, withinMs) => {
      await until('the Slack thread is settled', () => isUp && isSettled(world, place), {
        ...(withinMs !== undefined && {withinMs}),
        tell: () => `${tellOf(world, place)}\n${bot.output().slice(-4000)}`,
      })
    },
    until: (what, look, withinMs) =>
      until(what, look, {
        ...(withinMs !== undefined && {withinMs}),
        tell: () => bot.output().slice(-4000),
      }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
  await world.startBot()
  const resources = opened.move()
  return world
}

function withDomains<Declared extends AppOptions>(
  declared: Declared,
  {unfurlDomains = []}: WorldOptions,
): Declared {
  return {...declared, unfurlDomains: [...(declared.unfurlDomains ?? []), ...unfurlDomains]}
}

function hasteSettings(haste: number): Record<string, string> {
  const {href} = pathToFileURL(join(import.meta.dirname, 'haste.ts'))
  return {NODE_OPTIONS: `--import=${href}`, HASTE: String(haste)}
}

function createPeople(slackNow: () => LocalSlack): Pick<World, 'say' | 'reply' | 'press'> {
  return {
    say: async (text, {as = JANE, channel = WEB} = {}) => {
      const {ts} = await slackNow().people.post({as, channel, text})
      return {channel, ts}
    },
    reply: ({channel, ts}, text, as = JANE) =>
      slackNow().people.post({as, channel, text, threadTs: ts}),
    press: async ({channel, ts}, actionId, as = JANE) => {
      const slack = slackNow()
      for (const target of oursIn(slack, {channel, ts}).reverse()) {
        const drawn = JSON.stringify(target.blocks ?? [])
        const item = new RegExp(`"value":"(${actionId} [^"]*)"`).exec(drawn)?.[1]
        const at = {as, channel, ts: target.ts}
        if (drawn.includes(`"action_id":"${actionId}"`))
          return slack.people.press({...at, actionId})
        // An entry of a menu.
        if (item !== undefined) {
          return slack.people.press({...at, actionId: ACTIONS.menu, value: item})
        }
      }
      throw new Error(`No message of ours has a button ${actionId}.`)
    },
  }
}

function repliesIn(slack: LocalSlack, {channel, ts}: Place): StoredMessage[] {
  return slack.messages(channel, ts).filter((message) => message.ts !== ts)
}

function oursIn(slack: LocalSlack, place: Place): StoredMessage[] {
  return repliesIn(slack, place).filter(({userId}) => userId === slack.botUserId)
}

function isSettled(world: World, place: Place): boolean {
  const {slack} = world
  const thread = world.threadIn(place)
  if (thread === undefined || isWorking(thread.status)) return false
  const lastCallMs =
    slack.ledger.calls.findLast(({args}) => args['channel'] === place.channel)?.atMs ?? 0
  const lastSaid = slack.messages(place.channel, place.ts).at(-1)
  const isSaidLast = lastSaid !== undefined && lastSaid.userId !== slack.botUserId
  const stillSinceMs = Math.max(lastCallMs, isSaidLast ? Number(lastSaid.ts) * 1000 : 0)
  if (Date.now() - stillSinceMs < quietMs(world, place, {isSaidLast})) return false
  // A stream that was cut behind the last entry has yet to hear that the run is over.
  const isShownAtWork = world.ours(place).some(({text}) => /🔵 Working|⏳ Starting/u.test(text))
  return !isShownAtWork && isComplete(verdict(world, place))
}

/** What somebody is called for comes a little behind everything else, unless they want to hear less. */
const CALLING = ['pending_user', 'ready_for_review', 'error', 'failed']

/** Longer where something is likely to come yet: a call for somebody, or what becomes of the words of a person. */
function quietMs(world: World, place: Place, {isSaidLast}: {isSaidLast: boolean}): number {
  const isCalled = world
    .ours(place)
    .some(({metadata}) => String(metadata?.event_payload['key']).startsWith('ping:'))
  const isToBeCalled = CALLING.includes(world.threadIn(place)?.status ?? '') && !isCalled
  return isToBeCalled || isSaidLast ? 10 * QUIET_MS : QUIET_MS
}

function tellOf(world: World, place: Place): string {
  const {status} = world.threadIn(place) ?? {}
  const stands = sightOf(world.repliesIn(place), world.slack.botUserId).map((sight) =>
    sight.slice(0, 400),
  )
  return JSON.stringify({status, verdict: verdict(world, place), stands}, null, 2)
}

/** Whatever a test is about: no promise is left alone. */
function checkOutput(output: string): void {
  if (output.includes('A promise was left alone')) throw new Error(`A promise was left:\n${output}`)
}

/** All that must stand nowhere in clear. */
export function canariesIn(world: World): Canaries {
  const {platform, secrets} = world
  return {...platform.keys, ...canariesOf(world.settings()), ...canariesMet(world), ...secrets}
}

/**
 * Whatever a test is about: secrets stay where they belong. What the bot said is searched always; with
 * `WORLD_LOG_LEVEL` it says more, and all it wrote is searched too.
 */
function checkSecrets(world: World): void {
  const output = {where: 'the output', bytes: world.bot.output()}
  const places = LOG_LEVEL === undefined ? [output] : [output, ...tracesOf(world)]
  const found = findCanaries(canariesIn(world), places)
  if (found.length > 0) throw new Error(`Secrets were found:\n${found.join('\n')}`)
}
