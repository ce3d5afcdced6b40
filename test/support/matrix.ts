import {createLateCalls} from '../../src/slack/api/late-calls.ts'
import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {randomBytes} from 'node:crypto'
import Database from 'better-sqlite3'
import {parse} from 'yaml'
import {startPlatform} from '../../local/platform/server.ts'
import {readManifest} from '../../local/slack/apps/manifest.ts'
import {type LocalSlack, startLocalSlack} from '../../local/slack/server.ts'
import {createSessionProof} from '../../src/agents/session-proof.ts'
import {createKnowing} from '../../src/agents/who-may-know.ts'
import {createNoiseOf, createSettings} from '../../src/agents/channel-settings.ts'
import {createKeys} from '../../src/agents/refused-keys.ts'
import {createKeyedQueue} from '../../src/async/keyed-queue.ts'
import {createTransport} from '../../src/platform/transport.ts'
import {systemClock} from '../../src/async/clock.ts'
import {createPacer} from '../../src/relay/pace/pacer.ts'
import {createConnections} from '../../src/relay/streams/connections.ts'
import {createClockCheck} from '../../src/inbox/clock-check.ts'
import {createLeaks} from '../../src/security/leaks.ts'
import {Secret} from '../../src/security/secret.ts'
import {createDiscretion} from '../../src/slack/api/discretion.ts'
import {createSlackClient} from '../../src/slack/api/slack-client.ts'
import {type Whoami, whoami} from '../../src/slack/api/identity.ts'
import {createSlackLogger} from '../../src/slack/api/log.ts'
import {slackBudgets} from '../../src/slack/api/budgets.ts'
import {registerListeners} from '../../src/slack/register.ts'
import {createWorkspace} from '../../src/app/workspace.ts'
import {createVisibility} from '../../src/app/visibility.ts'
import {createWorkspaces} from '../../src/app/workspaces.ts'
import type {Settings} from '../../src/store/tables/channels/bindings.ts'
import {type Store, openStore} from '../../src/store/store.ts'
import {seedBeside} from './beside-work.ts'
import {type Subjects, bodyOf, subjectOf} from './matrix-deeds.ts'
import {ACTS} from './matrix-oracle/acts.ts'
import {
  type Cell,
  DOORS,
  isClosed,
  type Door,
  PERSONS,
  type Person,
  type Reach,
  canHappen,
  mayDo,
} from './matrix-oracle/doors.ts'
import {SILENT_LOG} from './silent-log.ts'

interface MatrixReport {
  cells: number
  allowed: number
  denied: number
  /** Allowed ones that left a trace in our tables, at the platform or in a modal. */
  traces: number
  /** One line each. */
  wrong: string[]
}

const MANIFEST = join(import.meta.dirname, '..', '..', 'manifest.yml')

/** Every cell of the matrix: everything that can be done, by everybody, everywhere, to what is theirs and what is not. */
export function allCells(): Cell[] {
  const cells = ACTS.flatMap(({event}) =>
    [0, 1].flatMap((team) =>
      DOORS.flatMap((door) =>
        PERSONS.flatMap((person) =>
          reachesOf(event).map((reach) => ({event, team, door, person, reach})),
        ),
      ),
    ),
  )
  return cells.filter(canHappen)
}

function nextDoor(door: Door): Door {
  return DOORS[(DOORS.indexOf(door) + 1) % DOORS.length] ?? 'everyone'
}

/** What bears no id is done where it is done. */
function reachesOf(event: string): readonly Reach[] {
  const subject = subjectOf(event)
  if (subject === 'none' || subject === 'open form') return ['here']
  // A key is the whole workspace's.
  const isOfKey = subject === 'connection' || subject === 'alias'
  return isOfKey ? ['here', 'other workspace'] : REACHES
}

const REACHES = ['here', 'other channel', 'other workspace'] as const

