import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {forgetOld} from '../../../src/inbox/retention.ts'
import {createSealer} from '../../../src/security/seal.ts'
import {Secret} from '../../../src/security/secret.ts'
import {createErasure, type Erasure} from '../../../src/store/forget/erasure.ts'
import {type Store, openStore} from '../../../src/store/store.ts'
import {openToolStore} from '../../../src/store/tool-store.ts'
import {root} from '../../gate/source-tree.ts'
import {editRaw, openRaw} from '../../support/raw-database.ts'
import {IS_POSTGRES} from '../../support/postgres.ts'
import {keyNamed} from '../../tools/sealed-database.ts'
import {temporaryDatabase} from '../temporary-store.ts'

/** What the page says becomes of a table's rows. */
interface Promised {
  person: string
  workspace: string
  age: string
}

const page = readFileSync(join(root, 'docs', 'privacy.md'), 'utf8')
const PROMISES = new Map(
  [...page.matchAll(/^\| `(\w+)` \| (\S+) \| (\S+) \| (.+) \|$/gm)].map(
    ([, table = '', person = '', workspace = '', age = '']): [string, Promised] => [
      table,
      {person, workspace, age: age.replaceAll('`', '')},
    ],
  ),
)

// That a bot lives, PostgreSQL's own locks say.
if (IS_POSTGRES) PROMISES.delete('bot_mark')

const DAY_MS = 24 * 3_600_000
const NOW_MS = 1000 * DAY_MS
const key = keyNamed('k1')
const TEAMS = ['T1', 'T2'] as const
const [JANE, KIM] = ['U0JANE', 'U0KIM'] as const
/** What somebody wrote. */
const saidBy = (user: string): string => `the words of ${user}`

interface Life {
  path: string
  store: Store
  erasure: Erasure
  rows: () => Promise<Map<string, string[]>>
}

/** Two workspaces, in each of which two people did everything at two times: every table has as much of each. */
async function live(oldMs: number, newMs = NOW_MS): Promise<Life> {
  const path = await temporaryDatabase()
  const store = await openStore({path, sealingKeys: [key]})
  onTestFinished(() => store[Symbol.asyncDispose]())
  for (const team of TEAMS) {
    for (const user of [KIM, JANE]) {
      for (const atMs of [oldMs, newMs]) await leaveTraces(store, {team, user, atMs})
    }
  }
  const tool = await openToolStore({path, sealingKeys: [key]})
  onTestFinished(() => tool[Symbol.asyncDispose]())
  const doerOf = (body: string) => JSON.parse(body) as {user: string; team: string}
  const erasure = createErasure({...tool, sealer: createSealer([key]), doerOf})
  await editRaw(path, TEAMS.map((team) => sighting(team)).join(';'))
  for (const team of TEAMS) {
    for (const atMs of [oldMs, newMs]) await editRaw(path, handovers(team, atMs))
  }
  return {path, store, erasure, rows: () => rowsOf(path)}
}

const SHARED = {mimetype: 'image/png', url: 'https://files.slack.com/f'}

const sighting = (team: string): string =>
  `insert into sightings values ('', 'p-${team}', 't-${team}', 'active', 1)`

/** What instances leave to each other. */
const handovers = (team: string, atMs: number): string => `
  insert into claims values ('${team}', 1, 'one', ${atMs}, null) on conflict do nothing;
  insert into silences values ('${team}', 'm-${atMs}', ${atMs});
  insert into confessions values ('c-${team}-${atMs}', '${team}', '{}', ${atMs});
  insert into used_states values ('s-${team}-${atMs}', ${atMs})`

