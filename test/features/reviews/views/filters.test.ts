import {expect, test} from 'vitest'
import {acceptBlocks} from '../../../../local/slack/blocks/blocks.ts'
import type {FilterRule} from '../../../../src/platform/model.ts'
import {drawFilters} from '../../../../src/features/reviews/views/filters.ts'
import {ACTIONS} from '../../../../src/slack/ids.ts'

const RULE: FilterRule = {
  id: 'filter_1',
  repo: 'acme/web',
  codehostRepoId: 1,
  conditions: [
    {field: 'label', not: false, values: ['docs', 'text']},
    {field: 'author', not: true, values: ['<!channel>`']},
  ],
  source: 'hand',
  createdByUserId: 'user_1',
  createdByName: 'Kim\n*Lee*',
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: undefined,
}

test('a filter reads as what it asks for, and nothing in it means more', () => {
  const {text, blocks = []} = drawFilters([RULE], {isFirst: true, next: undefined, mayDelete: true})
  const [, row = ''] = text.split('\n')
  expect(row.replace(/<!date\^[^|]*\|(.*)>$/, '$1')).toBe(
    '*acme/web* · label is `docs` or `text` and author is not `&lt;!channel&gt;ˋ` · by Kim *Lee* · since 2026-11-20 09:30 UTC',
  )
  const drawn = JSON.stringify(blocks)
  expect(drawn).toContain('Delete this filter?')
  expect(drawn).not.toContain(ACTIONS.filtersMore)
})

test('what says little is shown, too, and more of them come with a button', () => {
  const unsaid = {repo: undefined, createdByName: undefined, createdAt: undefined}
  const bare = {...RULE, ...unsaid, conditions: []}
  const {text, blocks} = drawFilters([bare, {...RULE, id: 'x'.repeat(3000)}], {
    ...{isFirst: false, next: 'filter_1', mayDelete: true},
  })
  expect(text.split('\n')[1]).toBe('all repositories · always')
  const drawn = JSON.stringify(blocks)
  expect(drawn.match(new RegExp(`"${ACTIONS.deleteFilter}"`, 'g'))).toHaveLength(1)
  expect(drawn).toContain(`"action_id":"${ACTIONS.filtersMore}"`)
  expect(drawn).toContain('Back to the start')
  const wide = {...RULE, conditions: Array.from({length: 80}, () => RULE.conditions).flat()}
  for (const block of drawFilters([wide], {isFirst: true, next: undefined, mayDelete: true})
    .blocks ?? []) {
    if (block.type === 'section') expect(block.text?.text.length).toBeLessThan(3000)
  }
})

test('a page of filters with many values fits into one message', () => {
  const paths = Array.from({length: 60}, (_, index) => `packages/one-of-${index}/src/**`)
  const wide = {...RULE, conditions: [{field: 'path', not: false, values: paths}]}
  const rules = Array.from({length: 8}, (_, index) => ({...wide, id: `filter_${index}`}))
  const {blocks} = drawFilters(rules, {isFirst: true, next: 'filter_7', mayDelete: true})
  expect(() => acceptBlocks(blocks)).not.toThrow()
})

test('who may not delete them sees no buttons for it', () => {
  const {blocks} = drawFilters([RULE], {isFirst: true, next: undefined, mayDelete: false})
  expect(JSON.stringify(blocks)).not.toContain('"button"')
})