/** Two workspaces with a channel for each door, as one process serves them, and everything that can be pressed in them. */
async function openMatrix() {
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'bosun-matrix-'))
  opened.defer(() => rmSync(folder, {recursive: true, force: true}))
  const slack = await startLocalSlack({
    ...readManifest(parse(readFileSync(MANIFEST, 'utf8'))),
    rateScale: Infinity,
    teams: [{id: 'T0BETA', name: 'Beta'}],
  })
  opened.defer(() => slack.close())
  const platform = await startPlatform({port: 0, pace: 0.2})
  opened.defer(() => platform.close())
  const path = join(folder, 'bosun.db')
  const sealingKeys = [{id: 'k', key: new Secret(randomBytes(32).toString('base64'))}]
  const store = opened.use(await openStore({path, sealingKeys}))
  const log = SILENT_LOG
  const logger = createSlackLogger(log)
  const transport = opened.use(createTransport(`${platform.originUrl}/api/v1`))
  const standard = {apiKey: new Secret(platform.keys.human), projectId: platform.projectIds[0]}
  const connections = createConnections({keyOf: () => standard.apiKey, transport, log})
  const keys = opened.use(
    createKeys({...store, show: async () => Promise.resolve(), onNews: () => undefined, log}),
  )
  const leaks = createLeaks()
  leaks.learn(standard.apiKey)
  const access = {slackApiUrl: slack.apiUrl, logger, discretion: createDiscretion(leaks)}
  const workspaces = opened.use(createWorkspaces())
  const settingsOf = createSettings(store.bindings, standard)
  const knowing = createKnowing({
    ...{origins: store.origins, settingsOf},
    ...createVisibility({workspaces, known: new Map(), slackAccess: access}),
    surroundingsOf: (team) => workspaces.of(team)?.surroundings,
  })
  const signal = new AbortController().signal
  const beta = slack.apps.install({appId: 'A0BOSUN', teamId: 'T0BETA'})
  for (const token of [slack.botToken, beta.botToken]) {
    const tokenOf = async () => Promise.resolve(new Secret(token))
    const identity = await whoami(createSlackClient(tokenOf, access), log, signal)
    const workspace = createWorkspace(
      {identity, tokenOf},
      {
        ...{store, log, ...access, ...connections, webUrl: undefined},
        ...{admins: [], rateScale: 1e6, startEmoji: 'robot_face'},
        lateCalls: createLateCalls({
          isShared: false,
          claim: {mayCall: () => true, over: signal},
          confess: () => undefined,
          clock: systemClock,
        }),
        stopping: signal,
        clockCheck: createClockCheck({newestRowMs: store.newestRowMs}),
        ...{
          settingsOf,
          noiseOf: createNoiseOf(store.choices, settingsOf),
          knowing,
          hasStandard: 'yes',
        },
        ...{keys, leaks, tokenFile: undefined},
        fileLimits: {maxFiles: 20, maxBytes: 50_000_000},
        proof: createSessionProof({clientOf: connections.clientOf, learn: leaks.learn}),
        pacer: createPacer({budgets: slackBudgets(1e6), clock: systemClock}),
        show: async () => Promise.resolve(),
        inOrder: createKeyedQueue(),
        vitals: {
          ...{socketAgesMs: () => undefined, streams: () => 0, obstacles: () => []},
          ...{keyIds: [], hasStandardKey: true, explainRefusal: () => ''},
          clockTrouble: async () => Promise.resolve(undefined),
        },
        onSnoozed: () => undefined,
        onWatched: () => undefined,
        ...{
          platformOrigin: platform.originUrl,
          publicUrl: undefined,
          onDelivery: () => undefined,
          onUnsaid: () => undefined,
          onRow: () => undefined,
          onRules: () => undefined,
          onAllowed: () => undefined,
        },
      },
    )
    await workspaces.add(workspace)
  }
  const dispatch = await registerListeners({
    ...{inbox: store.inbox, workspaceOf: workspaces.of, apiUrl: slack.apiUrl, logger},
    onEnding: async () => Promise.resolve(),
  })
  const teams: (Whoami & {people: People; places: ReadonlyMap<Door, Subjects>})[] = []
  for (const {identity} of workspaces.all()) {
    const acts = slack.peopleOf(identity.team)
    const people = await seedPeople(acts)
    const {id: group} = await acts.saveUsergroup({
      ...{handle: 'crew', name: 'Crew', memberIds: [people.member]},
    })
    const places = await seedPlaces(store, acts, {...identity, people, group})
    teams.push({...identity, people, places})
  }
  const seeded = teams.flatMap(({places}) => [...places.values()])
  const database = opened.use(openTemplate(path, join(folder, 'seeded.db'), seeded))
  let ordinal = 0

  const run = async (cell: Cell): Promise<{isDone: boolean; isTraced: boolean}> => {
    database.reset()
    const team = teams[cell.team]
    const other = teams[1 - cell.team]
    const here = team?.places.get(cell.door)
    const subjects: Record<Reach, Subjects | undefined> = {
      here,
      'other channel': team?.places.get(nextDoor(cell.door)),
      'other workspace': other?.places.get(cell.door),
    }
    const about = subjects[cell.reach]
    if (team === undefined || here === undefined || about === undefined) throw new Error('No place')
    ordinal += 1
    const user = team.people[cell.person]
    const body = bodyOf(cell.event, {
      ...{team: team.team, user, botUserId: team.botUserId, ordinal},
      ...{channel: here.channel, slackThread: here.slackThread, about},
    })
    const before = platform.ledger.length
    const calls = slack.ledger.calls.length
    const row = {id: ordinal, key: `row-${ordinal}`, team: 'T1', lane: 'l', attempts: 0}
    await dispatch({
      row: {...row, body: JSON.stringify(body), receivedAtMs: Date.now()},
      signal,
      release: () => undefined,
      mayTell: async () => Promise.resolve(true),
      mayBegin: async () => Promise.resolve(true),
    })
    // App Home is shown, and who comes is welcomed, without a word in the audit.
    const isShown = slack.ledger.calls.slice(calls).some(({method}) => method === 'views.publish')
    const isDone =
      database.isDone(user) ||
      (cell.event === 'home opened' && isShown) ||
      (cell.event === 'messages opened' && database.isChanged())
    const isTraced =
      database.isChanged() ||
      platform.ledger.slice(before).some(({method}) => method !== 'GET') ||
      slack.ledger.calls.slice(calls).some(isView)
    return {isDone, isTraced}
  }
  const resources = opened.move()
  return {run, [Symbol.asyncDispose]: () => resources.disposeAsync()}
}

