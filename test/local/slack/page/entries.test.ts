import {expect, test} from 'vitest'
import {
  entered,
  onlyShown,
  startEntry,
  startOptions,
  toValues,
  withEntry,
} from '../../../../local/slack/page/forms/entries.ts'

const text = {type: 'plain_text_input', action_id: 'a'}
const place = {blockId: 'b', actionId: 'a'}
const option = (value: string) => ({text: {type: 'plain_text', text: value}, value})

test('an entry stays while its block, action and kind of element do', () => {
  const all = withEntry(new Map(), place, {element: text, entry: 'Hi'})
  const same = [{type: 'input', block_id: 'b', label: {}, element: {...text, multiline: true}}]
  expect(onlyShown(all, same)).toBe(all)
  expect(entered(all, place, text)).toBe('Hi')
  expect(entered(all, place, {type: 'users_select', action_id: 'a'})).toBeUndefined()
  expect(onlyShown(all, [{type: 'input', block_id: 'c', element: text}]).size).toBe(0)
  expect(
    toValues(withEntry(all, {blockId: 'b', actionId: 'x'}, {element: text, entry: ['1']})),
  ).toEqual({b: {a: 'Hi', x: ['1']}})
})

const starts: [string, object, object | undefined, string | string[]][] = [
  ['nothing', {type: 'plain_text_input'}, undefined, ''],
  ['a text', {type: 'plain_text_input', initial_value: 'Hi'}, undefined, 'Hi'],
  ['a moment', {type: 'datetimepicker', initial_date_time: 1_800_000_000}, undefined, '1800000000'],
  ['an option', {type: 'static_select', initial_option: option('x')}, undefined, 'x'],
  [
    'options',
    {type: 'checkboxes', initial_options: [option('x'), option('y')]},
    undefined,
    ['x', 'y'],
  ],
  ['people', {type: 'multi_users_select', initial_users: ['U1']}, undefined, ['U1']],
  [
    'what Slack kept',
    {type: 'users_select', initial_user: 'U1'},
    {type: 'users_select', selected_user: 'U2'},
    'U2',
  ],
  [
    'what was emptied',
    {type: 'users_select', initial_user: 'U1'},
    {type: 'users_select', selected_user: null},
    '',
  ],
  [
    'a file',
    {type: 'file_input'},
    {type: 'file_input', files: [{id: 'F1', name: 'log.txt'}]},
    ['F1'],
  ],
]

test.for(starts)('an element may start with %s', ([, element, state, expected]) => {
  expect(startEntry({...element}, state && {...state})).toEqual(expected)
})

test('rich text starts as its letters, line by line', () => {
  const section = (...words: string[]) => ({
    type: 'rich_text_section',
    elements: words.map((word) => ({type: 'text', text: word})),
  })
  const list = {type: 'rich_text_list', elements: [section('one'), section('two')]}
  const initial = {type: 'rich_text', elements: [section('A ', 'list:'), list]}
  expect(startEntry({type: 'rich_text_input', initial_value: initial}, undefined)).toBe(
    'A list:\none\ntwo',
  )
})

test('the chosen options bring their labels along', () => {
  expect(startOptions({type: 'external_select', initial_option: option('x')}, undefined)).toEqual([
    option('x'),
  ])
  expect(startOptions({type: 'users_select', initial_user: 'U1'}, undefined)).toEqual([])
})
