import {describe, expect, test} from 'vitest'
import {
  type Criteria,
  isLinkMeant,
  isThreadMeant,
  mayBeMeant,
} from '../../../../src/features/browse/find/matching.ts'
import type {Sought} from '../../../../src/features/browse/find/request.ts'
import type {Whom} from '../../../../src/features/browse/find/whom.ts'
import {threadSchema} from '../../../../src/platform/model.ts'
import {FOLLOWED, type Link} from '../../../../src/store/tables/work/link.ts'
import {FRESH_LINK} from '../../../support/fresh-link.ts'

const NOW = Date.parse('2026-11-18T12:00:00Z')
const DAY_MS = 86_400_000
const PR = 'https://github.com/acme/api/pull/12'

const criteria = (sought: Partial<Sought>, whom?: Whom): Criteria => ({
  ...{sought: {words: '', ...sought}, whom, nowMs: NOW},
  onlyRepoOf: (projectId) => (projectId === 'p1' ? 'acme/web' : undefined),
})

const link = (change: Partial<Link>, asked = '', automation?: string) => ({
  ...{link: {...FRESH_LINK, ...change}, asked, automation},
})
const isOurs = (change: Partial<Link>, of: Criteria) => isLinkMeant(link(change), of)
const thread = (fields: object) => threadSchema.parse({id: 't', status: 'idle', ...fields})

describe('work that we know ourselves', () => {
  test('is found by all of its words, wherever each of them stands', () => {
    const one = link({title: 'Fix the Login'}, 'please mend the door')
    expect(isLinkMeant(one, criteria({words: 'login DOOR'}))).toBe(true)
    expect(isLinkMeant(one, criteria({words: 'login window'}))).toBe(false)
    const run = link({title: 'Fix the Login'}, '', 'Nightly look')
    expect(isLinkMeant(run, criteria({words: 'nightly login'}))).toBe(true)
  })

  test('is of who asked for it, or whom it was attributed to', () => {
    const jane = {user: 'U1', authorId: 'user_jane'}
    expect(isOurs({}, criteria({}, jane))).toBe(true)
    expect(isOurs({startedBy: 'U2'}, criteria({}, jane))).toBe(false)
    expect(isOurs({startedBy: 'U2', ask: {authorId: 'user_jane'}}, criteria({}, jane))).toBe(true)
    // What the platform alone says of it.
    const followed = link({startedBy: 'U2'})
    const known = thread({authorId: 'user_jane', title: 'Another title'})
    expect(isLinkMeant(followed, criteria({}, jane), known)).toBe(true)
    expect(isLinkMeant(followed, criteria({words: 'another'}), known)).toBe(true)
    // Somebody of whom nothing is known is nobody, and not everybody without an author.
    expect(isOurs({}, criteria({}, {user: undefined, authorId: undefined}))).toBe(false)
  })

  test('is in the repository of its pull requests; without any in the only one of its project', () => {
    expect(isOurs({pullRequest: PR}, criteria({repo: 'acme/api'}))).toBe(true)
    expect(isOurs({pullRequest: PR}, criteria({repo: 'api'}))).toBe(true)
    expect(isOurs({pullRequest: PR}, criteria({repo: 'acme/web'}))).toBe(false)
    const named = [{address: PR, delivery: 'd'}]
    expect(isOurs({pullRequests: named}, criteria({repo: 'ACME/API'}))).toBe(true)
    expect(isOurs({notes: {reviews: 'acme/api#12'}}, criteria({repo: 'acme/api'}))).toBe(true)
    expect(isOurs({}, criteria({repo: 'acme/web'}))).toBe(true)
    expect(isOurs({projectId: 'p2'}, criteria({repo: 'acme/web'}))).toBe(false)
  })

  test('is as old as the last that happened to it; what works is of now', () => {
    const old = {statusSinceMs: NOW - 9 * DAY_MS}
    const since = criteria({sinceMs: NOW - 7 * DAY_MS})
    const until = criteria({untilMs: NOW - 7 * DAY_MS})
    expect([isOurs(old, since), isOurs(old, until)]).toEqual([false, true])
    const said = {...old, newestTs: `${(NOW - DAY_MS) / 1000}.000100`}
    expect([isOurs(said, since), isOurs(said, until)]).toEqual([true, false])
    const atWork = {...old, status: 'active'}
    expect([isOurs(atWork, since), isOurs(atWork, until)]).toEqual([true, false])
  })
})

describe('work on the platform', () => {
  test('is found by title, id, state and age', () => {
    const it = thread({title: 'Fix the Login', lastActivityAt: '2026-11-17T12:00:00Z'})
    expect(mayBeMeant(it, criteria({words: 'login', state: 'done'}))).toBe(true)
    expect(mayBeMeant(it, criteria({state: 'failed'}))).toBe(false)
    expect(mayBeMeant(it, criteria({words: 'nightly login'}))).toBe(false)
    expect(mayBeMeant(it, criteria({words: 'nightly login'}), 'Nightly look')).toBe(true)
    expect(mayBeMeant(it, criteria({sinceMs: NOW - 2 * DAY_MS}))).toBe(true)
    expect(mayBeMeant(it, criteria({untilMs: NOW - 2 * DAY_MS}))).toBe(false)
  })

  test('that says nothing of its time is in no span, and else as any other', () => {
    const silent = thread({lastActivityAt: 'soon'})
    expect(mayBeMeant(silent, criteria({sinceMs: 0}))).toBe(false)
    expect(mayBeMeant(silent, criteria({untilMs: NOW}))).toBe(false)
    expect(mayBeMeant(silent, criteria({state: 'done'}))).toBe(true)
    expect(mayBeMeant(thread({createdAt: '2026-11-17T12:00:00Z'}), criteria({sinceMs: 0}))).toBe(
      true,
    )
  })

  test('is of its author, and of who began it in Slack, but not of who follows it somewhere', () => {
    const jane = {user: 'U1', authorId: 'user_jane'}
    expect(isThreadMeant(thread({authorId: 'user_jane'}), [], criteria({}, jane))).toBe(true)
    expect(isThreadMeant(thread({}), [], criteria({}, jane))).toBe(false)
    expect(isThreadMeant(thread({}), [link({})], criteria({}, jane))).toBe(true)
    const follows = link({requestId: `${FOLLOWED}x`})
    expect(isThreadMeant(thread({}), [follows], criteria({}, jane))).toBe(false)
  })

  test('is in the only repository of its project, unless a link knows better', () => {
    const it = thread({projectId: 'p1'})
    expect(isThreadMeant(it, [], criteria({repo: 'acme/web'}))).toBe(true)
    expect(isThreadMeant(it, [link({pullRequest: PR})], criteria({repo: 'acme/web'}))).toBe(false)
    expect(isThreadMeant(it, [link({pullRequest: PR})], criteria({repo: 'acme/api'}))).toBe(true)
    expect(isThreadMeant(thread({}), [], criteria({repo: 'acme/web'}))).toBe(false)
  })
})