/** Runs them one after the other. */
export async function runMatrix(cells: Iterable<Cell>): Promise<MatrixReport> {
  await using matrix = await openMatrix()
  const report: MatrixReport = {cells: 0, allowed: 0, denied: 0, traces: 0, wrong: []}
  for (const cell of cells) {
    const {isDone, isTraced} = await matrix.run(cell)
    // It is judged by the channel where the work is.
    const isRight = mayDo(cell, cell.reach === 'here' ? cell.door : nextDoor(cell.door))
    report.cells += 1
    report.allowed += Number(isDone)
    report.denied += Number(!isDone)
    report.traces += Number(isDone && isTraced)
    const at = JSON.stringify(cell)
    if (isDone && !isRight) report.wrong.push(`allowed: ${at}`)
    else if (!isDone && isRight) report.wrong.push(`denied: ${at}`)
    else if (!isDone && isTraced) report.wrong.push(`denied, and something happened: ${at}`)
  }
  return report
}

function isView({method}: {method: string}): boolean {
  return method === 'views.open' || method === 'views.push'
}

type People = Readonly<Record<Person, string>>
type Acts = ReturnType<LocalSlack['peopleOf']>

async function seedPeople(acts: Acts): Promise<People> {
  const add = async (name: string, more: object = {}): Promise<string> =>
    (await acts.addMember({name, realName: name, ...more})).id
  const deactivated = await add('gone')
  await acts.deactivate(deactivated)
  return {
    starter: await add('starter'),
    admin: await add('admin', {isAdmin: true}),
    member: await add('member'),
    outsider: await add('outsider'),
    guest: await add('guest', {guest: 'multi_channel'}),
    'single-channel guest': await add('single', {guest: 'single_channel'}),
    external: await add('external', {teamId: 'T0OTHER'}),
    bot: await add('robot', {isBot: true}),
    deactivated,
  }
}

/** The same in each channel of each workspace: work that runs, what waits for it, and what calls. */
async function seedPlaces(
  store: Store,
  acts: Acts,
  {team, botUserId, people, group}: Whoami & {people: People; group: string},
): Promise<ReadonlyMap<Door, Subjects>> {
  const places = new Map<Door, Subjects>()
  const key = new Secret(`key_${team}_0123456789`)
  const {id: connectionId} = await store.connections.add(
    {team, label: 'Key', key, madeBy: people.admin},
    1,
  )
  const settings: Record<Door, Settings> = {
    everyone: {},
    list: {allowed: {who: 'list', users: [people.starter]}},
    group: {allowed: {who: 'group', group}},
    wide: {guests: true, externals: true},
    private: {},
    'group message': {},
  }
  for (const [index, door] of DOORS.entries()) {
    const isPrivate = isClosed(door)
    const isThere = (person: Person): boolean =>
      person !== 'deactivated' && !(isPrivate && person === 'outsider')
    const memberIds = PERSONS.filter(isThere).map((person) => people[person])
    const kind: 'group_dm' | 'channel' = door === 'group message' ? 'group_dm' : 'channel'
    const draft = {name: `door-${index}`, kind, memberIds: [...memberIds, botUserId], isPrivate}
    const {id: channel} = await acts.createChannel(draft)
    await store.bindings.change({team, channel}, settings[door], {user: people.admin, nowMs: 1})
    const {starter} = people
    const place = await seedPlace(store, {team, channel, connectionId, starter, index})
    const {ts: messageTs} = await acts.post({as: starter, channel, text: 'look at this'})
    places.set(door, {...place, messageTs})
  }
  return places
}

