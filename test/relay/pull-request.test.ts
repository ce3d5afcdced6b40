import {expect, test} from 'vitest'
import {pullRequestIn} from '../../src/relay/pull-request.ts'

test.each([
  ['Done: https://github.com/acme/web/pull/12.', 'https://github.com/acme/web/pull/12'],
  [
    '[PR](https://github.com/a/b/pull/1) and <https://github.com/a/b/pull/2>',
    'https://github.com/a/b/pull/2',
  ],
  ['https://github.com/a/b/pull/7/files#diff', 'https://github.com/a/b/pull/7'],
  [
    'https://git.x:8443/g/sub/p/-/merge_requests/3',
    'https://git.x:8443/g/sub/p/-/merge_requests/3',
  ],
  ['https://bitbucket.org/a/b/pull-requests/9', 'https://bitbucket.org/a/b/pull-requests/9'],
  ['http://github.com/a/b/pull/1', undefined],
  ['https://github.com/a/b/issues/1', undefined],
  ['https://user@evil.example/a/pull/1', undefined],
  ['https://evil.example/|x>/pull/1', undefined],
  ['no link', undefined],
])('%s names %s', (text, address) => {
  expect(pullRequestIn(text)).toBe(address)
})