async function leaveTraces(
  store: Store,
  {team, user, atMs}: {team: string; user: string; atMs: number},
): Promise<void> {
  const mine = `${team}-${user === JANE ? 'first' : 'second'}-${atMs}`
  const said = saidBy(user)
  const projectId = `p-${team}`
  const place = {team, channel: 'C1', slackThread: mine}
  const asked = {requestId: mine, projectId, startedBy: user, ask: {message: said}}
  const {id} = await store.links.open({place, ...asked, notes: {passed: [said]}}, atMs)
  await store.links.change(id, {state: 'ended', statusSinceMs: atMs, stoppedBy: user})
  await store.origins.begin({requestId: mine, projectId, nowMs: atMs})
  await store.origins.settle(`${mine}-begun`, mine)
  const send = {linkId: id, inboxKey: mine, messageTs: '1', sender: user, cursor: undefined}
  await store.sends.open({...send, toText: () => said}, atMs)
  await store.posts.intend(id, {key: 'card', delivery: undefined, draft: undefined}, atMs)
  const call = {linkId: id, key: 'k', kind: 'needs-you' as const, person: user, words: {}}
  const notification = await store.notifications.add({...call, remindAtMs: undefined}, atMs)
  await store.notifications.keepAnswer(notification?.id ?? '', {by: user, text: said})
  const press = {key: JSON.stringify(['press', team, mine]), lane: mine}
  await store.inbox.add({team, ...press, body: JSON.stringify({user, team})}, atMs)
  await store.choices.change({team, user}, {model: 'fast'})
  await store.people.keepMatch({team, user}, undefined, {platformUser: 'p1', lookedAtMs: atMs})
  await store.starts.open({requestId: mine, team, user, request: {task: said}}, atMs)
  const file = {team, requestId: mine, user, slackFile: 'F1', name: said, ...SHARED}
  await store.sharedFiles.keep([file], atMs)
  const watch = {team, channel: mine, projectId, connectionId: undefined, madeBy: user}
  await store.watches.add(watch, atMs)
  const told = {id: mine, team, channel: 'C1', threadId: 't', connectionId: undefined}
  await store.announcements.open({...told, words: {askedBy: user}}, atMs)
  const connection = {team, label: mine, key: new Secret(`key_of_${mine}`), madeBy: user}
  await store.connections.add(connection, atMs)
  const url = new Secret('https://a.example/webhooks/automations/x')
  const hook = {team, channel: 'C1', name: mine, automationId: undefined, madeBy: user}
  const {id: hookId} = await store.hooks.add({...hook, requestId: mine, url}, atMs)
  await store.deliveries.add({hookId, team, key: mine, sentKey: mine, body: 'sealed'}, atMs)
  const ran = {hookId, team, key: `${mine}-ran`, sentKey: mine, body: 'sealed'}
  await store.deliveries.add(ran, atMs)
  const [{id: ranId} = {id: 0}] = await store.deliveries.log(hookId, {
    limit: 1,
    beforeId: undefined,
  })
  await store.deliveries.attempt(ranId, {
    ...{channel: 'C1', automationId: undefined, name: mine, reference: mine},
    ...{projectId, connectionId: undefined, isPrivate: true, begunAtMs: atMs},
  })
  await store.deliveries.settle(ranId, 'accepted', undefined, atMs)
  const automation = {team, channel: 'C1', automationId: mine}
  const when = {schedules: [{cron: '0 9 * * *', zone: 'UTC'}], isPrivate: true, momentMs: atMs}
  const named = {name: mine, projectId, connectionId: undefined, reference: mine}
  await store.timetables.add({...automation, ...named, ...when})
  await store.timetables.follow(automation, user)
  const allowed = {who: 'list' as const, users: [JANE, KIM]}
  await store.bindings.change({team, channel: mine}, {allowed}, {user, nowMs: atMs})
  const key = `github.com/acme/web#${atMs}`
  const picture = {stage: 'open' as const, head: mine, title: 'A title'}
  const facts = {atMs, said: [picture], replaced: [], reviews: []}
  await store.pullRequests.hear(hookId, {about: 'pull-request', key, facts}, atMs)
  const commit = {about: 'checks' as const, repo: 'github.com/acme/web', sha: mine}
  await store.pullRequests.hear(hookId, {...commit, checks: {runs: []}}, atMs)
  await store.links.change(id, {pullRequest: `https://github.com/acme/api/pull/${atMs}`})
  const folder = {id: mine, name: 'Audits'}
  await store.folders.add({team, connectionId: undefined}, folder, {user, nowMs: atMs})
  const alias = {name: mine, modelId: 'm', effort: undefined, modes: []}
  const shelf = {team, connectionId: undefined}
  await store.models.name(shelf, alias, {user, nowMs: atMs, sinceMs: undefined})
  await store.models.meet(shelf, [{modelId: mine}], atMs)
  // A morning digest of theirs, as each chose it for themselves.
  const own = {team, target: user}
  const morning = {every: 'workday', minute: 540, zone: 'UTC'} as const
  const from = {untilMs: atMs, dayMicros: 0}
  await store.digests.choose(own, morning, {sinceMs: undefined, from, passed: undefined})
  const chosen = await store.digests.of(own)
  const date = new Date(atMs).toISOString().slice(0, 10)
  if (chosen !== undefined) {
    const telling = {date, until: from, announcement: undefined}
    await store.digests.tell(chosen, telling, atMs)
  }
  const link = {url: `https://app.example.com/t/${mine}`, about: `work:${mine}`}
  await store.unfurls.note({team, channel: 'C1', ts: mine}, [link], atMs)
  await store.rooms.begin({team, threadId: mine, linkId: id, origin: 'C1'}, atMs)
  await store.roomViews.put(id, {kind: 'html', name: 'a.html', content: 'by a machine'}, atMs)
  const post = {linkId: id, key: mine, digest: 'd', text: 'by a machine', file: undefined}
  await store.agentPosts.add(post, {most: 5, sinceMs: 0}, atMs)
  const spent = {team, threadId: mine, channel: 'C1', user, day: '2026-01-31'}
  await store.spendings.count({...spent, micros: 5, nowMs: atMs})
  const period = {team, budget: 'budgetPerPersonDay' as const, period: '2026-01-31'}
  const subject = {threadId: '', user, channel: ''}
  const used = {linkId: id, limitMicros: 5, moreMicros: 5, isLoud: true, round: 0}
  const note = await store.budgetNotes.refuse({...period, subject, ...used}, atMs)
  await store.budgetNotes.raise(note.id, {user, micros: 5, nowMs: atMs})
  const answer = {inboxKey: mine, user, answer: said}
  await store.questions.take({id: mine, linkId: id}, answer, atMs)
  const ruleId = `rule-${mine}`
  const fields = {
    ...{name: mine, app: 'A1', pattern: '', does: 'start' as const, task: 't', person: user},
    ...{dedupeKey: undefined, windowMinutes: 5, perHour: 1, perDay: 1, quiet: undefined},
  }
  const made = await store.rules.add(ruleId, {team, channel: mine}, fields, {user, nowMs: 1})
  if (made === 'full') throw new Error('There is no room for a rule.')
  const rule = await store.rules.turn(ruleId, true, {user, nowMs: 2, sinceMs: 1})
  if (rule.outcome !== 'done') throw new Error('The rule has changed.')
  await store.alerts.decide(
    {team, channel: mine, ts: mine},
    {
      ...{rule: rule.rule, keyHash: mine, nowMs: atMs, user: 'nobody'},
      judge: () => 'start',
      isAbout: () => false,
      wish: {
        ...{rule: {id: ruleId, name: mine, person: user}, task: 't', values: {}},
        ...{app: 'an app', text: 'by an app'},
      },
      toRow: () => ({
        key: JSON.stringify(['press', team, `${mine}-rule`]),
        team,
        lane: mine,
        body: JSON.stringify({user, team}),
      }),
    },
  )
  const limit = {most: 100, sinceMs: 0, full: {error: 'x'}, nowMs: atMs}
  await store.executions.take({id: mine, team, channel: 'C1', requestId: mine}, limit)
  const entry = {channel: 'C1', act: 'message', about: id, outcome: 'done' as const, atMs}
  await store.audit.add({...entry, team, user})
  const installation = JSON.stringify({user: {id: user}})
  const install = {id: team, botUserId: 'B', installedBy: user, installedAtMs: atMs}
  await store.installs.keep({...install, installation})
  await store.rooms.noteSupport(team, true, atMs)
  await store.barredChannels.bar({team, channel: mine}, atMs)
}

