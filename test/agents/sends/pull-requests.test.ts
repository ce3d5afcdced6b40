import {describe, expect, test} from 'vitest'
import {createKeyedQueue} from '../../../src/async/keyed-queue.ts'
import type {Effective} from '../../../src/agents/channel-settings.ts'
import {type FixDeps, fixByItself, letFix} from '../../../src/agents/sends/pull-requests/fixing.ts'
import {
  MOST_TRIES,
  knownPullRequests,
  readPullRequests,
} from '../../../src/agents/sends/pull-requests/reading.ts'
import {standingOf} from '../../../src/agents/sends/pull-requests/standing.ts'
import {readGithubEvent} from '../../../src/features/pull-requests/github-events.ts'
import type {Handling} from '../../../src/inbox/worker.ts'
import {Secret} from '../../../src/security/secret.ts'
import type {PullRequestFacts} from '../../../src/store/tables/pull-requests/facts.ts'
import {pullRequestKey} from '../../../src/store/tables/pull-requests/key.ts'
import type {Link} from '../../../src/store/tables/work/link.ts'
import {newLink, temporaryStore} from '../../store/temporary-store.ts'
import {budgetsOf} from '../../support/budgets.ts'
import {type GithubEvent, github, shaOf} from '../../support/github.ts'
import {openHouse} from '../../support/open-house.ts'

const T0 = Date.parse('2026-01-05T09:00:00Z')
const address = 'https://github.com/acme/web/pull/12'
const key = pullRequestKey(address) ?? expect.unreachable()
const [one, two] = [shaOf(1), shaOf(2)]

const changed = (fields: {head?: string; mergeable?: string; atMs?: number} = {}) =>
  github.pullRequest({number: 12, head: one, atMs: T0, ...fields})
const review = (by: string, id: number, opinion = 'changes_requested') =>
  github.review({number: 12, head: one, atMs: T0, by, id, opinion})
const check = (name: string, id: number, conclusion: string | null) =>
  github.checkRun({sha: one, name, id, conclusion})

describe('what a pull request waits for', () => {
  const facts = (more: Partial<PullRequestFacts> = {}): PullRequestFacts => ({
    ...{atMs: T0, replaced: [], reviews: []},
    said: [{stage: 'open', head: one, title: 'Prices'}],
    ...more,
  })
  const opinion = (by: string, id: number, of: 'changes' | 'approved') => ({
    ...{by, id, opinion: of, atMs: T0, url: `https://a.example/${id}`},
  })
  const run = (name: string, outcome: 'failed' | 'running' | 'passed') => ({
    ...{key: name, name, order: [1], outcome, url: `https://ci.example/${name}`},
  })
  const conflict = {atMs: T0, head: one, is: true}

  test('is nothing where nothing is wrong', () => {
    expect(standingOf(facts(), undefined)).toEqual({
      standing: {stage: 'open', title: 'Prices'},
      needs: [],
    })
    expect(standingOf(facts(), {runs: [run('a', 'passed')]})).toMatchObject({needs: []})
    expect(standingOf(facts({conflict: {...conflict, is: false}}), undefined).needs).toEqual([])
  })

  test('is what failed, what conflicts and what one reviewer asks for, each of it by itself', () => {
    const reviews = [opinion('jo', 7, 'changes'), opinion('kim', 5, 'approved')]
    const {standing, needs} = standingOf(facts({conflict, reviews}), {
      runs: [run('a', 'failed'), run('b', 'passed')],
    })
    expect(standing).toMatchObject({
      conflicts: true,
      checks: {passed: 1, running: 0, failed: {names: ['a'], more: 0}},
      approvedBy: {names: ['kim'], more: 0},
      wantChanges: {names: ['jo'], more: 0},
    })
    expect(needs).toEqual([
      {
        ...{kind: 'checks', key: `checks:${one}`, isSettled: true},
        about: [{name: 'a', url: 'https://ci.example/a'}],
      },
      {kind: 'conflicts', key: `conflicts:${one}`, about: [], isSettled: true},
      {
        ...{kind: 'changes', key: 'changes:7', isSettled: true},
        about: [{name: 'jo', url: 'https://a.example/7'}],
      },
    ])
  })

  test('is not settled while checks run', () => {
    const {needs} = standingOf(facts(), {runs: [run('a', 'failed'), run('b', 'running')]})
    expect(needs).toMatchObject([{kind: 'checks', isSettled: false}])
  })

  test.each(['merged', 'closed'] as const)('is nothing once it is %s', (stage) => {
    const said = [{stage, head: one, title: 'Prices'}]
    const reviews = [opinion('jo', 7, 'changes')]
    const {standing, needs} = standingOf(facts({said, conflict, reviews}), {
      runs: [run('a', 'failed')],
    })
    expect(needs).toEqual([])
    expect(standing).not.toHaveProperty('conflicts')
  })
})

