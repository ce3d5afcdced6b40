import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {standingOf} from '../../../src/agents/sends/pull-requests/standing.ts'
import {readGithubEvent} from '../../../src/features/pull-requests/github-events.ts'
import {
  type Checks,
  MOST_CHECKS,
  joinChecks,
} from '../../../src/store/tables/pull-requests/checks.ts'
import {
  type PullRequestFacts,
  joinFacts,
  pictureOf,
} from '../../../src/store/tables/pull-requests/facts.ts'
import {pullRequestKey} from '../../../src/store/tables/pull-requests/key.ts'
import type {Said} from '../../../src/store/tables/pull-requests/pull-requests.ts'
import {stateWords} from '../../../src/slack/draw/pull-request-state.ts'
import {type GithubEvent, github, shaOf} from '../../support/github.ts'
import {cardWords, expectedOf} from '../../support/github-oracle.ts'

const PR = 12
const T0 = Date.parse('2026-01-05T10:00:00Z')
const HEADS = [shaOf(1), shaOf(2), shaOf(3)]

/** Many events of few seconds, commits, checks and people: so that they meet. */
const second = fc.integer({min: 0, max: 4}).map((seconds) => T0 + seconds * 1000)
const head = fc.constantFrom(...HEADS)
const pullRequest = fc
  .record({
    ...{number: fc.constant(PR), head, atMs: second},
    state: fc.constantFrom('open' as const, 'closed' as const),
    draft: fc.boolean(),
    merged: fc.boolean(),
    mergeable: fc.constantFrom('dirty', 'clean', 'unknown', 'blocked'),
    action: fc.constantFrom('synchronize', 'edited', 'opened'),
    before: head,
  })
  .map((one) => github.pullRequest({...one, title: 'A change'}))
const review = fc
  .record({
    ...{number: fc.constant(PR), head, atMs: second, submittedMs: second},
    by: fc.constantFrom('ada', 'bob', 'cyd', 'dan', 'eve'),
    id: fc.integer({min: 1, max: 6}),
    opinion: fc.constantFrom('approved', 'changes_requested', 'commented', 'dismissed'),
  })
  .map((one) => github.review({...one, title: 'A change'}))
const checkRun = fc
  .record({
    ...{sha: head, id: fc.integer({min: 1, max: 5}), atMs: second},
    name: fc.constantFrom('lint', 'unit', 'e2e', '__proto__'),
    conclusion: fc.constantFrom(null, 'success', 'failure', 'skipped', 'stale', 'timed_out'),
  })
  .map((one) => github.checkRun(one))
const status = fc
  .record({
    ...{sha: head, id: fc.integer({min: 1, max: 5}), atMs: second},
    context: fc.constantFrom('ci/a', 'ci/b'),
    state: fc.constantFrom('pending', 'success', 'failure', 'error'),
  })
  .map((one) => github.status(one))

/** A run ends once, a review says one thing until it is dismissed, and a status has one number. */
function isPossible(events: readonly GithubEvent[]): boolean {
  const said = new Map<string, string>()
  return events.every(({event, body}) => {
    const run = body['check_run'] as Record<string, unknown> | undefined
    const one = body['review'] as Record<string, unknown> | undefined
    const [about, value] =
      run !== undefined && run['status'] === 'completed'
        ? [['run', run['id'], run['name'], run['head_sha']], run['conclusion']]
        : one !== undefined && one['state'] !== 'dismissed'
          ? [
              ['review', one['id']],
              [one['state'], one['user'], one['submitted_at']],
            ]
          : event === 'status'
            ? [
                ['status', body['id'], body['context'], body['sha'], body['updated_at']],
                body['state'],
              ]
            : [[], '']
    const key = JSON.stringify(about)
    const known = said.get(key) ?? JSON.stringify(value)
    said.set(key, known)
    return known === JSON.stringify(value)
  })
}

const history = fc
  .array(fc.oneof(pullRequest, review, checkRun, status), {minLength: 1, maxLength: 25})
  .filter(isPossible)

interface Known {
  facts: PullRequestFacts | undefined
  checks: Map<string, Checks>
}

function heard(events: readonly GithubEvent[]): Known {
  const known: Known = {facts: undefined, checks: new Map()}
  for (const {event, body} of events) {
    const said = readGithubEvent(event, body)
    if (said?.about === 'pull-request')
      known.facts = joinFacts(known.facts ?? said.facts, said.facts)
    if (said?.about === 'checks') {
      known.checks.set(said.sha, joinChecks(known.checks.get(said.sha) ?? said.checks, said.checks))
    }
  }
  return known
}

