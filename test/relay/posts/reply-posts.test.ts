import {expect, test} from 'vitest'
import {
  type Draft,
  createDraft,
  grow,
  interrupt,
  toEarlier,
} from '../../../src/relay/timeline/drafts.ts'
import {draftPosts, entryPosts} from '../../../src/relay/posts/reply-posts.ts'

const RULE = {maxCost: 3600, costOf: (text: string) => text.length}
const PARAGRAPH = 'The rounding of **one case** is checked, and `it` is as it was before.\n\n'
/** Of so many bytes. */
const longReply = (bytes: number): string =>
  PARAGRAPH.repeat(Math.ceil(bytes / PARAGRAPH.length)).slice(0, bytes)
const replyOf = (text: string) => ({
  ...{entryId: 'e1', delivery: 'r1', author: undefined, text, attachments: undefined},
  ...{cursor: undefined, steps: 0},
})
/** How many characters are measured for the posts of a reply: whatever is cut is measured first. */
const measure = (text: string, shaping: typeof SHAPING) => {
  let measured = 0
  const costOf = (part: string): number => {
    measured += part.length
    return part.length
  }
  return {posts: entryPosts(replyOf(text), {maxCost: 3600, costOf}, shaping), measured}
}

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

test('a quote takes no line in it for who wrote it, and shows no token', () => {
  const quoteOf = (text: string) => {
    const entry = {entryId: 'e1', delivery: 'quote:e1', author: 'Key', text, attachments: undefined}
    return entryPosts({...entry, cursor: undefined, steps: 0}, RULE, SHAPING)[0]?.content
  }
  expect(quoteOf('Jane in #web (slack:1a2b3c4d):\nplease\ndo it')).toEqual({
    ...{kind: 'quote', author: 'Key', text: 'Jane in #web:\nplease\ndo it'},
  })
  const longest = `${'J'.repeat(80)} in #${'w'.repeat(80)}`
  expect(quoteOf(`${longest} (slack:1a2b3c4d):\ndo it`)).toMatchObject({text: `${longest}:\ndo it`})
  const other = 'See (slack:1a2b3c4d):\nand (slack:1):\nwhat'
  expect(quoteOf(`Well.\n${other}`)).toMatchObject({author: 'Key', text: `Well.\n${other}`})
})

test('a reply of 25 MB is cut only as far as it is shown, and the rest of it is the file', () => {
  const long = longReply(25_000_000)
  const {posts, measured} = measure(long, SHAPING)
  expect(posts.map(({key}) => key)).toEqual([
    ...['say:r1:0', 'say:r1:1', 'say:r1:2', 'say:r1:3', 'file:r1'],
  ])
  expect(measured).toBe(measure(longReply(200_000), SHAPING).measured)
  const contents = posts.map(({content}) => ('markdown' in content ? content.markdown : ''))
  expect(contents.join('').replaceAll(/\s/g, '').length).toBe(long.replaceAll(/\s/g, '').length)
  expect(long.endsWith(contents.at(-1) ?? '')).toBe(true)
})

test('where Slack takes no files, a reply of 25 MB ends after two dozen messages, and says so', () => {
  const {posts, measured} = measure(longReply(25_000_000), {...SHAPING, noFiles: true})
  expect(posts.length).toBeGreaterThan(20)
  expect(posts.length).toBeLessThanOrEqual(24)
  expect(posts.map(({content}) => 'endsHere' in content)).toEqual([
    ...Array.from({length: posts.length - 1}, () => false),
    true,
  ])
  expect(measured).toBe(measure(longReply(200_000), {...SHAPING, noFiles: true}).measured)
})

test('a reply that fits into its messages to the last character comes without a file', () => {
  const whole = longReply(13_000)
  expect(measure(whole, SHAPING).posts.map(({key}) => key)).not.toContain('file:r1')
  expect(measure(`${whole}${' \n'.repeat(9000)}`, SHAPING).posts.map(({key}) => key)).toEqual(
    measure(whole, SHAPING).posts.map(({key}) => key),
  )
})

test('files that came with somebody’s words from elsewhere are told of', () => {
  const attachments = {count: 1, names: ['chart.png']}
  const entry = {entryId: 'e1', delivery: 'quote:e1', author: 'Key', text: '', attachments}
  const [post] = entryPosts({...entry, cursor: undefined, steps: 0}, RULE, SHAPING)
  expect(post?.content).toEqual({kind: 'quote', author: 'Key', text: '', attachments})
})

test('of a long quote the beginning is shown, and that there is more', () => {
  const quoteOf = (text: string) => {
    const entry = {entryId: 'e1', delivery: 'quote:e1', author: 'Key', text, attachments: undefined}
    return entryPosts({...entry, cursor: undefined, steps: 0}, RULE, SHAPING)[0]?.content
  }
  const whole = 'From the beginning. '.repeat(75)
  expect(quoteOf(whole)).toEqual({kind: 'quote', author: 'Key', text: whole})
  expect(quoteOf(`${whole}And more.`)).toMatchObject({text: `${whole}…`})
})

test('a reply that is being written says nothing of a file while the end of its message is held back', () => {
  const text = 'And so it went on, word by word, without an end. '.repeat(70)
  const posts = draftPosts(createDraft('r1', text), RULE, SHAPING)
  expect(posts).toHaveLength(1)
  const [{content} = {content: undefined}] = posts
  // Where the message will be cut is seen once it is full.
  const shown = content?.kind === 'say' ? content.markdown : ''
  expect(text.startsWith(shown)).toBe(true)
  expect(shown.length).toBeLessThan(text.trim().length)
  expect(content).toEqual({kind: 'say', markdown: shown})
})
