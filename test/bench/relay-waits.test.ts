import {describe, expect, test} from 'vitest'
import {toFigures} from '../../bench/relay/figures.ts'
import {longestRefusal, madeMessages, sightsOf, standingOf} from '../../bench/relay/sights.ts'
import {cutUnevenly, writeReply} from '../../bench/relay/texts.ts'
import {waitsOf} from '../../bench/relay/waits.ts'
import {createDice} from '../../local/platform/agent/dice.ts'
import type {CallRecord} from '../../local/slack/edge/ledger.ts'
import type {MessageVersion} from '../../local/slack/messages/messages.ts'

const said = (atMs: number, text: string) => ({atMs, text})

describe('how long text waits', () => {
  test('each letter waits until a version shows it, marks aside', () => {
    const produced = [said(1000, '**ab** '), said(2000, '`cd`.')]
    const sights = [said(1500, '**ab'), said(2100, '**ab** `c'), said(2600, '*ab* cd')]
    expect(waitsOf(produced, sights)).toEqual({
      letters: [500, 500, 100, 600],
      firstMs: 500,
      wholeMs: 600,
    })
  })

  test('what was seen once stays seen, and another text shows nothing', () => {
    const produced = [said(0, 'abc')]
    expect(waitsOf(produced, [said(10, 'axc'), said(20, 'abc'), said(30, '')])).toEqual({
      letters: [10, 20, 20],
      firstMs: 10,
      wholeMs: 20,
    })
  })

  test('what is never seen, or too late, waits until a minute after the end', () => {
    const produced = [said(0, 'ab'), said(5000, 'c')]
    const never = {letters: [1000, 65_000, 60_000], firstMs: 1000, wholeMs: undefined}
    expect(waitsOf(produced, [said(1000, 'a')])).toEqual(never)
    expect(waitsOf(produced, [said(1000, 'a'), said(70_000, 'abc')])).toEqual(never)
    expect(waitsOf(produced, [])).toMatchObject({letters: [65_000, 65_000, 60_000]})
  })
})

describe('what the record of Slack says', () => {
  const version = (
    atMs: number,
    ts: string,
    markdown: string,
    kind: MessageVersion['kind'] = 'edited',
  ): MessageVersion => {
    const blocks = [{type: 'markdown', text: markdown}]
    return {
      atMs,
      kind,
      message: {channel: 'C1', ts, userId: 'U1', text: 'x', blocks, reactions: []},
    }
  }
  const card: MessageVersion = {
    atMs: 5,
    kind: 'posted',
    message: {
      ...{channel: 'C1', ts: '1.0', userId: 'U1', text: 'a card', reactions: []},
      blocks: [{type: 'section'}],
    },
  }

  test('readers see all replies of a thread in their order, without the card', () => {
    const first = [version(10, '1.1', 'a', 'posted'), version(40, '1.1', 'ab')]
    const second = [version(20, '1.2', 'c', 'posted'), version(30, '1.2', 'c', 'deleted')]
    const versions = [[card], first, second]
    expect(sightsOf(versions).map(({atMs, text}) => [atMs, text])).toEqual([
      [5, ''],
      [10, 'a'],
      [20, 'a\nc'],
      [30, 'a'],
      [40, 'ab'],
    ])
    expect(standingOf(versions).map(({ts}) => ts)).toEqual(['1.0', '1.1'])
  })

  const call = (method: string, status = 200, more: Partial<CallRecord> = {}): CallRecord => ({
    ...{seq: 1, atMs: 0, arrivedAtMs: 0, method, args: {}, status, answer: {}},
    ...{applied: status === 200, ...more},
  })

  test('messages are found by the calls that made them', () => {
    const args = {channel: 'C1', thread_ts: '1.0'}
    const calls = [
      call('chat.postMessage', 200, {args, answer: {ts: '1.1'}}),
      call('chat.postMessage', 429, {args}),
      call('chat.startStream', 200, {args, answer: {ts: '1.2'}}),
      call('chat.update', 200, {args: {channel: 'C1', ts: '1.1'}, answer: {ts: '1.1'}}),
    ]
    expect([...madeMessages(calls)]).toEqual([
      [
        '1.0',
        [
          {channel: 'C1', ts: '1.1'},
          {channel: 'C1', ts: '1.2'},
        ],
      ],
    ])
  })

  test('refusals are counted, and in a row for each method by itself', () => {
    const calls = [
      call('chat.update', 429),
      call('chat.postMessage'),
      call('chat.update', 429),
      call('chat.update'),
      call('chat.update', 429),
    ]
    expect(longestRefusal(calls)).toEqual({method: 'chat.update', times: 2})
    const waits = {letters: [1000, 3000], firstMs: 1000, wholeMs: undefined}
    expect(toFigures([waits], calls)).toMatchObject({
      ...{threads: 1, meanS: 2, p95S: 3, unseen: 1, limited: 3},
      first: {p50S: 1, maxS: 1},
      calls: new Map([
        ['chat.update', 4],
        ['chat.postMessage', 1],
      ]),
    })
  })
})

test('the text to be said is as long as it should be, and its fragments make it up', () => {
  const dice = createDice('1')
  const text = writeReply(dice, 3000)
  const fragments = cutUnevenly(dice, text, {count: 300, durationMs: 20_000})
  expect(text).toHaveLength(3000)
  expect(text).toMatch(/^- .*\n- [^]*```ts\n[^]*\| --- \| --- \|/m)
  expect(fragments.map((fragment) => fragment.text).join('')).toBe(text)
  expect(fragments).toHaveLength(300)
  expect(fragments.every((fragment) => fragment.text !== '')).toBe(true)
  expect(fragments.reduce((sum, {delayMs}) => sum + delayMs, 0)).toBeCloseTo(20_000)
})
