import Database from 'better-sqlite3'
import {Kysely, SqliteDialect} from 'kysely'
import {expect, onTestFinished, test} from 'vitest'
import {createAgentPostStore} from '../../src/store/tables/work/agent-posts.ts'
import {createAnnouncementStore} from '../../src/store/tables/channels/announcements.ts'
import {createAuditStore} from '../../src/store/tables/audit.ts'
import type {Schema} from '../../src/store/database/schema.ts'
import type {Write} from '../../src/store/database/writer.ts'
import {createConnectionUses} from '../../src/store/tables/connection-uses.ts'
import {createDeliveryStore} from '../../src/store/tables/hooks/deliveries.ts'
import {createTimetableStore} from '../../src/store/tables/hooks/timetables.ts'
import {createInboxStore} from '../../src/store/tables/inbox.ts'
import {createLinkLists} from '../../src/store/tables/work/link-lists.ts'
import {createLinkStore} from '../../src/store/tables/work/links.ts'
import {createOriginStore} from '../../src/store/tables/work/origins.ts'
import {createNotificationStore} from '../../src/store/tables/work/notifications.ts'
import {createPostStore} from '../../src/store/tables/work/posts.ts'
import {createPullRequestStore} from '../../src/store/tables/pull-requests/pull-requests.ts'
import {createAlertStore} from '../../src/store/tables/rules/alerts.ts'
import {createMarkStore} from '../../src/store/tables/work/marks.ts'
import {createBudgetNoteStore} from '../../src/store/tables/budgets/notes.ts'
import {createUnfurlStore} from '../../src/store/tables/channels/unfurls.ts'
import {createQuestionStore} from '../../src/store/tables/work/questions.ts'
import {createQueueReading} from '../../src/store/tables/queues.ts'
import {createSpendingStore} from '../../src/store/tables/budgets/spendings.ts'
import {createRetentionStore} from '../../src/store/forget/retention.ts'
import {createSendStore} from '../../src/store/tables/work/sends.ts'
import {createStopStore} from '../../src/store/tables/work/stops.ts'
import {createSightingStore} from '../../src/store/tables/channels/sightings.ts'
import {newLink, place, temporaryPath, temporaryStore} from './temporary-store.ts'

/** The stores over a database of today, and how SQLite goes about what they ask it. */
async function openPlans() {
  const path = temporaryPath()
  await (await temporaryStore(path))[Symbol.asyncDispose]()
  const database = new Database(path)
  const asked = new Map<string, readonly unknown[]>()
  const db = new Kysely<Schema>({
    dialect: new SqliteDialect({database}),
    log: ({query: {sql, parameters}}) => {
      if (/^(select|update|delete)/.test(sql)) asked.set(sql, parameters)
    },
  })
  onTestFinished(() => db.destroy())
  const write: Write = (change) => db.transaction().execute(change)
  /** How SQLite walks through tables for what was asked since the last time. */
  const walks = (): string[] => steps().filter((step) => isWalk(step))
  /** Which indexes it uses for that, in this order. */
  const usedBy = (): string[] => steps().flatMap((step) => / INDEX (\w+)/.exec(step)?.[1] ?? step)
  const steps = (): string[] => {
    const found = [...asked].flatMap(([sql, parameters]) => {
      const plan = database.prepare(`explain query plan ${sql}`).all(...parameters)
      return plan.map((step) => String((step as {detail: unknown}).detail))
    })
    asked.clear()
    return found
  }
  return {db, write, walks, usedBy, asked}
}

/** What is read from one end to the other, or sorted. */
function isWalk(step: string): boolean {
  return /^SCAN (?!CONSTANT)|TEMP B-TREE FOR (?!LAST TERM)/.test(step) && !IS_SMALL.test(step)
}

/** An index of those rows alone that are looked for, and a table that has a row for each channel at most. */
const IS_SMALL =
  /USING (COVERING )?INDEX (agent_posts_due|questions_due|posts_intended)$|^SCAN watches/

