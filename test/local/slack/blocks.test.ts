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
