import {describe, expect, test} from 'vitest'
import {
  type CardContent,
  type FileContent,
  type PlanContent,
  essenceOf,
  hashOf,
} from '../../src/relay/post.ts'
import {wantedPosts} from '../../src/relay/posts/posts.ts'
import {createTimeline} from '../../src/relay/timeline/timeline.ts'
import {FRESH_LINK, NOTHING_BESIDE} from '../support/fresh-link.ts'

test('files are the same that say the same and bear the same', () => {
  const file = (more: Partial<FileContent> = {}): FileContent => ({
    ...{kind: 'file', markdown: 'The rest of it.'},
    ...more,
  })
  expect(hashOf(file())).toBe(hashOf(file()))
  const others = [{markdown: 'Another rest.'}, {attachments: {count: 1, names: []}}]
  for (const other of others) expect(hashOf(file(other))).not.toBe(hashOf(file()))
  expect(hashOf({kind: 'say', markdown: 'The rest of it.'})).not.toBe(hashOf(file()))
})

describe('what is worth an edit of its own', () => {
  const isNews = (before: CardContent | PlanContent, after: object): boolean =>
    hashOf(essenceOf({...before, ...after})) !== hashOf(essenceOf(before))

  const cardOf = (status: string): CardContent => {
    const link = {...FRESH_LINK, status, credits: 100}
    const timeline = createTimeline({...link, drafts: []})
    const rule = {maxCost: 1000, costOf: (text: string) => text.length}
    const [card] = wantedPosts(link, timeline, NOTHING_BESIDE, rule)
    if (card?.content.kind !== 'card') throw new Error('There is no card.')
    return card.content
  }

  test('of a card at work are neither its steps nor its tool, and at rest the steps are', () => {
    expect(isNews(cardOf('active'), {steps: 9, tool: 'Read a.ts'})).toBe(false)
    expect(isNews(cardOf('idle'), {tool: 'Read a.ts'})).toBe(false)
    expect(isNews(cardOf('idle'), {steps: 9})).toBe(true)
    expect(isNews(cardOf('active'), {title: 'Another'})).toBe(true)
  })

  test('of a cost is at work another tenth of its budget, where it has one', () => {
    // A tenth of these two dollars is 200 credits.
    const limited = {...cardOf('active'), budgetMicros: 2_000_000}
    expect(isNews(limited, {credits: 190})).toBe(false)
    expect(isNews(limited, {credits: 210})).toBe(true)
    expect(isNews(cardOf('active'), {credits: 110})).toBe(true)
    expect(isNews({...limited, status: 'idle'}, {credits: 110})).toBe(true)
  })

  test('of a plan is how its first level stands, and that all is done', () => {
    const task = (path: string, status: string) => ({path, title: path, status, below: undefined})
    const plan: PlanContent = {
      ...{kind: 'plan', linkId: 'l1', done: 1, total: 3, hidden: 0},
      tasks: [task('1', 'done'), task('2', 'working'), task('2.1', 'working')],
    }
    const at = (index: number, status: string) => ({
      tasks: plan.tasks.map((it, place) => (place === index ? {...it, status} : it)),
    })
    expect(isNews(plan, {...at(2, 'done'), done: 2})).toBe(false)
    expect(isNews(plan, at(1, 'failed'))).toBe(true)
    expect(isNews(plan, {done: 3})).toBe(true)
  })
})

test('what a message says has the same hash in all versions: it stands in the table', () => {
  // The beginning of SHA-256 in base64url, as `openssl` has it.
  expect(hashOf({kind: 'say', markdown: 'Hello'})).toBe('ho1ttvAow6Aol4KSppVRXT')
})
