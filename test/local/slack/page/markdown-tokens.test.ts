import {expect, test} from 'vitest'
import {
  markTokens,
  plainCode,
  splitTokens,
} from '../../../../local/slack/page/text/markdown-tokens.ts'

test('a real token is a mention also in Markdown', () => {
  expect(splitTokens(markTokens('ask <@U1> or <!channel>'))).toEqual([
    'ask ',
    {kind: 'user', id: 'U1'},
    ' or ',
    {kind: 'broadcast', name: 'channel'},
  ])
})

test('an escaped token stays what it is', () => {
  expect(splitTokens(markTokens('ask &lt;@U1&gt;'))).toEqual(['ask &lt;@U1&gt;'])
})

test('code shows tokens and escapes as characters', () => {
  expect(plainCode(markTokens('<@U1> a &lt; b && c &gt; d &amp; e &amp;lt;'))).toBe(
    '<@U1> a < b && c > d & e &lt;',
  )
})

test('text cannot forge the marks that stand for a token', () => {
  expect(splitTokens(markTokens('\uFDD0@U1\uFDD1'))).toEqual(['@U1'])
})