function standingAfter(events: readonly GithubEvent[]) {
  const {facts, checks} = heard(events)
  return facts && standingOf(facts, checks.get(pictureOf(facts).head))
}

describe('what events say', () => {
  test('comes to the same in any order and however often, and to what the documents say', () => {
    const anyOrder = history.chain((events) =>
      fc.record({
        events: fc.constant(events),
        shuffled: fc
          .array(fc.constantFrom(...events), {maxLength: 10})
          .chain((again) =>
            fc.shuffledSubarray([...events, ...again], {minLength: events.length + again.length}),
          ),
      }),
    )
    fc.assert(
      fc.property(anyOrder, ({events, shuffled}) => {
        const expected = expectedOf(events, PR)
        for (const order of [events, shuffled]) {
          const told = standingAfter(order)
          const words = told && stateWords(told.standing).join(' · ').replaceAll('*', '')
          expect(words).toBe(expected && cardWords(expected))
          expect(told?.needs.map(({key}) => key)).toEqual(expected?.needs)
        }
        expect(heard(shuffled)).toEqual(heard(events))
      }),
      {numRuns: 2000},
    )
  })

  test('of parts that were heard apart comes to the same as of all', () => {
    fc.assert(
      fc.property(history, history, history, (a, b, c) => {
        const [one, two, three] = [a, b, c].map((part) => heard(part).facts)
        fc.pre(one !== undefined && two !== undefined && three !== undefined)
        const left = joinFacts(joinFacts(one, two), three)
        expect(joinFacts(one, joinFacts(two, three))).toEqual(left)
        expect(joinFacts(three, joinFacts(two, one))).toEqual(left)
        expect(joinFacts(left, left)).toEqual(left)
      }),
    )
  })

  test('of ten thousand checks keeps some, whichever came first, and never says that all have passed', () => {
    const runs = Array.from({length: 10_000}, (_, index) =>
      github.checkRun({sha: shaOf(1), name: `unit ${index}`, id: index, conclusion: 'success'}),
    )
    const fold = (events: readonly GithubEvent[]): Checks | undefined => {
      // In groups, as several hooks would: one after the other would take this test a minute.
      const groups = Array.from({length: 100}, (_, at) => events.slice(at * 100, (at + 1) * 100))
      const folded = groups.flatMap((group) => heard(group).checks.get(shaOf(1)) ?? [])
      return folded.reduce(joinChecks)
    }
    const checks = fold(runs)
    expect(checks?.runs).toHaveLength(MOST_CHECKS)
    expect(checks).toEqual(fold(runs.toReversed()))
    const {facts} = heard([github.pullRequest({number: PR, head: shaOf(1), atMs: T0})])
    const {standing} = standingOf(facts ?? expect.unreachable(), checks)
    expect(stateWords(standing)).toContain(`${MOST_CHECKS} of many checks passed`)
    expect(stateWords(standing).join()).not.toContain('✅')
  })
})

const GOOD = github.pullRequest({number: PR, head: shaOf(1), atMs: T0})

test('a review of somebody who has left GitHub is one of its ghost', () => {
  const said = {number: PR, head: shaOf(1), atMs: T0, by: 'kim', id: 5, opinion: 'approved'}
  const {body} = github.review(said)
  const left = {...body, review: {...(body['review'] as object), user: null}}
  expect(readGithubEvent('pull_request_review', left)).toMatchObject({
    facts: {reviews: [{by: 'ghost', opinion: 'approved'}]},
  })
})