const [link, team, channel] = ['l1', 'T1', 'C1']
const signal = undefined

test('nothing that is done again and again walks through a table that grows', async () => {
  const {db, write, walks, asked} = await openPlans()
  const inbox = createInboxStore(db, write)
  const row = {team: 'T1', key: 'k', lane: 'lane', body: '{}'}
  await inbox.add(row, 1, signal)
  await inbox.due(1, ['T1'])
  await inbox.nextDueAtMs(1, ['T1'])
  await inbox.postpone(1, 2)
  await inbox.handledBefore({id: 1, lane: 'lane'})
  await inbox.tell(1, 'wait')
  await inbox.done(1)
  await inbox.reopen(1, '{}')
  await inbox.fail(1)
  expect(asked.size).toBeGreaterThan(8)
  expect(walks()).toEqual([])

  const links = createLinkStore(db, write)
  const {id} = await links.open(newLink, 0)
  await links.open(
    {...newLink, threadId: 't', requestId: 'r2', place: {...place, slackThread: '2.0'}},
    0,
  )
  await links.byPlace(place)
  await links.byRequest('r1')
  await links.change(id, {status: 'active'})
  await links.changeIf(id, {state: 'open', attempt: 0}, {status: 'active'})
  await links.homeOf({team, channel})
  await links.setHome({team, channel}, undefined)
  expect(walks()).toEqual([])
  const lists = createLinkLists(db)
  const page = {limit: 10, from: undefined}
  await lists.ofThread({team, channel, threadId: 't', taskId: undefined})
  await lists.ofThreads({team, threadIds: ['t', 't2']})
  expect(walks()).toEqual([])
  await lists.inChannel({team, channel}, {statuses: ['active'], unneeded: []}, page)
  await lists.ofStarter({team, user: 'U1'}, page)
  await lists.captains({team, connectionId: undefined})
  expect(walks()).toEqual([])
  await lists.archives(['T1'])
  await lists.archivedOf({
    teams: ['T1', 'T2'],
    project: {projectId: 'p', connectionId: undefined},
    threadIds: ['t', 't2'],
  })
  expect(walks()).toEqual([])

  const posts = createPostStore(db, write)
  await posts.intend(id, {key: 'card', delivery: undefined, draft: undefined}, 0)
  await posts.confirm(id, {key: 'card', ts: '1.1', hash: 'h', final: false, draft: undefined})
  await posts.endStream(id, 'card')
  await posts.unsettled(id)
  await posts.ofDelivery(id, 'd')
  await posts.ofOrigin(id, 'd')
  await posts.knownTs(id)
  await posts.linkAt({team, channel, ts: '9.9'})
  await posts.markGone(id, 'card')
  await posts.forget(id, 'card')
  expect(walks()).toEqual([])

  const sends = createSendStore(db, write)
  const send = {linkId: id, inboxKey: 'k', messageTs: '1.2', sender: 'U1', cursor: undefined}
  const {send: sent} = await sends.open({...send, toText: (token) => token}, 0)
  await sends.unsure(id)
  await sends.ofEntry(id, {id: 'e', text: 'Jane (slack:abc):\nhi'})
  await sends.ofEntry(id, {id: 'e', text: 'hi'})
  await sends.move(sent.id, ['open'], 'sent')
  await sends.arrive(sent.id)
  expect(walks()).toEqual([])

  const notifications = createNotificationStore(db, write)
  const notification = {
    linkId: id,
    key: 'p',
    kind: 'done' as const,
    person: 'U1',
    words: {},
    remindAtMs: 5,
  }
  const called = await notifications.add(notification, 0)
  await notifications.ofLink(id)
  await notifications.asking([id])
  await notifications.placeOf({team, threadId: 't'})
  await notifications.due(9, ['T1'])
  await notifications.nextDueAtMs(['T1'])
  await notifications.end(called?.id ?? '', 'over', undefined)
  expect(walks()).toEqual([])

  const announcements = createAnnouncementStore(db, write)
  await announcements.found()
  await announcements.found({projectId: 'p', connectionId: undefined})
  await announcements.leftBehind(9)
  await announcements.word({threadId: 't', connectionId: undefined, status: 'failed'}, {})
  expect(walks()).toEqual([])
  await announcements.due(team, 0)
  await announcements.nextDueAtMs(team, 0)
  expect(walks()).toEqual([])

  const sightings = createSightingStore(db, write)
  const project = {projectId: 'p', connectionId: undefined}
  await sightings.ofProject(project)
  await sightings.record(
    project,
    {
      changed: [{threadId: 't', status: 'failed', times: 2}],
      ended: new Map([['t2', 'over']]),
      standing: new Map([['t', {status: 'failed', words: {}}]]),
      changedAtMs: new Map([['t', 1]]),
    },
    () => true,
    1,
  )
  expect(walks()).toEqual([])

  await createOriginStore(db, write).of(['t'])
  expect(walks()).toEqual([])

  const deliveries = createDeliveryStore(db, write)
  await deliveries.due(1, ['T1'], {ids: [1], hookIds: ['h']})
  await deliveries.nextDueAtMs(1, ['T1'])
  await deliveries.log('h', {limit: 10, beforeId: undefined})
  await deliveries.attempt(1, undefined)
  await deliveries.postpone(1, 2)
  await deliveries.settle(1, 'accepted', {channel, name: 'n'}, 0)
  expect(walks()).toEqual([])

  const timetables = createTimetableStore(db, write)
  await timetables.due([team], 1)
  await timetables.nextDueAtMs([team])
  await timetables.of({team, channel, automationId: 'a'})
  await timetables.ofChannel(team, channel)
  await timetables.later('t', 1, true)
  expect(walks()).toEqual([])

  const agentPosts = createAgentPostStore(db, write)
  await agentPosts.add(
    {linkId: link, key: 'k', digest: 'd', text: 't', file: undefined},
    {most: 5, sinceMs: 0},
    1,
  )
  await agentPosts.due(team)
  expect(walks()).toEqual([])

  const questions = createQuestionStore(db, write)
  await questions.take({id: 'q', linkId: link}, {inboxKey: 'k', user: 'U1', answer: 'Yes'}, 1)
  await questions.answered('q', 'k', '1.0')
  await questions.due(team)
  expect(walks()).toEqual([])

  const unfurls = createUnfurlStore(db, write)
  await unfurls.note({team, channel, ts: '1.0'}, [{url: 'https://a.test', about: 'work:a'}], 1)
  await unfurls.about(team, ['work:a'], 0)
  await unfurls.drop(await unfurls.of({team, channel, ts: '1.0'}))
  await unfurls.ofTeam(team, 0)
  await createLinkLists(db).namersIn({team, channel, key: 'github.com/acme/web#1'})
  await createPullRequestStore(db, write).isNamed(team, ['github.com/acme/web#1'])
  expect(walks()).toEqual([])

  const audit = createAuditStore(db, write)
  const entry = {team, channel, user: 'U1', act: 'a', about: 'b', outcome: 'done', atMs: 1} as const
  await audit.addOnce(entry, 0)
  await audit.ofTeam(team, {limit: 10})
  expect(walks()).toEqual([])
})