async function rowsOf(path: string): Promise<Map<string, string[]>> {
  await using database = await openRaw(path)
  const all = new Map<string, string[]>()
  for (const table of await database.tables()) {
    const rows = await database.all(`select * from ${table}`)
    // SQLite's counts that a bot lives.
    const texts = rows.map((row) => JSON.stringify({...row, beat: undefined}))
    all.set(table, texts.toSorted())
  }
  return all
}

test('every table of the database stands on the page, and none else; and this test fills each', async () => {
  const {rows} = await live(1)
  expect([...PROMISES.keys()].toSorted()).toEqual([...(await rows()).keys()])
  for (const [table, all] of await rows()) expect([table, all.length > 0]).toEqual([table, true])
})

test('somebody who is forgotten leaves each table as the page says', async () => {
  const {erasure, rows} = await live(1)
  const before = await rows()
  await erasure.forgetUser({user: JANE, team: undefined})
  for (const [table, after] of await rows()) {
    const was = before.get(table) ?? []
    const {person} = PROMISES.get(table) ?? {}
    const isOfJane = (row: string): boolean => row.includes(JANE)
    expect([table, after.filter(isOfJane)]).toEqual([table, []])
    if (person === 'goes') expect([table, after.length]).toEqual([table, was.length / 2])
    if (person === 'nobody') {
      expect([table, after.length, was.some(isOfJane)]).toEqual([table, was.length, true])
    }
    if (person === '–') expect([table, after]).toEqual([table, was])
    expect(['goes', 'nobody', '–']).toContain(person)
  }
})

test('a workspace that is forgotten leaves each table as the page says', async () => {
  const {erasure, rows} = await live(1)
  const before = await rows()
  await erasure.forgetTeam('T1')
  for (const [table, after] of await rows()) {
    const was = before.get(table) ?? []
    const {workspace} = PROMISES.get(table) ?? {}
    expect(['goes', 'more', '–']).toContain(workspace)
    if (workspace === 'more') {
      expect(after).toEqual(expect.arrayContaining(was))
      continue
    }
    expect(was).toEqual(expect.arrayContaining(after))
    const left = workspace === 'goes' ? was.length / 2 : was.length
    expect([table, after.length]).toEqual([table, left])
  }
})

