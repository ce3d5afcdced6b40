import {describe, expect, test} from 'vitest'
import type {NotificationContent, QuestionContent} from '../../../src/relay/post.ts'
import {choiceOf} from '../../../src/slack/draw/choices.ts'
import {draw} from '../../../src/slack/draw/draw.ts'
import {NOBODY} from '../../../src/store/forget/blanking.ts'

const rules = {nameOf: (id: string) => `@${id}`, webUrl: undefined}
const question: QuestionContent = {
  ...{kind: 'question', questionId: 'q1', markdown: '**Which?**', options: ['This', 'That']},
}
const drawnOf = (content: QuestionContent | NotificationContent): string =>
  JSON.stringify(draw(content, rules).blocks)
/** Of its buttons, entries or boxes that stand for answers. */
const labelsOf = (content: QuestionContent): string[] =>
  [
    ...drawnOf(content).matchAll(
      /"plain_text","text":"([^"]*)"[^{}]*\},(?:"action_id":"[^"]*",)?"value":"q1\.\d/g,
    ),
  ].map(([, label = '']) => label)

describe('a question with buttons', () => {
  test('has a button for each of a few short answers, and bears no more than its id and a number', () => {
    const [, row] = draw(question, rules).blocks
    expect(row).toMatchObject({
      type: 'actions',
      elements: [
        {action_id: 'bosun:choose:0', text: {text: 'This'}, value: 'q1.0'},
        {action_id: 'bosun:choose:1', text: {text: 'That'}, value: 'q1.1'},
      ],
    })
    expect(drawnOf({...question, free: true})).toContain('"Other …"')
  })

  test('has a menu for more, or for longer ones, and shows those whole that it cuts short', () => {
    const many = {...question, options: ['a', 'b', 'c', 'd', 'e', 'f']}
    expect(drawnOf(many)).toContain('"static_select"')
    expect(drawnOf(many)).not.toContain('1. a')
    const long = 'so '.repeat(50).trim()
    const drawn = drawnOf({...question, options: [long, 'That']})
    expect(drawn).toContain('"static_select"')
    expect(drawn).toContain(`1. ${long}`)
    for (const [, label = ''] of drawn.matchAll(/"plain_text","text":"([^"]*)"/g)) {
      expect(label.length).toBeLessThanOrEqual(75)
    }
  })

  test('has boxes where several may be chosen', () => {
    const several = drawnOf({...question, several: true, free: true})
    expect(several).toMatch(/"checkboxes".*"Send".*"Other …"/)
  })

  test('has a label for an answer of which nothing can be seen', () => {
    for (const several of [{}, {several: true}] as const) {
      expect(labelsOf({...question, ...several, options: ['\u202e', 'b']})).toEqual(['–', 'b'])
    }
  })

  test('tells answers that begin alike apart by the numbers under which they stand whole', () => {
    const options = ['a', 'b'].map((end) => `${'so '.repeat(30)}${end}`)
    for (const several of [{}, {several: true}] as const) {
      const labels = labelsOf({...question, ...several, options})
      expect(labels.map((label) => label.slice(0, 6))).toEqual(['1. so ', '2. so '])
    }
  })

  test('fits once it is answered, below as long a text as there is, in however many lines', () => {
    const markdown = 'x'.repeat(3600)
    for (const text of [`a${'\n'.repeat(198)}b`, 'a\n'.repeat(99), '&'.repeat(3000)]) {
      const drawn = draw({...question, markdown, answer: {by: 'U0KIM', text}}, rules)
      expect(drawn.text.length).toBeLessThanOrEqual(4000)
    }
  })

  test('fits while an answer has not got through, and says so below as many and as long ones as there may be', () => {
    const options = Array.from({length: 10}, (_, at) => `${at} ${'&'.repeat(298)}`)
    const answer = {by: 'U0KIM', text: 'That', isUnsent: true} as const
    const {text} = draw({...question, markdown: 'x'.repeat(3600), options, answer}, rules)
    expect(text.length).toBeLessThanOrEqual(4000)
    expect(text).toMatch(/^x{3600}\n1\. 0 (&amp;)+…\n⚠️ The agent has not got @U0KIM’s answer/)
  })

  test('says who chose or wrote what once it is answered, and lets nothing of it call or lead anybody', () => {
    const words = '<!channel> *x* <https://evil.example|bank>'
    const answered = (text: string | undefined, by = 'U0KIM'): string =>
      drawnOf({...question, options: ['This', 'That', words], answer: {by, text}})
    expect(answered('That')).toContain('✅ @U0KIM chose *That*')
    expect(answered('This\nThat')).toContain('✅ @U0KIM chose *This*, *That*')
    expect(answered('Something\nelse')).toContain('✅ @U0KIM answered:\\n> Something\\n> else')
    expect(answered(undefined)).toContain('✅ Answered')
    for (const drawn of [
      answered(words),
      answered(`${words}!`),
      drawnOf({...question, options: [words, 'b']}),
    ]) {
      expect(drawn).not.toMatch(/"type":"mrkdwn","text":"[^"]*<[!h]/)
    }
    expect(answered('That')).not.toContain('action_id')
  })

  test('keeps its buttons while the agent has not got an answer, and says whose that is', () => {
    const unsent = (by: string): QuestionContent => ({
      ...question,
      answer: {by, text: 'That', isUnsent: true},
    })
    const {text, blocks} = draw(unsent('<U0KIM>'), rules)
    expect(blocks).toHaveLength(3)
    expect(blocks[1]).toEqual(draw(question, rules).blocks[1])
    expect(blocks[2]).toMatchObject({
      text: {
        text: expect.stringMatching(/^⚠️ The agent has not got @&lt;U0KIM&gt;’s answer/) as unknown,
      },
    })
    expect(text).toContain('2. That\n⚠️ The agent has not got')
    expect(drawnOf(unsent(NOBODY))).toContain('⚠️ The agent has not got an answer yet')
  })

  test('without blocks lists its answers', () => {
    expect(draw({...question, plain: true}, rules)).toEqual({
      ...{text: 'Which?\n1. This\n2. That', blocks: []},
    })
  })

  test('takes a number for its answer, and nothing else', () => {
    expect(choiceOf('q1.1', ['a', 'b'])).toBe('b')
    for (const value of ['q1.2', 'q1', 'q1.-1', 'q1.1x', '']) {
      expect(choiceOf(value, ['a', 'b'])).toBeUndefined()
    }
  })
})

describe('a call for an answer that the agent’s words offer', () => {
  const call: NotificationContent = {
    kind: 'ping',
    ...{pingId: 'p1', linkId: 'l1', why: 'needs-you', person: 'U0JANE', state: 'open'},
    ...{endedBy: undefined, threadId: 't1', reminder: 0},
    words: {question: 'Which?', offers: ['1. **Postgres**', '2. MySQL']},
  }

  test('has them as buttons in front of its own', () => {
    expect(drawnOf(call)).toMatch(
      /"1\. Postgres".*"value":"p1\.0".*"2\. MySQL".*"value":"p1\.1".*"Answer".*"Snooze"/,
    )
    const offers = Array.from({length: 10}, (_, at) => `${at + 1}. ${'so '.repeat(40)}`)
    expect(drawnOf({...call, words: {offers}})).toMatch(/"static_select".*"Answer"/)
    expect(drawnOf({...call, reminder: 1})).toContain('"2. MySQL"')
  })

  test('has none of them once it is answered', () => {
    expect(drawnOf({...call, state: 'answered'})).not.toContain('action_id')
  })
})
