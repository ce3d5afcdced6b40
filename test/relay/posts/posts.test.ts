import {FRESH_LINK, NOTHING_BESIDE} from '../../support/fresh-link.ts'
import {describe, expect, test} from 'vitest'
import type {Frame} from '../../../src/platform/stream/frame.ts'
import {wantedPosts} from '../../../src/relay/posts/posts.ts'
import {createTimeline, fold} from '../../../src/relay/timeline/timeline.ts'
import type {BudgetNote} from '../../../src/store/tables/budgets/notes.ts'
import type {Link} from '../../../src/store/tables/work/link.ts'
import type {Send} from '../../../src/store/tables/work/send.ts'

const cardWith = (credits: number | undefined): unknown => {
  const timeline = createTimeline({
    status: 'idle',
    statusSinceMs: 0,
    steps: 2,
    cursor: undefined,
    drafts: [],
  })
  const rule = {maxCost: 3600, costOf: (text: string) => text.length}
  return wantedPosts({...FRESH_LINK, credits}, timeline, NOTHING_BESIDE, rule)[0]?.content
}

test.for([
  ['idle', 'pending_user'],
  ['waiting', 'pending_user'],
  ['active', 'pending_user'],
  ['ready_for_review', 'ready_for_review'],
  ['failed', 'failed'],
])('work that is %s and needs somebody reads as %s', ([status = '', shown]) => {
  const start = {status, statusSinceMs: 0, steps: 2, cursor: undefined, drafts: []}
  const rule = {maxCost: 3600, costOf: (text: string) => text.length}
  const shownOf = (change: Partial<Link>): unknown =>
    wantedPosts({...FRESH_LINK, ...change}, createTimeline(start), NOTHING_BESIDE, rule)[0]?.content
  expect(shownOf({needsYou: true})).toMatchObject({status: shown})
  expect(shownOf({needsYou: false})).toMatchObject({status})
  expect(shownOf({needsYou: true, state: 'archived'})).toMatchObject({status: 'archived'})
})

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
    return wantedPosts(FRESH_LINK, timeline, NOTHING_BESIDE, rule)[0]?.content
  }
  expect(cardAt(120_000)).toEqual(cardAt(179_999))
  expect(cardAt(120_000)).not.toEqual(cardAt(180_000))
})

describe('what waits', () => {
  const timeline = createTimeline({
    ...{status: 'active', statusSinceMs: 0, steps: 2, cursor: undefined, drafts: []},
  })
  const rule = {maxCost: 3600, costOf: (text: string) => text.length}
  const send = (index: number): Send => ({
    ...{id: `s${index}`, linkId: 'l1', inboxKey: `k${index}`, token: 't', messageTs: '1.0'},
    ...{sender: 'U1', text: `Jane in #web (slack:t):\n${index}`, cursor: undefined},
    ...{state: 'waiting', isQuoted: false, receiptId: 'r', delivery: 'queue', createdAtMs: 0},
    ...{stoppedBy: undefined, inboxId: 1, model: undefined, rejected: undefined},
  })
  const listOf = (change: Partial<Link>, count: number) => {
    const waiting = Array.from({length: count}, (_, index) => send(index))
    const wanted = wantedPosts(
      {...FRESH_LINK, ...change},
      timeline,
      {...NOTHING_BESIDE, waiting},
      rule,
    )
    return {list: wanted.find(({key}) => key === 'waiting')?.content}
  }

  test('is one message, with as many rows as Slack takes', () => {
    expect(listOf({}, 0).list).toBeUndefined()
    expect(listOf({}, 1).list).toEqual({
      ...{kind: 'waiting', rows: [{sendId: 's0', sender: 'U1', words: '0'}], more: 0},
    })
    expect(listOf({}, 27).list).toMatchObject({rows: {length: 20}, more: 7})
  })

  test('is not listed while nobody would hear that it arrived', () => {
    expect(listOf({state: 'archived'}, 1).list).toBeUndefined()
  })

  test('is listed apart once a stop has held it back, also of archived work', () => {
    const heldIn = (state: Link['state']) => {
      const beside = {...NOTHING_BESIDE, held: [send(0)]}
      return wantedPosts({...FRESH_LINK, state}, timeline, beside, rule).find(
        ({key}) => key === 'held',
      )
    }
    const rows = [{sendId: 's0', sender: 'U1', words: '0'}]
    expect(heldIn('open')).toMatchObject({content: {kind: 'held', rows}, isFinal: false})
    // Its relay may rest while they wait.
    expect(heldIn('archived')).toMatchObject({content: {kind: 'held-archived'}, isFinal: true})
    expect(heldIn('ended')).toBeUndefined()
  })
})

