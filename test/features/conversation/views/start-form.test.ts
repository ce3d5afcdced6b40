import type {ModalView} from '@slack/types'
import {describe, expect, test} from 'vitest'
import {acceptBlocks} from '../../../../local/slack/blocks/blocks.ts'
import {
  drawStartForm,
  drawStartNote,
} from '../../../../src/features/conversation/views/start-form.ts'
import {startTexts} from '../../../../src/features/conversation/start-texts.ts'
import {projectSchema} from '../../../../src/platform/model.ts'
import {START_FORMS} from '../../../../src/slack/ids.ts'

const words = startTexts.form
const projects = [projectSchema.parse({id: 'p1', name: 'web'})]
const form: Parameters<typeof drawStartForm>[0] = {
  ...{metadata: {start: 's'}, kind: 'start', picked: undefined, hasThread: 'no', task: 'mend it'},
  ...{title: undefined, isAtHome: false, planFirst: false, projects},
}
const picked = {author: 'K*m', text: 'It is <broken>\nhere', files: ['a.txt'], forwarded: []}

const blockIds = ({blocks}: ModalView): string[] =>
  blocks.flatMap((block) => ('block_id' in block && block.block_id ? [block.block_id] : []))
const wordsOf = (view: ModalView): string => JSON.stringify(view)

describe('the form that starts work', () => {
  test('asks for the task, and how it is to be done', () => {
    const view = drawStartForm(form)
    expect(() => acceptBlocks(view.blocks)).not.toThrow()
    expect(view).toMatchObject({
      ...{callback_id: START_FORMS.start, private_metadata: '{"start":"s"}'},
      ...{title: {text: words.title}, submit: {text: words.start}, close: {text: words.cancel}},
    })
    expect(blockIds(view)).toEqual(['task', 'project', 'model', 'effort', 'modes', 'size', 'plan'])
    expect(wordsOf(view)).toContain('"initial_value":"mend it"')
    expect(wordsOf(view)).toContain('"value":"p1"')
    expect(wordsOf(view)).toContain(words.task)
    expect(wordsOf(view)).not.toContain(words.inDirect)
    expect(wordsOf(view)).not.toContain(words.tell)
    expect(wordsOf(view)).not.toContain('initial_options')
  })

  test('says where it begins from App Home, and that a plan comes first', () => {
    const view = wordsOf(drawStartForm({...form, isAtHome: true, planFirst: true}))
    expect(view).toContain(words.inDirect)
    expect(view).toContain('"initial_options":[{')
  })

  test('has a field for a project where they are not known', () => {
    for (const none of [undefined, []]) {
      const view = drawStartForm({...form, projects: none})
      expect(() => acceptBlocks(view.blocks)).not.toThrow()
      expect(blockIds(view)).toContain('project')
      expect(wordsOf(view)).not.toContain('"value":"p1"')
    }
  })

  test.each([
    ['no', 1],
    ['yes', 2],
  ] as const)(
    'shows the message that it is about; with its Slack thread: %s',
    (hasThread, count) => {
      const view = drawStartForm({...form, picked, hasThread})
      expect(() => acceptBlocks(view.blocks)).not.toThrow()
      expect(view).toMatchObject({title: {text: words.titleSend}, submit: {text: words.start}})
      expect(wordsOf(view)).toContain(String.raw`> It is &lt;broken&gt;\n> here`)
      expect(blockIds(view).at(-1)).toBe('include')
      const along = view.blocks.at(-1)
      expect(along).toMatchObject({
        element: {options: {length: count}, initial_options: [{value: 'message'}]},
      })
    },
  )

  test('of a message without words says what it carries', () => {
    expect(wordsOf(drawStartForm({...form, picked: {...picked, text: ''}}))).toContain('> a.txt')
  })
})

test('the form that tells an agent asks for that alone, and says which one', () => {
  const view = drawStartForm({...form, kind: 'send', picked, title: 'Prices'})
  expect(view).toMatchObject({callback_id: START_FORMS.send, submit: {text: words.send}})
  expect(blockIds(view)).toEqual(['task', 'include'])
  expect(wordsOf(view)).toContain(words.to('Prices'))
  expect(wordsOf(view)).toContain(words.tell)
})

test('a form that says one thing can only be closed', () => {
  const view = drawStartNote({metadata: {}, isSend: true}, words.gone)
  expect(view).toMatchObject({title: {text: words.titleSend}, close: {text: words.cancel}})
  expect(view).not.toHaveProperty('submit')
  expect(wordsOf(view)).toContain(words.gone)
  expect(drawStartNote({metadata: {}, isSend: false}, 'x').title.text).toBe(words.title)
})
