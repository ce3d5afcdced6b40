import {describe, expect, test} from 'vitest'
import type {MessageView, TrafficEntry} from '../../../../local/slack/page-feed/contract.ts'
import {attachmentIn} from '../../../../local/slack/page/messages/attachment-shape.ts'
import {isSameThread} from '../../../../local/slack/page/live/replies.ts'
import {
  colorIn,
  dateTokenIn,
  emojiIn,
  marksIn,
} from '../../../../local/slack/page/text/rich-text-shape.ts'
import {
  alignmentsIn,
  clampPage,
  pageSizeIn,
  rowsIn,
} from '../../../../local/slack/page/blocks/table-shape.ts'
import {planStatus, taskStatus} from '../../../../local/slack/page/blocks/task-shape.ts'
import {isShown, withEntries} from '../../../../local/slack/page/traffic/traffic-entries.ts'
import {withoutSecrets} from '../../../../local/slack/page/traffic/traffic-secrets.ts'
import {chunkRanges} from '../../../../local/slack/page/messages/use-chunks.ts'

describe('what apps send is looked at before it is believed', () => {
  test('a task of an unknown status has not begun', () => {
    expect(taskStatus('complete')).toBe('complete')
    expect(taskStatus('cancelled')).toBe('pending')
  })

  test('a plan runs while a task does, and fails or is complete after that', () => {
    expect(planStatus(['complete', 'in_progress', 'error'])).toBe('in_progress')
    expect(planStatus(['complete', 'error', 'pending'])).toBe('error')
    expect(planStatus(['complete', 'pending'])).toBe('in_progress')
    expect(planStatus(['complete', 'complete'])).toBe('complete')
    expect(planStatus([])).toBe('pending')
  })

  test('rows that are none are left out, and pages stay inside of the table', () => {
    expect(rowsIn([['a'], 'b', null])).toEqual([['a']])
    expect(rowsIn({})).toEqual([])
    expect(alignmentsIn([{align: 'right', is_wrapped: true}, null, {align: 'up'}])).toEqual([
      {align: 'right', isWrapped: true},
      undefined,
      {align: 'left', isWrapped: false},
    ])
    expect([pageSizeIn(3), pageSizeIn(0), pageSizeIn('7'), pageSizeIn(1000)]).toEqual([
      3, 5, 5, 100,
    ])
    expect([clampPage(-1, 3), clampPage(3, 3), clampPage(0, 0)]).toEqual([0, 2, 0])
  })

  test('styles, emoji, dates and colours of rich text', () => {
    expect(marksIn({style: {italic: true, bold: true, code: 'yes'}})).toEqual(['strong', 'em'])
    expect(emojiIn({unicode: '1f44b-1f3fe'})).toBe('👋🏾')
    expect(emojiIn({unicode: 'none'})).toBeUndefined()
    expect(emojiIn({unicode: '110000'})).toBeUndefined()
    expect(dateTokenIn({timestamp: 12}).format).toBe('{date_num}')
    expect(colorIn({value: '#0f6e78'})).toBe('#0f6e78')
    expect(colorIn({value: 'red; background: url(x)'})).toBeUndefined()
  })

  test('the colour of an attachment is a colour, and its fallback is shown only without text', () => {
    expect(attachmentIn({color: '36a64f', text: 'a', fallback: 'b'})).toMatchObject({
      color: '#36a64f',
      text: 'a',
    })
    expect(attachmentIn({color: 'danger', fallback: 'b'})).toMatchObject({
      color: 'var(--danger)',
      text: 'b',
    })
    expect(attachmentIn({color: 'url(x)', fields: [{title: 'T', short: true}, 1]})).toMatchObject({
      color: undefined,
      fields: [{name: 'T', value: '', isShort: true}],
    })
  })
})