async function opened({fixes = true}: {fixes?: boolean} = {}) {
  const sealing = {id: 'k', key: new Secret(Buffer.alloc(32, 7).toString('base64'))}
  const store = await temporaryStore(undefined, [sealing])
  const hookIn = async (channel: string): Promise<string> => {
    const url = new Secret('https://a.example/webhooks/automations/x')
    const hook = {
      ...{team: 'T1', channel, name: channel, automationId: undefined, madeBy: 'U1', url},
      requestId: channel,
    }
    return (await store.hooks.add(hook, 1)).id
  }
  const hooks = {C1: await hookIn('C1'), C2: await hookIn('C2')}
  const {id} = await store.links.open(newLink, 1)
  await store.links.change(id, {state: 'open', threadId: 't', status: 'idle', pullRequest: address})
  const said: string[] = []
  const values = {projectId: 'p', fixPullRequests: fixes}
  const deps: FixDeps = {
    ...{...store, knowing: openHouse, budgets: budgetsOf(store)},
    settingsOf: async (_team, channel) =>
      ({values: {...values, projectId: channel === 'C2' ? 'q' : 'p'}}) as Effective,
    botUserIn: () => 'UBOT',
    fixesInOrder: createKeyedQueue(),
    clientOf: () =>
      ({
        sendMessage: async (_thread: string, {text}: {text: string}) => {
          said.push(text)
          return {id: `r${said.length}`}
        },
      }) as never,
    attribute: async () => ({byKey: 'nobody'}),
    show: async () => undefined,
    nowMs: () => T0,
  }
  let row = 100
  const handling = () =>
    ({row: {id: (row += 1)}, signal: new AbortController().signal}) as unknown as Handling
  const link = async (): Promise<Link> => (await store.links.byId(id)) ?? expect.unreachable()
  const asking = (by: string) => ({key, by, toText: (need: {key: string}) => need.key})
  return {
    store,
    deps,
    said,
    link,
    hears: async (event: GithubEvent, hook: keyof typeof hooks = 'C1') => {
      const heard = readGithubEvent(event.event, event.body)
      if (heard !== undefined) await store.pullRequests.hear(hooks[hook], heard, T0)
    },
    reading: async () => (await readPullRequests(deps, await link())).get(key),
    let: async (by: string) => letFix(deps, await link(), asking(by), handling()),
    byItself: async (need: string) =>
      fixByItself(deps, {link: await link(), need, ...asking('UBOT')}, handling()),
  }
}