describe('an event that cannot be read', () => {
  const with_ = (change: object, at: 'pull_request' | 'repository' | 'body' = 'pull_request') =>
    at === 'body'
      ? {...GOOD.body, ...change}
      : {...GOOD.body, [at]: {...(GOOD.body[at] as object), ...change}}

  test.each([
    ['a time that is none', with_({updated_at: 'yesterday'})],
    ['a number for a time', with_({updated_at: 1e300})],
    ['no head', with_({head: undefined})],
    ['a head that is none', with_({head: {sha: '<!channel>'}})],
    ['another state', with_({state: 'ajar'})],
    ['words for yes', with_({draft: 'true'})],
    ['a page that is none', with_({html_url: 'javascript:alert(1)'})],
    ['a page without TLS', with_({html_url: 'http://github.com/acme/web/pull/12'})],
    ['the page of another repository', with_({html_url: 'https://github.com/acme/api/pull/12'})],
    [
      'the page of another host',
      with_({html_url: 'https://github.com.evil.example/acme/web/pull/12'}),
    ],
    ['a number that is none', with_({html_url: 'https://github.com/acme/web/pull/1e300'})],
    ['a repository on a hostile host', with_({html_url: 'https://x@y/acme/web'}, 'repository')],
    ['a name that is not its address', with_({full_name: 'acme/api'}, 'repository')],
    ['nothing', {}],
    ['a list', []],
    ['null', null],
  ])('says nothing: %s', (_what, body) => {
    expect(readGithubEvent('pull_request', body)).toBeUndefined()
  })

  test('says nothing, whatever it is, and throws nothing', () => {
    const said = fc.oneof(
      fc.jsonValue(),
      fc.record({
        pull_request: fc.jsonValue(),
        check_run: fc.jsonValue(),
        repository: fc.jsonValue(),
      }),
    )
    const events = fc.constantFrom(
      'pull_request',
      'pull_request_review',
      'check_run',
      'status',
      'ping',
      '',
    )
    fc.assert(
      fc.property(events, said, (event, body) => {
        expect(readGithubEvent(event, body)).toBeUndefined()
      }),
    )
  })

  test('of numbers as words or beyond all numbers says nothing', () => {
    const {body} = github.checkRun({sha: shaOf(1), name: 'lint', id: 1})
    for (const id of ['1', 1e300, -1, 1.5, null]) {
      const run = {...(body['check_run'] as object), id}
      expect(readGithubEvent('check_run', {...body, check_run: run})).toBeUndefined()
    }
  })
})

test('checks of one name in two workflows are two, and one that runs again is one', () => {
  const said = (id: number, suite: number, conclusion: string): Checks => {
    const event = github.checkRun({sha: shaOf(1), name: 'build', id, suite, conclusion})
    const read = readGithubEvent(event.event, event.body)
    if (read?.about !== 'checks') throw new Error('It says nothing.')
    return read.checks
  }
  const outcomes = (...all: Checks[]) => all.reduce(joinChecks).runs.map(({outcome}) => outcome)
  const [broken, other] = [said(1, 7, 'failure'), said(2, 8, 'success')]
  expect(outcomes(broken, other).toSorted()).toEqual(['failed', 'passed'])
  expect(outcomes(other, said(3, 7, 'success'), broken)).toEqual(['passed', 'passed'])
})

test('an address that says more than where something is is none', () => {
  const {body} = github.status({
    ...{sha: shaOf(1), context: 'ci', id: 1, state: 'failure', atMs: 0},
  })
  const urlOf = (address: string): string | undefined => {
    const said = readGithubEvent('status', {...body, target_url: address})
    return said?.about === 'checks' ? said.checks.runs[0]?.url : undefined
  }
  expect(urlOf('https://ci.example/1')).toBe('https://ci.example/1')
  for (const words of [' Now do as I say.', '\nNow do as I say.', '\u00a0Now', '\u2028Now']) {
    expect(urlOf(`https://ci.example/1${words}`)).toBe('')
  }
})

test('one pull request has one key, however its address is written', () => {
  const key = 'github.com/acme/web#12'
  for (const address of [
    ...['https://github.com/acme/web/pull/12', 'https://GitHub.com/Acme/WEB/pull/12'],
    ...[
      'https://github.com/acme/web/pull/12/files?diff=split#top',
      'https://github.com/acme/web/pull/0012',
    ],
  ]) {
    expect(pullRequestKey(address)).toBe(key)
  }
  expect(pullRequestKey('https://gitlab.example/a/b/c/-/merge_requests/3')).toBe(
    'gitlab.example/a/b/c#3',
  )
  expect(pullRequestKey('https://github.com/acme/web/issues/12')).toBeUndefined()
})

test('names from outside call nobody and make no links', () => {
  const said: Said | undefined = readGithubEvent(
    'check_run',
    github.checkRun({
      sha: shaOf(1),
      name: '<!channel> *x* <https://evil.example|ok>',
      id: 1,
      conclusion: 'failure',
    }).body,
  )
  const {facts} = heard([GOOD])
  const checks = said?.about === 'checks' ? said.checks : expect.unreachable()
  const words = stateWords(standingOf(facts ?? expect.unreachable(), checks).standing).join()
  expect(words).not.toMatch(/<[!@#h]/)
  expect(words).toContain('&lt;!channel&gt;')
})
