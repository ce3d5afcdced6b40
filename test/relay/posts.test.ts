import {FRESH_LINK, NOTHING_BESIDE} from '../support/fresh-link.ts'
import {describe, expect, test} from 'vitest'
import {wantedPosts} from '../../src/relay/posts.ts'
import {createTimeline} from '../../src/relay/timeline.ts'
import type {Link} from '../../src/store/links.ts'

const link: Link = {
  id: 'l1',
  place: {team: 'T1', channel: 'C1', slackThread: '1.0'},
  state: 'open',
  requestId: 'r1',
  projectId: 'p1',
  projectName: 'web',
  threadId: 'thread_1',
  title: 'Fix it',
  startedBy: 'U1',
  status: 'idle',
  statusSinceMs: 0,
  stoppedBy: undefined,
  notice: undefined,
  steps: 2,
  credits: undefined,
  cursor: undefined,
  newestTs: undefined,
  ...FRESH_LINK,
}

const cardWith = (credits: number | undefined): unknown => {
  const timeline = createTimeline({
    status: 'idle',
    statusSinceMs: 0,
    steps: 2,
    cursor: undefined,
    drafts: [],
  })
  const rule = {maxCost: 3600, costOf: (text: string) => text.length}
  return wantedPosts({...link, credits}, timeline, NOTHING_BESIDE, rule)[0]?.content
}

describe('the cost on the card', () => {
  test('is no news until it is a cent', () => {
    expect(cardWith(0)).toEqual(cardWith(undefined))
    expect(cardWith(3)).toEqual(cardWith(undefined))
    expect(cardWith(8)).not.toEqual(cardWith(undefined))
  })

  test('is no news within a cent', () => {
    expect(cardWith(1234)).toEqual(cardWith(1230))
    expect(cardWith(1240)).not.toEqual(cardWith(1230))
  })

  test('may be no number', () => {
    for (const credits of [NaN, Infinity]) expect(cardWith(credits)).toMatchObject({credits})
  })
})

test('the time on the card is no news within its minute', () => {
  const cardAt = (statusSinceMs: number): unknown => {
    const start = {statusSinceMs, steps: 2, cursor: undefined, drafts: []}
    const timeline = createTimeline({status: 'idle', ...start})
    const rule = {maxCost: 3600, costOf: (text: string) => text.length}
    return wantedPosts(link, timeline, NOTHING_BESIDE, rule)[0]?.content
  }
  expect(cardAt(120_000)).toEqual(cardAt(179_999))
  expect(cardAt(120_000)).not.toEqual(cardAt(180_000))
})
