import {describe, expect, test} from 'vitest'
import {acceptBlocks} from '../../../local/slack/blocks/blocks.ts'
import {Refusal} from '../../../local/slack/edge/refusal.ts'

const plain = (length: number) => ({type: 'plain_text', text: 'x'.repeat(length)})
const mrkdwn = (length: number) => ({type: 'mrkdwn', text: 'x'.repeat(length)})
const button = (fields: object) => ({type: 'button', text: plain(3), ...fields})
const actions = (...elements: object[]) => ({type: 'actions', elements})
const cells = (count: number) => Array.from({length: count}, () => ({type: 'raw_text', text: 'x'}))
const table = (rows: number, columns: number) => ({
  type: 'table',
  rows: Array.from({length: rows}, () => cells(columns)),
})
const options = (count: number) =>
  Array.from({length: count}, (_, index) => ({text: plain(3), value: String(index)}))

const cell = (length: number) => ({type: 'raw_text', text: 'x'.repeat(length)})
const numbers = {type: 'data_table', caption: 'Numbers'}
const card = {type: 'card', title: mrkdwn(3)}
const dividers = (count: number) => Array<object>(count).fill({type: 'divider'})
const container = (fields: object) => ({type: 'container', ...fields})
const video = {
  type: 'video',
  title: plain(3),
  alt_text: 'A video',
  video_url: 'https://bosun.test/v',
  thumbnail_url: 'https://bosun.test/t.png',
}
const task = {type: 'task_card', task_id: '1', title: 'Task', status: 'pending'}

describe('accepts', () => {
  test.each([
    ['a section at its limit', {type: 'section', text: mrkdwn(3_000)}],
    ['fields without a text', {type: 'section', fields: [mrkdwn(2_000)]}],
    ['a header at its limit', {type: 'header', text: plain(150)}],
    ['a divider', {type: 'divider'}],
    ['a markdown block at its limit', {type: 'markdown', text: 'x'.repeat(12_000)}],
    ['a button at its limits', actions(button({value: 'v'.repeat(2_000), style: 'danger'}))],
    ['a menu', actions({type: 'static_select', action_id: 'a', options: options(100)})],
    ['a context', {type: 'context', elements: [mrkdwn(10)]}],
    ['a table at its limits', table(100, 20)],
    ['rich text', {type: 'rich_text', elements: []}],
    ['a wide table', {...table(1, 1), column_settings: Array<object>(20).fill({})}],
    ['a data table at its limits', {...table(100, 20), ...numbers, page_size: 100}],
    ['a long data table', {...numbers, type: 'data_table', rows: [[cell(10_000)]]}],
    ['a card at its limits', {type: 'card', title: mrkdwn(150), body: mrkdwn(200)}],
    ['ten cards', {type: 'carousel', elements: Array<object>(10).fill(card)}],
    ['a container at its limits', container({title: plain(150), child_blocks: dividers(10)})],
    ['a video at its limits', {...video, title: plain(200), author_name: 'x'.repeat(50)}],
    ['a plan', {type: 'plan', title: 'Plan', tasks: [task]}],
    ['an alert', {type: 'alert', text: plain(10), level: 'success'}],
  ])('%s', (_name, block) => {
    const [accepted] = acceptBlocks([block])
    expect(accepted).toMatchObject(block)
    expect(accepted?.block_id).toHaveLength(5)
  })
})