test('what waits in a workspace or a channel is found by what it waits for, not among all that is there', async () => {
  const {db, write, usedBy, asked} = await openPlans()
  const [announcements, posts] = [createAnnouncementStore(db, write), createPostStore(db, write)]
  await announcements.due(team, 0)
  expect(new Set(usedBy())).toEqual(new Set(['announcements_due']))
  await announcements.nextDueAtMs(team, 0)
  expect(usedBy()).toEqual(['announcements_due'])
  await createAgentPostStore(db, write).due(team)
  expect(usedBy()).toEqual(['agent_posts_due', 'sqlite_autoindex_links_1'])
  await createQuestionStore(db, write).due(team)
  expect(usedBy()).toEqual(['questions_due', 'sqlite_autoindex_links_1'])
  await posts.linkAt({team, channel, ts: '9.9'})
  const ofLink = 'sqlite_autoindex_links_1'
  expect(usedBy()).toEqual(['posts_intended', ofLink, 'posts_ts', ofLink])
  const lists = createLinkLists(db)
  await lists.archives(['T1'])
  expect(usedBy()).toEqual(['links_archived'])
  const project = {projectId: 'p', connectionId: undefined}
  await lists.archivedOf({teams: ['T1', 'T2'], project, threadIds: ['t', 't2']})
  expect(usedBy()).toEqual(['links_archived'])
  await createInboxStore(db, write).due(1, ['T1'])
  expect(usedBy()).toEqual(['inbox_heads', 'inbox_heads', 'inbox_heads'])
  const spendings = createSpendingStore(db, write)
  const work = {team, channel, user: 'U1', threadId: 't', day: '2026-01-31', micros: 1, nowMs: 9}
  await spendings.count(work)
  asked.clear()
  await spendings.costing([team], {statuses: ['active'], putAwaySinceMs: 0})
  const DISTINCT = 'USE TEMP B-TREE FOR DISTINCT'
  expect(usedBy()).toEqual([
    ...['links_working', 'links_put_away', 'spendings_risen', DISTINCT],
    'links_thread',
  ])
  const OF_SENDS = [
    'sends_link',
    'LIST SUBQUERY 1',
    'links_working',
    'USE TEMP B-TREE FOR GROUP BY',
  ]
  const queues = createQueueReading(db)
  await queues.inbox()
  expect(usedBy()).toEqual(['inbox_open', 'inbox_heads'])
  await queues.sends()
  expect(usedBy()).toEqual(OF_SENDS)
  await queues.hooks()
  expect(usedBy()).toEqual(['deliveries_due', 'sqlite_autoindex_hooks_1'])
})