test('replies are cut into messages once, however often something else changes', () => {
  let looks = 0
  const rule = {
    maxCost: 3600,
    costOf: (text: string) => {
      looks += 1
      return text.length
    },
  }
  const start = createTimeline({
    status: 'active',
    statusSinceMs: 0,
    steps: 0,
    cursor: 'c',
    drafts: [],
  })
  const nothing = {tool: undefined, model: undefined, authorName: undefined, attachments: undefined}
  const arrival = {nowMs: 0, isOurs: false}
  const said = Array.from({length: 20}, (_, at): Frame => {
    const entry = {id: `e${at}`, source: 'assistant', callId: `k${at}`, ...nothing}
    return {
      type: 'transcript',
      cursor: undefined,
      entry: {...entry, text: 'So it is. '.repeat(500)},
    }
  })
  const begun: Frame = {type: 'assistant', callId: 'next', text: 'And so it goes on. '}
  const timeline = [...said, begun].reduce((it, frame) => fold(it, frame, arrival), start)
  const before = wantedPosts(FRESH_LINK, timeline, NOTHING_BESIDE, rule)
  expect(looks).toBeGreaterThan(20)
  looks = 0
  const idle = fold(timeline, {type: 'status', status: 'waiting'}, arrival)
  const after = wantedPosts(FRESH_LINK, idle, NOTHING_BESIDE, rule)
  expect(looks).toBe(0)
  expect(after.slice(1)).toEqual(before.slice(1))
  // What Slack takes in another form alone is cut anew.
  const shaping = {shapes: new Map([['k3', 'small' as const]]), noFiles: false}
  expect(wantedPosts(FRESH_LINK, idle, NOTHING_BESIDE, rule, shaping).length).toBeGreaterThan(
    after.length,
  )
})

test('the card of a task says that it is one', () => {
  const timeline = createTimeline({...FRESH_LINK, drafts: []})
  const rule = {maxCost: 3600, costOf: (text: string) => text.length}
  const cardOf = (change: Partial<Link>) =>
    wantedPosts({...FRESH_LINK, ...change}, timeline, NOTHING_BESIDE, rule)[0]?.content
  expect(cardOf({taskId: 'task'})).toMatchObject({isTask: true})
  expect(cardOf({})).not.toHaveProperty('isTask')
})

test('of work that goes on in a room nothing more is said here, and what stands may still change', () => {
  const start = createTimeline({...FRESH_LINK, drafts: []})
  const said: Frame = {type: 'assistant', callId: 'A', text: 'And so it goes on. '}
  const timeline = fold(start, said, {nowMs: 0, isOurs: false})
  const rule = {maxCost: 3600, costOf: (text: string) => text.length}
  const tasks = [{id: 't1', path: '1', title: 'Look', status: 'done'}]
  const room = {channel: 'C9', ts: '9.0', isMoved: false}
  const keysIn = (isMoved: boolean) => {
    const link = {...FRESH_LINK, tasks, room: {...room, isMoved}}
    const posts = wantedPosts(link, timeline, NOTHING_BESIDE, rule)
    return posts.map(({key, isCreated}) => `${isCreated ? 'made' : 'changed'} ${key}`)
  }
  expect(keysIn(false)).toEqual(['made card', 'made say:A:0', 'made plan'])
  expect(keysIn(true)).toEqual(['made card', 'changed plan'])
})

test('the card of work that was begun elsewhere says so, but not of a review or in its room', () => {
  const timeline = createTimeline({...FRESH_LINK, drafts: []})
  const rule = {maxCost: 3600, costOf: (text: string) => text.length}
  const cardOf = (change: Partial<Link>) =>
    wantedPosts({...FRESH_LINK, ...change}, timeline, NOTHING_BESIDE, rule)[0]?.content
  const followed = {requestId: 'follow:T1:C1:1.0'}
  expect(cardOf(followed)).toMatchObject({isFollowed: true})
  const room = {...FRESH_LINK.place, isRoom: true as const}
  for (const change of [{}, {...followed, place: room}, {...followed, notes: {reviews: 'a/b#1'}}]) {
    expect(cardOf(change)).not.toHaveProperty('isFollowed')
  }
})

test('of a budget its end waits for an answer, and that it is near for none', () => {
  const timeline = createTimeline({...FRESH_LINK, drafts: []})
  const rule = {maxCost: 3600, costOf: (text: string) => text.length}
  const postOf = (change: Partial<BudgetNote>) => {
    const note = {id: 'n1', kind: 'stop', state: 'open', ...change} as BudgetNote
    const budget = {perWorkMicros: undefined, notes: [note]}
    const posts = wantedPosts(FRESH_LINK, timeline, {...NOTHING_BESIDE, budget}, rule)
    return posts.find(({key}) => key === 'budget:n1')
  }
  const stop = {kind: 'budget', why: 'stop', person: 'U1'}
  expect(postOf({})).toMatchObject({isFinal: false, rank: 'final', content: stop})
  expect(postOf({state: 'raised'})).toMatchObject({isFinal: true, rank: 'state', content: stop})
  expect(postOf({kind: 'near'})).toMatchObject({
    ...{isFinal: true, rank: 'state', content: {why: 'near'}},
  })
})
