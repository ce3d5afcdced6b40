import {describe, expect, test} from 'vitest'
import type {NotificationContent} from '../../../src/relay/post.ts'
import {draw} from '../../../src/slack/draw/draw.ts'

const rules = {nameOf: (id: string) => `@${id}`, webUrl: 'https://app.example.com/t/{threadId}'}
const asked: NotificationContent = {
  kind: 'ping',
  ...{pingId: 'p1', linkId: 'l1', why: 'needs-you', person: 'U0JANE', state: 'open'},
  ...{words: {question: 'A or **B**?'}, endedBy: undefined, threadId: 't1', reminder: 0},
}
const wordsOf = (content: NotificationContent): string => JSON.stringify(draw(content, rules))

describe('a call', () => {
  test('mentions whom it calls, and quotes the question without its marks', () => {
    const {text, blocks} = draw(asked, rules)
    expect(text).toBe('<@U0JANE> needs your answer: A or B?')
    expect(blocks[0]).toMatchObject({text: {text: '<@U0JANE> *needs your answer:*\n> A or B?'}})
    expect(JSON.stringify(blocks[1])).toMatch(/"Answer".*"Open".*"Snooze"/)
  })

  test('lets no word of the agent ping or point elsewhere', () => {
    const question = '<!channel> <@U0KIM> <https://evil.example|bank.example>\n> <!here>'
    const words = wordsOf({...asked, words: {question}})
    expect(words.match(/<[@!#][^>]*>/g)).toEqual(['<@U0JANE>', '<@U0JANE>'])
    expect(words).not.toContain('<https://evil')
  })

  test('shows the end of a long question, cut between characters', () => {
    const {text} = draw({...asked, words: {question: `${'👩‍👩‍👧'.repeat(200)} which one?`}}, rules)
    expect(text).toMatch(/^<@U0JANE> needs your answer: …(?:👩‍👩‍👧)+ which one\?$/u)
    expect(text.length).toBeLessThan(340)
  })

  test('tells how long a run took, and its pull request if that is one', () => {
    const at = (ranMs: number, pullRequest?: string): string => {
      const words = {ranMs, ...(pullRequest !== undefined && {pullRequest})}
      return draw({...asked, why: 'done', words}, rules).text
    }
    expect(at(720_000)).toBe('<@U0JANE> done in 12 m')
    expect(at(42_000)).toBe('<@U0JANE> done in 42 s')
    expect(at(3_900_000)).toBe('<@U0JANE> done in 1 h 5 m')
    const url = 'https://github.com/acme/web/pull/12'
    expect(at(720_000, url)).toBe(`<@U0JANE> done in 12 m · <${url}|PR #12>`)
    const elsewhere = 'https://git.example/acme/web/-/merge_requests/12'
    expect(at(720_000, elsewhere)).toBe(
      `<@U0JANE> done in 12 m · <${elsewhere}|PR #12 on git.example>`,
    )
    expect(at(720_000, 'javascript:alert(1)/pull/12')).toBe('<@U0JANE> done in 12 m · PR #12')
    expect(at(720_000, 'https://evil.example/<!here>')).toBe('<@U0JANE> done in 12 m')
  })

  test('that is over has no buttons, and calls nobody by name', () => {
    const answered = draw({...asked, state: 'answered', endedBy: 'U0KIM'}, rules)
    expect(answered.text).toBe('✅ Answered by @U0KIM')
    expect(wordsOf({...asked, state: 'answered', endedBy: 'U0KIM'})).not.toContain('<@')
    expect(draw({...asked, state: 'answered'}, rules).text).toBe('✅ Answered')
    expect(draw({...asked, state: 'over'}, rules).blocks).toHaveLength(1)
  })

  test('for a failure says that it works again only where it does', () => {
    const failed = {...asked, why: 'failed', words: {}} as const
    expect(draw({...failed, state: 'over'}, rules).text).toBe('It failed.')
    expect(draw({...failed, state: 'answered'}, rules).text).toBe(
      'It failed, and is working again.',
    )
  })
})
