import {beforeEach, describe, expect, test} from 'vitest'
import type {Platform} from '../../../local/platform/server.ts'
import {clientOf, type Client} from './client.ts'
import {openPlatform} from './open-platform.ts'

let platform: Platform
let client: Client
let scoped: Client
let readOnly: Client

beforeEach(async () => {
  platform = await openPlatform({pace: 0.01})
  client = clientOf(platform)
  scoped = clientOf(platform, 'scoped')
  readOnly = clientOf(platform, 'readOnly')
})

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const WEB_FILTER = {
  id: 'filter_wip',
  repo: 'acme/web',
  codehostRepoId: 4711,
  conditions: [{field: 'label', not: true, values: ['wip']}],
  source: 'hand',
  createdByUserId: 'user_kim',
  createdByName: 'Kim Lee',
  createdAt: expect.stringMatching(ISO) as unknown,
  updatedAt: expect.stringMatching(ISO) as unknown,
}

describe('creating a review rule', () => {
  test('answers the whole rule, with what is known of its repositories', async () => {
    const answer = await client.post('/review-rules', {
      body: 'Round once.',
      scopes: [
        {repo: 'acme/web', paths: ['src/**', 'test/**']},
        {repo: 'acme/attic', paths: []},
        {repo: 'acme/nowhere', paths: []},
      ],
      file: {repo: 'acme/api', path: 'REVIEW.md'},
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      rule: {
        id: expect.stringMatching(/^rule_/) as unknown,
        body: 'Round once.',
        scopes: [
          {
            repo: 'acme/web',
            paths: ['src/**', 'test/**'],
            codehostRepoId: 4711,
            covered: true,
            heldByCaller: true,
          },
          {repo: 'acme/attic', paths: [], codehostRepoId: 4713, covered: false, heldByCaller: true},
          {repo: 'acme/nowhere', paths: [], covered: false, heldByCaller: false},
        ],
        file: {repo: 'acme/api', path: 'REVIEW.md', codehostRepoId: 4712, covered: true},
        status: 'active',
        source: 'app',
        sourceRef: '',
        createdByUserId: 'user_jane',
        createdByName: 'Jane Doe',
        firedCount: 0,
        createdAt: expect.stringMatching(ISO) as unknown,
        updatedAt: expect.stringMatching(ISO) as unknown,
      },
    })
    expect(platform.ledger.at(-1)).toMatchObject({applied: true})
  })

  test('needs no more than a body; a service key is named without a member', async () => {
    const {body} = await scoped.post('/review-rules', {body: 'Be kind.'})
    expect(body).toMatchObject({rule: {scopes: [], createdByName: 'Acme Web Bot'}})
    expect(body['rule']).not.toHaveProperty('createdByUserId')
    expect(body['rule']).not.toHaveProperty('file')
  })

  test('tells a key nothing about repositories out of its reach', async () => {
    const paths = ['src/**']
    const {body} = await scoped.post('/review-rules', {
      body: 'Lock in order.',
      scopes: [
        {repo: 'acme/api', paths},
        {repo: 'acme/nowhere', paths},
      ],
      file: {repo: 'acme/api', path: 'REVIEW.md'},
    })
    expect(body).toMatchObject({
      rule: {
        scopes: [
          {repo: 'acme/api', paths, covered: false, heldByCaller: false},
          {repo: 'acme/nowhere', paths, covered: false, heldByCaller: false},
        ],
        file: {repo: 'acme/api', path: 'REVIEW.md', covered: false},
      },
    })
    expect(JSON.stringify(body)).not.toContain('codehostRepoId')
  })

  test('is refused to a read-only key', async () => {
    const answer = await readOnly.post('/review-rules', {body: 'Be kind.'})
    expect(answer).toMatchObject({status: 403, body: {_tag: 'svc/Forbidden'}})
  })

  test.each([
    ['no body', {body: undefined}],
    ['a blank body', {body: ' \n'}],
    ['a body that is a number', {body: 7}],
    ['scopes null', {scopes: null}],
    ['a scope that is a string', {scopes: ['acme/web']}],
    ['a scope without a repo', {scopes: [{paths: ['src/**']}]}],
    ['paths that are one string', {scopes: [{repo: 'acme/web', paths: 'src/**'}]}],
    ['a file without path', {file: {repo: 'acme/web'}}],
    ['file null', {file: null}],
  ])('answers 400 for %s', async (_name, wrong) => {
    const answer = await client.post('/review-rules', {body: 'Be kind.', ...wrong})
    expect(answer).toMatchObject({status: 400, body: {_tag: 'svc/InvalidRequest'}})
  })
})

