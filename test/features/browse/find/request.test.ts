import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {readSought} from '../../../../src/features/browse/find/request.ts'

const NOW = Date.parse('2026-11-18T14:03:00Z')
const DAY_MS = 86_400_000

describe('what is looked for', () => {
  test.each([
    ['login bug', {words: 'login bug'}],
    ['state=failed', {words: '', state: 'failed'}],
    ['State=Needs-You login', {words: 'login', state: 'needs-you'}],
    ['state="needs you"', {words: '', state: 'needs-you'}],
    ['state=pending_user', {words: '', state: 'needs-you'}],
    ['state=error', {words: '', state: 'failed'}],
    ['state=running', {words: '', state: 'working'}],
    ['login state=ready bug', {words: 'login bug', state: 'ready'}],
    ['by=me', {words: '', by: 'me'}],
    ['by=<@U0JANE|jane>', {words: '', by: '@U0JANE'}],
    ['by=<mailto:jane@acme.com|jane@acme.com> x', {words: 'x', by: 'jane@acme.com'}],
    ['by=“Jane Doe” x', {words: 'x', by: 'Jane Doe'}],
    ['repo=acme/web.git', {words: '', repo: 'acme/web'}],
    ['repo=<https://github.com/acme/web>', {words: '', repo: 'acme/web'}],
    ['since=7d', {words: '', sinceMs: NOW - 7 * DAY_MS}],
    ['since=3w until=1d', {words: '', sinceMs: NOW - 21 * DAY_MS, untilMs: NOW - DAY_MS}],
    ['since=2026-10-01', {words: '', sinceMs: Date.parse('2026-10-01')}],
    ['until=2026-10-01', {words: '', untilMs: Date.parse('2026-10-02') - 1}],
    ['until="last month"', {words: '', untilMs: Date.parse('2026-11-01') - 1}],
    ['state=ready state=failed', {words: '', state: 'failed'}],
    ['size=large x=1', {words: 'size=large x=1'}],
    ['state= login', {words: 'state= login'}],
    ['R&amp;D a &lt; b by="J &amp; K"', {words: 'R&D a < b', by: 'J & K'}],
    ['zebra <!channel>', {words: 'zebra <!channel>'}],
  ])('“%s”', (typed, sought) => {
    expect(readSought(typed, NOW)).toEqual(sought)
  })

  test.each([
    ['', {wrong: 'empty'}],
    ['  ', {wrong: 'empty'}],
    ['state=wrking by=me', {wrong: 'state', word: 'wrking', sought: {words: '', by: 'me'}}],
    ['since=soon', {wrong: 'date', name: 'since', word: 'soon'}],
    ['until=0d', {wrong: 'date', name: 'until', word: '0d'}],
    ['since=2026-02-31', {wrong: 'date', name: 'since', word: '2026-02-31'}],
    ['since=2027-01', {wrong: 'future'}],
    ['since=2026-11-01 until=2026-10-01', {wrong: 'backwards'}],
  ])('“%s” is wrong', (typed, wrong) => {
    expect(readSought(typed, NOW)).toEqual(wrong)
  })

  test('is read of whatever is typed', () => {
    const part = fc.constantFrom(...['state=', 'by=', 'since=', '"', '“', '<@U1|', '>', ' ', '='])
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string())), (parts) => {
        const sought = readSought(parts.join(''), NOW)
        if ('words' in sought) expect(sought.words.length).toBeLessThanOrEqual(150)
      }),
    )
  })
})
