import fc from 'fast-check'
import {expect, test} from 'vitest'
import {Secret} from '../../src/security/secret.ts'
import type {Store} from '../../src/store/store.ts'
import {openRaw} from '../support/raw-database.ts'
import {
  ASKS,
  CHANNEL,
  type Mine,
  PROCESS,
  PROJECT,
  THREAD,
  USER,
  by,
  newHook,
  newSend,
  place,
} from './tenancy-asks.ts'
import {openTemporary} from './temporary-store.ts'

const sealingKeys = [{id: 'k', key: new Secret(Buffer.alloc(32, 5).toString('base64'))}]

async function seed(store: Store, team: string): Promise<Mine> {
  const key = new Secret(`key-of-${team}`)
  const connection = await store.connections.add({team, label: team, key, madeBy: USER}, 1)
  const connectionId = connection.id
  const open = (slackThread: string) =>
    store.links.open(
      {
        ...{place: place(team, slackThread), requestId: `${team}-${slackThread}`, connectionId},
        ...{projectId: PROJECT, startedBy: USER, title: `of ${team}`},
        ...(slackThread === '1.0' && {threadId: THREAD}),
      },
      1,
    )
  const {id: linkId} = await open('1.0')
  const {id: otherLinkId} = await open('2.0')
  const mine = {team, linkId, otherLinkId, connectionId}
  await store.links.change(linkId, {status: 'active'})
  await store.posts.intend(linkId, {key: 'card', delivery: 'd', draft: undefined}, 1)
  await store.posts.confirm(linkId, {
    ...{key: 'card', ts: '3.0', hash: 'h', final: false, draft: undefined},
  })
  const {send} = await store.sends.open(newSend({...mine} as Mine, 'first'), 2)
  await store.sends.move(send.id, ['open'], 'waiting', 'receipt')
  const notification = await store.notifications.add(
    {linkId, key: 'n', kind: 'needs-you', person: USER, words: {question: team}, remindAtMs: 5},
    1,
  )
  const start = await store.starts.open(
    {requestId: `${team}-s`, team, user: USER, request: {of: team}},
    1,
  )
  await store.watches.add(
    {team, channel: CHANNEL, projectId: PROJECT, connectionId, madeBy: USER},
    1,
  )
  const project = {projectId: PROJECT, connectionId}
  const standing = new Map(
    ['elsewhere', 'somewhere'].map((id) => [id, {status: 'failed', words: {title: team}}] as const),
  )
  const changed = [...standing.keys()].map((id) => ({threadId: id, status: 'failed', times: 2}))
  await store.sightings.record(
    project,
    {changed, ended: new Map(), standing, changedAtMs: new Map()},
    () => true,
    2,
  )
  await store.announcements.open(
    {
      id: `${team}-told`,
      team,
      channel: CHANNEL,
      threadId: THREAD,
      connectionId,
      words: {title: team},
    },
    1,
  )
  await store.bindings.change({team, channel: CHANNEL}, {connectionId, projectId: PROJECT}, by)
  await store.choices.change({team, user: USER}, {noise: 'verbose'})
  await store.people.keepMatch({team, user: USER}, undefined, {platformUser: team, lookedAtMs: 1})
  await store.installs.keep({
    ...{id: team, botUserId: 'B', installedBy: USER, installedAtMs: 1},
    installation: `{"of":"${team}"}`,
  })
  await store.audit.add({
    ...{team, channel: CHANNEL, user: USER, act: 'x', about: team, outcome: 'done', atMs: 1},
  })
  const posted = await store.agentPosts.add(
    {linkId, key: 'first', digest: team, text: team, file: undefined},
    {most: 5, sinceMs: 0},
    1,
  )
  await store.folders.add({team, connectionId}, {id: 'kept', name: team}, by)
  await store.inbox.add({key: `${team}-row`, lane: team, body: `{"team":"${team}"}`}, 1)
  const row = await store.inbox.byKey(`${team}-row`)
  const {id: hookId} = await store.hooks.add(newHook(team, 'one'), 1)
  const delivered = {hookId, team, key: 'one', sentKey: `of ${team}`, body: `sealed of ${team}`}
  await store.deliveries.add(delivered, 1)
  const [delivery] = await store.deliveries.log(hookId, {limit: 1, beforeId: undefined})
  return {
    ...mine,
    ...{
      sendId: send.id,
      notificationId: notification?.id ?? '',
      startId: start.id,
      inboxId: row?.id ?? 0,
    },
    announcementId: `${team}-told`,
    ...{hookId, deliveryId: delivery?.id ?? 0},
    agentPostId: posted.outcome === 'added' ? posted.post.id : '',
  }
}