describe('refuses', () => {
  test.each([
    ['an empty section', {type: 'section'}, '/blocks/0'],
    ['an empty text', {type: 'section', text: mrkdwn(0)}, '/blocks/0/text/text'],
    ['an unknown text type', {type: 'section', text: {type: 'html', text: 'x'}}, '/text/type'],
    ['mrkdwn in a header', {type: 'header', text: mrkdwn(3)}, '/blocks/0/text/type'],
    ['a long header', {type: 'header', text: plain(151)}, '/blocks/0/text/text'],
    ['long fields', {type: 'section', fields: [mrkdwn(2_001)]}, '/blocks/0/field/text'],
    ['no elements', actions(), '/blocks/0/elements'],
    ['26 elements', actions(...Array<object>(26).fill(button({}))), '/blocks/0/elements'],
    ['an unknown element', actions({type: 'lever'}), '/blocks/0/elements/0/type'],
    ['an unknown style', actions(button({style: 'loud'})), '/blocks/0/elements/0/style'],
    ['one action_id twice', actions(button({action_id: 'a'}), button({action_id: 'a'})), '/1/'],
    ['six ways out', actions({type: 'overflow', options: options(6)}), '/elements/0/options'],
    ['a long block_id', {type: 'divider', block_id: 'x'.repeat(256)}, '/blocks/0/block_id'],
    ['a table that is too wide', table(1, 21), '/blocks/0/rows/0'],
    ['an image without a description', {type: 'image', image_url: 'https://a.test'}, '/blocks/0'],
    ['a block that is none', 'divider', '/blocks/0'],
    ['rich text without parts', {type: 'rich_text'}, '/blocks/0'],
    ['an unknown part', {type: 'rich_text', elements: [{type: 'text'}]}, '/elements/0/type'],
    ['a cell that is none', {type: 'table', rows: [['x']]}, '/blocks/0/rows/0/0'],
    ['an unknown cell', {type: 'table', rows: [[{type: 'image'}]]}, '/rows/0/0/type'],
    [
      '21 columns described',
      {...table(1, 1), column_settings: Array<object>(21).fill({})},
      '/column_settings',
    ],
    ['a data table without a caption', {...table(1, 1), type: 'data_table'}, '/blocks/0'],
    ['a page of 101 rows', {...table(1, 1), ...numbers, page_size: 101}, '/page_size'],
    ['101 rows', {...table(101, 1), ...numbers}, '/blocks/0/rows'],
    ['too much data', {...numbers, type: 'data_table', rows: [[cell(10_001)]]}, '/rows'],
    ['a card with a subtitle alone', {type: 'card', subtitle: mrkdwn(3)}, '/blocks/0'],
    ['eleven cards', {type: 'carousel', elements: Array<object>(11).fill(card)}, '/elements'],
    ['no cards', {type: 'carousel', elements: []}, '/elements'],
    ['a carousel of dividers', {type: 'carousel', elements: dividers(1)}, '/elements/0/type'],
    ['a long frame', container({title: plain(151), child_blocks: []}), '/title/text'],
    ['eleven blocks in one', container({child_blocks: dividers(11)}), '/child_blocks'],
    [
      'a long section in a container',
      container({child_blocks: [{type: 'section', text: mrkdwn(3_001)}]}),
      '/child_blocks/0/text/text',
    ],
    ['an unknown width', container({child_blocks: [], width: 'huge'}), '/width'],
    ['a long author', {...video, author_name: 'x'.repeat(51)}, '/author_name'],
    ['a long video title', {...video, title: plain(201)}, '/title/text'],
    ['a cancelled task', {...task, status: 'cancelled'}, '/blocks/0/status'],
    ['a task without an id', {type: 'task_card', title: 'x', status: 'pending'}, '/blocks/0'],
    ['a plan without a title', {type: 'plan', tasks: [task]}, '/blocks/0'],
    ['a plan of dividers', {type: 'plan', title: 'x', tasks: dividers(1)}, '/tasks/0/type'],
    ['an unknown level', {type: 'alert', text: plain(3), level: 'loud'}, '/blocks/0/level'],
    ['an icon among actions', actions({type: 'icon_button', text: plain(3)}), '/0/type'],
    [
      'a button among feedback',
      {type: 'context_actions', elements: [button({})]},
      '/elements/0/type',
    ],
  ])('%s', (_name, block, pointer) => {
    const refusal = refusalOf([block])
    expect(refusal.code).toBe('invalid_blocks')
    expect(JSON.stringify(refusal.details)).toContain(pointer)
  })

  test('51 blocks, two tables and one block_id twice', () => {
    const dividers = Array.from({length: 51}, () => ({type: 'divider'}))
    const twins = [
      {type: 'divider', block_id: 'a'},
      {type: 'divider', block_id: 'a'},
    ]
    expect(refusalOf(dividers).code).toBe('invalid_blocks')
    expect(refusalOf([table(1, 1), table(1, 1)]).code).toBe('invalid_blocks')
    expect(refusalOf(twins).code).toBe('invalid_blocks')
  })

  test('more text than a message holds', () => {
    const sections = Array.from({length: 5}, () => ({type: 'section', text: mrkdwn(2_700)}))
    expect(refusalOf(sections).code).toBe('msg_blocks_too_long')
  })
})

function refusalOf(blocks: unknown[]): Refusal {
  try {
    acceptBlocks(blocks)
  } catch (error) {
    if (error instanceof Refusal) return error
  }
  throw new Error('The blocks were accepted.')
}