describe('an agent', () => {
  test('is told by somebody of all that it was not told of, each once', async () => {
    const {hears, let: letIt, said, reading} = await opened()
    expect(await letIt('U1')).toEqual({outcome: 'nothing'})
    await hears(changed({mergeable: 'dirty'}))
    await hears(review('jo', 7))
    expect(await letIt('U1')).toEqual({outcome: 'told'})
    expect(said).toEqual([`conflicts:${one}`, 'changes:7'])
    expect(await letIt('U1')).toEqual({outcome: 'nothing'})
    expect(await reading()).toMatchObject({
      open: [],
      untold: [],
      automatic: 0,
      state: {fix: 'sent'},
    })
    await hears(review('kim', 8))
    expect(await reading()).toMatchObject({open: [{key: 'changes:7,8'}], state: {fix: 'wanted'}})
  })

  test('is told by itself of the one need alone, and that is in the audit', async () => {
    const {hears, byItself, said, reading, store} = await opened()
    await hears(changed({mergeable: 'dirty'}))
    await hears(review('jo', 7))
    expect(await byItself('changes:9')).toEqual({outcome: 'nothing'})
    expect(await byItself('changes:7')).toEqual({outcome: 'told'})
    expect(said).toEqual(['changes:7'])
    expect(await reading()).toMatchObject({automatic: 1, untold: [{key: `conflicts:${one}`}]})
    expect(await store.audit.ofTeam('T1', {limit: 9, beforeId: undefined})).toMatchObject([
      {act: 'fix changes', outcome: 'done', channel: 'C1'},
    ])
  })

  test.each<[string, object]>([
    ['stopped', {stoppedBy: 'U2'}],
    ['archived', {state: 'archived'}],
  ])('whose work was %s is not woken', async (_what, change) => {
    const {hears, byItself, said, store, link} = await opened()
    await hears(review('jo', 7))
    await store.links.change((await link()).id, change)
    expect(await byItself('changes:7')).toEqual({outcome: 'nothing'})
    expect(said).toEqual([])
  })

  test('is not told by itself where its channel does not want that, nor while checks run', async () => {
    const unwanted = await opened({fixes: false})
    await unwanted.hears(review('jo', 7))
    expect(await unwanted.byItself('changes:7')).toEqual({outcome: 'nothing'})
    const barred = await opened()
    await barred.hears(review('jo', 7))
    await barred.store.barredChannels.bar((await barred.link()).place, 0)
    expect(await barred.byItself('changes:7')).toEqual({outcome: 'nothing'})
    const {hears, byItself} = await opened()
    await hears(changed())
    await hears(check('lint', 1, 'failure'))
    await hears(check('unit', 2, null))
    expect(await byItself(`checks:${one}`)).toEqual({outcome: 'nothing'})
    await hears(check('unit', 2, 'success'))
    expect(await byItself(`checks:${one}`)).toEqual({outcome: 'told'})
  })

  test('is told by itself three times of one pull request, and then people are told that', async () => {
    const {hears, byItself, said, reading} = await opened()
    for (let id = 1; id <= MOST_TRIES; id += 1) {
      await hears(review('jo', id))
      await byItself(`changes:${id}`)
    }
    expect(said).toHaveLength(3)
    expect((await reading())?.state).not.toHaveProperty('tries')
    await hears(review('jo', 9))
    expect(await byItself('changes:9')).toEqual({outcome: 'nothing'})
    expect(await reading()).toMatchObject({state: {tries: 3, fix: 'wanted'}})
  })

  test('hears what was taken back again from somebody alone', async () => {
    const {hears, let: letIt, byItself, said, store, link, reading} = await opened()
    await hears(review('jo', 7))
    await letIt('U1')
    const [send] = await store.sends.fixes(await link())
    await store.sends.move(send?.id ?? '', ['sent'], 'cancelled')
    expect(await reading()).toMatchObject({open: [{key: 'changes:7'}], untold: []})
    expect(await byItself('changes:7')).toEqual({outcome: 'nothing'})
    expect(await letIt('U1')).toEqual({outcome: 'told'})
    expect(said).toEqual(['changes:7', 'changes:7'])
  })
})

test('of a pull request counts what hooks say in channels of its project', async () => {
  const {hears, deps, link} = await opened()
  const known = async () => [...(await knownPullRequests(deps, await link())).states]
  expect(await known()).toEqual([])
  await hears(changed({head: two, mergeable: 'dirty', atMs: T0 + 5000}), 'C2')
  expect(await known()).toEqual([])
  await hears(changed())
  expect(await known()).toEqual([[address, {stage: 'open', title: 'Change 12'}]])
})