describe('a long list', () => {
  test('is drawn from its end', () => {
    const chunks = chunkRanges(95, 2)
    expect(chunks.map(({start, end}) => [start, end])).toEqual([
      [0, 20],
      [20, 40],
      [40, 60],
      [60, 80],
      [80, 95],
    ])
    expect(chunks.map(({isDrawn}) => isDrawn)).toEqual([false, false, true, true, true])
    expect(chunks.map(({isFar}) => isFar)).toEqual([true, true, false, false, false])
    expect(chunkRanges(0, 0)).toEqual([])
  })

  test('a thread that only says something else looks the same from outside', () => {
    const reply = (ts: string, text: string): MessageView => ({
      ...{channel: 'C1', ts, threadTs: '1', userId: 'U1', text, edited: false, reactions: []},
    })
    expect(isSameThread([reply('2', 'a')], [reply('2', 'b')])).toBe(true)
    expect(isSameThread([reply('2', 'a')], [reply('2', 'a'), reply('3', 'b')])).toBe(false)
    expect(isSameThread(undefined, [])).toBe(true)
  })
})

describe('the traffic', () => {
  const call = (seq: number, answer: Record<string, unknown>, status = 200): TrafficEntry => ({
    type: 'call',
    call: {
      seq,
      atMs: seq,
      arrivedAtMs: seq,
      method: 'chat.update',
      args: {text: 'hi'},
      status,
      answer,
      applied: true,
    },
  })
  const delivery = (outcome: 'pending' | 'acked' | 'timeout', attempt = 0): TrafficEntry => ({
    type: 'delivery',
    delivery: {
      ...{seq: 1, atMs: 1, appId: 'A1', teamId: 'T1', key: 'Ev1', kind: 'events_api'},
      ...{attempt, outcome},
      ...(outcome === 'acked' && {ackMs: 12}),
      payload: {event: {type: 'message', subtype: 'message_changed'}},
    },
  })

  test('a delivery that is settled takes the place of what it was', () => {
    const lines = withEntries(withEntries([], [delivery('pending'), call(1, {ok: true})]), [
      delivery('acked'),
    ])
    expect(lines.map(({name, outcome}) => [name, outcome])).toEqual([
      ['message · message_changed', 'acked in 12 ms'],
      ['chat.update', 'ok'],
    ])
    expect(withEntries([], [delivery('timeout', 1)])[0]).toMatchObject({
      outcome: 'try 2 · timeout',
      isError: true,
    })
  })

  test('errors say what they are', () => {
    const lines = withEntries(
      [],
      [
        call(1, {ok: false, error: 'ratelimited'}, 429),
        call(2, {ok: false, error: 'not_in_channel'}),
        call(3, {ok: true}, 0),
      ],
    )
    expect(lines.map(({outcome}) => outcome)).toEqual([
      '429 · ratelimited',
      'not_in_channel',
      'answer lost',
    ])
    expect(lines.every(({isError}) => isError)).toBe(true)
  })

  test('the times are told where they are known', () => {
    const entry = call(1, {ok: false, error: 'ratelimited'}, 429)
    if (entry.type !== 'call') throw new Error('No call.')
    const timed = {...entry.call, arrivedAtMs: 10, answeredAtMs: 22, retryAfterSeconds: 3}
    expect(withEntries([], [{type: 'call', call: timed}])[0]?.outcome).toBe(
      '429 · ratelimited · retry after 3 s · 12 ms',
    )
  })

  test('only the newest 500 are kept', () => {
    const news = Array.from({length: 600}, (_none, index) => call(index, {ok: true}))
    expect(withEntries([], news)).toHaveLength(500)
  })

  test('is filtered by kind and by words, also those of what was said', () => {
    const [line] = withEntries([], [call(1, {ok: true, ts: '17.5'})])
    if (!line) throw new Error('No line.')
    expect(isShown(line, 'deliveries', '')).toBe(false)
    expect(isShown(line, 'errors', '')).toBe(false)
    expect(isShown(line, 'calls', 'CHAT.up')).toBe(true)
    expect(isShown(line, 'all', '17.5')).toBe(true)
    expect(isShown(line, 'all', 'views')).toBe(false)
  })

  test('shows no secret, wherever it stands', () => {
    const shown = withoutSecrets({
      token: 'abc',
      text: 'my token is xoxb-12-abc',
      values: {api_key: {input: {type: 'plain_text_input', value: 'abc'}}},
      url: 'wss://a.test/?ticket=abc&app_id=A1',
    })
    expect(shown).toEqual({
      token: '[secret]',
      text: 'my token is [secret]',
      values: {api_key: {input: {type: 'plain_text_input', value: '[secret]'}}},
      url: 'wss://a.test/?ticket=[secret]&app_id=A1',
    })
  })
})