test('what a start serves is found by what it needs, not among all that has ended', async () => {
  const {db, write, usedBy} = await openPlans()
  const links = createLinkStore(db, write)
  await links.live([team], 0)
  expect(usedBy().filter((step) => /_/.test(step))).toEqual([
    ...['links_at_work', 'posts_unfinished', 'named_pull_requests_unshown'],
    ...['links_started', 'sqlite_autoindex_posts_1', 'sqlite_autoindex_links_1'],
  ])
  await links.atWork(team)
  expect(usedBy()).toEqual(['links_at_work'])
  const uses = createConnectionUses(db)
  await uses.atWork('k')
  expect(usedBy()).toEqual(['links_of_key'])
  await uses.channels('k')
  expect(usedBy()).toContain('links_of_key')
})

test('what stands for a thread is found by the thread, not among all work of its workspace', async () => {
  const {db, write, usedBy} = await openPlans()
  const links = createLinkStore(db, write)
  const thread = {team, threadId: 't'}
  const byIndex = () => usedBy().filter((step) => /^links_|autoindex_links_3/.test(step))
  const {id, ...made} = await links.open(newLink, 0)
  await links.change(id, {threadId: 't'})
  const looks = [
    () => links.beginningOf(thread),
    () => createLinkLists(db).ofThread({...thread, channel, taskId: undefined}),
    () => createNotificationStore(db, write).placeOf(thread),
    () => createSendStore(db, write).fixes({...made, id, threadId: 't'}),
    () => createAgentPostStore(db, write).expect({linkId: id, key: 'k'}, {most: 1, sinceMs: 0}),
    () => createStopStore(db, write).together(id),
    () => links.open({...newLink, threadId: 't', requestId: 'again'}, 0),
  ]
  for (const look of looks) {
    usedBy()
    await look()
    expect(byIndex()[0]).toBe('links_thread')
  }
})

