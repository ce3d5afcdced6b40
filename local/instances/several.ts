import {randomBytes} from 'node:crypto'
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {parse} from 'yaml'
import {startBalancer} from '../balancer/balancer.ts'
import {DEMO_SETTINGS} from '../demo-settings.ts'
import {createDice} from '../platform/agent/dice.ts'
import {type Platform, startPlatform} from '../platform/server.ts'
import {readManifest} from '../slack/apps/manifest.ts'
import {openPage} from '../slack/page/serve.ts'
import type {InstanceView} from '../slack/page-feed/instances.ts'
import {startLocalSlack} from '../slack/server.ts'
import {type DemoDatabase, openDemoDatabase} from './database.ts'
import {connectWorkspaces, installIn, workspaces} from './installing.ts'
import {withInstances} from './page-server.ts'
import {type InstanceProcess, createProcess} from './process.ts'

interface SeveralOptions {
  instances: string
  database: string | undefined
  data: string
  ports: {page: number; platform: number; bot: number}
  pace: string
  writer: string
  /** What runs is left here, to be closed in reverse order. */
  opened: AsyncDisposableStack
}

interface Places {
  page: string
  platform: {baseUrl: string; key: string}
  bot: string
}

const MOST_INSTANCES = 8
const EXAMPLE =
  'npm run demo -- --instances 3 --database postgres://127.0.0.1/bosun_demo (or DATABASE_URL)'
const manifest = join(import.meta.dirname, '..', '..', 'manifest.yml')

/** Several bots on one database, each a process of its own, and a Slack of several workspaces that shows who owns what. */
export async function startSeveral(options: SeveralOptions): Promise<Places> {
  const {data, ports, opened} = options
  const {count, url} = readWish(options)
  const database = opened.use(await openDemoDatabase(url))
  const folder = join(data, `instances-${database.world}`)
  if (!database.isNew && !existsSync(folder)) {
    throw new Error(
      `The database belongs to a demo whose data is not in ${data}. Give that folder with --data, or an empty database.`,
    )
  }
  mkdirSync(folder, {recursive: true})
  const processes: InstanceProcess[] = []
  const living = (): number[] => processes.flatMap((one) => one.port() ?? [])
  const balancer = opened.use(await startBalancer(createDice('demo'), living, ports.bot))
  const platform = opened.use(
    await startPlatform({
      ...{port: ports.platform, dataFile: join(folder, 'platform.db')},
      ...{pace: Number(options.pace), bot: balancer.origin},
    }),
  )
  const door = {
    view: () => view(processes, database),
    kill: async (number: number) => processes[number - 1]?.kill(),
    start: async (number: number) => processes[number - 1]?.start(),
  }
  const page = withInstances(await openPage({withInstances: true}), () => door)
  const slack = opened.use(
    await startLocalSlack({
      ...readManifest(parse(readFileSync(manifest, 'utf8'))),
      ...{port: ports.page, dataFile: join(folder, 'slack.db'), page},
      teams: workspaces.slice(1),
      redirectUrls: [`${balancer.origin}/slack/oauth_redirect`],
      delivery: {mode: 'http', eventsUrl: `${balancer.origin}/slack/events`},
    }),
  )
  const key = keptSecret(join(folder, 'bosun.key'))
  const [app] = slack.apps.all()
  const settings = {
    PLATFORM_BASE_URL: platform.baseUrl,
    SLACK_API_URL: slack.apiUrl,
    SLACK_CLIENT_ID: app?.clientId ?? '',
    SLACK_CLIENT_SECRET: app?.clientSecret ?? '',
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_STATE_SECRET: randomBytes(24).toString('hex'),
    SLACK_WRITER: options.writer,
    DATABASE_URL: url,
    BOSUN_KEYS: `demo:${key}`,
    PUBLIC_URL: balancer.origin,
    ...DEMO_SETTINGS,
    PORT: '0',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'error',
  }
  const ready = join(folder, 'ready')
  if (!existsSync(ready)) await connectWorkspaces({url, key, platform})
  for (let number = 1; number <= count; number += 1) {
    processes.push(createProcess(number, settings))
  }
  // Closed all at once: each of them may take its seconds.
  opened.defer(async () => {
    await Promise.all(processes.map((one) => one[Symbol.asyncDispose]()))
  })
  // One after the other: the first one makes the tables.
  for (const one of processes) await one.start()
  if (!existsSync(ready)) {
    for (const {id} of workspaces) await installIn(id, slack, balancer.origin)
    writeFileSync(ready, '')
  }
  return {page: slack.origin, platform: keyOf(platform), bot: balancer.origin}
}

function readWish({instances, database}: SeveralOptions): {count: number; url: string} {
  const count = Number(instances)
  if (!/^\d$/.test(instances) || count < 1 || count > MOST_INSTANCES) {
    throw new Error(
      `--instances must be a number from 1 to ${MOST_INSTANCES}, but it is "${instances}".`,
    )
  }
  const wanted = `Give an empty database of a PostgreSQL: createdb bosun_demo, then ${EXAMPLE}.`
  if (database === undefined) throw new Error(`Several instances share a database. ${wanted}`)
  const [scheme] = database.split('://', 1)
  if (scheme !== 'postgres' && scheme !== 'postgresql') {
    throw new Error(`--database must begin with postgres://, and this one does not. ${wanted}`)
  }
  // Without a name PostgreSQL takes the one of the role, which may be somebody else's.
  const name = URL.parse(database)?.pathname.slice(1) ?? ''
  if (name === '') throw new Error(`--database names no database. ${wanted}`)
  return {count, url: database}
}

async function view(
  processes: readonly InstanceProcess[],
  database: DemoDatabase,
): Promise<InstanceView[]> {
  const [claims, states] = await Promise.all([
    database.claims(),
    Promise.all(processes.map((one) => one.state())),
  ])
  const names = new Map(workspaces.map(({id, name}) => [id, name]))
  return processes.map((one, index) => {
    const {state, sinceMs} = states[index] ?? {state: 'dead', sinceMs: 0}
    const own = claims.filter(({pid}) => one.pids().includes(pid))
    return {
      ...{number: one.number, state, sinceMs},
      workspaces: own.map(({id, pid, sinceMs: claimedAtMs}) => ({
        ...{id, name: names.get(id) ?? id, sinceMs: claimedAtMs},
        isWaiting: pid !== one.pid() || state !== 'living',
      })),
    }
  })
}

function keyOf({baseUrl, keys}: Platform): Places['platform'] {
  return {baseUrl, key: keys.human}
}

/** The same at every start, so that what is sealed opens again. */
function keptSecret(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64'), {mode: 0o600})
  return readFileSync(file, 'utf8')
}
