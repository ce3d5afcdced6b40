import {parseToken, type Token} from './mrkdwn-parser.ts'

/**
 * Slack reads its own tokens inside a `markdown` block too, wherever a real `<` opens one, while
 * `&lt;@U1&gt;` is only text. Markdown's parser would make the same characters of both, so the
 * real ones are marked with two noncharacters (which no text may hold) before it reads the text.
 */
const open = '\uFDD0'
const close = '\uFDD1'
const token = /<([@#!][^<>\n]+|https?:[^<>|\s]+\|[^<>\n]+)>/g
const marked = /\uFDD0([^\uFDD1]*)\uFDD1/

export function markTokens(markdown: string): string {
  return markdown.replace(/[\uFDD0\uFDD1]/g, '').replace(token, `${open}$1${close}`)
}

/** Text and tokens in turn. */
export function splitTokens(text: string): (string | Token)[] {
  return text
    .split(marked)
    .map((part, index) => (index % 2 === 0 ? part : parseToken(part)))
    .filter((part) => part !== '')
}

/** Code as a reader sees it: no tokens, and the three entities that Slack decodes in code as well. */
export function plainCode(code: string): string {
  return code
    .replaceAll(open, '<')
    .replaceAll(close, '>')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
}
