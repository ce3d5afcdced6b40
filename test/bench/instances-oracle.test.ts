import {describe, expect, test} from 'vitest'
import {type Facts, type ThreadFacts, isRight, judge} from '../../bench/instances/oracle.ts'
import type {CallRecord} from '../../local/slack/edge/ledger.ts'
import type {StoredMessage} from '../../local/slack/messages/messages.ts'

const CHANNEL = 'C0W1GENERAL'
const THREAD = '1800000000.000001'

const message = (at: number, key: string, more: Partial<StoredMessage>): StoredMessage => ({
  channel: CHANNEL,
  ts: `1800000000.${String(at).padStart(6, '0')}`,
  threadTs: THREAD,
  userId: 'U0BOT',
  text: '',
  metadata: {event_type: 'bosun', event_payload: {key}},
  reactions: [],
  ...more,
})

const reply = (at: number, text: string): StoredMessage =>
  message(at, `say:call-${at}:0`, {text, blocks: [{type: 'markdown', text}]})

const entry = (id: string, source: 'user' | 'assistant', text: string) => ({
  ...{id, source, text, createdAt: '2026-01-01T00:00:00.000Z', attachments: []},
})

const card = message(2, 'card', {text: 'Idle', blocks: [{type: 'section'}]})
const FIRST = 'The cart rounds **prices** 1, before tax 2.'
const SECOND = 'The refund loses one cent 3.'

const thread = (more: Partial<ThreadFacts> = {}): ThreadFacts => ({
  team: 'T0W1',
  place: {channel: CHANNEL, ts: THREAD},
  asked: ['note 1 part 1'],
  thread: {id: 'thread_1', requestId: `slack:T0W1:${CHANNEL}:${THREAD}`, status: 'idle'},
  transcript: [
    entry('u1', 'user', 'Rita in #general: please write note 1 part 1.'),
    entry('a1', 'assistant', FIRST),
    entry('a2', 'assistant', SECOND),
  ] as unknown as ThreadFacts['transcript'],
  ours: [card, reply(3, FIRST), reply(4, SECOND)],
  requests: [creation(1)],
  ...more,
})

const creation = (seq: number): ThreadFacts['requests'][number] => ({
  ...{seq, atMs: 0, method: 'POST', path: '/api/v1/threads', status: 201, key: 'human'},
  body: {requestId: `slack:T0W1:${CHANNEL}:${THREAD}`},
  applied: true,
})

const call = (method: string, more: Partial<CallRecord>): CallRecord => ({
  ...{seq: 1, atMs: 0, arrivedAtMs: 0, teamId: 'T0W1', method, status: 200, applied: true},
  args: {},
  answer: {ok: true},
  ...more,
})

const post = (ts: string, key: string): CallRecord =>
  call('chat.postMessage', {
    args: {
      ...{channel: CHANNEL, thread_ts: THREAD, text: 'words'},
      metadata: {event_type: 'bosun', event_payload: {key}},
    },
    answer: {ok: true, ts},
  })

const facts = (more: Partial<Facts>): Facts => ({
  threads: [thread()],
  calls: [],
  strays: [],
  ...more,
})

const found = (more: Partial<Facts>): Record<string, number> =>
  Object.fromEntries(Object.entries(judge(facts(more)).wrongs).filter(([, count]) => count > 0))

describe('the oracle of several instances', () => {
  test('takes a world in which everything stands once', () => {
    expect(found({})).toEqual({})
    expect(isRight(judge(facts({})))).toBe(true)
    expect(judge(facts({})).replies).toBe(2)
  })

  test.each([
    ['a reply is missing', {ours: [card, reply(3, FIRST)]}, {lost: 1}],
    [
      'a reply lacks its end',
      {ours: [card, reply(3, 'The cart rounds'), reply(4, SECOND)]},
      {lost: 1, 'wrong finals': 1},
    ],
    [
      'a reply stands twice',
      {ours: [card, reply(3, FIRST), reply(4, SECOND), reply(5, SECOND)]},
      {doubled: 1},
    ],
    [
      'replies have changed places',
      {ours: [card, reply(3, SECOND), reply(4, FIRST)]},
      {'out of order': 1},
    ],
    [
      'a draft stays',
      {ours: [card, reply(3, FIRST), reply(4, SECOND), reply(5, 'A third')]},
      {'wrong finals': 1},
    ],
    [
      'a stream is open',
      {ours: [card, reply(3, FIRST), {...reply(4, SECOND), streaming: 'in_progress'}]},
      {'still streamed': 1},
    ],
    ['two cards', {ours: [card, card, reply(3, FIRST), reply(4, SECOND)]}, {'cards but one': 1}],
    ['a thread made twice', {requests: [creation(1), creation(2)]}, {'threads but one': 1}],
    ['no thread', {requests: []}, {'threads but one': 1}],
    [
      'a message that never came',
      {asked: ['note 1 part 1', 'note 1 part 2']},
      {'messages lost': 1},
    ],
  ] as [string, Partial<ThreadFacts>, Record<string, number>][])('sees: %s', (_, more, wrongs) => {
    expect(found({threads: [thread(more)]})).toEqual(wrongs)
  })

  test('sees a message that the agent got twice, and takes a question for one that may be lost', () => {
    const told = entry('u2', 'user', 'Rita: note 1 part 1.') as unknown as never
    const transcript = [...thread().transcript, told]
    expect(found({threads: [thread({transcript})]})).toEqual({'messages twice': 1})

    const text = 'Not sure this arrived: note 1 part 2'
    const blocks = [{type: 'section', text: {type: 'mrkdwn', text}}]
    const asks = thread({
      asked: ['note 1 part 1', 'note 1 part 2'],
      ours: [...thread().ours, message(5, 'unsure:1', {text, blocks})],
    })
    expect(found({threads: [asks]})).toEqual({})
  })

  test('part 1 is not part 10', () => {
    const told = entry('u2', 'user', 'Rita: note 1 part 10.') as unknown as never
    const more = {
      asked: ['note 1 part 1', 'note 1 part 10'],
      transcript: [...thread().transcript, told],
    }
    expect(found({threads: [thread(more)]})).toEqual({})
  })

  test('sees a second post, also when one of them was removed behind it', () => {
    const gone = call('chat.delete', {args: {channel: CHANNEL, ts: '5'}})
    const twice = [post('5', 'say:a:0'), post('6', 'say:a:0')]
    expect(found({calls: twice})).toEqual({'posts twice': 1})
    expect(found({calls: [...twice, gone]})).toEqual({'posts twice': 1})
    const again = [post('5', 'say:a:0'), gone, post('6', 'say:a:0')]
    expect(found({calls: again})).toEqual({})
    expect(found({calls: [post('5', 'say:a:0'), post('6', 'say:b:0')]})).toEqual({})
  })

  test('counts what Slack refused for haste, and what stands outside', () => {
    expect(found({calls: [call('chat.update', {status: 429, applied: false})]})).toEqual({
      'calls over the rate': 1,
    })
    expect(found({strays: [reply(9, 'lost in the channel')]})).toEqual({'outside of threads': 1})
  })
})
