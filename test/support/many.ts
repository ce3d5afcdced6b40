import {randomBytes} from 'node:crypto'
import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {Browser} from 'playwright-core'
import {parse} from 'yaml'
import {type Platform, startPlatform} from '../../local/platform/server.ts'
import {readManifest} from '../../local/slack/apps/manifest.ts'
import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import type {LocalSlackOptions} from '../../local/slack/options.ts'
import type {People} from '../../local/slack/people/people.ts'
import {type LocalSlack, startLocalSlack} from '../../local/slack/server.ts'
import {Secret} from '../../src/security/secret.ts'
import {type Store, openStore} from '../../src/store/store.ts'
import {type BotProcess, createBot} from './bot.ts'
import {canariesMet, canariesOf, findCanaries, tracesOf} from './canaries.ts'
import {type FaultyProxy, startFaultyProxy} from './faulty-proxy.ts'
import {readyDatabase} from './ready-database.ts'
import {type Seen, until} from './until.ts'
import {FAULTLESS, type Place, isComplete, verdict} from './verdict.ts'

interface ManyOptions extends Pick<
  LocalSlackOptions,
  'tokenRotation' | 'tokenLifeS' | 'organization' | 'timeFactor'
> {
  /** Workspaces in which the bot is not installed yet; `T0LOCAL` is always there. */
  teams: readonly string[]
  /** Settings of the bot besides those that it needs. */
  settings?: Readonly<Record<string, string>>
  pace?: number
  /** The address of another database than a file of its own. */
  database?: string
}

/** The bot for many workspaces, between an agent platform and a Slack that run here. */
export interface Many extends AsyncDisposable {
  slack: LocalSlack
  /** Before Slack: what the bot calls. */
  slackProxy: FaultyProxy
  platform: Platform
  bot: BotProcess
  /** Where browsers and Slack reach the bot. */
  origin: string
  startBot(): Promise<void>
  /** As the bot is given them. */
  settings(): Record<string, string>
  /** Works on the bot's database while the bot is stopped. */
  withStore: <Result>(act: (store: Store) => Promise<Result>) => Promise<Result>
  /** From the bot's own page over Slack's, as an admin of the workspace; the text of the page in the end. */
  install(browser: Browser, team: string, answer?: 'Allow' | 'Cancel'): Promise<string>
  peopleOf(team: string): People
  /** Somebody of the workspace mentions the bot. */
  say(team: string, text: string): Promise<Place>
  /** What the bot wrote in the Slack thread. */
  ours: (team: string, place: Place) => StoredMessage[]
  /** The thread rests, and everything that it said stands in its place, once. */
  settled(team: string, place: Place): Promise<void>
  health(): Promise<{status: string; slack: string}>
  until<Value>(what: string, look: () => Value, withinMs?: number): Promise<Seen<Value>>
}

const MANIFEST = join(import.meta.dirname, '..', '..', 'manifest.yml')
export const APP = 'A0BOSUN'
/** The workspace that every local Slack has. */
const FIRST = 'T0LOCAL'

