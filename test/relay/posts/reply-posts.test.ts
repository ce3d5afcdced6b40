import {expect, test} from 'vitest'
import {type Draft, createDraft, grow, interrupt, toEarlier} from '../../../src/relay/drafts.ts'
import {draftPosts, entryPosts} from '../../../src/relay/posts/reply-posts.ts'

const RULE = {maxCost: 3600, costOf: (text: string) => text.length}
const SHAPING = {shapes: new Map(), noFiles: false}

const shownOf = (draft: Draft): string => {
  const posts = draftPosts(draft, RULE, SHAPING)
  return posts.map(({content}) => (content.kind === 'say' ? content.markdown : '')).join('')
}

const half = createDraft('r1', 'See [the docs](https://exa')

test('a reply that is being written holds half a link back, until the link is whole', () => {
  expect(shownOf(half)).toBe('See ')
  expect(shownOf(grow(half, 'mple.com)'))).toBe('See [the docs](https://example.com)')
})

test('a reply that broke off is shown to its last character', () => {
  expect(shownOf(interrupt(half))).toBe('See [the docs](https://exa')
})

test('what a lost connection left is shown whole, and not taken back on the next one', () => {
  const earlier = toEarlier(half)
  expect(shownOf(earlier)).toBe('See [the docs](https://exa')
  const replayed = grow(grow(earlier, 'See [the'), ' docs](https://exam')
  expect(shownOf(replayed)).toBe('See [the docs](https://exa')
  expect(shownOf(grow(replayed, 'ple.com)'))).toBe('See [the docs](https://example.com)')
})

test('a line end that comes in two halves is no line end before it is whole', () => {
  const first = createDraft('r1', 'one\r')
  expect(shownOf(first)).toBe('one')
  expect(shownOf(grow(first, '\ntwo'))).toBe('one\r\ntwo')
})

test('a quote of what was sent from another Slack thread says who wrote it, without its token', () => {
  const quoteOf = (text: string) => {
    const entry = {entryId: 'e1', delivery: 'quote:e1', author: 'Key', text, attachments: []}
    return entryPosts({...entry, cursor: undefined, steps: 0}, RULE, SHAPING)[0]?.content
  }
  expect(quoteOf('Jane in #web (slack:1a2b3c4d):\nplease\ndo it')).toEqual({
    ...{kind: 'quote', author: 'Jane in #web', text: 'please\ndo it'},
  })
  const longest = `${'J'.repeat(80)} in #${'w'.repeat(80)}`
  expect(quoteOf(`${longest} (slack:1a2b3c4d):\ndo it`)).toMatchObject({author: longest})
  const other = 'See (slack:1a2b3c4d):\nand (slack:1):\nwhat'
  expect(quoteOf(`Well.\n${other}`)).toMatchObject({author: 'Key', text: `Well.\n${other}`})
})
