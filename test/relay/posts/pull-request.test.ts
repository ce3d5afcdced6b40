import {describe, expect, test} from 'vitest'
import type {Frame} from '../../../src/platform/stream/frame.ts'
import {wantedPosts} from '../../../src/relay/posts/posts.ts'
import {createNaming, markOf, pullRequestIn} from '../../../src/relay/posts/pull-request.ts'
import {type Timeline, createTimeline, fold} from '../../../src/relay/timeline/timeline.ts'
import type {Link, LinkChange} from '../../../src/store/tables/work/link.ts'
import type {Notification} from '../../../src/store/tables/work/notifications.ts'
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
  [
    `https://github.com/a/b/pull/1 https://a.example/${'x'.repeat(300)}/pull/2`,
    'https://github.com/a/b/pull/1',
  ],
])('%s names %s', (text, address) => {
  expect(pullRequestIn(text)).toBe(address)
})

describe('what replies name', () => {
  const WEB = 'https://github.com/acme/web/pull/'

  test('gets one card for each address, which has no place before the run has ended', () => {
    const {name, naming, link, notes} = createNamer()
    name('a', `See ${WEB}1 and ${WEB}2`)
    // The first note is on its way still.
    name('b', `Again ${WEB}1, ${WEB.replace('acme', 'Acme')}2, and now ${WEB}3`)
    name('b', `Again ${WEB}1 and ${WEB}3`)
    name('c', 'nothing')
    const noted = notes.findLast((note) => note.pullRequests)
    expect(noted?.pullRequests).toEqual([
      {address: `${WEB}1`, delivery: 'a', card: 'due'},
      {address: `${WEB}2`, delivery: 'a', card: 'due'},
      {address: `${WEB}3`, delivery: 'b', card: 'due'},
    ])
    Object.assign(link, noted)
    name('d', `Look at ${WEB}1`)
    expect(notes.at(-1)).toEqual({pullRequest: `${WEB}1`})

    expect(naming.due()).toEqual([`${WEB}1`, `${WEB}2`, `${WEB}3`])
    expect(cardsOf(link)).toEqual([])
    naming.place([`${WEB}1`], 'called')
    naming.place([`${WEB}2`], 'own')
    Object.assign(link, notes.at(-1))
    expect(naming.due()).toEqual([`${WEB}3`])
    expect(cardsOf(link)).toEqual([`pr:${markOf(`${WEB}2`)}`])
  })

  test('has its card nowhere twice, and once the work is put away somewhere', () => {
    const due = {address: `${WEB}1`, delivery: 'a', card: 'due'} as const
    const link: Link = {...FRESH_LINK, pullRequests: [due]}
    expect(cardsOf(link)).toEqual([])
    for (const state of ['archived', 'ended'] as const) {
      expect(cardsOf({...link, state})).toEqual([`pr:${markOf(`${WEB}1`)}`])
      // Whoever died behind the call has not noted yet that it carries the card.
      expect(cardsOf({...link, state}, [callWith(`${WEB}1`)])).toEqual([])
    }
  })

  test('stands under its reply where an earlier version has put it', () => {
    const link: Link = {...FRESH_LINK, pullRequests: [{address: `${WEB}3`, delivery: 'b'}]}
    expect(keysOf(link, ['b', 'd'])).toEqual([
      // For as long as that does.
      ...['card', 'say:b:0', `pr:${markOf(`${WEB}3`)}`, 'say:d:0'],
    ])
    expect(cardsOf(link)).toEqual([])
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
  return {link, notes, name, naming}
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

function keysOf(
  link: Link,
  deliveries: readonly string[],
  notifications: readonly Notification[] = [],
): string[] {
  const rule = {maxCost: 3600, costOf: (text: string) => text.length}
  const beside = {...NOTHING_BESIDE, notifications}
  return wantedPosts(link, timelineOf(deliveries), beside, rule).map(({key}) => key)
}

function cardsOf(link: Link, notifications: readonly Notification[] = []): string[] {
  return keysOf(link, [], notifications).filter((key) => key.startsWith('pr:'))
}

function callWith(address: string): Notification {
  return {
    ...{id: 'c1', linkId: 'l1', key: 'review:1', kind: 'review', person: 'U1', state: 'open'},
    ...{endedBy: undefined, reminders: 0, remindAtMs: undefined, madeAtMs: 0},
    words: {cards: [address]},
  }
}

test('what was named last and is named again is not written down again', () => {
  const address = 'https://github.com/acme/web/pull/1'
  const {name, notes, link} = createNamer()
  name('a', `See ${address}`)
  Object.assign(link, notes.at(-1))
  name('b', `Again ${address}`)
  expect(notes).toHaveLength(1)
})

test('the mark of an address stays the same, whatever version wrote it and however it is spelt', () => {
  // The beginning of SHA-256 in base64url, as `openssl` has it.
  expect(markOf('https://github.com/acme/web/pull/1')).toBe('ZYnWQUpHXRYNoGTl')
  expect(markOf('https://GitHub.com/Acme/web/pull/1')).toBe('ZYnWQUpHXRYNoGTl')
})
