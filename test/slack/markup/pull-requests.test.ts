import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {addressOf, readPullRequest, toRepo} from '../../../src/slack/markup/pull-requests.ts'

const GITHUB = 'https://github.com/acme/web/pull/12'
const GITLAB = 'https://git.acme.example:8443/shop/team/web/-/merge_requests/12'

describe('a pull request is read', () => {
  test.each([
    ['acme/web#12', undefined],
    ['acme/web!12', undefined],
    ['acme/web 12', undefined],
    ['acme/web #0012', undefined],
    ['acme/web/pull/12', undefined],
    ['`acme/web#12`', undefined],
    ['acme/web<#C012|12>', undefined],
    [GITHUB, GITHUB],
    ['github.com/acme/web/pull/12', GITHUB],
    [`<${GITHUB}>`, GITHUB],
    [`<${GITHUB}/files?diff=split&amp;w=1#r1|acme/other#13>`, GITHUB],
    [`${GITHUB}/commits/0a1b2c3`, GITHUB],
    [`${GITHUB}#discussion_r1`, GITHUB],
    ['HTTPS://github.com/acme/web/pull/12', GITHUB],
    [
      'https://bitbucket.org/acme/web/pull-requests/12/diff',
      'https://bitbucket.org/acme/web/pull-requests/12',
    ],
    [
      'https://bitbucket.acme.example/projects/acme/repos/web/pull-requests/12/overview',
      'https://bitbucket.acme.example/projects/acme/repos/web/pull-requests/12',
    ],
  ])('%s', (said, address) => {
    expect(readPullRequest(said)).toEqual({repo: 'acme/web', number: 12, address, rest: []})
  })

  test('with all its groups, and with what stands behind it', () => {
    expect(readPullRequest(`${GITLAB}/diffs force`)).toEqual({
      ...{repo: 'shop/team/web', number: 12, address: GITLAB, rest: ['force']},
    })
    expect(readPullRequest('acme/web 12 FORCE now').rest).toEqual(['FORCE', 'now'])
    expect(readPullRequest('https://github.com/acme/pull/pull/7')).toMatchObject({
      ...{repo: 'acme/pull', number: 7},
    })
  })

  test.each([
    ['acme/web', {problem: 'no-number', repo: 'acme/web'}],
    ['https://github.com/acme/web', {problem: 'no-number', repo: 'acme/web'}],
    ['https://github.com/acme/web.git', {problem: 'no-number', repo: 'acme/web'}],
    ['<https://github.com/acme/web/issues/12>', {problem: 'no-number', repo: 'acme/web'}],
    ['#12', {problem: 'no-repo', number: 12}],
    ['12', {problem: 'no-repo', number: 12}],
    ['acme/web#0', {problem: 'range', repo: 'acme/web'}],
    ['acme/web#2147483648', {problem: 'range', repo: 'acme/web'}],
    ['https://github.com/acme/web/pull/00', {problem: 'range', repo: 'acme/web'}],
    ['', {problem: 'unlike'}],
    ['rules', {problem: 'unlike'}],
    ['acme/../web#12', {problem: 'unlike'}],
    ['https://user@evil.example/acme/web/pull/12', {problem: 'unlike'}],
    ['https://evil.example|x/acme/web/pull/12', {problem: 'unlike'}],
    [`https://github.com/${'a'.repeat(90)}/${'b'.repeat(400)}/pull/12`, {problem: 'unlike'}],
  ])('or why it is none: %s', (said, problem) => {
    expect(readPullRequest(said)).toMatchObject(problem)
  })

  test('whatever it is called', () => {
    const segment = fc
      .stringMatching(/^[\w.~-]{1,40}$/)
      .filter((it) => !/^(?:\.{1,2}|-)$/.test(it) && !it.endsWith('.git'))
    const number = fc.integer({min: 1, max: 2_147_483_647})
    fc.assert(
      fc.property(segment, segment, number, (owner, name, at) => {
        const repo = `${owner}/${name}`
        const address = `https://code.example/${repo}/pull/${at}`
        const found = {repo, number: at, rest: []}
        expect(readPullRequest(`${repo}#${at}`)).toEqual({...found, address: undefined})
        expect(readPullRequest(`<${address}/files|x>`)).toEqual({...found, address})
        expect(readPullRequest(address)).toEqual({...found, address})
      }),
    )
  })

  test('from nothing that Slack could take for more than text, and in time', () => {
    const mark = fc.constantFrom('<', '>', '|', '#', '/', ':', '!', ' ', '&', '`', '\n', 'pull/1')
    const noise = fc.array(fc.oneof(mark, fc.string({unit: 'grapheme', maxLength: 8})))
    fc.assert(
      fc.property(noise, (parts) => {
        const read = readPullRequest(parts.join(''))
        if ('problem' in read) return
        expect(toRepo(read.repo)).toBe(read.repo)
        expect(addressOf(read) ?? '').not.toMatch(/[\s<>|`@]/)
      }),
      {numRuns: 2000},
    )
    const start = process.threadCpuUsage()
    for (const part of ['/pull', 'a/', '<a|', '-/', '/pull/']) readPullRequest(part.repeat(100_000))
    const {user, system} = process.threadCpuUsage(start)
    expect((user + system) / 1000).toBeLessThan(1000)
  })
})

test('what is written like GitHub’s leads there, and nothing else does', () => {
  const named = {repo: 'acme/web', number: 12, address: undefined}
  expect(addressOf(named)).toBe(GITHUB)
  expect(addressOf({...named, address: GITLAB})).toBe(GITLAB)
  expect(addressOf({...named, repo: 'shop/team/web'})).toBeUndefined()
})
