import {existsSync, readFileSync} from 'node:fs'
import {expect, onTestFinished, test} from 'vitest'
import {createSealer} from '../../../src/security/seal.ts'
import {Secret} from '../../../src/security/secret.ts'
import {NOBODY} from '../../../src/store/forget/blanking.ts'
import {createErasure, type Erasure} from '../../../src/store/forget/erasure.ts'
import {type Store, openStore} from '../../../src/store/store.ts'
import {openToolStore} from '../../../src/store/tool-store.ts'
import {isPostgres} from '../../../src/store/is-postgres.ts'
import {type RawDatabase, openRaw} from '../../support/raw-database.ts'
import {keyNamed} from '../../tools/sealed-database.ts'
import {newLink, temporaryDatabase} from '../temporary-store.ts'

const key = keyNamed('k1')
const [JANE, KIM] = ['U0JANE', 'U0KIM']
const SAID = 'the password of the shop'

/** Two workspaces in which two people did everything that leaves a trace. */
async function lived(): Promise<{path: string; store: Store; erasure: Erasure; linkId: string}> {
  const path = await temporaryDatabase()
  const store = await openStore({path, sealingKeys: [key]})
  onTestFinished(() => store[Symbol.asyncDispose]())
  let linkId = ''
  for (const team of ['T1', 'T2']) {
    for (const user of [JANE, KIM]) {
      const id = await leaveTraces(store, team, user)
      if (team === 'T1' && user === JANE) linkId = id
    }
  }
  const tool = await openToolStore({path, sealingKeys: [key]})
  onTestFinished(() => tool[Symbol.asyncDispose]())
  const doerOf = (body: string) => JSON.parse(body) as {user: string; team: string}
  const erasure = createErasure({...tool, sealer: createSealer([key]), doerOf})
  return {path, store, erasure, linkId}
}

async function leaveTraces(store: Store, team: string, user: string): Promise<string> {
  const whose = user === JANE ? 'first' : 'second'
  const begun = {projectId: 'p', nowMs: 1}
  await store.origins.begin({...begun, requestId: `slack:${team}:C1:${whose}`})
  const mine = `${team}${whose}`
  const {id} = await store.links.open(
    {
      ...{place: {team, channel: 'C1', slackThread: whose}, requestId: mine},
      ...{projectId: 'p', startedBy: user, ask: {message: SAID}},
      notes: {passed: ['secret.txt']},
    },
    1,
  )
  const work = {state: 'open', threadId: `thread-${mine}`, stoppedBy: user, title: SAID} as const
  await store.links.change(id, work)
  const send = {linkId: id, inboxKey: mine, messageTs: '1', sender: user, cursor: undefined}
  await store.sends.open({...send, toText: (token) => `Jane (slack:${token}):\n${SAID}`}, 1)
  await store.posts.intend(id, {key: 'card', delivery: undefined, draft: undefined}, 1)
  const notification = await store.notifications.add(
    {linkId: id, key: 'k', kind: 'needs-you', person: user, words: {}, remindAtMs: 5},
    1,
  )
  await store.notifications.keepAnswer(notification?.id ?? '', {by: user, text: SAID})
  await store.inbox.add(
    {
      team: 'T1',
      key: JSON.stringify(['press', team, mine]),
      lane: mine,
      body: JSON.stringify({user, team}),
    },
    1,
  )
  await store.choices.change({team, user}, {model: 'fast'})
  await store.people.keepMatch({team, user}, undefined, {platformUser: 'p1', lookedAtMs: 1})
  await store.starts.open({requestId: mine, team, user, request: {task: SAID}}, 1)
  const watch = {team, channel: whose, projectId: 'p', connectionId: undefined, madeBy: user}
  await store.watches.add(watch, 1)
  await store.announcements.open(
    {
      ...{id: mine, team, channel: 'C1', threadId: 't', connectionId: undefined},
      words: {askedBy: user, task: SAID, title: SAID},
    },
    1,
  )
  await store.connections.add({team, label: 'l', key: new Secret('pk_1234'), madeBy: user}, 1)
  const url = new Secret('https://a.example/webhooks/automations/x')
  const hook = {team, channel: 'C1', name: whose, automationId: undefined, madeBy: user}
  const {id: hookId} = await store.hooks.add({...hook, requestId: mine, url}, 1)
  await store.deliveries.add({hookId, team, key: mine, sentKey: mine, body: 'sealed'}, 1)
  await store.bindings.change(
    {team, channel: whose},
    {allowed: {who: 'list', users: [JANE, KIM]}, instructions: SAID},
    {user, nowMs: 1},
  )
  await store.folders.add(
    {team, connectionId: undefined},
    {id: mine, name: 'Audits'},
    {user, nowMs: 1},
  )
  await store.models.name(
    {team, connectionId: undefined},
    {name: whose, modelId: 'm', effort: undefined, modes: []},
    {user, nowMs: 1, sinceMs: undefined},
  )
  await store.agentPosts.add(
    {linkId: id, key: mine, digest: 'd', text: SAID, file: undefined},
    {most: 5, sinceMs: 0},
    1,
  )
  const answer = {inboxKey: mine, user, answer: SAID}
  await store.questions.take({id: mine, linkId: id}, answer, 1)
  const entry = {channel: 'C1', act: 'message', about: id, outcome: 'done' as const, atMs: 1}
  await store.audit.add({...entry, team, user})
  const install = {id: team, botUserId: 'B', installedBy: user}
  await store.installs.keep({
    ...install,
    ...{installation: JSON.stringify({user: {id: user}}), installedAtMs: 1},
  })
  return id
}

