import {describe, expect, test} from 'vitest'
import {
  HOOK_RECEIPT,
  type Announcement,
} from '../../../../src/store/tables/channels/announcement.ts'
import {drawReceipt} from '../../../../src/features/hooks/views/receipt.ts'

function drawn(counts: Record<string, number> | undefined, name = 'Deploy') {
  const receipt = {hookId: 'h', name, ...(counts !== undefined && {counts})}
  const one: Announcement = {
    ...{id: 'a', team: 'T1', channel: 'C1', threadId: '', connectionId: undefined},
    ...{status: HOOK_RECEIPT, words: {receipt}, state: 'wanted', ts: undefined},
    ...{endedBy: undefined, madeAtMs: 0},
  }
  const {text, blocks} = drawReceipt(one, {webUrl: 'https://app.example/t/{threadId}'})
  return {text, hasLog: JSON.stringify(blocks).includes('"Log"')}
}

describe('a receipt', () => {
  test('of one delivery is a sentence', () => {
    expect(drawn({accepted: 1})).toEqual({
      text: '⚡️ *Deploy* started: its hook received a delivery.',
      hasLog: false,
    })
    expect(drawn({refused: 1}).hasLog).toBe(true)
  })

  test('names the work that began, and leads to it', () => {
    const runs = [{id: 'run-1', threadId: 't 1', title: 'Fix *it* <!here>'}]
    const receipt = {hookId: 'h', name: 'Deploy', counts: {accepted: 1}, runs}
    const {text, blocks} = drawReceipt(
      {words: {receipt}},
      {webUrl: 'https://app.example/t/{threadId}'},
    )
    expect(text).toContain('▶️ It runs: *Fix ∗it∗ &lt;!here&gt;*')
    const drawn = JSON.stringify(blocks)
    expect(drawn).toContain('https://app.example/t/t%201')
    expect(drawn).toContain('"action_id":"bosun:run-follow"')
    expect(drawn).toContain('"value":"run-1"')
  })

  test('says how many runs it does not name', () => {
    const runs = Array.from({length: 5}, (_, at) => ({id: `run-${at}`, threadId: `t${at}`}))
    const textOf = (accepted: number) => {
      const receipt = {hookId: 'h', name: 'Deploy', counts: {accepted}, runs}
      return drawReceipt({words: {receipt}}, {webUrl: undefined}).text
    }
    expect(textOf(40)).toMatch(/\n▶️ … and 35 more$/)
    expect(textOf(5)).not.toContain('more')
  })

  test('of several counts them, and names each kind of problem', () => {
    expect(drawn({accepted: 12})).toEqual({
      text: '⚡️ *Deploy*: 12 deliveries to its hook\n⚡️ 12 started a run',
      hasLog: false,
    })
    const {text, hasLog} = drawn({'no-match': 1, expired: 2, accepted: 12, refused: 1})
    expect(text.split('\n')).toEqual([
      '⚠️ *Deploy*: 16 deliveries to its hook',
      '⚡️ 12 started a run',
      '⚪️ 1 did not run: the filters don’t match',
      '⚠️ 1 did not run: the agent platform declined it',
      '⚠️ 2 did not run: I tried for a day and gave up',
    ])
    expect(hasLog).toBe(true)
  })

  test('of what this version does not know says that something came', () => {
    for (const counts of [undefined, {}, {later: 1}]) {
      expect(drawn(counts).text).toBe('⚡️ Something was delivered to the hook of *Deploy*.')
    }
    expect(drawn({accepted: 1, later: 2, toString: 1}, '*<!here>').text.split('\n')).toEqual([
      '⚠️ *∗&lt;!here&gt;*: 4 deliveries to its hook',
      '⚡️ 1 started a run',
      '❔ 2 with an outcome that I don’t know',
      '❔ 1 with an outcome that I don’t know',
    ])
  })
})
