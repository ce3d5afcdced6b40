import {expect, test} from 'vitest'
import {toAttachments} from '../../src/relay/timeline/attachments.ts'

test('attachments are counted, and named by whatever names them', () => {
  const all = [{name: 'a'}, {filename: 'b'}, {fileName: 'c'}, {title: 'd'}, {name: ' ', title: 'e'}]
  expect(toAttachments([...all, {name: 7}, null, 'text', {}])).toEqual({
    ...{count: 9, names: ['a', 'b', 'c', 'd', 'e']},
  })
  expect(toAttachments([])).toBeUndefined()
})

test('of many the first are named, and of a long name its beginning', () => {
  const many = Array.from({length: 130}, (_, index) => ({name: `file ${index}`}))
  const named = toAttachments(many)
  expect([named?.count, named?.names.length, named?.names[0]]).toEqual([130, 120, 'file 0'])
  expect(toAttachments([{name: 'x'.repeat(200)}])?.names[0]?.length).toBeLessThanOrEqual(100)
})