test('somebody who is forgotten stands nowhere any more, and their work goes on', async () => {
  const {path, store, erasure, linkId} = await lived()
  const kimBefore = await erasure.countUser({user: KIM, team: undefined})
  const before = await erasure.countUser({user: JANE, team: undefined})
  expect(before.map(({what}) => what)).toEqual([
    ...['choices of theirs', 'matches with the platform', 'starts that were asked for'],
    ...['audit entries with their name', 'pieces of work that they asked for or stopped'],
    ...['messages to agents that they wrote or stopped', 'calls of them or answered by them'],
    'questions that they answered',
    ...['messages in channels that name them', 'watches', 'connections that they made'],
    'hooks that they made',
    ...['folders that they named', 'names of models that they gave'],
    ...['settings that they made or that name them', 'inbox rows'],
  ])
  await erasure.forgetUser({user: JANE, team: undefined})
  expect(await erasure.countUser({user: JANE, team: undefined})).toEqual([])

  const link = await store.links.byId(linkId)
  expect(link).toMatchObject({state: 'open', startedBy: NOBODY, stoppedBy: NOBODY})
  expect(link).toMatchObject({ask: undefined, notes: undefined, title: undefined})
  expect(await store.sends.ofMessage(linkId, '1')).toMatchObject([
    {state: 'cancelled', sender: NOBODY, text: ''},
  ])
  expect(await store.notifications.ofLink(linkId)).toMatchObject([{state: 'over', person: NOBODY}])
  expect(await store.notifications.due(100, ['T1', 'T2'])).toHaveLength(2)
  const audit = await store.audit.ofTeam('T1', {limit: 10})
  expect(audit.map(({user}) => user).toSorted()).toEqual([KIM, NOBODY].toSorted())
  expect((await store.bindings.of('T1', 'second'))?.allowed).toEqual({who: 'list', users: [KIM]})

  const kim = await erasure.countUser({user: KIM, team: undefined})
  expect(kim).toEqual(kimBefore)
  expect(await namedIn(path, [JANE])).toEqual([])
})

test('what somebody has set stays as it is, whether it lets in a list of people or not', async () => {
  const {store, erasure} = await lived()
  const by = {user: JANE, nowMs: 1}
  await store.bindings.change({team: 'T1', channel: 'C8'}, {projectId: 'p'}, by)
  await store.bindings.change({team: 'T1', channel: 'C9'}, {allowed: {who: 'everyone'}}, by)
  await erasure.forgetUser({user: JANE, team: undefined})
  const read = async (channel: string) => store.bindings.read('T1', channel)
  expect(await read('C8')).toMatchObject({settings: {projectId: 'p'}, changedBy: NOBODY})
  expect((await read('C8'))?.settings.allowed).toBeUndefined()
  expect(await read('C9')).toMatchObject({
    settings: {allowed: {who: 'everyone'}},
    changedBy: NOBODY,
  })
})

test('a form that stood open does not bring them back, nor does what others asked for', async () => {
  const {path, store, erasure} = await lived()
  const by = {user: KIM, nowMs: 5}
  const rule = {
    ...{name: 'Alarms', app: 'A1', appName: undefined, pattern: '', task: 'look'},
    does: 'start',
    ...{dedupeKey: undefined, windowMinutes: 60, perHour: 5, perDay: 20, quiet: undefined},
    person: JANE,
  } as const
  await store.rules.add('r1', {team: 'T1', channel: 'C1'}, rule, by)
  const before = await store.bindings.read('T1', 'second')
  const ruleBefore = await store.rules.byId('r1')
  const captain = {captain: {name: 'Ada', owner: JANE}}
  await store.starts.open({requestId: 'ada', team: 'T1', user: KIM, request: captain}, 5)
  await erasure.forgetUser({user: JANE, team: undefined})
  expect(await erasure.countUser({user: JANE, team: undefined})).toEqual([])
  const after = await store.bindings.read('T1', 'second')
  expect(after?.changedAtMs).not.toBe(before?.changedAtMs)
  expect((await store.rules.byId('r1'))?.changedAtMs).not.toBe(ruleBefore?.changedAtMs)
  expect(await namedIn(path, [JANE])).toEqual([])
})