test('work that is forgotten leads to what belongs to it', async () => {
  const {db, write, walks, asked} = await openPlans()
  const links = createLinkStore(db, write)
  const {id} = await links.open({...newLink, threadId: 't'}, 0)
  await links.change(id, {state: 'archived'})
  const retention = createRetentionStore(db, write)
  asked.clear()
  expect(await Array.fromAsync(retention.forgetLinks(9, async () => false))).toEqual([[id]])
  expect(walks()).toEqual([])
})

test('what has served its time is found by its age, and looked through in parts', async () => {
  const {db, write, usedBy, asked} = await openPlans()
  const retention = createRetentionStore(db, write)
  const looks: [string, () => Promise<unknown>][] = [
    ['links_rested', () => Array.fromAsync(retention.forgetLinks(9, async () => false))],
    ['runs_age', () => Array.fromAsync(retention.forgetRuns(9, async () => false))],
    ['announcements_told', () => retention.forgetReceipts(9)],
    ['announcements_age', () => retention.forgetAnnouncements(9)],
    ['audit_age', () => retention.forgetAudit(9)],
    ['spendings_age', () => Array.fromAsync(retention.forgetSpendings(9))],
    ['pull_requests_age', () => Array.fromAsync(retention.forgetPullRequests(9))],
  ]
  for (const [index, look] of looks) {
    asked.clear()
    await look()
    expect(usedBy().join()).toContain(index)
  }
})

test('lists are found by whom or what they are of, not among all work of their workspace', async () => {
  const {db, write, usedBy, asked} = await openPlans()
  const lists = createLinkLists(db)
  const page = {limit: 10, from: undefined}
  const looks: [string[], () => Promise<unknown>][] = [
    [['links_channel'], () => lists.inChannel({team, channel}, {statuses: [], unneeded: []}, page)],
    [['links_starter'], () => lists.ofStarter({team, user: 'U1'}, page)],
    [['links_faces'], () => lists.captains({team, connectionId: undefined})],
    [['links_thread', 'runs_thread'], () => lists.ofThreads({team, threadIds: ['t', 't2']})],
    // The second of them is the name of an automation.
    [
      ['links_channel', 'runs_thread', 'links_starter', 'runs_thread'],
      () => lists.toSearch({team, channel, user: 'U1'}, page),
    ],
    [
      ['named_pull_requests_key', 'sqlite_autoindex_links_1'],
      () => lists.namersIn({team, channel, key: 'github.com/acme/web#1'}),
    ],
    [
      ['pull_requests_heard', 'named_pull_requests_key', 'sqlite_autoindex_links_1'],
      async () => {
        const facts = JSON.stringify({mergedAtMs: 5})
        const row = {hook_id: 'h', key: 'k', team, repo: 'r', head: '', facts, changed_at_ms: 5}
        await db.insertInto('pull_requests').values(row).execute()
        await createPullRequestStore(db, write).mergedIn({team, channel}, {sinceMs: 0, untilMs: 9})
      },
    ],
    [['links_home'], () => createLinkStore(db, write).homeOf({team, channel})],
    [['links_of_rules'], () => createAlertStore(db, write).works(team)],
    [
      ['links_settled'],
      () => createMarkStore(db, write).unsettled(team, [], {sinceMs: 5, most: 9}),
    ],
  ]
  for (const [indexes, look] of looks) {
    asked.clear()
    await look()
    const used = usedBy().filter((step) => /^(links|named|pull|runs|sqlite)_/.test(step))
    expect(used.toSorted()).toEqual(indexes.toSorted())
  }
  asked.clear()
  const subject = {threadId: 't', user: '', channel: ''}
  await createBudgetNoteStore(db, write).raised({
    team,
    budget: 'budgetPerWork',
    period: '',
    subject,
  })
  expect(usedBy()).toEqual(['budget_notes_period'])
})
