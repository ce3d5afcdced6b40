import {describe, expect, test} from 'vitest'
import type {NotificationContent} from '../../../src/relay/post.ts'
import type {PullRequestState} from '../../../src/relay/pull-requests.ts'
import type {DrawnMessage} from '../../../src/slack/draw/blocks.ts'
import {draw} from '../../../src/slack/draw/draw.ts'

const rules = {nameOf: (id: string) => `@${id}`, webUrl: 'https://app.example.com/t/{threadId}'}
const asked: NotificationContent = {
  kind: 'ping',
  ...{pingId: 'p1', linkId: 'l1', why: 'needs-you', person: 'U0JANE', state: 'open'},
  ...{words: {question: 'A or **B**?'}, endedBy: undefined, threadId: 't1', reminder: 0},
}
const quoted: NotificationContent = {...asked, words: {question: 'A or **B**?', isQuoted: true}}
const wordsOf = (content: NotificationContent): string => JSON.stringify(draw(content, rules))

describe('a call', () => {
  test('mentions whom it calls in one short line, and quotes only what does not stand above', () => {
    const {text, blocks} = draw(asked, rules)
    expect(text).toBe('🟠 <@U0JANE>, the agent asks: A or B?')
    expect(blocks[0]).toMatchObject({text: {text: '🟠 <@U0JANE>, *the agent asks you*'}})
    expect(JSON.stringify(blocks)).not.toContain('A or B?')
    expect(JSON.stringify(blocks[1])).toMatch(/"Answer".*"Open".*"Snooze"/)
    expect(draw(quoted, rules).text).toBe('🟠 <@U0JANE>, the agent asks: A or B?')
    expect(draw(quoted, rules).blocks[0]).toMatchObject({
      text: {text: '🟠 <@U0JANE>, *the agent asks:*\n> A or B?'},
    })
  })

  test('quotes the question in a reminder, which stands below the call', () => {
    const reminder = draw({...asked, reminder: 1}, rules)
    expect(reminder.text).toBe('⏰ <@U0JANE>, the agent still asks: A or B?')
  })

  test('lets no word of the agent ping or point elsewhere', () => {
    const words = '<!channel> <@U0KIM> <https://evil.example|bank.example>\n> <!here>'
    const all = [
      wordsOf({...quoted, words: {question: words, isQuoted: true}}),
      wordsOf({...asked, why: 'failed', words: {reason: {said: words}}}),
      wordsOf({...asked, why: 'failed', words: {reason: {step: words}}}),
    ]
    for (const drawn of all) {
      expect(drawn.match(/<[@!#][^>]*>/g)).toEqual(['<@U0JANE>', '<@U0JANE>'])
      expect(drawn).not.toContain('<https://evil')
    }
  })

  test('shows the end of a long question, cut between characters', () => {
    const question = `${'👩‍👩‍👧'.repeat(200)} which one?`
    const {text} = draw({...quoted, words: {question, isQuoted: true}}, rules)
    expect(text).toMatch(/^🟠 <@U0JANE>, the agent asks: …(?:👩‍👩‍👧)+ which one\?$/u)
    expect(text.length).toBeLessThan(350)
  })

  test('tells how long a run took', () => {
    const at = (ranMs: number): string => draw({...asked, why: 'done', words: {ranMs}}, rules).text
    expect(at(720_000)).toBe('<@U0JANE> done in 12 m')
    expect(at(42_000)).toBe('<@U0JANE> done in 42 s')
    expect(at(3_900_000)).toBe('<@U0JANE> done in 1 h 5 m')
  })

  test('carries the card of a pull request in its line, and those of several below it', () => {
    const at = (...cards: string[]) =>
      draw({...asked, why: 'done', words: {ranMs: 720_000, cards}}, rules)
    const url = 'https://github.com/acme/web/pull/12'
    expect(at(url).text).toBe(`<@U0JANE> done in 12 m · <${url}|PR #12>`)
    expect(labelsOf(at(url))).toEqual([['Review', 'Ask for changes']])
    const elsewhere = 'https://git.example/acme/web/-/merge_requests/12'
    expect(at(elsewhere).text).toBe(`<@U0JANE> done in 12 m · <${elsewhere}|PR #12 on git.example>`)
    expect(at('javascript:alert(1)/pull/12').text).toBe('<@U0JANE> done in 12 m · PR #12')
    const several = at(url, elsewhere)
    expect(several.text.split('\n')).toEqual([
      '<@U0JANE> done in 12 m',
      `🔀 Pull request <${url}|acme/web#12>`,
      `🔀 Pull request <${elsewhere}|acme/web#12> on git.example`,
    ])
    expect(labelsOf(several)).toEqual([
      ['Review', 'Ask for changes'],
      ['Review', 'Ask for changes'],
    ])
    const review = {...asked, why: 'review', words: {cards: [url]}} as const
    expect(labelsOf(draw(review, rules))).toEqual([['Review', 'Ask for changes', 'Open']])
    const failed = {...asked, why: 'failed', words: {cards: [url]}} as const
    expect(labelsOf(draw(failed, rules))[0]?.[0]).toBe('Try again')
  })

  test('of many pull requests can be edited', () => {
    const name = `acme/${'w'.repeat(100)}`
    const cards = Array.from(
      {length: 5},
      (_, index) =>
        `https://git.example.com/${name}-${index}/pull/${'1'.repeat(9)}?${'&'.repeat(60)}`,
    )
    const named = {names: ['a', 'b', 'c'].map((one) => `${one}${'&'.repeat(30)}`), more: 9}
    const state: PullRequestState = {
      ...{stage: 'open', title: '&'.repeat(80), approvedBy: named, wantChanges: named},
      checks: {passed: 1, running: 1, failed: named},
    }
    const pullRequestStates = cards.map(() => state)
    const words = {ranMs: 720_000, cards}
    const {text} = draw({...asked, why: 'done', words, pullRequestStates}, rules)
    expect(text.length).toBeGreaterThan(3000)
    expect(text.length).toBeLessThanOrEqual(4000)
  })

  test('of a failure says why: in the platform’s words, else by its last step', () => {
    const at = (words: NotificationContent['words']): string =>
      draw({...asked, why: 'failed', words}, rules).text
    expect(at({reason: {said: 'The machine ran\nout of memory.'}})).toBe(
      '🔴 <@U0JANE>, this failed: The machine ran out of memory.',
    )
    expect(at({reason: {step: 'npm test'}})).toBe(
      '🔴 <@U0JANE>, this failed. Its last step: npm test',
    )
    expect(at({})).toBe('🔴 <@U0JANE>, this failed. The agent platform doesn’t say why.')
    expect(at({reason: {said: ' '}})).toBe(at({}))
    expect(at({reason: {said: 'x'.repeat(900)}}).length).toBeLessThan(240)
  })

  test('that is over has no buttons, and calls nobody by name', () => {
    const answered = draw({...asked, state: 'answered', endedBy: 'U0KIM'}, rules)
    expect(answered.text).toBe('✅ Answered by @U0KIM')
    expect(wordsOf({...asked, state: 'answered', endedBy: 'U0KIM'})).not.toContain('<@')
    expect(draw({...asked, state: 'answered'}, rules).text).toBe('✅ Answered')
    expect(draw({...asked, state: 'over'}, rules).blocks).toHaveLength(1)
    expect(wordsOf({...quoted, state: 'answered', endedBy: 'U0KIM'})).not.toContain('A or B')
  })

  test('for a review that is over keeps the card, whose buttons stand nowhere else', () => {
    const cards = ['https://github.com/acme/web/pull/12']
    const review = {...asked, why: 'review', words: {cards}} as const
    const answered = draw({...review, state: 'answered', endedBy: 'U0KIM'}, rules)
    expect(answered.text).toMatch(/^✅ Answered by @U0KIM · <.*\|PR #12>$/)
    expect(labelsOf(answered)).toEqual([['Review', 'Ask for changes']])
    expect(draw({...review, state: 'over'}, rules).text).toMatch(
      /^This no longer waits for a review/,
    )
  })

  test('for a failure that is over says nothing that may not stay so', () => {
    const failed = {...asked, why: 'failed', words: {}} as const
    expect(draw({...failed, state: 'over'}, rules).text).toBe('It failed.')
    const answered = {...failed, state: 'answered'} as const
    expect(draw(answered, rules).text).toBe('It failed, and went on after that.')
    expect(draw({...answered, endedBy: 'U0KIM'}, rules).text).toBe(
      'It failed, and @U0KIM got it going again.',
    )
  })
})

/** What its buttons and menus are called, a list for each row. */
function labelsOf({blocks}: Pick<DrawnMessage, 'blocks'>): string[][] {
  const rows = blocks.filter((block) => block.type === 'actions')
  return rows.map(({elements}) =>
    elements.flatMap((element) => ('text' in element ? [element.text.text] : [])),
  )
}