async function openTwo() {
  await using ends = new AsyncDisposableStack()
  const {path, store} = ends.use(await openTemporary(sealingKeys))
  const mine = await seed(store, 'T-MINE')
  const theirs = await seed(store, 'T-THEIRS')
  const database = ends.use(await openRaw(path))
  // One thread that both look at, in the states that a reading ends or words.
  for (const [id, team, state] of [
    ['a', 'T-MINE', 'placed'],
    ['b', 'T-THEIRS', 'placed'],
    ['c', 'T-MINE', 'found'],
    ['d', 'T-THEIRS', 'found'],
  ] as const) {
    const connection = team === 'T-MINE' ? mine.connectionId : theirs.connectionId
    await database.run(
      `insert into announcements (id, team, channel, thread_id, status, words, state, connection_id, made_at_ms)
        values (?, ?, 'C9', 'thread', 'failed', '{}', ?, ?, 1)`,
      ...[id, team, state, connection],
    )
  }
  const tables = await database.tables()
  // Every value that is theirs alone.
  const marks = ['T-THEIRS', ...Object.values(theirs).map(String)].filter((mark) => mark.length > 3)
  const isTheirs = (value: unknown): boolean => {
    const text = JSON.stringify(value, (_key, one: unknown) =>
      typeof one === 'bigint' ? String(one) : one,
    ) as string | undefined
    return text !== undefined && marks.some((mark) => text.includes(mark))
  }
  const rowsOfTheirs = async (): Promise<string> => {
    const rows = await Promise.all(
      tables.map(async (table) => {
        const all = await database.all(`select * from ${table}`)
        return [
          table,
          all
            .filter(isTheirs)
            .map((row) => JSON.stringify(row))
            .toSorted(),
        ]
      }),
    )
    return JSON.stringify(rows)
  }
  const kept = ends.move()
  return {
    ...{store, mine, isTheirs, rowsOfTheirs},
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

const METHODS = Object.entries(ASKS).flatMap(([name, asks]) =>
  Object.entries(asks).flatMap(([method, ask]) =>
    ask === PROCESS ? [] : [{what: `${name}.${method}`, ask}],
  ),
)

test('no store leaves out what it is asked here', async () => {
  await using two = await openTwo()
  const {store} = two
  const methods = (value: object): string[] => Object.keys(value).toSorted()
  const stores = Object.entries(store).filter(
    ([name, value]) => typeof value === 'object' && !['sealer', 'lost'].includes(name),
  )
  expect(stores.map(([name]) => name).toSorted()).toEqual(methods(ASKS))
  for (const [name, value] of stores) {
    expect([name, ...methods(value as object)]).toEqual([
      name,
      ...methods(ASKS[name as keyof Store] ?? {}),
    ])
  }
})

test('whatever one workspace asks for, no row of another one is told or changed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(METHODS, {minLength: 10}), async (asks) => {
      await using two = await openTwo()
      const {store, mine, isTheirs, rowsOfTheirs} = two
      const before = await rowsOfTheirs()
      for (const {what, ask} of asks) {
        // What an earlier one removed may be missed; it must not be taken from somebody else.
        const told = await ask(store, mine).catch(() => undefined)
        expect([what, isTheirs(told)]).toEqual([what, false])
        expect([what, (await rowsOfTheirs()) === before]).toEqual([what, true])
      }
    }),
    {numRuns: 15},
  )
})
