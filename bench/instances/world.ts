import {randomBytes} from 'node:crypto'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {parse} from 'yaml'
import {createDice} from '../../local/platform/agent/dice.ts'
import {type Platform, startPlatform} from '../../local/platform/server.ts'
import {readManifest} from '../../local/slack/apps/manifest.ts'
import {type LocalSlack, startLocalSlack} from '../../local/slack/server.ts'
import {Secret} from '../../src/security/secret.ts'
import {type Store, openStore} from '../../src/store/store.ts'
import {startBalancer} from '../../local/balancer/balancer.ts'
import {type Cluster, startCluster} from './cluster.ts'
import {startDatabaseGate} from './database-gate.ts'
import {type Instance, createInstance} from './instance.ts'
import {type Probes, startProbes} from './probes.ts'
import {startSlackGate} from './slack-gate.ts'

export interface WorldOptions {
  instances: number
  workspaces: number
  seed: string
  /** Of the local Slack's rates and of the instances' own budget. */
  rateScale: number
  latencyMs: number
  /** Nothing stands between the instances and PostgreSQL, so that this process holds up no statement. */
  isDirect: boolean
  logLevel: 'error' | 'debug'
  /** What is done with each process once it is ready. */
  onStart?: (pid: number) => void
}

/** Several instances on one database, between a Slack of many workspaces and an agent platform that run here. */
export interface World extends AsyncDisposable {
  slack: LocalSlack
  platform: Platform
  cluster: Cluster
  instances: readonly Instance[]
  /** One more, which is not started yet. `main`: of another version. */
  addInstance(main?: string): Promise<Instance>
  probes: Probes
  teams: readonly string[]
  /** Where the instances are reached. */
  origin: string
  /** As tools open it, beside the instances. */
  openStore(): Promise<Store>
}

const MANIFEST = join(import.meta.dirname, '..', '..', 'manifest.yml')

export const channelOf = (team: string): string => `C${team.slice(1)}GENERAL`
export const personOf = (team: string): string => `U${team.slice(1)}RITA`

export async function startWorld(options: WorldOptions): Promise<World> {
  await using opened = new AsyncDisposableStack()
  const {workspaces, seed, rateScale, latencyMs, isDirect, logLevel} = options
  const teams = Array.from({length: workspaces}, (_, at) => `T0W${at + 1}`)
  const instances: Instance[] = []
  const ports = (): number[] => instances.flatMap((it) => it.port() ?? [])
  const balancer = opened.use(await startBalancer(createDice(`${seed} balancer`), ports))
  const cluster = opened.use(await startCluster())
  const slack = opened.use(
    await startLocalSlack({
      ...readManifest(parse(readFileSync(MANIFEST, 'utf8'))),
      ...{rateScale, latencyMs},
      teams: teams.map((id) => ({id, name: id.slice(2)})),
      redirectUrls: [`${balancer.origin}/slack/oauth_redirect`],
      delivery: {mode: 'http', eventsUrl: `${balancer.origin}/slack/events`},
    }),
  )
  const platform = opened.use(
    await startPlatform({pace: 1, rateLimit: null, ledgerRows: 10_000_000}),
  )
  const probes = opened.use(startProbes(cluster, teams))
  const [app] = slack.apps.all()
  const key = randomBytes(32).toString('base64')
  const common = {
    PLATFORM_BASE_URL: platform.baseUrl,
    SLACK_CLIENT_ID: app?.clientId ?? '',
    SLACK_CLIENT_SECRET: app?.clientSecret ?? '',
    SLACK_STATE_SECRET: randomBytes(24).toString('hex'),
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_RATE_SCALE: String(rateScale),
    BOSUN_KEYS: `bench:${key}`,
    PUBLIC_URL: balancer.origin,
    PORT: '0',
    LOG_LEVEL: logLevel,
  }
  const threads = new Map<string, string>()
  // Open for as long as the world: more instances may come at any time.
  const running = opened.use(new AsyncDisposableStack())
  const addInstance = async (main?: string): Promise<Instance> => {
    const index = instances.length
    const slackGate = running.use(
      await startSlackGate({
        slackPort: Number(new URL(slack.origin).port),
        threads,
        seen: (frame) => probes.see({...frame, instance: index, life: instance.life()}),
      }),
    )
    const databaseGate = running.use(await startDatabaseGate(cluster.url))
    const instance: Instance = createInstance({
      ...{name: `instance ${index + 1}`, slackGate, databaseGate, main},
      settings: () => ({
        ...common,
        SLACK_API_URL: slackGate.apiUrl,
        DATABASE_URL: isDirect ? cluster.url : databaseGate.url,
      }),
      onStart: (pid) => options.onStart?.(pid),
    })
    instances.push(running.use(instance))
    return instance
  }
  const openAsTool = (): Promise<Store> =>
    openStore({path: cluster.url, sealingKeys: [{id: 'bench', key: new Secret(key)}]})
  await connectTeams({openStore: openAsTool, teams, platform})
  for (let index = 0; index < options.instances; index += 1) await addInstance()
  for (const instance of instances) await instance.start()
  for (const team of teams) await install({slack, origin: balancer.origin, team})
  const resources = opened.move()
  return {
    ...{slack, platform, cluster, instances, addInstance, probes, teams},
    ...{origin: balancer.origin, openStore: openAsTool},
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** Each workspace has a key of its own, and a project. */
async function connectTeams(of: {
  openStore: World['openStore']
  teams: readonly string[]
  platform: Platform
}): Promise<void> {
  const {teams, platform} = of
  await using store = await of.openStore()
  const [projectId = ''] = platform.projectIds
  for (const team of teams) {
    const by = {user: 'U0ADMIN', nowMs: Date.now()}
    const ask = {team, label: 'Key', key: new Secret(platform.keys.human), madeBy: by.user}
    const {id: connectionId} = await store.connections.add(ask, by.nowMs)
    await store.bindings.change({team, channel: ''}, {connectionId, projectId}, by)
  }
}

/** An admin goes through Slack's own pages, without a browser. */
async function install({
  slack,
  origin,
  team,
}: {
  slack: LocalSlack
  origin: string
  team: string
}): Promise<void> {
  const begun = await fetch(`${origin}/slack/install`, {redirect: 'manual'})
  const cookie = begun.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
  const body = new URLSearchParams({as: `U${team.slice(1)}ALEX`, answer: 'allow'})
  const consent = begun.headers.get('location') ?? ''
  const allowed = await fetch(consent, {method: 'POST', body, redirect: 'manual'})
  const back = await fetch(allowed.headers.get('location') ?? '', {headers: {cookie}})
  if (!back.ok) throw new Error(`${team} could not be installed: ${await back.text()}`)
  await slack.peopleOf(team).inviteBot(channelOf(team))
}
