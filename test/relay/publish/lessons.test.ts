import {describe, expect, test} from 'vitest'
import type {WantedPost} from '../../../src/relay/post.ts'
import {
  type Lessons,
  NOTHING_LEARNT,
  learnLoss,
  learnRefusal,
  unlearn,
  unlearnPlain,
} from '../../../src/relay/publish/lessons.ts'

const say = (more: object = {}): WantedPost =>
  ({
    ...{key: 'say:a:0', delivery: 'a', content: {kind: 'say', markdown: 'x'}, draft: undefined},
    ...more,
  }) as unknown as WantedPost

/** What is tried, one refusal after the other. */
function tries(post: WantedPost, from: Lessons = NOTHING_LEARNT): string[] {
  const next = learnRefusal(from, post)
  if (next === undefined) return []
  const isPlain = next.plain.has(post.key) && !from.plain.has(post.key)
  const shape = next.shapes.get(post.delivery ?? '')
  const step = next.noFiles && !from.noFiles ? 'no files' : isPlain ? 'plain' : (shape ?? 'same')
  return [step, ...tries(post, next)]
}

describe('what Slack refuses', () => {
  test('is shown plainer, then its whole reply in smaller parts, then as a file', () => {
    expect(tries(say())).toEqual(['plain', 'small', 'file'])
  })

  test('is no file while it is written', () => {
    const draft = {state: 'live'}
    expect(tries(say({draft}))).toEqual(['plain', 'small'])
  })

  test('is no file where files are refused', () => {
    const learnt = learnRefusal(NOTHING_LEARNT, say({content: {kind: 'file'}}))
    expect(learnt?.noFiles).toBe(true)
    expect(tries(say(), learnt)).toEqual(['plain', 'small'])
  })

  test('and is no reply is shown plainer, and that is all', () => {
    expect(tries(say({key: 'card', delivery: undefined, content: {kind: 'card'}}))).toEqual([
      'plain',
    ])
    expect(tries(say({delivery: undefined}))).toEqual(['plain'])
  })
})

test('a reply that is confirmed takes what was learnt of it with it, and nothing else', () => {
  let lessons: Lessons = NOTHING_LEARNT
  for (const [key, delivery] of [
    ['say:a:0', 'a'],
    ['say:b:0', 'b'],
  ] as const) {
    for (let refusals = 0; refusals < 2; refusals += 1) {
      lessons = learnRefusal(lessons, say({key, delivery})) ?? lessons
    }
    lessons = learnLoss(lessons, key)
  }
  expect(unlearn(lessons, 'a', new Set(['say:a:0']))).toEqual({
    ...{plain: new Set(['say:b:0']), again: new Set(['say:b:0']), noFiles: false},
    shapes: new Map([['b', 'small']]),
  })
  expect(unlearn(NOTHING_LEARNT, 'a', new Set(['say:a:0']))).toBe(NOTHING_LEARNT)
})

test('what stands plain is tried again as it should look', () => {
  const plain = learnRefusal(NOTHING_LEARNT, say()) ?? NOTHING_LEARNT
  expect(unlearnPlain(plain, 'say:a:0').plain.size).toBe(0)
  expect(unlearnPlain(plain, 'another')).toBe(plain)
})