async function seedPlace(
  store: Store,
  at: {team: string; channel: string; connectionId: string; starter: string; index: number},
): Promise<Subjects> {
  const {team, channel, connectionId, starter, index} = at
  const key = `${channel}-${index}`
  const second = `17000${team === 'T0BETA' ? 1 : 0}000${index}`
  const slackThread = `${second}.000100`
  const {id: linkId} = await store.links.open(
    {
      place: {team, channel, slackThread},
      ...{requestId: `request-${key}`, projectId: 'project-x', connectionId: undefined},
      ...{startedBy: starter, threadId: `thread-${key}`, title: 'Work'},
    },
    1,
  )
  const beside = await seedBeside(store, {
    ...{team, channel, linkId, starter, key},
    ...{wishThread: `${second}.000700`, sendState: 'waiting'},
  })
  const {taskId, hookId} = beside
  const tasks = [{id: taskId, path: '1', title: 'Task', status: 'active'}]
  await store.links.change(linkId, {status: 'active', tasks})
  await store.deliveries.add({hookId, team, key: 'k', sentKey: 'k', body: 'sealed'}, 1)
  const [delivery] = await store.deliveries.log(hookId, {limit: 1, beforeId: undefined})
  const deliveryId = delivery?.id ?? 0
  await store.deliveries.attempt(deliveryId, {
    ...{channel, automationId: undefined, name: 'Nightly', reference: key},
    ...{projectId: 'project-x', connectionId: undefined, isPrivate: false, begunAtMs: 1},
  })
  // A try before it may have begun something.
  await store.deliveries.attempt(deliveryId, undefined)
  await store.deliveries.settle(deliveryId, 'not-found', undefined, 1)
  const runId = `${hookId}-${deliveryId}`
  await store.runs.found(runId, {id: `run-thread-${key}`, title: 'Run'}, 1)
  return {
    ...beside,
    ...{channel, slackThread, linkId, connectionId, deliveryId, runId},
    cardTs: `${second}.000200`,
    announcementTs: `${second}.000300`,
  }
}

/** The database as it was seeded, to which it can be brought back, and what has become of it. */
function openTemplate(path: string, copyPath: string, places: readonly Subjects[]) {
  const database = new Database(path, {timeout: 5000})
  // Rows come back in any order.
  database.pragma('foreign_keys = off')
  for (const {linkId, cardTs, announcementId, announcementTs} of places) {
    database
      .prepare(
        `insert into posts (link_id, key, state, ts, final, intended_at_ms) values (?, 'card', 'placed', ?, 0, 1)`,
      )
      .run(linkId, cardTs)
    database
      .prepare(`update announcements set status = 'failed', state = 'placed', ts = ? where id = ?`)
      .run(announcementTs, announcementId)
  }
  database.exec(`vacuum into '${copyPath}'`)
  database.exec(`attach '${copyPath}' as seeded`)
  const found = database
    .prepare<[], {name: string}>(`select name from main.sqlite_master where type = 'table'`)
    .all()
  const tables = found
    .map(({name}) => name)
    .filter((name) => !name.startsWith('sqlite_') && !name.startsWith('kysely_'))
  const isAside = new Set(['audit', 'inbox', 'bot_mark'])
  const isSame = (name: string): boolean =>
    database
      .prepare(
        `select not exists (select * from main.${name} except select * from seeded.${name})
          and not exists (select * from seeded.${name} except select * from main.${name}) as same`,
      )
      .pluck()
      .get() === 1

  return {
    reset: database.transaction(() => {
      const changed = tables.filter((name) => !isSame(name))
      if (changed.length === 0) return
      for (const name of changed) database.exec(`delete from main.${name}`)
      for (const name of changed) {
        database.exec(`insert into main.${name} select * from seeded.${name}`)
      }
    }),
    isDone: (user: string): boolean =>
      database
        .prepare(`select count(*) from audit where user = ? and outcome = 'done'`)
        .pluck()
        .get(user) !== 0,
    isChanged: (): boolean => tables.some((name) => !isAside.has(name) && !isSame(name)),
    [Symbol.dispose]: () => void database.close(),
  }
}
