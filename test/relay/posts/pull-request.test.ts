import {describe, expect, test} from 'vitest'
import type {Frame} from '../../../src/platform/stream/frame.ts'
import {wantedPosts} from '../../../src/relay/posts/posts.ts'
import {createNaming, markOf, pullRequestIn} from '../../../src/relay/posts/pull-request.ts'
import {type Timeline, createTimeline, fold} from '../../../src/relay/timeline/timeline.ts'
import type {Link, LinkChange} from '../../../src/store/tables/work/link.ts'
import {FRESH_LINK, NOTHING_BESIDE} from '../../support/fresh-link.ts'

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

describe('what replies name', () => {
  const WEB = 'https://github.com/acme/web/pull/'

  test('has one card for each address, under the reply that named it first', () => {
    const {name, link, notes} = createNamer()
    name('a', `See ${WEB}1 and ${WEB}2`)
    // The first note is on its way still.
    name('b', `Again ${WEB}1, ${WEB.replace('acme', 'Acme')}2, and now ${WEB}3`)
    name('b', `Again ${WEB}1 and ${WEB}3`)
    name('c', 'nothing')
    const noted = notes.findLast((note) => note.pullRequests)
    expect(noted?.pullRequests).toEqual([
      {address: `${WEB}1`, delivery: 'a'},
      {address: `${WEB}2`, delivery: 'a'},
      {address: `${WEB}3`, delivery: 'b'},
    ])
    Object.assign(link, noted)
    name('d', `Look at ${WEB}1`)
    expect(notes.at(-1)).toEqual({pullRequest: `${WEB}1`})

    const keys = keysOf(link, ['b', 'd'])
    expect(keys).toEqual([
      // Those of the first reply stand as long as it does.
      ...['card', 'say:b:0', `pr:${markOf(`${WEB}3`)}`, 'say:d:0'],
    ])
  })

  test('has few cards of a list, none of a task, and none of the review itself', () => {
    const list = Array.from({length: 20}, (_, index) => `${WEB}${index + 1}`).join('\n')
    const many = createNamer()
    for (let reply = 0; reply < 20; reply += 1) {
      many.name(`r${reply}`, list.replaceAll('acme', `acme${reply}`))
    }
    expect(many.notes.at(0)?.pullRequests).toHaveLength(3)
    expect(many.notes.findLast((note) => note.pullRequests)?.pullRequests).toHaveLength(30)
    for (const of of [{taskId: 't1'}, {notes: {reviews: 'acme/web#1'}}]) {
      const {name, notes} = createNamer(of)
      name('a', list)
      expect(notes).toEqual([{pullRequest: `${WEB}20`}])
    }
  })
})

function createNamer(of: Partial<Link> = {}) {
  const link: Link = {...FRESH_LINK, ...of}
  const notes: LinkChange[] = []
  const naming = createNaming({link: () => link, note: (values) => notes.push(values)})
  const name = (delivery: string, text: string): void =>
    naming.note({id: `entry-${delivery}`, text}, timelineOf([delivery]))
  return {link, notes, name}
}

function timelineOf(deliveries: readonly string[]): Timeline {
  const start = {status: 'idle', statusSinceMs: 0, steps: 0, cursor: 'c', drafts: []}
  return deliveries.reduce(
    (timeline, delivery) =>
      fold(
        timeline,
        {
          ...{type: 'transcript', cursor: undefined},
          entry: {
            ...{id: `entry-${delivery}`, callId: delivery, source: 'assistant', text: 'Done.'},
            createdAt: '',
          },
        } as Frame,
        {nowMs: 0, isOurs: false},
      ),
    createTimeline(start),
  )
}

function keysOf(link: Link, deliveries: readonly string[]): string[] {
  const rule = {maxCost: 3600, costOf: (text: string) => text.length}
  return wantedPosts(link, timelineOf(deliveries), NOTHING_BESIDE, rule).map(({key}) => key)
}
