import {expect, test} from 'vitest'
import {acceptView} from '../../../../local/slack/views/definition.ts'
import {entrySchema, taskSchema} from '../../../../src/platform/model.ts'
import {taskListView, taskMessagesView} from '../../../../src/features/watch/views/tasks.ts'
import type {Link} from '../../../../src/store/tables/work/link.ts'
import {FRESH_LINK} from '../../../support/fresh-link.ts'

const link: Link = {...FRESH_LINK, title: 'Tasks'}

test('what was said in a task fits into a modal, whatever it costs to escape', () => {
  const task = taskSchema.parse({id: 't', taskPath: '1', status: 'idle', title: '<&>'.repeat(200)})
  const entries = ['&', '<', 'x < y && ', 'ä'].map((text, id) =>
    entrySchema.parse({id: String(id), source: 'assistant', text: text.repeat(2000)}),
  )
  const view = taskMessagesView(link, {task, entries}, undefined)
  acceptView(view, 'modal')
  expect(JSON.stringify(view)).toContain('ä'.repeat(600))
})

test('a task whose id no button can bear is shown without one', () => {
  const [long, short] = ['t'.repeat(2000), 't1'].map((id) =>
    taskSchema.parse({id, taskPath: '1', status: 'idle', title: id.slice(0, 2)}),
  )
  if (long === undefined || short === undefined) return
  const entries = Array.from({length: 30}, (_, id) =>
    entrySchema.parse({id: String(id), source: 'assistant', text: 'x'}),
  )
  const list = taskListView(link, [long, short], 0)
  acceptView(list, 'modal')
  expect(JSON.stringify(list).match(/"Messages"/g)).toHaveLength(1)
  const view = taskMessagesView(link, {task: long, entries}, 1)
  acceptView(view, 'modal')
  expect(JSON.stringify(view)).not.toContain('"button"')
  expect(
    JSON.stringify(taskMessagesView(link, {task: short, entries}, 1)).match(/"button"/g),
  ).toHaveLength(3)
})

test('a task says that it is archived, and each answer which model gave it', () => {
  const task = taskSchema.parse({
    id: 't',
    taskPath: '1',
    status: 'done',
    archived: true,
    title: 'A',
  })
  const entries = [
    entrySchema.parse({id: 'a', source: 'assistant', text: 'Yes.', model: '<m1>'}),
    entrySchema.parse({id: 'b', source: 'user', text: 'Why?', authorName: 'Jane'}),
  ]
  const words = JSON.stringify(taskMessagesView(link, {task, entries}, undefined).blocks)
  expect(words).toContain('*1 A* · done · archived')
  expect(words).toContain(String.raw`*It said* · &lt;m1&gt;\nYes.`)
  expect(words).toContain(String.raw`*Jane told it*\nWhy?`)
})