/** What nobody needs any more when a workspace lets us go; what stays is looked at below. */
const LET_GO = [
  ...['commit_checks', 'deliveries', 'digest_days', 'digests', 'executions', 'hooks'],
  ...['pull_requests', 'sightings', 'timetables', 'unfurls', 'watches'],
]

test('a workspace that lets us go keeps no secret of its own, nothing goes on there, and nothing changes elsewhere', async () => {
  const {store, path, rows} = await live(1)
  await editRaw(path, `update links set state = 'open'`)
  const states = ['found', 'wanted', 'gone', 'placed', 'over'] as const
  for (const team of TEAMS) {
    for (const state of states) {
      const values = `'${state}-${team}', '${team}', 'C1', 't-${team}', 'failed', '{}', '${state}', 1`
      await editRaw(
        path,
        `insert into announcements (id, team, channel, thread_id, status, words, state, made_at_ms) values (${values})`,
      )
    }
  }
  const before = await rows()
  await store.installs.letGo('T1')
  const after = await rows()
  const ofTeam = (team: string, all: readonly string[] = []): string[] =>
    all.filter((row) => new RegExp(`"${team}"|[pt]-${team}|\\b${team}-`).test(row))
  for (const [table, was] of before) {
    const [mine, theirs] = TEAMS.map((team) => ofTeam(team, after.get(table)))
    expect([table, theirs]).toEqual([table, ofTeam('T2', was)])
    if (LET_GO.includes(table)) expect([table, mine]).toEqual([table, []])
  }
  await using raw = await openRaw(path)
  const of = (columns: string, table: string) =>
    raw.all(`select distinct ${columns} from ${table} where team = 'T1'`)
  expect(await of('key, state', 'connections')).toEqual([{key: null, state: 'gone'}])
  expect(await of('state, notice', 'links')).toEqual([
    {state: 'ended', notice: JSON.stringify({code: 'uninstalled'})},
  ])
  expect(await of('is_on', 'rules')).toEqual([{is_on: 0}])
  expect(await of('wish', 'alerts')).toEqual([{wish: null}])
  expect(await of('due_at_ms', 'runs')).toEqual([{due_at_ms: null}])
  const announced = await raw.all(
    `select state, ended_by from announcements where team = 'T1' and status = 'failed' order by state`,
  )
  expect(announced).toEqual(['over', 'placed'].map((state) => ({state, ended_by: 'over'})))
  const links = `(select id from links where team = 'T1')`
  const left = (what: string) => raw.all(`select * from ${what} and link_id in ${links}`)
  expect(await left('pings where remind_at_ms is not null')).toEqual([])
  expect(await left('room_views where content is not null')).toEqual([])
  expect(await left(`agent_posts where state in ('wanted', 'intended')`)).toEqual([])
  expect(await left('room_views where true')).not.toEqual([])
  await store.installs.letGo('T1')
  expect(await rows()).toEqual(after)
})

const RETENTION_DAYS = 30

test.each([2, 7, RETENTION_DAYS, 400])(
  'a little more than %i days later exactly those tables lose what is older',
  async (days) => {
    const {store, path, rows} = await live(NOW_MS - (days + 0.5) * DAY_MS, NOW_MS - DAY_MS)
    // All of it is over and done with.
    await editRaw(
      path,
      `update inbox set state = 'done', body = ''; update announcements set state = 'over';
       update deliveries set outcome = 'accepted', due_at_ms = null, body = null;
       update runs set due_at_ms = null;
       update agent_posts set state = 'placed', text = null`,
    )
    const before = await rows()
    const log = {info: () => undefined, warn: () => undefined, error: () => undefined}
    const clock = {trouble: async () => Promise.resolve(undefined)}
    const onForgotten = async (): Promise<void> => Promise.resolve()
    const {retention, inbox} = store
    const isClosed = async (): Promise<boolean> => Promise.resolve(false)
    const options = {retention, inbox, log, clock, isClosed, onForgotten, nowMs: () => NOW_MS}
    await forgetOld({...options, days: RETENTION_DAYS}, new AbortController().signal)
    for (const [table, after] of await rows()) {
      const was = before.get(table) ?? []
      const {age = ''} = PROMISES.get(table) ?? {}
      const named = age === 'BOSUN_RETENTION_DAYS' ? RETENTION_DAYS : Number.parseInt(age, 10)
      // What belongs to work goes with it, at the latest.
      const isGone = named <= days || (table === 'agent_posts' && days >= RETENTION_DAYS)
      expect([table, after.length]).toEqual([table, isGone ? was.length / 2 : was.length])
    }
  },
)
