import {expect, test} from 'vitest'
import {planPosts} from '../../../src/relay/posts/task-plan.ts'
import type {PlanContent} from '../../../src/relay/post.ts'
import type {Link, TaskState} from '../../../src/store/tables/work/link.ts'
import {FRESH_LINK} from '../../support/fresh-link.ts'

const task = (path: string, status = 'working'): TaskState => ({
  ...{id: `t${path}`, path, title: `Task ${path}`, status},
})

const planOf = (tasks: readonly TaskState[], of: Partial<Link> = {}): PlanContent | undefined => {
  const [post, ...more] = planPosts({...FRESH_LINK, tasks, ...of})
  expect(more).toEqual([])
  return post?.content.kind === 'plan' ? post.content : undefined
}

test('a few tasks are shown on all levels, with what is done of all', () => {
  const plan = planOf([task('1', 'done'), task('2'), task('2.1', 'done'), task('2.2')])
  expect(plan?.tasks.map(({path, below}) => [path, below])).toEqual([
    ...['1', '2', '2.1', '2.2'].map((path) => [path, undefined]),
  ])
  expect(plan).toMatchObject({done: 2, total: 4, hidden: 0})
})

test('of more than twenty the first level is shown, and how much below it is done', () => {
  const below = Array.from({length: 19}, (_, at) => task(`2.${at}`, at < 7 ? 'done' : 'working'))
  const plan = planOf([task('1', 'done'), task('2'), ...below])
  expect(plan?.tasks.map((it) => [it.path, it.below])).toEqual([
    ['1', undefined],
    ['2', {done: 7, total: 19}],
  ])
  expect(plan).toMatchObject({done: 8, total: 21, hidden: 0})
})

test('of more than Slack shows in one plan the last ones are shown, and how many are not', () => {
  const plan = planOf(Array.from({length: 70}, (_, at) => task(`${at}`)))
  expect([plan?.tasks.length, plan?.tasks[0]?.path, plan?.hidden]).toEqual([50, '20', 20])
})

test('there is none without tasks, nor of a task, and it is final with the work', () => {
  expect(planPosts(FRESH_LINK)).toEqual([])
  expect(planOf([])).toBeUndefined()
  expect(planOf([task('1')], {taskId: 't'})).toBeUndefined()
  const isFinal = (state: Link['state']) => planPosts({...FRESH_LINK, tasks: [task('1')], state})
  expect(isFinal('open')).toMatchObject([{isFinal: false}])
  for (const state of ['archived', 'ended'] as const) {
    expect(isFinal(state)).toMatchObject([{isFinal: true}])
  }
})
