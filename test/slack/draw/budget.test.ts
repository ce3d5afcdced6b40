import {describe, expect, test} from 'vitest'
import {acceptBlocks} from '../../../local/slack/blocks/blocks.ts'
import type {BudgetContent} from '../../../src/relay/post.ts'
import {draw, peopleIn} from '../../../src/slack/draw/draw.ts'
import {declinedMessage} from '../../../src/slack/draw/declined.ts'
import {ACTIONS} from '../../../src/slack/ids.ts'

const rules = {nameOf: (id: string) => `@name of ${id}`, webUrl: undefined}
const OF_WORK: BudgetContent = {
  ...{kind: 'budget', noteId: 'n1', why: 'stop', budget: 'budgetPerWork', period: ''},
  subject: {threadId: 't', user: '', channel: ''},
  ...{limitMicros: 5_000_000, moreMicros: 5_000_000, isLoud: true, person: 'U1'},
  ...{endedBy: undefined, raisedMicros: undefined},
}
const OF_PERSON: BudgetContent = {
  ...OF_WORK,
  ...{budget: 'budgetPerPersonDay', period: '2026-11-25'},
  subject: {threadId: '', user: 'U1', channel: 'C1'},
}
const OF_CHANNEL: BudgetContent = {
  ...OF_WORK,
  ...{budget: 'budgetPerChannelMonth', period: '2026-11', moreMicros: 2_500_000},
  subject: {threadId: '', user: '', channel: 'C1'},
}
const near = (content: BudgetContent): BudgetContent => ({...content, why: 'near'})

describe('what is told of a budget', () => {
  test.each<[BudgetContent, string]>([
    [OF_WORK, 'Stopped: this work has used its $5.00. <@U1>'],
    [OF_PERSON, 'Stopped: <@U1> has used their $5.00 for November 25 (UTC) in this channel.'],
    [OF_CHANNEL, 'Stopped: this channel has used its $5.00 for November 2026 (UTC). <@U1>'],
    [
      {...OF_WORK, endedBy: 'U2', raisedMicros: 5_000_000},
      'Stopped: this work has used its $5.00. ✅ @name of U2 let it go on with $5 more.',
    ],
    [
      {...OF_WORK, endedBy: 'U2'},
      'Stopped: this work has used its $5.00. ✅ @name of U2 let it go on.',
    ],
    [
      near(OF_WORK),
      '⚠️ <@U1>, this work has used over 80 % of its $5.00. It is stopped when the rest is used up.',
    ],
    [
      near({...OF_CHANNEL, isLoud: false}),
      '⚠️ @name of U1, over 80 % of this channel’s $5.00 for November 2026 (UTC) is used. Work here is stopped when the rest is used up.',
    ],
    [{...OF_CHANNEL, person: 'nobody'}, 'for November 2026 (UTC).'],
    [near({...OF_WORK, person: 'nobody'}), '⚠️ Somebody, this work has used over 80 %'],
  ])('%#', (content, words) => {
    const {text, blocks} = draw(content, rules)
    expect(text).toContain(words)
    expect(() => acceptBlocks(blocks)).not.toThrow()
    expect(JSON.stringify(draw({...content, plain: true}, rules).blocks)).toBe('[]')
  })

  test('calls nobody where nobody asked for the work', () => {
    expect(draw({...OF_CHANNEL, person: 'nobody'}, rules).text).not.toContain('Somebody')
  })

  test('can be raised by the button of whoever may', () => {
    const drawn = (content: BudgetContent): string => JSON.stringify(draw(content, rules).blocks)
    expect(drawn(OF_WORK)).toContain(`"action_id":"${ACTIONS.goOn}"`)
    expect(drawn(OF_WORK)).toContain('Go on with $5 more')
    expect(drawn(OF_CHANNEL)).toContain(`"action_id":"${ACTIONS.raiseBudget}"`)
    expect(drawn(OF_CHANNEL)).toContain('Go on with $2.50 more')
    expect(drawn(OF_CHANNEL)).toMatch(/It renews <!date\^1796083200\^/)
    for (const over of [
      near(OF_WORK),
      {...OF_WORK, endedBy: 'U2'},
      {...OF_WORK, moreMicros: 0, limitMicros: 0},
    ]) {
      expect(drawn(over)).not.toContain('action_id')
    }
    expect(peopleIn({...OF_WORK, endedBy: 'U2'})).toEqual(['U1', 'U2'])
  })

  test('is told whoever writes on, with the same button', () => {
    const {text, blocks = []} = declinedMessage({
      ...{outcome: 'declined', why: 'spent'},
      note: {
        ...OF_PERSON,
        ...{id: 'n1', team: 'T1', linkId: 'l1', kind: 'refusal', state: 'told', round: 0, turn: 0},
        ...{madeAtMs: 1, changedAtMs: 1},
      },
    })
    expect(text).toContain('The agent did not get this: whoever started this has used their $5.00')
    expect(JSON.stringify(blocks)).toContain(ACTIONS.raiseBudget)
  })
})
