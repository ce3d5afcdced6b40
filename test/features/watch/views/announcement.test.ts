import {expect, test} from 'vitest'
import {answerForm, drawAnnouncement} from '../../../../src/features/watch/views/announcement.ts'
import type {Announcement} from '../../../../src/store/tables/channels/announcement.ts'

const said = `${'Long ago. '.repeat(60)}\n\nA or **B**?\n<!here> which one?`
const told: Announcement = {
  ...{id: 'a1', team: 'T1', channel: 'C1', threadId: 't1', status: 'pending_user'},
  connectionId: undefined,
  ...{words: {title: 'Fix it', said}, state: 'placed', ts: '1.0', endedBy: undefined, madeAtMs: 0},
}

test('what an agent asks stands at the end of what it said, in the message and in its form', () => {
  const rules = {nameOf: (id: string) => id, webUrl: undefined}
  const asks = '\n>A or B?\n>&lt;!here&gt; which one?'
  const [, quote] = drawAnnouncement(told, rules).blocks
  expect(quote).toMatchObject({text: {text: expect.stringMatching(/^>…/) as string}})
  expect(JSON.stringify(quote)).toContain(JSON.stringify(asks).slice(1, -1))
  expect(JSON.stringify(answerForm(told).blocks[0])).toContain(JSON.stringify(asks).slice(1, -1))
})

test('a phone and a screen reader, which see no blocks, are told whose it is and what is asked', () => {
  const rules = {nameOf: (id: string) => id, webUrl: undefined}
  const asked = {...told, words: {title: 'Fix it', author: 'Jane', said: 'A or **B**?'}}
  expect(drawAnnouncement(asked, rules).text).toBe(
    '🟠 *Fix it* needs an answer\nJane’s work\nA or B?',
  )
})