describe('review filters', () => {
  test('are listed whole, as far as the key reaches', async () => {
    const {body} = await client.get('/review-filters/rules')
    expect(body).toMatchObject({rules: [WEB_FILTER, {id: 'filter_docs', repo: 'acme/api'}]})
    expect((await scoped.get('/review-filters/rules')).body).toEqual({rules: [WEB_FILTER]})
    expect((await readOnly.get('/review-filters/rules')).body['rules']).toHaveLength(2)
  })

  test('are deleted once', async () => {
    const path = '/review-filters/rules/filter_wip'
    const answers = await Promise.all(
      Array.from({length: 20}, () => client.request('DELETE', path)),
    )
    const deleted = answers.filter(({body}) => body['deleted'] === true)
    expect(deleted.map(({body}) => body)).toEqual([{id: 'filter_wip', deleted: true}])
    expect(answers.every(({status, body}) => status === 200 && body['id'] === 'filter_wip')).toBe(
      true,
    )
    expect((await scoped.get('/review-filters/rules')).body).toEqual({rules: []})
    expect(platform.ledger.filter(({applied}) => applied)).toHaveLength(1)
  })

  test('that are absent or out of reach are not deleted, and answer alike', async () => {
    for (const id of ['filter_docs', 'filter_nowhere', 'filter/with space']) {
      const path = `/review-filters/rules/${encodeURIComponent(id)}`
      const {status, body} = await scoped.request('DELETE', path)
      expect({status, body}).toEqual({status: 200, body: {id, deleted: false}})
    }
    expect((await client.get('/review-filters/rules')).body['rules']).toHaveLength(2)
  })

  test('are not deleted by a read-only key', async () => {
    const answer = await readOnly.request('DELETE', '/review-filters/rules/filter_wip')
    expect(answer).toMatchObject({status: 403, body: {_tag: 'svc/Forbidden'}})
    expect((await client.get('/review-filters/rules')).body['rules']).toHaveLength(2)
  })
})

describe('declining a transfer of billing', () => {
  const decline = (body: unknown, as = client) => as.post('/review-billing-transfer/decline', body)

  test('answers the offer, and works once', async () => {
    const answers = await Promise.all(
      Array.from({length: 20}, () => decline({repo: 'acme/web'}, scoped)),
    )
    const done = answers.filter(({status}) => status === 200)
    expect(done.map(({body}) => body)).toEqual([
      {
        repo: 'acme/web',
        billingOrgId: 'org_agency',
        offer: {
          fromOrgId: 'org_agency',
          toOrgId: 'org_acme',
          createdAt: expect.stringMatching(ISO) as unknown,
        },
      },
    ])
    expect(answers.filter(({status}) => status === 422)).toHaveLength(19)
    expect(platform.ledger.filter(({applied}) => applied)).toHaveLength(1)
  })

  test('is refused alike where no offer is pending, or the repository is unknown', async () => {
    const answers = [await decline({repo: 'acme/api'}), await decline({repo: 'acme/nowhere'})]
    answers.push(await decline({repo: 'acme/api'}, scoped))
    for (const {status, body} of answers) {
      expect(status).toBe(422)
      expect(body).toEqual({
        _tag: 'svc/ReviewRefused',
        reason: 'No transfer of billing is offered for the repository.',
      })
    }
  })

  test('is refused to a read-only key, and without a repo', async () => {
    expect((await decline({repo: 'acme/web'}, readOnly)).status).toBe(403)
    for (const body of [{}, {repo: null}, {repo: 4711}, []]) {
      expect(await decline(body)).toMatchObject({status: 400, body: {_tag: 'svc/InvalidRequest'}})
    }
    expect((await decline({repo: 'acme/web'})).status).toBe(200)
  })
})
