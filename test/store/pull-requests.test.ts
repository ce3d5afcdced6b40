import {expect, test} from 'vitest'
import {Secret} from '../../src/security/secret.ts'
import type {Store} from '../../src/store/store.ts'
import {joinChecks} from '../../src/store/tables/pull-requests/checks.ts'
import {type PullRequestFacts, joinFacts} from '../../src/store/tables/pull-requests/facts.ts'
import {editRaw, openRaw} from '../support/raw-database.ts'
import {newLink, place, temporaryDatabase, temporaryStore} from './temporary-store.ts'

const sealing = {id: 'a', key: new Secret(Buffer.alloc(32, 1).toString('base64'))}
const repo = 'github.com/acme/web'
const key = `${repo}#1`
const commit = {repo, sha: 'abcdef0'}

const factsAt = (atMs: number, more: Partial<PullRequestFacts> = {}): PullRequestFacts => ({
  ...{atMs, said: [{stage: 'open', head: commit.sha, title: 'Prices'}], replaced: []},
  ...{reviews: [], ...more},
})
const checkOf = (url: string, name = 'build') => ({
  runs: [{key: 'run::a', name, order: [1], outcome: 'passed' as const, url}],
})

async function hookOf({hooks}: Store, team: string, requestId: string): Promise<string> {
  const about = {team, channel: 'C1', name: 'Code', automationId: undefined, madeBy: 'U1'}
  const url = new Secret('https://a.example/webhooks/automations/x')
  return (await hooks.add({...about, requestId, url}, 1)).id
}

async function openTwo() {
  const path = await temporaryDatabase()
  const store = await temporaryStore(path, [sealing])
  const [one, other] = [await hookOf(store, 'T1', 'r1'), await hookOf(store, 'T1', 'r2')]
  return {path, store, one, other}
}

const facts = {about: 'pull-request', key, facts: factsAt(1)} as const
const checks = {about: 'checks', ...commit, checks: checkOf('https://ci.example/1')} as const

test('what a hook has said is known until it is removed, and whose work names it hears of both', async () => {
  const {store, one, other} = await openTwo()
  const {pullRequests, links, hooks} = store
  const linkIds: string[] = []
  for (const team of ['T1', 'T2']) {
    const named = {...newLink, requestId: team, place: {...place, team}}
    const {id} = await links.open(named, 0)
    await links.change(id, {state: 'open', pullRequest: 'https://github.com/acme/web/pull/1'})
    linkIds.push(id)
  }
  const heed = async (teams: readonly string[]): Promise<string[]> => {
    const news = await pullRequests.unheeded(teams)
    await pullRequests.heeded(news)
    return news.map(({linkId}) => linkId)
  }
  await heed(['T1', 'T2'])
  for (const id of [one, other]) {
    expect(await pullRequests.hear(id, facts, 1)).toBe('new')
    expect(await pullRequests.hear(id, facts, 2)).toBe('known')
    expect(await pullRequests.hear(id, checks, 3)).toBe('new')
  }
  const known = async (): Promise<[string[], string[]]> => [
    (await pullRequests.factsOf('T1', [key])).map(({hook}) => hook.id),
    (await pullRequests.checksOf('T1', commit)).map(({hook}) => hook.id),
  ]
  const both = [one, other].toSorted()
  expect(await known()).toEqual([both, both])
  expect(await pullRequests.checksOf('T1', commit)).toMatchObject([{checks: checks.checks}, commit])
  expect([
    await pullRequests.factsOf('T2', [key]),
    await pullRequests.checksOf('T2', commit),
  ]).toEqual([[], []])
  expect([await heed(['T2']), await heed(['T1']), await heed(['T1'])]).toEqual([
    [],
    linkIds.slice(0, 1),
    [],
  ])
  await hooks.remove(one)
  expect(await known()).toEqual([[other], [other]])
  expect(await heed(['T1'])).toEqual(linkIds.slice(0, 1))
  expect(await pullRequests.hear(one, facts, 9)).toBe('gone')
})

test.each([
  ['pull_requests', 'key, head, facts', `'${repo}#9' || n, 'h' || n, '{}'`, facts],
  ['commit_checks', 'sha, checks', `'s' || n, '{}'`, checks],
] as const)(
  'of one hook the newest five thousand stay: %s',
  async (table, columns, values, said) => {
    const {path, store, one, other} = await openTwo()
    const many = (count: number) => `with recursive n(n) as (select 1 union all
    select n + 1 from n where n < ${count})`
    for (const [hook, count] of [
      [one, 5000],
      [other, 1],
    ] as const) {
      await editRaw(
        path,
        `${many(count)} insert into ${table} (hook_id, team, repo, changed_at_ms, ${columns})
        select '${hook}', 'T1', '${repo}', n, ${values} from n`,
      )
    }
    await store.pullRequests.hear(one, said, 6000)
    await using raw = await openRaw(path)
    const left = await raw.all(
      `select hook_id as hook, count(*) as count, min(changed_at_ms) as oldest, max(changed_at_ms) as newest
      from ${table} group by hook_id order by count(*)`,
    )
    expect(left).toEqual([
      {hook: other, count: 1, oldest: 1, newest: 1},
      {hook: one, count: 5000, oldest: 2, newest: 6000},
    ])
  },
)

test('of one second so many pictures are kept, and of a merge when it was heard of first', () => {
  const pictures = Array.from({length: 20}, (_, at) => {
    return {stage: 'open' as const, head: `head-${String(at).padStart(2, '0')}`, title: 't'}
  })
  const [few, all] = [factsAt(1, {said: pictures.slice(8)}), factsAt(1, {said: pictures})]
  expect(joinFacts(few, all).said).toEqual(pictures.slice(0, 12))
  const merges = [
    factsAt(1, {mergedAtMs: 50}),
    factsAt(2, {mergedAtMs: 60, mergeHeardMs: 90}),
    factsAt(3, {mergedAtMs: 70, mergeHeardMs: 80}),
  ] as const
  expect(joinFacts(merges[1], merges[2])).toMatchObject({mergedAtMs: 60, mergeHeardMs: 80})
  expect(joinFacts(merges[0], merges[1])).toMatchObject({mergedAtMs: 50, mergeHeardMs: 50})
})

test('which of two runs counts does not depend on which was heard of first', () => {
  const all = [checkOf('https://a'), checkOf('https://b'), checkOf('https://b', 'lint')]
  for (const a of all) for (const b of all) expect(joinChecks(a, b)).toEqual(joinChecks(b, a))
})
