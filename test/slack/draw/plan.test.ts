import {expect, test} from 'vitest'
import type {PlanContent} from '../../../src/relay/post.ts'
import {draw} from '../../../src/slack/draw/draw.ts'

const rules = {nameOf: (id: string) => id, webUrl: undefined}

const planOf = (title: string, count: number): PlanContent => ({
  kind: 'plan',
  linkId: 'l1',
  done: 0,
  total: count,
  tasks: Array.from({length: count}, (_, index) => ({
    path: String(index + 1),
    title,
    status: ['working', 'waiting', 'idle', 'done', 'failed', 'of_tomorrow'][index % 6] ?? '',
    below: undefined,
  })),
  hidden: 0,
})

test('a plan says how each task is in Slack’s words, and in ours beside it', () => {
  const {text, blocks} = draw(planOf('Read', 6), rules)
  const [plan] = blocks
  const statuses = [...JSON.stringify(plan).matchAll(/"status":"(\w+)"/g)].map(([, word]) => word)
  expect(statuses).toEqual([
    ...['in_progress', 'in_progress', 'pending'],
    ...['complete', 'error', 'pending'],
  ])
  expect(text.split('\n')).toHaveLength(7)
})

test('a plan counts what it leaves out', () => {
  const last = (hidden: number) =>
    draw({...planOf('Read', 2), hidden}, rules)
      .text.split('\n')
      .at(-1)
  expect(last(1)).toBe('and 1 earlier one')
  expect(last(2)).toBe('and 2 earlier ones')
})

test('a plan that Slack refuses is a list without blocks', () => {
  expect(draw({...planOf('Read', 2), plain: true}, rules)).toMatchObject({
    text: '*Tasks · 0 of 2 done*\n🔵 1 Read\n🟡 2 Read',
    blocks: [],
  })
})

test('titles mean nothing to Slack, and fit however long they are', () => {
  const {text, blocks} = draw(planOf(`<!channel> ${'&<>'.repeat(100)}\n`, 50), rules)
  expect(text.length).toBeLessThan(4000)
  expect(JSON.stringify([text, blocks])).not.toContain('<!channel>')
})