export async function startMany(options: ManyOptions): Promise<Many> {
  await using opened = new AsyncDisposableStack()
  const {teams, pace = 0.2, settings: own, database, ...rotation} = options
  const folder = mkdtempSync(join(tmpdir(), 'bosun-many-'))
  opened.defer(() => rmSync(folder, {recursive: true, force: true}))
  let port = 9
  const door = opened.use(await startFaultyProxy(() => `http://127.0.0.1:${port}`))
  const slack = await startLocalSlack({
    ...readManifest(parse(readFileSync(MANIFEST, 'utf8'))),
    rateScale: 1000,
    // As in other worlds: a form may open late on a busy machine.
    triggerMs: 30_000,
    teams: teams.filter((id) => id !== FIRST).map((id) => ({id, name: id.slice(2)})),
    redirectUrls: [`${door.origin}/slack/oauth_redirect`],
    delivery: {mode: 'http', eventsUrl: `${door.origin}/slack/events`},
    ...rotation,
  })
  opened.defer(() => slack.close())
  const slackProxy = opened.use(await startFaultyProxy(() => slack.origin))
  const platform = await startPlatform({pace})
  opened.defer(() => platform.close())
  const [app] = slack.apps.all()
  const path = database ?? join(folder, 'bosun.db')
  if (database === undefined) await readyDatabase(path)
  const key = randomBytes(32).toString('base64')
  const stateSecret = randomBytes(24).toString('hex')
  const settings = (): Record<string, string> => ({
    PLATFORM_BASE_URL: `${platform.originUrl}/api/v1`,
    SLACK_API_URL: `${slackProxy.origin}/api/`,
    SLACK_CLIENT_ID: app?.clientId ?? '',
    SLACK_CLIENT_SECRET: app?.clientSecret ?? '',
    SLACK_STATE_SECRET: stateSecret,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_RATE_SCALE: '1000',
    DATABASE_URL: database ?? `sqlite:${path}`,
    BOSUN_KEYS: `test:${key}`,
    PUBLIC_URL: door.origin,
    PORT: '0',
    LOG_LEVEL: process.env['WORLD_LOG_LEVEL'] ?? 'info',
    ...own,
  })
  const bot = opened.use(createBot(settings))
  opened.defer(() => {
    const found = findCanaries(
      {...platform.keys, ...canariesOf(settings()), ...canariesMet({slack})},
      [
        {where: 'the output', bytes: bot.output()},
        ...tracesOf({folder, bot, slack, requests: () => [...platform.ledger]}),
      ],
    )
    if (found.length > 0) throw new Error(`Secrets were found:\n${found.join('\n')}`)
  })
  const withStore: Many['withStore'] = async (act) => {
    await using store = await openStore({path, sealingKeys: [{id: 'test', key: new Secret(key)}]})
    return await act(store)
  }
  const many: Many = {
    ...{slack, slackProxy, platform, bot, origin: door.origin, settings, withStore},
    startBot: async () => {
      port = Number(/port (\d+)/.exec(await bot.start())?.[1])
    },
    ...createVisitors(slack, door.origin),
    settled: (team, place) =>
      many
        .until('the Slack thread is settled', () => isSettled(many, team, place), 60_000)
        .then(() => undefined),
    health: async () =>
      (await fetch(`${door.origin}/healthz`)).json() as Promise<{status: string; slack: string}>,
    until: (what, look, withinMs) =>
      until(what, look, {
        ...(withinMs !== undefined && {withinMs}),
        tell: () => bot.output().slice(-4000),
      }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
  await connect(many, teams)
  await many.startBot()
  const resources = opened.move()
  return many
}

/** Each workspace has a key and a project of its own. */
async function connect({withStore, platform}: Many, teams: readonly string[]): Promise<void> {
  const by = {user: 'U0ADMIN', nowMs: Date.now()}
  const [projectId = ''] = platform.projectIds
  await withStore(async ({connections, bindings}) => {
    for (const team of teams) {
      const key = new Secret(platform.keys.human)
      const ask = {team, label: 'Key', key, madeBy: by.user}
      const {id: connectionId} = await connections.add(ask, by.nowMs)
      await bindings.change({team, channel: ''}, {connectionId, projectId}, by)
    }
  })
}

function createVisitors(
  slack: LocalSlack,
  origin: string,
): Pick<Many, 'install' | 'peopleOf' | 'say' | 'ours'> {
  const own = (team: string): string => team.slice(1)
  return {
    install: async (browser, team, answer = 'Allow') => {
      const context = await browser.newContext()
      try {
        const page = await context.newPage()
        await page.goto(`${origin}/slack/install`)
        await page.getByLabel('Workspace and admin').selectOption(`U${own(team)}ALEX`)
        await page.getByRole('button', {name: answer}).click()
        await page.waitForURL((url) => url.pathname === '/slack/oauth_redirect')
        return await page.innerText('body')
      } finally {
        await context.close()
      }
    },
    peopleOf: (team) => slack.peopleOf(team),
    say: async (team, text) => {
      const channel = `C${own(team)}GENERAL`
      const {ts} = await slack.peopleOf(team).post({as: `U${own(team)}RITA`, channel, text})
      return {channel, ts}
    },
    ours: (team, {channel, ts}) => {
      const {botUserId} =
        slack.apps.all()[0]?.installations.find(({teamId}) => teamId === team) ?? {}
      const replies = slack.messages(channel, ts).filter((message) => message.ts !== ts)
      return replies.filter(({userId}) => userId === botUserId)
    },
  }
}

function isSettled(many: Many, team: string, place: Place): boolean {
  const {platform, slack, ours} = many
  const requestId = `slack:${team}:${place.channel}:${place.ts}`
  const threadIn = () => platform.threads().find((thread) => thread.requestId === requestId)
  const thread = threadIn()
  if (thread?.status !== 'idle') return false
  if (ours(team, place).some(({text}) => /🔵 Working|⏳ Starting/u.test(text))) return false
  const seen = verdict(
    {
      slack: {teamId: team, fileText: (id) => slack.fileText(id)},
      threadIn,
      transcriptIn: () => platform.transcript(thread.id),
      ours: () => ours(team, place),
      requests: () => [...platform.ledger],
    },
    place,
  )
  return isComplete({...FAULTLESS, ...seen})
}

/** The same without a browser: cookies and redirects by hand. An organization is let in by an admin of the workspace. */
export async function installByHand(
  {origin, slack}: Many,
  team: string,
  organization?: string,
): Promise<void> {
  const begun = await fetch(`${origin}/slack/install`, {redirect: 'manual'})
  const cookie = begun.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
  const consent = begun.headers.get('location') ?? ''
  const admin = team === FIRST ? 'U0JANE' : `U${team.slice(1)}ALEX`
  const as = organization === undefined ? admin : `${admin} ${organization}`
  const body = new URLSearchParams({as, answer: 'allow'})
  const allowed = await fetch(consent, {method: 'POST', body, redirect: 'manual'})
  const back = await fetch(allowed.headers.get('location') ?? '', {headers: {cookie}})
  if (!back.ok) throw new Error(`${consent} at ${slack.origin}: ${await back.text()}`)
}