test('a room of their work is known by its tabs, and no more by its title', async () => {
  const {store, erasure, linkId} = await lived()
  const of = {team: 'T1', threadId: 'thread-T1first'}
  await store.rooms.begin({...of, linkId, origin: 'C1'}, 1)
  await store.rooms.note(of, {shown: JSON.stringify({title: SAID, tabs: {work: 'h'}})})
  await erasure.forgetUser({user: JANE, team: 'T1'})
  expect((await store.rooms.of(of))?.shown).toBe(JSON.stringify({tabs: {work: 'h'}}))
})

test('what one owner leaves to the next says nothing any more', async () => {
  const {path, erasure} = await lived()
  await using database = await openRaw(path)
  const pace = JSON.stringify({left: {'chat.update': 3}, newest: {C1: `asked by ${JANE}`}})
  await database.run(
    `insert into claims (name, epoch, owner, claimed_at_ms, pace) values ('T1', 1, 'i', 1, '${pace}')`,
  )
  await erasure.forgetUser({user: JANE, team: undefined})
  const [row] = await database.all('select pace from claims')
  expect(row).toEqual({pace: JSON.stringify({left: {'chat.update': 3}, newest: {}})})
})

test('in one workspace alone, too', async () => {
  const {store, erasure} = await lived()
  await erasure.forgetUser({user: JANE, team: 'T1'})
  expect(await erasure.countUser({user: JANE, team: 'T1'})).toEqual([])
  expect(await store.choices.of({team: 'T2', user: JANE})).toEqual({model: 'fast'})
  expect(await store.choices.of({team: 'T1', user: JANE})).toEqual({})
})

test('whoever installed the app is no longer named inside what is sealed', async () => {
  const {store, erasure} = await lived()
  await erasure.forgetUser({user: KIM, team: undefined})
  const install = await store.installs.byId('T1')
  expect(install).toMatchObject({installedBy: NOBODY})
  expect(install?.installation).toBe(JSON.stringify({user: {id: NOBODY}}))
})

test('of a workspace that is forgotten nothing is left, and nothing of another one is gone', async () => {
  const {path, store, erasure} = await lived()
  const other = await erasure.countTeam('T2')
  await erasure.forgetTeam('T1')
  expect(await erasure.countTeam('T1')).toEqual([])
  expect(await erasure.countTeam('T2')).toEqual(other)
  expect(await store.installs.byId('T1')).toBeUndefined()
  await erasure.forgetTeam('T2')
  expect(await namedIn(path, [JANE, KIM, SAID, 'T1first', 'slack:T1'])).toEqual([])
  // Nobody knows what they were: it may have been private.
  expect(await store.origins.underway(1)).toHaveLength(4)
})

test('what was begun in a workspace that is forgotten is from elsewhere for nobody', async () => {
  const {store, erasure} = await lived()
  const at = {team: 'T1', channel: 'C-turned'}
  const place = {...at, slackThread: '9.9'}
  const {id} = await store.links.open({...newLink, place, requestId: 'turned'}, 0)
  await store.links.change(id, {threadId: 'turned'})
  const about = {name: 'n', projectId: 'p', connectionId: undefined, reference: 'r', momentMs: 1}
  const more = {...about, schedules: [], isPrivate: false, automationId: 'nightly'}
  await store.timetables.add({...at, ...more})
  await erasure.forgetTeam('T1')
  const origin = (await store.origins.of(['turned'])).get('turned')
  expect(origin).toMatchObject({channels: [], mark: 'unnoted'})
  const elsewhere = {team: 'T2', channel: 'C-other'}
  const made = await store.origins.ofAutomations(elsewhere, [{id: 'nightly', references: []}])
  expect(made.get('nightly')).toMatchObject({channels: [], mark: 'private'})
})

/** Which of the words stand in the database: of SQLite in its files, free pages and the log included, once that is cut off. */
async function namedIn(path: string, words: readonly string[]): Promise<string[]> {
  await using database = await openRaw(path)
  const text = isPostgres(path) ? await rowsIn(database) : await filesOf(path, database)
  return words.filter((word) => text.includes(word))
}

async function filesOf(path: string, database: RawDatabase): Promise<string> {
  await database.run('pragma wal_checkpoint(truncate)')
  const log = `${path}-wal`
  return readFileSync(path, 'latin1') + (existsSync(log) ? readFileSync(log, 'latin1') : '')
}

async function rowsIn(database: RawDatabase): Promise<string> {
  const all: object[] = []
  for (const table of await database.tables()) {
    all.push(...(await database.all(`select * from ${table}`)))
  }
  return JSON.stringify(all)
}
