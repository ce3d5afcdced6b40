import {expect, test} from 'vitest'
import {entrySchema} from '../../../src/platform/model.ts'
import {hashOf} from '../../../src/relay/post.ts'
import {createTold} from '../../../src/relay/posts/told.ts'
import type {PostRow} from '../../../src/store/tables/work/posts.ts'

const content = {kind: 'say', markdown: 'All is well.'} as const
const row: PostRow = {
  ...{key: 'say:call:0', delivery: 'call', state: 'placed', ts: '1.0', hash: hashOf(content)},
  ...{final: true, draft: undefined, file: undefined, streaming: false},
}
const entry = (text: string) =>
  entrySchema.parse({id: 'e', source: 'assistant', callId: 'call', text})

function open(
  rows: readonly PostRow[],
  {isRoom = true, own = []}: {isRoom?: boolean; own?: readonly PostRow[]} = {},
) {
  const posts = {
    ofDelivery: async () => [...own],
    ofOrigin: async (_link: string, delivery: string) =>
      rows.filter((one) => one.delivery === delivery),
  }
  const splitRule = {maxCost: 1000, costOf: (text: string) => text.length}
  return createTold({posts, linkId: 'l', isRoom, splitRule})
}

test('an entry that stands as it is where the room was opened from is told there', async () => {
  expect(await open([row]).inOrigin(entry('All is well.'))).toBe(true)
  expect(await open([row]).before('call')).toBe(true)
})

test.each([
  ['that says something else', [row], 'All is lost.'],
  ['that goes on behind what stands', [row], `All is well.${' And so on.'.repeat(200)}`],
  ['of which nothing stands', [], 'All is well.'],
  ['that broke off', [{...row, draft: 'All is well.'}], 'All is well.'],
  ['that is not in its last form', [{...row, final: false}], 'All is well.'],
  ['that somebody deleted', [{...row, state: 'gone' as const}], 'All is well.'],
])('an entry %s is none', async (_name, rows, text) => {
  expect(await open(rows).inOrigin(entry(text))).toBe(false)
})

test('where there is no room nobody looks elsewhere', async () => {
  const told = open([row], {isRoom: false})
  expect(await told.inOrigin(entry('All is well.'))).toBe(false)
  expect(await told.before('call')).toBe(false)
  const own = open([], {isRoom: false, own: [row]})
  expect(await own.before('call')).toBe(true)
  // It is not asked again for each of its pieces.
  expect(own.before('call')).toBe(true)
})
