import fc from 'fast-check'
import {expect, test} from 'vitest'
import {pullRequestIn} from '../../../src/relay/posts/pull-request.ts'
import {drawPullRequest, nameOf} from '../../../src/slack/draw/pull-request.ts'
import {ACTIONS} from '../../../src/slack/ids.ts'

const card = (address: string) => drawPullRequest('l1', address)

test('the card says which pull request it is, and on which host unless all know it', () => {
  expect(card('https://github.com/acme/web/pull/12').text).toBe(
    '🔀 Pull request <https://github.com/acme/web/pull/12|acme/web#12>',
  )
  expect(card('https://git.acme.example/shop/web/-/merge_requests/7').text).toBe(
    '🔀 Pull request <https://git.acme.example/shop/web/-/merge_requests/7|shop/web#7> on git.acme.example',
  )
})

test('what reads like the address of another place leads nowhere', () => {
  expect(card('https://evil.example/github.com/acme/pull/12').text).toBe(
    '🔀 Pull request github.com/acme#12 on evil.example',
  )
})

test('what names no repository can be talked about, and not be reviewed', () => {
  const {blocks} = card('https://git.example/web/pull/12')
  expect(JSON.stringify(blocks)).not.toContain(`"${ACTIONS.review}"`)
  expect(JSON.stringify(blocks)).toContain(`"${ACTIONS.askForChanges}"`)
})

test('whatever an agent names is drawn', () => {
  const host = fc.stringMatching(/^[a-z0-9.-]{1,20}(:\d{1,7})?$/)
  const path = fc.stringMatching(/^[\w.~%/-]{1,40}$/)
  fc.assert(
    fc.property(host, path, fc.nat(), (at, behind, number) => {
      const address = pullRequestIn(`https://${at}/${behind}/pull/${number}`)
      if (address === undefined) return
      expect(card(address).text).not.toMatch(/<[!@#]/)
    }),
    {numRuns: 1000},
  )
  const odd = {repo: 'acme/web', number: 1, address: 'https://a:99999/acme/web/pull/1'}
  expect(nameOf(odd)).toBe('acme/web#1')
})
